/** Measures the archive again after names, competitors, excluded terms or rules have changed. */
import { Effect, Option, Stream } from "effect"
import { type AnswerId, AuditEntryId, type OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { sum } from "../../domain/scoring/cells.ts"
import { countMeasured, type Score } from "../../domain/scoring/Score.ts"
import { sourceVersion } from "../../domain/sources/Source.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { AuditLog } from "../../ports/AuditLog.ts"
import { MeasurementStore, type MeasurementVersions, type Unmeasured } from "../../ports/MeasurementStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { SourceStore } from "../../ports/SourceStore.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { FormId } from "../audit/FormId.ts"
import { recordActs } from "../audit/recordActs.ts"
import { NotFound, NotReady, Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { findScan } from "../scanning/readScan.ts"
import { keepScoreDetail } from "../scoring/keepScoreDetail.ts"
import { deriveMissing } from "../sources/deriveMissing.ts"
import { readKeywords } from "../tracking/reads.ts"
import { makeKeeper } from "./keepMeasured.ts"
import { measureWithoutStoring, storePage, type Unmeasurable } from "./measurePage.ts"
import { answersPerPage, isPageFull, scoreRows } from "./measureScan.ts"
import { makeMeasurer, rescoreDeadline } from "./measureStored.ts"

/**
 * Which scans to measure again. Running scans are never included, because their answers are measured as they arrive.
 */
export interface RescoreScope {
  /** Only this scan: an id, or `latest` for the newest ended scan. */
  readonly scan?: string
  /** Only scans that started at this time or later. */
  readonly since?: Date
}

/** The answers that a rescore has to measure. */
export interface MeasuringPlan {
  /** The only scan to measure; null for all ended scans. */
  readonly only: Scan | null
  readonly since: Date | null
  /** The tracked set to measure with. */
  readonly set: TrackedSet
  /** Number of ended scans with answers. */
  readonly scans: number
  readonly answers: number
  /** Number of answers with a measurement of the present rules and this tracked set. */
  readonly measured: number
  /**
   * Number of completed scans without a score of these versions, or with a score over fewer answers than are measured.
   */
  readonly unscored: number
}

/** The work that a rescore has to do. */
export interface RescorePlan extends MeasuringPlan {
  /** Number of answers with sources of the present rules. */
  readonly derived: number
}

const scansPerPage = 100

const listEndedScans = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const scans = yield* ScanStore
  return Stream.paginate(undefined as Scan | undefined, (before) =>
    Effect.map(
      scans.list(organizationId, { limit: scansPerPage, ...(before === undefined ? {} : { before }) }),
      (page) => [page, page.length < scansPerPage ? Option.none() : Option.some(page.at(-1))] as const
    )).pipe(Stream.filter((scan) => scan.status !== "running"))
})

/** The scans of a plan, newest first. */
export const streamEndedScans = (
  organizationId: OrganizationId,
  { only, since }: Pick<RescorePlan, "only" | "since">
) =>
  only !== null
    ? Stream.make(only)
    : Stream.unwrap(listEndedScans(organizationId)).pipe(
      Stream.takeWhile((scan) => since === null || scan.startedAt >= since)
    )

/** Whether a completed scan has no score at all, as after an import that stopped while measuring. */
export const hasUnscored = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const scores = yield* ScoreStore
  const unscored = streamEndedScans(organizationId, { only: null, since: null }).pipe(
    Stream.filter(({ status }) => status === "completed"),
    Stream.filterEffect(({ id }) => Effect.map(scores.ofScan(organizationId, id), (score) => score === null))
  )
  return Option.isSome(yield* Stream.runHead(unscored))
})

/** How far a scan is measured with the present rules and a tracked set. */
interface ScanMeasured {
  readonly scan: Scan
  readonly answers: number
  /** Number of answers with a measurement of these versions. */
  readonly measured: number
  /** The score for these versions. */
  readonly score: Score | null
}

interface ScanProgress extends ScanMeasured {
  /** Number of answers with sources of the present rules. */
  readonly derived: number
}

/** Whether the score covers at least this number of measured answers. */
const coversAll = (score: Score | null, measured: number): boolean => score !== null && countMeasured(score) >= measured

/** How far these scans are measured, in their order. */
const readMeasured = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  set: TrackedSet,
  scans: ReadonlyArray<Scan>
) {
  const versions = { measureVersion, trackedSetVersion: set.version }
  const ids = scans.map(({ id }) => id)
  const measured = yield* (yield* MeasurementStore).countsOfScans(organizationId, ids, versions)
  const scores = yield* (yield* ScoreStore).ofScans(organizationId, ids, versions)
  const scored = new Map(scores.map((score) => [score.scanId, score]))
  return scans.map((scan): ScanMeasured => ({
    scan,
    answers: measured.get(scan.id)?.answers ?? 0,
    measured: measured.get(scan.id)?.measured ?? 0,
    score: scored.get(scan.id) ?? null
  }))
})

