/** The sources of the newest completed scans, as the metrics read them. */
import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import { type HistoryWindow, laterBegin } from "../../domain/organizations/HistoryWindow.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { Period } from "../../domain/scoring/Period.ts"
import { type CitingRow, toCitingRows } from "../../domain/sources/citing.ts"
import { type SourceSummary, summarizeSources } from "../../domain/sources/metrics.ts"
import { makeOwnerLookup } from "../../domain/sources/owners.ts"
import { moveToTarget } from "../../domain/sources/resolvedUrl.ts"
import { type Keyword, keywordStatuses } from "../../domain/tracking/Keyword.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { type AnswerWithSources, SourceStore } from "../../ports/SourceStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { hasSameVersions } from "../scoring/readHeadlines.ts"
import { readHeadlineHistory } from "../scoring/reads.ts"
import { findTagged } from "../tracking/readTags.ts"
import { findTargets } from "./reads.ts"

/** Which answers are read. */
export interface SourceScope {
  /** How many of the newest comparable scans, 1 to `maxSourceScans`. */
  readonly scans: number
  readonly platform?: PlatformId | undefined
  readonly keywordId?: KeywordId | undefined
  /** Only answers to keywords that have it now; none where no keyword has it. */
  readonly tag?: string | undefined
  /** Only scans that started in it. */
  readonly period?: Period | undefined
}

/** What was read. */
export interface SourceReport {
  /** Newest first, of one kind (simulated or real), measured with the same names and rules. */
  readonly scans: readonly [Scan, ...ReadonlyArray<Scan>]
  /** The present tracked set, which says whose page a source is. */
  readonly set: Pick<TrackedSet, "brand" | "competitors">
  /**
   * Answers to questions that name the brand themselves are left out, as in the share of voice, unless there are no
   * others.
   */
  readonly answers: ReadonlyArray<AnswerWithSources>
  /** The same, in their order. */
  readonly rows: ReadonlyArray<CitingRow>
  readonly summary: SourceSummary
  /** Keywords with an answer. */
  readonly keywords: ReadonlyArray<Keyword>
}

/** Number of scans that are looked through for comparable ones. */
const maxExaminedScans = 50

/** The scan of the headline and those before it that the window shows and that can be compared with it, and what they were measured with. */
export const listNewestScans = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  count: number,
  period?: Period
) {
  const limit = count === 1 ? 1 : maxExaminedScans
  const since = laterBegin(window, period?.from ?? null)
  const { scans: [latest, ...earlier] } = yield* readHeadlineHistory(organizationId, limit, since, period?.to)
  if (latest === undefined) return yield* new NoCompletedScan()
  const comparable = earlier.filter(({ scan, score }) =>
    scan.simulated === latest.scan.simulated && hasSameVersions(score, latest.score)
  )
  const scans: SourceReport["scans"] = [latest.scan, ...comparable.slice(0, count - 1).map(({ scan }) => scan)]
  return { scans, versions: latest.score }
})

/** Reads the sources of these scans. */
export const readSourcesOf = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  { scans, versions }: Effect.Success<ReturnType<typeof listNewestScans>>,
  scope: Pick<SourceScope, "platform" | "keywordId" | "tag"> & {
    /** Only answers to these, in place of a tag's keywords. */
    readonly keywordIds?: ReadonlySet<KeywordId>
  }
) {
  const all = yield* (yield* SourceStore).ofScans(organizationId, scans.map(({ id }) => id), versions)
  const tagged = scope.keywordIds ??
    (scope.tag === undefined ? null : new Set(yield* findTagged(organizationId, scope.tag)))
  const stored = tagged === null ? all : all.filter(({ keywordId }) => tagged.has(keywordId))
  const targets = yield* findTargets(organizationId, stored.flatMap(({ sources }) => sources))
  const found = targets.size === 0 ? stored : stored.map((answer): AnswerWithSources => ({
    ...answer,
    sources: answer.sources.map((source) => moveToTarget(source, targets))
  }))
  const sets = yield* TrackedSetStore
  const measuredSet = (yield* sets.find(organizationId, versions.trackedSetVersion))!
  // Who owns a page is read off the present names
  const set = (yield* sets.current(organizationId)) ?? measuredSet
  const answered = new Set(found.map(({ keywordId }) => keywordId))
  const keywords = (yield* (yield* KeywordStore).list(organizationId, keywordStatuses))
    .filter(({ id }) => answered.has(id))
  const branded = brandedAmong(measuredSet, keywords)
  const unbranded = found.filter(({ keywordId }) => !branded.has(keywordId))
  const answers = (unbranded.length === 0 ? found : unbranded).filter(({ keywordId, platform }) =>
    (scope.platform === undefined || platform === scope.platform) &&
    (scope.keywordId === undefined || keywordId === scope.keywordId)
  )
  const rows = toCitingRows(answers, makeOwnerLookup(set))
  const asked = new Set(answers.map(({ keywordId }) => keywordId))
  const report: SourceReport = {
    scans,
    set,
    answers,
    rows,
    summary: summarizeSources(rows),
    keywords: keywords.filter(({ id }) => asked.has(id))
  }
  return report
})

/**
 * Reads the sources of the newest completed scans that the window shows. Fails with NoCompletedScan where it shows
 * none.
 */
export const readSources = Effect.fn("readSources")(
  function*(organizationId: OrganizationId, window: HistoryWindow, scope: SourceScope) {
    const newest = yield* listNewestScans(organizationId, window, scope.scans, scope.period)
    return yield* readSourcesOf(organizationId, newest, scope)
  }
)
