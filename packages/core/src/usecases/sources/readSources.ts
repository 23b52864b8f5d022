/** Reads the sources of the newest completed scans, as input for the metrics. */
import { Effect } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import { type HistoryWindow, laterBegin } from "../../domain/organizations/HistoryWindow.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { Period } from "../../domain/scoring/Period.ts"
import { type CitingRow, toCitingRows } from "../../domain/sources/citing.ts"
import { findReaders } from "../../domain/sources/funnel.ts"
import { type SourceSummary, summarizeSources } from "../../domain/sources/metrics.ts"
import { makeOwnerLookup } from "../../domain/sources/owners.ts"
import { moveToTarget } from "../../domain/sources/resolvedUrl.ts"
import { type Keyword, keywordStatuses } from "../../domain/tracking/Keyword.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { type AnswerWithSources, SourceStore } from "../../ports/SourceStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NoCompletedScan } from "../errors.ts"
import { readHeadlineHistory } from "../scoring/reads.ts"
import { isMeasuredAlike } from "../scoring/scansInTrend.ts"
import { findTagged } from "../tracking/readTags.ts"
import { findTargets } from "./reads.ts"

/** Which answers are read. */
export interface SourceScope {
  /** How many of the newest comparable scans to read, 1 to `maxSourceScans`. */
  readonly scans: number
  readonly platform?: PlatformId | undefined
  readonly keywordId?: KeywordId | undefined
  /** Read only answers to keywords that have this tag now; no answers if no keyword has it. */
  readonly tag?: string | undefined
  /** Read only scans that started in this period. */
  readonly period?: Period | undefined
}

/** The sources that were read. */
export interface SourceReport {
  /** The scans, newest first: of one kind (simulated or real) and surface, measured with the same names and rules. */
  readonly scans: readonly [Scan, ...ReadonlyArray<Scan>]
  /** The present tracked set, which determines the owner of each page. */
  readonly set: Pick<TrackedSet, "brand" | "competitors">
  /**
   * The sources of each answer. Answers to questions that name the brand themselves are left out, as in the share of
   * voice, unless there are no others.
   */
  readonly answers: ReadonlyArray<AnswerWithSources>
  /** The same answers in the same order. */
  readonly rows: ReadonlyArray<CitingRow>
  /**
   * Which platforms show the pages that they read, by scan (`findReaders`), according to all answers of these scans.
   */
  readonly readers: ReadonlySet<string>
  readonly summary: SourceSummary
  /** The keywords that have an answer. */
  readonly keywords: ReadonlyArray<Keyword>
}

/** Maximum number of scans that are searched for comparable ones. */
const maxExaminedScans = 50

/**
 * The headline scan and the earlier scans within the window that are comparable to it, and their measurement versions.
 */
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
  const comparable = earlier.filter((one) => isMeasuredAlike(one, latest))
  const scans: SourceReport["scans"] = [latest.scan, ...comparable.slice(0, count - 1).map(({ scan }) => scan)]
  return { scans, versions: latest.score }
})

/** Reads the sources of these scans. */
export const readSourcesOf = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  { scans, versions }: Effect.Success<ReturnType<typeof listNewestScans>>,
  scope: Pick<SourceScope, "platform" | "keywordId" | "tag"> & {
    /** Read only answers to these keywords, instead of the keywords of a tag. */
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
  // The owners of pages are determined by the present names
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
    readers: findReaders(all),
    summary: summarizeSources(rows),
    keywords: keywords.filter(({ id }) => asked.has(id))
  }
  return report
})

/**
 * Reads the sources of the newest completed scans within the window. Fails with NoCompletedScan if there are no such
 * scans.
 */
export const readSources = Effect.fn("readSources")(
  function*(organizationId: OrganizationId, window: HistoryWindow, scope: SourceScope) {
    const newest = yield* listNewestScans(organizationId, window, scope.scans, scope.period)
    return yield* readSourcesOf(organizationId, newest, scope)
  }
)