const countDerived = (organizationId: OrganizationId, scans: ReadonlyArray<Scan>) =>
  Effect.flatMap(
    SourceStore,
    (sources) => sources.countsOfScans(organizationId, scans.map(({ id }) => id), sourceVersion)
  )

/** The scans of a plan, newest first, in the groups that are read together. */
const streamGroups = (organizationId: OrganizationId, plan: Pick<RescorePlan, "only" | "since">) =>
  streamEndedScans(organizationId, plan).pipe(Stream.grouped(scansPerPage))

/** The scans of a plan with their progress, newest first, read page by page. */
const streamProgress = (organizationId: OrganizationId, plan: Pick<RescorePlan, "only" | "since" | "set">) =>
  streamGroups(organizationId, plan).pipe(
    Stream.mapEffect(Effect.fnUntraced(function*(scans) {
      const derived = yield* countDerived(organizationId, scans)
      return (yield* readMeasured(organizationId, plan.set, scans)).map((one): ScanProgress => ({
        ...one,
        derived: derived.get(one.scan.id)?.derived ?? 0
      }))
    })),
    Stream.flattenIterable
  )

const findEndedScan = Effect.fnUntraced(function*(organizationId: OrganizationId, id: string) {
  if (id === "latest") {
    const found = yield* Stream.runHead(Stream.unwrap(listEndedScans(organizationId)))
    return Option.isSome(found) ? found.value : yield* new NotFound({ what: "scan", id })
  }
  const scan = yield* findScan(organizationId, id)
  if (scan.status !== "running") return scan
  return yield* new Rejected({ field: "scan", message: `scan ${scan.id} is running: it is measured as it goes` })
})

/**
 * Plans a `rescore` with the present tracked set and rules, without counting sources, using two statements per 100
 * scans. Fails with NotReady if there is no tracked set, with NotFound for an unknown scan, and with Rejected for a
 * running scan.
 */
export const planMeasuring = Effect.fn("planMeasuring")(function*(organizationId: OrganizationId, scope: RescoreScope) {
  const set = yield* (yield* TrackedSetStore).current(organizationId)
  if (set === null) return yield* new NotReady({ missing: "brand" })
  const only = scope.scan === undefined ? null : yield* findEndedScan(organizationId, scope.scan)
  const plan = { only, since: scope.since ?? null, set, scans: 0, answers: 0, measured: 0, unscored: 0 }
  yield* Stream.runForEach(
    Stream.mapEffect(streamGroups(organizationId, plan), (scans) => readMeasured(organizationId, set, scans)),
    (group) =>
      Effect.sync(() => {
        for (const { answers, measured, scan, score } of group.filter(({ answers }) => answers > 0)) {
          plan.scans++
          plan.answers += answers
          plan.measured += measured
          if (scan.status === "completed" && !coversAll(score, measured)) plan.unscored++
        }
      })
  )
  const found: MeasuringPlan = plan
  return found
})

/** Plans a `rescore` like `planMeasuring`, and counts sources by one more statement per 100 scans. */
export const planRescore = Effect.fn("planRescore")(function*(organizationId: OrganizationId, scope: RescoreScope) {
  const plan = yield* planMeasuring(organizationId, scope)
  const groups = yield* streamGroups(organizationId, plan).pipe(
    Stream.mapEffect((scans) => countDerived(organizationId, scans)),
    Stream.runCollect
  )
  const found: RescorePlan = {
    ...plan,
    derived: sum(groups.flatMap((counts) => [...counts.values()].map(({ derived }) => derived)))
  }
  return found
})

/**
 * Records the start of a plan, once for all requests that measure a part of it. `run` becomes the id of its audit entry
 * and must be new for each rescore. If names change while it runs, another rescore starts with its own entry. Returns
 * the id of the entry.
 */
export const recordRescore = Effect.fn("recordRescore")(
  function*(organizationId: OrganizationId, plan: MeasuringPlan, run: AuditEntryId) {
    const detail = { tracked_set_version: plan.set.version, scans: plan.scans, answers: plan.answers }
    const record = (id: AuditEntryId) =>
      Effect.as(
        Effect.provideService(
          recordActs(organizationId, [{ action: "rescore.started", subjectId: organizationId, detail }]),
          FormId,
          id
        ),
        id
      )
    const find = (yield* AuditLog).find(organizationId, run)
    const found = yield* find
    // If two requests of one form arrive together, the other request's entry is sufficient
    if (found === null) {
      return yield* record(run).pipe(
        Effect.catch((error) =>
          Effect.flatMap(find, (other) => other === null ? Effect.fail(error) : Effect.succeed(run))
        )
      )
    }
    const isSame = found.action === "rescore.started" &&
      found.detail["tracked_set_version"] === detail.tracked_set_version
    return isSame ? run : yield* record(yield* newId(AuditEntryId))
  }
)

