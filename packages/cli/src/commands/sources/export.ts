/** sov sources export: writes CSV with one line per source of each answer. */
import { csvLine } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { type ExportedSource, exportSources, ownerText } from "@sov/core/sources"
import { Effect, Stream } from "effect"
import { resolve } from "node:path"
import { integerOption } from "../../input/integerOption.ts"
import { checkTarget, createPartFile } from "../../output/partFile.ts"
import { writeOut } from "../../output/writeOut.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

const maxScans = 1_000_000

interface ExportOptions extends GlobalOptions {
  readonly out: string
  readonly scans?: string
}

const csvHeader = csvLine([
  "answer_id",
  "scan_id",
  "created_at",
  "platform",
  "keyword_id",
  "ordinal",
  "kind",
  "url",
  "page",
  "domain",
  "owner",
  "title",
  "start",
  "end",
  "resolved"
])

const formatSourceLine = (
  { answer, domain, end, kind, ordinal, owner, page, resolved, start, title, url }: ExportedSource
): string =>
  csvLine([
    answer.answerId,
    answer.scanId,
    answer.createdAt.toISOString(),
    answer.platform,
    answer.keywordId,
    ordinal,
    kind,
    url,
    page,
    domain,
    ownerText(owner),
    title,
    start,
    end,
    resolved
  ])

/** Runs `sov sources export`. */
export const exportAll = (options: ExportOptions) => {
  const before = options.out === "-" ? Effect.void : checkTarget(resolve(options.out), options.yes === true)
  return runForOrganization(options, { before }, function*({ out }, organization) {
    const scans = options.scans === undefined ? null : yield* integerOption("--scans", options.scans, 1, maxScans)
    const file = options.out === "-" ? null : yield* createPartFile(resolve(options.out))
    const write = file === null ? writeOut : file.write
    let rows = 0
    yield* write(csvHeader)
    yield* exportSources(organization.id, wholeHistory, scans).pipe(Stream.runForEach((sources) => {
      rows += sources.length
      return sources.length === 0 ? Effect.void : write(sources.map(formatSourceLine).join(""))
    }))
    if (file === null) return
    const sha256 = yield* file.finish
    out.result({ file: resolve(options.out), rows, sha256 }, () => `${rows} sources in ${resolve(options.out)}`)
  })
}
