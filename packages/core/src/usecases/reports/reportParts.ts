/** Reads the parts of a report: texts, keywords of a tag, citations and stored actions. */
import { Effect } from "effect"
import type { ArchivePosition, ArchiveRow } from "../../domain/archive/ArchiveRow.ts"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { EvidenceAnswer, EvidenceSite, ReportEvidence, StatedNext } from "../../domain/reports/ReportEvidence.ts"
import { describeAction } from "../../domain/sources/actions/describeAction.ts"
import type { Keyword } from "../../domain/tracking/Keyword.ts"
import { findSystemTag } from "../../domain/tracking/Tag.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { Rejected } from "../errors.ts"
import { readKeptActions } from "../sources/readActions.ts"
import type { SourceReport } from "../sources/readSources.ts"
import { findNamedTag, findTagged } from "../tracking/readTags.ts"
import { listReportedNext } from "./formReport.ts"

const rowsPerPage = 100

/** The answers of a scan. Fails with Rejected (`answers`) once their texts exceed `maxText` UTF-16 units. */
export const readTexts = Effect.fnUntraced(function*(organizationId: OrganizationId, scanId: ScanId, maxText: number) {
  const archive = yield* ArchiveStore
  const found = new Map<AnswerId, ArchiveRow>()
  let after: ArchivePosition | undefined
  let length = 0
  while (true) {
    const page: ReadonlyArray<ArchiveRow> = yield* archive.page(organizationId, { scanId }, {
      limit: rowsPerPage,
      provenance: true,
      ...after === undefined ? {} : { after }
    })
    for (const row of page) {
      found.set(row.id, row)
      length += row.rawResponse.length
    }
    if (length > maxText) {
      return yield* new Rejected({ field: "answers", message: "their texts are longer than the report may be" })
    }
    if (page.length < rowsPerPage) return { found, length }
    after = page.at(-1)!
  }
})

/**
 * Finds the keywords with a tag; computed tags are decided by these names. Fails with NotFound for a tag without
 * keywords.
 */
export const findKeywordsOfTag = Effect.fnUntraced(
  function*(organizationId: OrganizationId, tag: string, set: TrackedSet, keywords: ReadonlyArray<Keyword>) {
    if (findSystemTag(tag) === null) return new Set(yield* findNamedTag(organizationId, tag))
    return new Set(yield* findTagged(organizationId, tag, { keywords, branded: brandedAmong(set, keywords) }))
  }
)

/** Numbers the distinct values. */
export const makeIndex = <Key, Value>(keyOf: (value: Value) => Key) => {
  const at = new Map<Key, number>()
  const values: Array<Value> = []
  return {
    values,
    find: (value: Value): number => {
      const key = keyOf(value)
      const found = at.get(key)
      if (found !== undefined) return found
      at.set(key, values.length)
      return values.push(value) - 1
    }
  }
}

export const citationsOf = (sources: SourceReport, sites: ReturnType<typeof makeIndex<string, EvidenceSite>>) =>
  new Map(sources.answers.map(({ answerId }, i): readonly [AnswerId, NonNullable<EvidenceAnswer["cites"]>] => {
    const { cited, reports, searched, unread } = sources.rows[i]!
    const places = cited.map(({ domain, owner }): EvidenceSite => ({
      domain,
      owner: owner.kind === "competitor" ? owner.id : owner.kind === "own" ? "own" : "other"
    }))
    return [answerId, {
      sites: [...new Set(places.map(sites.find))],
      ...reports ? {} : { silent: true as const },
      searched,
      ...unread ? { unread: true as const } : {}
    }]
  }))

/**
 * The stored actions that a report must state beside those that can be derived from its answers: decisions, and actions
 * of the same newest scan that depend on pages, facts or scans outside the report. Null if there are no such actions.
 */
export const readStatedNext = Effect.fnUntraced(
  function*(organizationId: OrganizationId, window: HistoryWindow, evidence: ReportEvidence) {
    const kept = yield* readKeptActions(organizationId, window)
    const formed = listReportedNext(evidence)
    if (kept === null || formed === null) return null
    const found = new Set(formed.found.map(({ id }) => id))
    const listed = new Set(kept.actions.map(({ id }) => id))
    const next: StatedNext = {
      decided: kept.marks.map(({ id }) => id).filter((id) => !listed.has(id)),
      // For other scans, such as those of a view, no actions are stored
      stated: kept.scans[0] !== evidence.scans[0]?.id
        ? []
        : kept.actions.filter(({ id }) => !found.has(id)).map((one) => ({ id: one.id, ...describeAction(one, kept) }))
    }
    return next.decided.length + next.stated.length === 0 ? null : next
  }
)