/** Records a plan (`recordRescore`), then runs it (`measureAgain`) and returns its result. */
export const rescore = Effect.fn("rescore")(function*(
  organizationId: OrganizationId,
  plan: RescorePlan,
  onMeasured: (answers: number) => void
) {
  yield* recordRescore(organizationId, plan, yield* newId(AuditEntryId))
  return yield* measureAgain(organizationId, plan, onMeasured)
})

/** Maximum number of pages that are read ahead, and of pages that are measured at once. */
const pagesAhead = 2

/** A page of answers to measure; the last page of a scan may be empty. */
interface RescoredPage {
  readonly progress: ScanProgress
  readonly page: ReadonlyArray<Unmeasured>
  readonly last: boolean
}

/** The answers of one scan that need a measurement. */
const streamUnmeasured = (
  organizationId: OrganizationId,
  versions: MeasurementVersions,
  progress: ScanProgress
): Stream.Stream<RescoredPage, StoreError, MeasurementStore> =>
  progress.measured >= progress.answers
    ? Stream.make({ progress, page: [], last: true })
    : Stream.paginate(
      undefined as AnswerId | undefined,
      Effect.fnUntraced(function*(after) {
        const store = yield* MeasurementStore
        const page = yield* store.unmeasured(organizationId, progress.scan.id, versions, answersPerPage, after)
        const last = !isPageFull(page)
        return [[{ progress, page, last }], last ? Option.none() : Option.some(page.at(-1)!.answerId)] as const
      })
    )

/**
 * Runs a plan, newest scan first; call it after `recordRescore`. Scores each completed scan once all its answers are
 * measured. Reads and measures pages while earlier ones are stored. Skips answers with a measurement of these versions
 * and replaces nothing, so it can be interrupted at any time and repeated, even concurrently. If the rules are the same
 * and an answer cannot contain the changed names, its measurement is copied to this tracked set. A scan whose score
 * left out unmeasured answers gets another score. Derives missing sources from the payloads. Returns the number of new
 * measurements, how many of these were copied (`kept`), the number of new scores, the number of answers whose sources
 * were derived, and the failed answers with the reason.
 */
export const measureAgain = Effect.fn("measureAgain")(function*(
  organizationId: OrganizationId,
  plan: MeasuringPlan,
  onMeasured: (answers: number) => void
) {
  const { set } = plan
  const measurements = yield* MeasurementStore
  const measurer = yield* makeMeasurer(set, rescoreDeadline)
  const findKept = yield* makeKeeper(organizationId, measurer)
  const listKeywords = yield* Effect.cached(readKeywords(organizationId))
  const versions = { measureVersion, trackedSetVersion: set.version }
  const unmeasurable: Unmeasurable = new Map()
  const done = { answers: 0, kept: 0, scores: 0, sources: 0 }

  const finishScan = Effect.fnUntraced(function*({ answers, derived, scan, score }: ScanProgress) {
    if (derived < answers) done.sources += yield* deriveMissing(organizationId, scan.id)
    if (scan.status !== "completed") return
    const rows = yield* measurements.rows(organizationId, scan.id, versions)
    if (coversAll(score, rows.length)) return
    const formed = yield* scoreRows(organizationId, scan, set, rows, listKeywords)
    yield* (yield* ScoreStore).insert(organizationId, formed, yield* now)
    done.scores++
  })

  yield* streamProgress(organizationId, plan).pipe(
    Stream.filter(({ answers, derived, measured, scan, score }) =>
      measured < answers || derived < answers || (scan.status === "completed" && !coversAll(score, measured))
    ),
    Stream.flatMap((progress) => streamUnmeasured(organizationId, versions, progress)),
    Stream.buffer({ capacity: pagesAhead }),
    Stream.mapEffect(
      ({ last, page, progress }) =>
        Effect.map(measureWithoutStoring(measurer, page, unmeasurable, findKept), (read) => ({ last, progress, read })),
      { concurrency: pagesAhead }
    ),
    Stream.runForEach(Effect.fnUntraced(function*({ last, progress, read }) {
      const tracked = { organizationId, trackedSetVersion: set.version }
      const stored = yield* storePage(tracked, read, unmeasurable)
      done.answers += stored
      done.kept += read.kept.length
      onMeasured(stored)
      if (last) yield* finishScan(progress)
    }))
  )
  if (done.scores > 0) yield* keepScoreDetail(organizationId)
  return { ...done, unmeasurable }
})
