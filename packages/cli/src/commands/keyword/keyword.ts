/** sov keyword: the questions that scans ask. */
import { wholeHistory } from "@sov/core/organizations"
import type { KeywordCell } from "@sov/core/scanning"
import { roundOrNull, simulatedJson } from "@sov/core/scoring"
import {
  type AddedKeyword,
  addKeywords,
  findKeyword,
  findTagged,
  type Keyword,
  type KeywordHistory,
  keywordStatuses,
  KeywordText,
  readKeywordHistory,
  readKeywords,
  readTags,
  setKeywordStatus,
  taggedKeywordJson
} from "@sov/core/tracking"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { usageError } from "../../CliError.ts"
import { confirm } from "../../input/confirm.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { readText } from "../../input/readText.ts"
import { tagOptions } from "../../input/tagOptions.ts"
import type { Output } from "../../output/Output.ts"
import { runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

const addedText = ({ isNew, keyword: { status, text } }: AddedKeyword): string =>
  isNew
    ? `Tracking: ${text}`
    : status === "paused"
    ? `Tracked already, paused: ${text} (sov keyword resume asks it again)`
    : `Tracked already: ${text}`

/** Notes which keywords name the brand: the share of voice leaves out their answers. */
export const noteBranded = (out: Output, branded: ReadonlyArray<Pick<Keyword, "text">>): void => {
  for (const { text } of branded) {
    out.note(`note: ${JSON.stringify(text)} names the brand: the share of voice leaves its answers out`)
  }
}

/** Maximum length of a list of keywords from standard input, in millions of characters. */
const maxMillion = 10

/**
 * The keywords given as arguments; `-` adds the lines of standard input. Asks for confirmation if an argument is the
 * name of a file.
 */
const readTexts = Effect.fnUntraced(function*(out: Output, texts: ReadonlyArray<string>) {
  const file = texts.find((text) => text !== "-" && existsSync(text))
  if (file !== undefined) {
    const lines = `sov keyword add - < ${file}`
    yield* confirm(
      out,
      `${file} is a file: \`${lines}\` tracks its lines. Track ${JSON.stringify(file)} as a question?`
    )
  }
  if (!texts.includes("-")) return texts
  const lines = (yield* readText("-", maxMillion)).split(/\r?\n/).map((line) => line.trim()).filter((line) =>
    line !== ""
  )
  if (lines.length === 0) return yield* Effect.fail(usageError("there is no keyword on standard input", "one per line"))
  return texts.flatMap((text) => text === "-" ? lines : [text])
})

export const add = (
  options: GlobalOptions & { readonly tag?: ReadonlyArray<string> },
  texts: ReadonlyArray<string>
) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const tags = yield* tagOptions(options.tag)
    const organization = yield* currentOrganization(options)
    const checked = yield* Effect.forEach(
      yield* readTexts(out, texts),
      (text) => decodeInput(KeywordText, text, "keyword")
    )
    const added = yield* addKeywords(organization.id, checked, tags)
    const tagsOf = yield* readTags(organization.id)
    const all = added.map(({ keyword }) => taggedKeywordJson(keyword, tagsOf.get(keyword.id)))
    const branded = new Set(yield* findTagged(organization.id, "branded"))
    out.result(all.length === 1 ? all[0] : all, () => added.map(addedText).join("\n"))
    noteBranded(out, added.map(({ keyword }) => keyword).filter(({ id }) => branded.has(id)))
  })

export const list = (options: GlobalOptions & { readonly all?: boolean; readonly tag?: string }) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const statuses = options.all === true
      ? keywordStatuses
      : keywordStatuses.filter((status) => status !== "archived")
    const { tag } = options
    const tagged = tag === undefined ? null : new Set(yield* findTagged(organization.id, tag))
    const tagsOf = yield* readTags(organization.id)
    const keywords = (yield* readKeywords(organization.id, statuses)).filter(({ id }) => tagged?.has(id) ?? true)
    out.list(keywords.map((keyword) => taggedKeywordJson(keyword, tagsOf.get(keyword.id))), [
      { header: "KEYWORD", cell: (row) => row.text },
      { header: "STATUS", cell: (row) => row.status },
      ...tagsOf.size === 0 ? [] : [{ header: "TAGS", cell: tagsCell }],
      { header: "ID", cell: (row) => row.id }
    ], {
      empty: tag === undefined
        ? "No keywords yet: sov keyword add \"best tool for …?\""
        : `No keyword has the tag ${JSON.stringify(tag)}: sov keyword tag gives it.`
    })
  })

const tagsCell = ({ tags }: { readonly tags: ReadonlyArray<string> }): string => tags.join(", ")

/** The result of a keyword in one scan, on one platform or on all platforms. */
interface HistoryRow {
  readonly scan_id: string
  readonly started_at: string
  readonly platform: string
  /** Share of voice over all platforms; null for a single platform. */
  readonly sov: number | null
  readonly mentioned_count: number
  readonly results_count: number
  readonly failed_count: number
  readonly simulated?: true
}

const historyRows = ({ course, platforms, scans }: KeywordHistory): ReadonlyArray<HistoryRow> =>
  scans.flatMap((scan, i) => {
    const makeRow = (platform: string, cells: ReadonlyArray<KeywordCell>, sov: number | null): HistoryRow => ({
      scan_id: scan.id,
      started_at: scan.startedAt.toISOString(),
      platform,
      sov: roundOrNull(sov, 1),
      mentioned_count: cells.filter(({ brandMentioned }) => brandMentioned === true).length,
      results_count: cells.filter(({ answerId }) => answerId !== null).length,
      failed_count: cells.filter(({ state }) => state === "failed").length,
      ...simulatedJson(scan.simulated)
    })
    const asked = platforms
      .map(({ cells, platform }) => ({ platform, cells: cells.filter(({ scanId }) => scanId === scan.id) }))
      .filter(({ cells }) => cells.length > 0)
    return [
      makeRow("all", asked.flatMap(({ cells }) => cells), course[i] ?? null),
      ...asked.map(({ cells, platform }) => makeRow(platform, cells, null))
    ]
  })

/** Runs `sov keyword history ID|TEXT`. */
export const history = (options: GlobalOptions, idOrText: string) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const { id } = yield* findKeyword(organization.id, idOrText)
    const rows = historyRows(yield* readKeywordHistory(organization.id, wholeHistory, id))
    // People see one row per scan; programs also get a row for each platform
    out.list(out.machine ? rows : rows.filter(({ platform }) => platform === "all"), [
      { header: "STARTED", cell: (row) => row.started_at },
      { header: "SOV", cell: shareText, align: "right" },
      { header: "NAMED", cell: (row) => `${row.mentioned_count} of ${row.results_count}` },
      { header: "FAILED", cell: (row) => row.failed_count, align: "right" },
      { header: "SCAN", cell: (row) => row.scan_id }
    ], { empty: "No scan has asked it yet: sov scan runs one." })
  })

const shareText = ({ simulated, sov }: HistoryRow): string =>
  `${sov === null ? "-" : `${sov} %`}${simulated === true ? " SIMULATED" : ""}`

export const setStatus = (
  options: GlobalOptions,
  idOrText: string,
  status: Keyword["status"]
) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const keyword = yield* findKeyword(organization.id, idOrText)
    if (status === "archived") yield* confirm(out, `Stop asking ${JSON.stringify(keyword.text)}? Its answers stay.`)
    const changed = yield* setKeywordStatus(organization.id, keyword.id, status)
    const tagsOf = yield* readTags(organization.id)
    out.result(taggedKeywordJson(changed, tagsOf.get(changed.id)), () => `${keyword.text}: ${status}`)
  })
