/**
 * The organization filters in the SQL of the stores: every comparison that keeps a statement within one organization.
 * In a run of mutations each has a comment before it in the source that is loaded, `/*org:7* /`, by which a statement
 * that is executed shows which filters it has, and by which one of them is taken out.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "../../packages/core/src/adapters/postgres")

/** Files left out: they contain no statements about one organization's rows. */
const leftOut = /^(?:migrations|backup|roles)\//

/** Patterns of a filter in the source. */
const patterns = [
  // organization_id = ${organizationId}, answer.organization_id = own.organization_id
  /(?:\b[a-z_]+\.|\$\{sql\(\w+\)\}\.)?\borganization_id = (?=\$\{|[a-z_]+\.|`)/g,
  // organization.id = api_key.organization_id, organization.id = ${organizationId}
  /\b(?:organization|o)\.id = (?=[a-z_]+\.organization_id|\$\{)/g,
  // … from organization where id = ${organizationId}
  /(?<=\borganization (?:set \w+ = \$\{\w+\} )?where )id = (?=\$\{)/g,
  /\(\w+\.organization_id, \w+\.id\) in \(select organization_id, /g,
  /\borganization_id in \(select organization_id from /g
]

/** A filter. Its name says where it is, and does not depend on the surrounding lines. */
export interface FilterSite {
  readonly index: number
  readonly name: string
}

/**
 * The name of the code that contains a position in a source file: the method of the port, or the constant of the
 * module.
 */
const enclosing = (source: string, at: number): string => {
  const before = source.slice(0, at)
  const names = [...before.matchAll(/^(?: {6}(\w+)(?::|\()|(?:export )?const (\w+) =| {4}const (\w+) =)/gm)]
  const [, method, constant, inner] = names.at(-1) ?? []
  return method ?? inner ?? constant ?? "?"
}

const findFilters = (source: string): ReadonlyArray<{ readonly at: number; readonly text: string }> =>
  patterns.flatMap((pattern) =>
    [...source.matchAll(pattern)].map((match) => {
      const line = source.slice(match.index, source.indexOf("\n", match.index))
      const text =
        /^.*?(?:=|in) \(?(?:select organization_id,? ?(?:\w+ )?from \w+|\$\{\w+(?:\(\w+\))?\}(?:\.\w+)?|[\w.]+|)/.exec(
          line
        )
      return { at: match.index, text: text![0].trim() }
    })
  ).toSorted((a, b) => a.at - b.at)

const files = globSync("**/*.ts", { cwd: folder }).filter((file) => !leftOut.test(file)).toSorted()

const filtersByFile = (() => {
  let index = 0
  return new Map(files.map((file) => {
    const source = readFileSync(join(folder, file), "utf8")
    const counts = new Map<string, number>()
    const found = findFilters(source).map(({ at, text }) => {
      const base = `${file.replace(/\.ts$/, "")} ${enclosing(source, at)}: ${text}`
      const nth = (counts.get(base) ?? 0) + 1
      counts.set(base, nth)
      return { at, index: index++, name: nth === 1 ? base : `${base} (${nth})` }
    })
    return [join(folder, file), found] as const
  }))
})()

/** Any comparison with an organization, whatever its form. One that matches no pattern above would remain untested. */
const comparison =
  /\borganization_id\b\)?\s*(?:=|<>|!=|in\b|is\b|between\b)|\b(?:organization|o)\.id\s*(?:=|<>|!=|in\b)/g

/** Comparisons with organizations that match no pattern of a filter: file, line and text. */
export const listUnmatched = (): ReadonlyArray<string> =>
  files.flatMap((file) => {
    const source = readFileSync(join(folder, file), "utf8")
    const matched = patterns.flatMap((pattern) =>
      [...source.matchAll(pattern)].map(({ 0: text, index }) => [index, index + text.length] as const)
    )
    return [...source.matchAll(comparison)]
      .filter(({ index }) => matched.every(([from, to]) => index < from || index >= to))
      .map(({ 0: text, index }) => `${file}:${source.slice(0, index).split("\n").length} ${text}`)
  })

/** All filters of all stores. */
export const filterSites: ReadonlyArray<FilterSite> = [...filtersByFile.values()].flat()

/** The source of a store with its filters marked; undefined if it has no filters. */
export const markFilters = (file: string, source: string): string | undefined => {
  const found = filtersByFile.get(file)
  if (found === undefined || found.length === 0) return undefined
  return found.reduceRight((text, { at, index }) => `${text.slice(0, at)}/*org:${index}*/${text.slice(at)}`, source)
}

/** The numbers of the filters in a compiled statement. */
export const filtersIn = (statement: string): ReadonlyArray<number> =>
  [...statement.matchAll(/\/\*org:(\d+)\*\//g)].map(([, index]) => Number(index))

/** The statement without one of its filters. Its parameters stay, so that it still compiles. */
export const removeFilter = (statement: string, index: number): string => {
  const mark = `/\\*org:${index}\\*/`
  const removed = statement
    .replaceAll(
      new RegExp(`${mark}\\((\\w+)\\.organization_id, (\\w+)\\.id\\) in \\(select organization_id, `, "g"),
      "$2.id in (select "
    )
    .replaceAll(new RegExp(`${mark}(organization_id in \\(select organization_id from \\w+\\))`, "g"), "(true or $1)")
    .replaceAll(new RegExp(`${mark}([\\w."]+ =\\s+(?:\\$\\d+|[\\w."]+)(?:::uuid)?)`, "g"), "(true or $1)")
  if (removed.includes(`/*org:${index}*/`)) throw new Error(`filter ${index} stays in ${statement}`)
  return removed
}
