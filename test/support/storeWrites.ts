/**
 * Determines from the sources which use cases write to the database: by the SQL of stores, and the calls of their
 * methods.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const core = join(import.meta.dirname, "../../packages/core/src")

const read = (file: string): string => readFileSync(join(core, file), "utf8")

/** Ports that only use the database and store nothing. */
const storeless = new Set(["InstanceStore", "Notifications", "Placement", "Transaction"])

/** Methods that read through helpers in other files. */
const readers = new Set([
  "list",
  "listOpen",
  "headline",
  "listUncounted",
  "listSealed",
  "listSettled",
  "find",
  "neighbours",
  "page",
  "payload",
  "newMentions",
  "recent",
  "recentOf",
  "unmeasuredBefore",
  "history",
  "historyInUtf8",
  "newest",
  "readBasis",
  "current",
  "estimate",
  "newestWithSources",
  "stateOf"
])

/**
 * The writing methods of each port. A method counts as writing if its own SQL is not only a SELECT, unless it is one of
 * `readers`; so no writing method is missed.
 */
export const writingMethods: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  globSync("adapters/postgres/**/Pg*.ts", { cwd: core }).flatMap((file) => {
    const source = read(file)
    const [, port, body] = /= Layer\.(?:effect|succeed)\(\s*(\w+),([^]*)/.exec(source) ?? []
    if (port === undefined || body === undefined || storeless.has(port)) return []
    const methods = body.slice(Math.max(0, body.indexOf(".of({"))).split(/^ {6}(?=\w+(?::|,$))/m).slice(1).map(
      (text) => {
        const reads = /\bselect\b/.test(text) && !/\b(?:insert into|update|delete from)\b/.test(text)
        return { name: /^\w+/.exec(text)![0], reads }
      }
    )
    return [
      [
        port,
        new Set(methods.filter(({ name, reads }) => !reads && !readers.has(name)).map(({ name }) => name))
      ] as const
    ]
  })
)

/** Source text of each use case, by its path below `usecases/`. */
export const useCaseSources: ReadonlyMap<string, string> = new Map(
  globSync("usecases/**/*.ts", { cwd: core }).toSorted().map((file) => [
    file.slice("usecases/".length),
    read(file)
  ])
)

/** The writing calls in a use case, such as `KeywordStore.add`. */
export const findWrites = (source: string): ReadonlyArray<string> =>
  [...writingMethods].flatMap(([port, methods]) =>
    new RegExp(`^import [^;]*?\\b${port}\\b[^;]*? from "(?:\\.\\./)+ports/`, "m").test(source)
      ? [...methods].filter((name) => new RegExp(`\\.${name}\\b|\\b${name}\\(`).test(source)).map((name) =>
        `${port}.${name}`
      )
      : []
  )
