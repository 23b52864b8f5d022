/** sov archive: lists, shows and exports the raw answers, and counts them. */
import {
  type ArchiveFilters,
  type ArchiveRow,
  archiveRowJson,
  describeSighting,
  readAnswer,
  readAnswerOrigin,
  readAnswerPayload,
  readArchive,
  readArchiveStats,
  readSightings,
  type Sighting
} from "@sov/core/archive"
import { AnswerId, maxRowsPage, NotFound, type OrganizationId } from "@sov/core/common"
import {
  describeFailure,
  findMentions,
  type MeasurementFailure,
  type Mention,
  readMeasurementFailure
} from "@sov/core/measuring"
import { wholeHistory } from "@sov/core/organizations"
import { findScan } from "@sov/core/scanning"
import { readAnswerSources } from "@sov/core/sources"
import { readTrackedSet, readUntrackedNames } from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import { usageError } from "../../CliError.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { integerOption } from "../../input/integerOption.ts"
import { type Output, printable } from "../../output/Output.ts"
import { writeOut } from "../../output/writeOut.ts"
import { runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { archiveFilters, type ListOptions } from "./archiveFilters.ts"
import { pageMeta, pageWriter, showPage } from "./archiveList.ts"
import { shownSourcesJson, shownSourcesText } from "./shownSources.ts"

export { exportAll } from "./archiveExport.ts"

/** The filters of `archive list`. Exports and servers support only the first four. */
const listFilters = Effect.fnUntraced(function*(organizationId: OrganizationId, options: ListOptions) {
  if (options.named === true && options.notNamed === true) {
    return yield* Effect.fail(usageError("--named and --not-named exclude each other"))
  }
  const filters: ArchiveFilters = {
    ...yield* archiveFilters(organizationId, options),
    ...options.scan === undefined ? {} : { scanId: (yield* findScan(organizationId, options.scan)).id },
    ...options.named === true ? { named: true } : options.notNamed === true ? { named: false } : {}
  }
  return filters
})

/** The answers as JSON; those captured in apps with who saw them. */
const listedJson = (organizationId: OrganizationId, rows: ReadonlyArray<ArchiveRow>) =>
  Effect.map(
    readSightings(organizationId, rows),
    (sightings) => rows.map((row) => ({ ...archiveRowJson(row), ...sightings.get(row.id) }))
  )

/** Runs `sov archive list`. */
export const list = (options: ListOptions) =>
  runCommand(options, { repeatable: options.all !== true }, function*({ out }) {
    const limit = yield* integerOption("--limit", options.limit ?? "50", 1, maxRowsPage)
    const organization = yield* currentOrganization(options)
    const filters = yield* listFilters(organization.id, options)
    const page = yield* readArchive(organization.id, wholeHistory, filters, { limit, cursor: options.cursor })
    const data = yield* listedJson(organization.id, page.rows)
    if (options.all !== true) {
      return showPage(out, data, pageMeta(data.length, page.nextCursor, page.windowStart.toISOString()))
    }
    const pages = pageWriter(out)
    yield* pages.write(data)
    let cursor = page.nextCursor
    while (cursor !== null) {
      const next = yield* readArchive(organization.id, wholeHistory, filters, { limit, cursor })
      if (next.rows.length > 0) yield* pages.write(yield* listedJson(organization.id, next.rows))
      cursor = next.nextCursor
    }
    yield* pages.end(page.windowStart.toISOString())
  })

/** Marks the mentions in an answer: with colour and bold if the output has styles, otherwise with characters. */
const markMentions = (out: Output, row: ArchiveRow, mentions: ReadonlyArray<Mention>): string => {
  const styled = out.style("bold", "x") !== "x"
  const mark = (entity: "brand" | number, text: string): string =>
    styled
      ? out.style(entity === "brand" ? ["bold", "inverse"] : "underline", text)
      : entity === "brand"
      ? `»${text}«`
      : `›${text}‹`
  let at = 0
  let text = ""
  for (const { end, entity, start } of mentions) {
    if (start < at) continue
    text += printable(row.rawResponse.slice(at, start)) + mark(entity, printable(row.rawResponse.slice(start, end)))
    at = end
  }
  return text + printable(row.rawResponse.slice(at))
}

/** The stance and, if a judge decided it, the judge's name. */
const stanceText = ({ sentiment, sentimentBy }: ArchiveRow): string =>
  sentimentBy === "rules" ? sentiment ?? "not judged" : `${sentiment} (says ${printable(sentimentBy ?? "")})`

interface Origin {
  readonly adapter: string
  readonly model: string
}

interface Shown extends Origin {
  readonly mentions: ReadonlyArray<Mention>
  readonly failure: MeasurementFailure | null
  /** Who saw an answer that was captured in an app, null if that is not stored; absent for other answers. */
  readonly sighting: Sighting | null | undefined
  /** Suggested brands that the answer names but the organization does not track. */
  readonly untracked: ReadonlyArray<string>
}

const answerText = (
  out: Output,
  row: ArchiveRow,
  { adapter, failure, mentions, model, sighting, untracked }: Shown
): string => {
  const json = archiveRowJson(row)
  const found = row.brandMentioned === null
    ? failure === null
      ? "not measured yet"
      : `not measured: ${describeFailure(failure.reason)} (sov rescore tries again)`
    : row.brandMentioned
    ? `brand named ${row.mentionCount}×, position ${row.mentionPosition}, ${stanceText(row)}, score ${json.sov_score}`
    : "brand not named"
  return [
    `${out.style("bold", out.platformName(row.platform))} · ${json.created_at} · ${found}${
      row.simulated ? ` · ${out.style("yellow", "SIMULATED")}` : ""
    }`,
    sighting === undefined
      ? `${out.style("dim", "asked:")} ${printable(adapter)}, ${printable(model)}`
      : `${out.style("dim", "not asked:")} ${printable(describeSighting(sighting))}, as its importer states`,
    `${out.style("dim", "prompt:")} ${printable(row.promptUsed)}`,
    ...untracked.length === 0
      ? []
      : [`${out.style("dim", "names, not tracked:")} ${untracked.map(printable).join(", ")} (sov competitor suggest)`],
    "",
    markMentions(out, row, mentions)
  ].join("\n")
}

/** Finds the answer with this id; `latest` means the newest answer. */
const findAnswer = Effect.fnUntraced(function*(organizationId: OrganizationId, id: string) {
  if (id === "latest") {
    const [newest] = (yield* readArchive(organizationId, wholeHistory, {}, { limit: 1 })).rows
    return newest ?? (yield* new NotFound({ what: "answer", id }))
  }
  if (!Schema.is(AnswerId)(id)) return yield* new NotFound({ what: "answer", id })
  return yield* readAnswer(organizationId, wholeHistory, id)
})

/**
 * The mentions of the currently tracked names in an answer. If the answer cannot be measured, there are no mentions and
 * a note is printed.
 */
const findShownMentions = Effect.fnUntraced(
  function*(out: Output, organizationId: OrganizationId, { promptUsed, rawResponse }: ArchiveRow) {
    const { brand, competitors } = yield* readTrackedSet(organizationId)
    return yield* findMentions({ brand, competitors, excludes: brand.excludes }, {
      text: rawResponse,
      prompt: promptUsed
    })
      .pipe(
        Effect.catchTag("AnalysisError", ({ reason }) => {
          out.note(`no name is marked: ${describeFailure(reason)}`)
          return Effect.succeed<ReadonlyArray<Mention>>([])
        })
      )
  },
  Effect.catchTag("NotReady", () => Effect.succeed<ReadonlyArray<Mention>>([]))
)

const findUntracked = (organizationId: OrganizationId, row: ArchiveRow) =>
  readUntrackedNames(organizationId, wholeHistory, row, "2 seconds").pipe(
    Effect.catchTag("NotReady", () => Effect.succeed<ReadonlyArray<string>>([]))
  )

/** Runs `sov archive show ID|latest`. */
export const show = (options: GlobalOptions & { readonly raw?: boolean; readonly payload?: boolean }, id: string) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    if (options.raw === true && options.payload === true) {
      return yield* Effect.fail(usageError("--raw and --payload exclude each other"))
    }
    const organization = yield* currentOrganization(options)
    const row = yield* findAnswer(organization.id, id)
    if (options.payload === true) {
      const payload = yield* readAnswerPayload(organization.id, wholeHistory, row.id)
      return yield* writeOut(payload)
    }
    if (options.raw === true) {
      // Answers can contain terminal escape sequences, so the raw text is never written to a terminal
      return yield* writeOut(row.rawResponse)
    }
    const mentions = out.machine ? [] : yield* findShownMentions(out, organization.id, row)
    const origin = yield* readAnswerOrigin(organization.id, row.id)
    const sources = yield* readAnswerSources(organization.id, row.id)
    const sighting = (yield* readSightings(organization.id, [row])).get(row.id)
    const failure = yield* readMeasurementFailure(organization.id, row.id)
    const untracked = out.machine ? [] : yield* findUntracked(organization.id, row)
    out.result(
      {
        ...archiveRowJson(row),
        ...origin,
        ...sighting,
        ...shownSourcesJson(row, sources),
        measurement_failure: failure && { reason: failure.reason, failed_at: failure.failedAt.toISOString() }
      },
      () =>
        [
          answerText(out, row, { ...origin, failure, mentions, sighting, untracked }),
          "",
          ...shownSourcesText(out, row, sources)
        ].join(
          "\n"
        )
    )
  })

const formatKibibytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`

/** Runs `sov archive stats`. */
export const stats = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const rows = (yield* readArchiveStats(organization.id)).map((one) => ({
      platform: one.platform,
      answers: one.answers,
      simulated_answers: one.simulated,
      text_bytes: one.textBytes,
      first_created_at: one.first.toISOString(),
      last_created_at: one.last.toISOString()
    }))
    out.list(rows, [
      { header: "PLATFORM", cell: (row) => out.platformName(row.platform) },
      { header: "ANSWERS", cell: (row) => row.answers, align: "right" },
      { header: "SIMULATED", cell: (row) => row.simulated_answers, align: "right" },
      { header: "TEXT", cell: (row) => formatKibibytes(row.text_bytes), align: "right" },
      { header: "FIRST", cell: (row) => row.first_created_at },
      { header: "LAST", cell: (row) => row.last_created_at }
    ], { empty: "No answers yet: sov scan brings some." })
  })
