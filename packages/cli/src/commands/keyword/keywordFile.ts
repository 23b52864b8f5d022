/** sov keyword import|export: reads and writes keywords, with their tags and statuses, as a file. */
import { pluralized } from "@sov/core/common"
import {
  exportKeywords,
  findNamedTag,
  importKeywords,
  type ImportResult,
  keywordCsvHeader,
  keywordCsvLine,
  type KeywordFile,
  makeKeywordFileReader
} from "@sov/core/tracking"
import { Effect } from "effect"
import { createReadStream } from "node:fs"
import { resolve } from "node:path"
import { usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { makeUnreadableError } from "../../input/unreadable.ts"
import { checkTarget, createPartFile } from "../../output/partFile.ts"
import { writeOut } from "../../output/writeOut.ts"
import { runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** Reads a file (`-` is stdin) until its keywords reach the limit. */
const readKeywordFile = (file: string) =>
  Effect.tryPromise({
    try: async (): Promise<KeywordFile> => {
      const reader = makeKeywordFileReader()
      const source: AsyncIterable<Buffer> = file === "-" ? process.stdin : createReadStream(file)
      for await (const piece of source) if (!reader.push(piece)) break
      return reader.end()
    },
    catch: (error) => makeUnreadableError(file, error, "- reads from stdin")
  })

const resultText = ({ added, existing, refused }: ImportResult, dryRun: boolean): string =>
  [
    ...refused.map(({ line, reason }) => `line ${line}: ${reason}`),
    `${pluralized(added, "keyword")} ${dryRun ? "would be " : ""}added, ${existing} already there, ${
      pluralized(refused.length, "line")
    } refused`
  ].join("\n")

/** Runs `sov keyword import FILE`. */
export const importFile = (options: GlobalOptions & { readonly dryRun?: boolean }, file: string) =>
  runCommand(options, {}, function*({ out }) {
    const read = yield* readKeywordFile(file)
    if (read.keywords.length + read.refused.length === 0) {
      return yield* Effect.fail(
        usageError(`there is no keyword in ${file}`, "CSV with the column text, or one per line")
      )
    }
    const organization = yield* currentOrganization(options)
    if (read.ignoredColumns.length > 0) out.note(`Columns that are not read: ${read.ignoredColumns.join(", ")}`)
    const dryRun = options.dryRun === true
    const done = yield* importKeywords(organization.id, read, { dryRun })
    const { added, existing, refused } = done
    out.result(
      { ...dryRun ? { dry_run: true } : {}, added, existing, refused },
      () => resultText(done, dryRun)
    )
    return added + existing > 0 ? exitCodes.ok : exitCodes.usage
  })

interface ExportOptions extends GlobalOptions {
  readonly out?: string
  readonly tag?: string
}

/** Runs `sov keyword export`. */
export const exportAll = (options: ExportOptions) => {
  const target = options.out === undefined || options.out === "-" ? null : resolve(options.out)
  const before = target === null ? Effect.void : checkTarget(target, options.yes === true)
  return runForOrganization(options, { before }, function*({ out }, organization) {
    const ids = options.tag === undefined ? undefined : new Set(yield* findNamedTag(organization.id, options.tag))
    const keywords = yield* exportKeywords(organization.id, { ids })
    const text = keywordCsvHeader + keywords.map(({ keyword, tags }) => keywordCsvLine(keyword, tags)).join("")
    if (target === null) return yield* writeOut(text)
    const file = yield* createPartFile(target)
    yield* file.write(text)
    const sha256 = yield* file.finish
    out.result(
      { file: target, keywords: keywords.length, sha256 },
      () => `${pluralized(keywords.length, "keyword")} in ${target}`
    )
  })
}
