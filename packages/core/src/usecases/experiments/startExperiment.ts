import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { makeSeal, type Seal } from "../../domain/archive/Seal.ts"
import { currentVersions, type SealFacts } from "../../domain/archive/SealFacts.ts"
import { drawPairs, listTopicCourses, minTopics, type Pair } from "../../domain/experiments/draw.ts"
import { maxPlanText, type Plan, planTimes } from "../../domain/experiments/Plan.ts"
import { findDetectableRise, measureNoise, type PowerInput } from "../../domain/experiments/power.ts"
import { ExperimentId, type KeywordId, type OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import { Name } from "../../domain/organizations/Organization.ts"
import { isOneSeries } from "../../domain/scanning/Scan.ts"
import { isDay } from "../../domain/scoring/Annotation.ts"
import { isNarrowed } from "../../domain/scoring/asked.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { ExperimentEnds } from "../../ports/ExperimentEnds.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { type ScoredScan, ScoreStore } from "../../ports/ScoreStore.ts"
import { SealStore } from "../../ports/SealStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NoCompletedScan, NotReady, Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { hasSameVersions, readHeadlines } from "../scoring/readHeadlines.ts"
import { listExperiments } from "./readExperiments.ts"

/** The options for planning an experiment. */
export interface ExperimentOptions {
  readonly name: string
  /** What will be changed. */
  readonly change: string
  /** The day of the change, which must be in the future; `until` is the last day of the scans that count. */
  readonly from: string
  readonly until: string
  /** The questions of the experiment; null means all active questions. */
  readonly keywordIds: ReadonlyArray<KeywordId> | null
  /** How many scans count from the change on, 1 to `maxScansAfter`. */
  readonly scansAfter: number
}

/** Maximum number of scans that count before the change. */
const maxScansBefore = 4
export const maxScansAfter = 20
/** Maximum number of scored scans that are examined. */
const maxListed = 50
const maxDays = 366

/** The topics of the questions, from the newest whole scans, and the rise that an experiment with them would detect. */
export interface ExperimentPreview {
  readonly topics: number
  readonly keywords: number
  readonly scansBefore: number
  /**
   * Pairs of topics with similar shares; the draw selects one topic of each pair for treatment. Empty if there are
   * fewer than `minTopics` topics.
   */
  readonly pairs: ReadonlyArray<Pair>
  /**
   * The smallest rise in points that would be detected, by number of scans after the change; null if no rise would be.
   * Empty if there are fewer than `minTopics` topics.
   */
  readonly rises: ReadonlyArray<{ readonly scansAfter: number; readonly rise: number | null }>
  readonly simulated: boolean
}

interface Basis {
  readonly courses: ReturnType<typeof listTopicCourses>
  readonly newest: ScoredScan
  readonly set: TrackedSet
  readonly scans: number
}

/** Reads the shares of the topics over the newest whole scans that were measured with the present versions. */
const readBasis = Effect.fnUntraced(
  function*(organizationId: OrganizationId, keywordIds: ReadonlyArray<KeywordId> | null) {
    const set = yield* (yield* TrackedSetStore).current(organizationId)
    if (set === null) return yield* new NotReady({ missing: "brand" })
    const history = yield* (yield* ScoreStore).history(organizationId, maxListed)
    const [newest] = history
    if (newest === undefined) return yield* new NoCompletedScan()
    const versions = { measureVersion, trackedSetVersion: set.version }
    const alike = history.filter(({ scan, score }) =>
      scan.simulated === newest.scan.simulated && !isNarrowed(scan) && hasSameVersions(score, versions)
    )
    const scans = alike.filter(({ scan }) => isOneSeries(scan, alike[0]!.scan)).slice(0, maxScansBefore).toReversed()
    const active = new Set((yield* (yield* KeywordStore).list(organizationId, ["active"])).map(({ id }) => id))
    const chosen = keywordIds === null ? active : new Set(keywordIds.filter((id) => active.has(id)))
    const { cellsOf } = yield* readHeadlines(organizationId, scans.map(({ scan }) => scan.id), versions)
    const cells = scans.map(({ scan }) => cellsOf(scan.id).filter(({ keywordId }) => chosen.has(keywordId)))
    const basis: Basis = { courses: listTopicCourses(cells), newest, set, scans: scans.length }
    return basis
  }
)

const powerOf = ({ courses, scans }: Basis, scansAfter: number): PowerInput => ({
  ...measureNoise(courses),
  scansBefore: scans,
  scansAfter,
  pairs: Math.floor(courses.length / 2)
})

const canShow = ({ courses, scans }: Basis): boolean => courses.length >= minTopics && scans >= 2

/**
 * Reads how large a rise an experiment with these questions would detect, without drawing pairs. Fails with NotReady if
 * no brand is set, and with NoCompletedScan if no scan has completed.
 */
export const previewExperiment = Effect.fn("previewExperiment")(
  function*(organizationId: OrganizationId, keywordIds: ReadonlyArray<KeywordId> | null) {
    const basis = yield* readBasis(organizationId, keywordIds)
    const preview: ExperimentPreview = {
      topics: basis.courses.length,
      keywords: basis.courses.reduce((total, { keywords }) => total + keywords.length, 0),
      scansBefore: basis.scans,
      simulated: basis.newest.scan.simulated,
      // The treated topic of each pair is drawn only with the plan
      pairs: canShow(basis) ? drawPairs(basis.courses, "00000000") : [],
      rises: canShow(basis)
        ? [2, 4, 8].map((scansAfter) => ({ scansAfter, rise: findDetectableRise(powerOf(basis, scansAfter)) }))
        : []
    }
    return preview
  }
)

const isName = Schema.is(Name)

const checkOptions = ({ change, from, name, scansAfter, until }: ExperimentOptions, at: Date): Rejected | null => {
  const refuse = (field: string, message: string) => new Rejected({ field, message })
  if (!isName(name)) return refuse("name", "must be 1–200 characters without control characters")
  if (!isName(change) || change.length > maxPlanText) {
    return refuse("change", `must say in one line of at most ${maxPlanText} characters what will be changed`)
  }
  if (!isDay(from)) return refuse("from", "must be a day such as 2026-12-01")
  if (!isDay(until)) return refuse("until", "must be a day such as 2026-12-31")
  if (planTimes({ from, until }).change <= at) {
    return refuse("from", "must lie ahead: the plan has to be sealed before the change, so tomorrow is the first day")
  }
  if (until < from || Date.parse(until) - Date.parse(from) > maxDays * 86_400_000) {
    return refuse("until", `must be from the day of the change on, and at most ${maxDays} days later`)
  }
  return Number.isInteger(scansAfter) && scansAfter >= 1 && scansAfter <= maxScansAfter
    ? null
    : refuse("scans", `must be 1 to ${maxScansAfter}`)
}

/** Adds a seal without leaves to the chain, with these facts. Runs inside the caller's transaction. */
export const sealFacts = Effect.fnUntraced(
  function*(organizationId: OrganizationId, makeFacts: (set: TrackedSet) => SealFacts) {
    const seals = yield* SealStore
    const head = yield* seals.lockHead(organizationId)
    const set = yield* (yield* TrackedSetStore).current(organizationId)
    if (head === null || set === null) return yield* new NoCompletedScan()
    const seal: Seal = makeSeal({
      scanId: head.scanId,
      leaves: [],
      head,
      sealedAt: yield* now,
      facts: makeFacts(set)
    })
    yield* seals.insert(organizationId, seal)
    return seal
  }
)

/**
 * The experiment with this name that has not ended, or null. Fails with Rejected if its plan differs: a second draw
 * needs another name, so that both are visible.
 */
const findSame = Effect.fnUntraced(
  function*(organizationId: OrganizationId, { change, from, keywordIds, name, scansAfter, until }: ExperimentOptions) {
    const found = (yield* listExperiments(organizationId)).find(({ plan, state }) =>
      plan.name === name && (state === "planned" || state === "running")
    )
    if (found === undefined) return null
    const { plan } = found
    const isSame = plan.change === change && plan.from === from && plan.until === until &&
      plan.scans_after === scansAfter &&
      (keywordIds === null ||
        plan.pairs.every(({ held_out, treated }) => [...held_out, ...treated].every((id) => keywordIds.includes(id))))
    if (isSame) return plan.id
    return yield* new Rejected({ field: "name", message: "is that of an experiment that has not ended" })
  }
)

/**
 * Draws the pairs of an experiment with a new seed and seals the plan into the chain, before the change. The plan
 * cannot be changed afterwards. If the same plan is given again before the experiment has ended, it is not drawn again.
 * Fails with Rejected for invalid options, for fewer than `minTopics` topics and before the second whole scan, with
 * NotReady, and with NoCompletedScan.
 */
export const startExperiment = Effect.fn("startExperiment")(
  function*(organizationId: OrganizationId, options: ExperimentOptions) {
    const given = { ...options, name: options.name.trim(), change: options.change.trim() }
    const earlier = yield* findSame(organizationId, given)
    if (earlier !== null) return earlier
    const rejected = checkOptions(given, yield* now)
    if (rejected !== null) return yield* rejected
    const basis = yield* readBasis(organizationId, given.keywordIds)
    if (basis.scans < 2) {
      return yield* new Rejected({
        field: "keywords",
        message: `the noise of these questions is known from two scans of everything on, and there ${
          basis.scans === 1 ? "is one" : "are 0"
        } with the present names and rules`
      })
    }
    if (!canShow(basis)) {
      return yield* new Rejected({
        field: "keywords",
        message: `these questions are ${basis.courses.length} topics, and an experiment needs at least ${minTopics}: ` +
          "with fewer, only a rise of more than 20 points would be seen. Questions that ask the same are one topic"
      })
    }
    const random = yield* SecureRandom.SecureRandom
    const seed = Buffer.from(yield* random.randomBytes(4)).toString("hex")
    const id = yield* newId(ExperimentId)
    const rise = findDetectableRise(powerOf(basis, given.scansAfter))
    const plan: Plan = {
      id,
      name: given.name,
      change: given.change,
      from: given.from,
      until: given.until,
      seed,
      pairs: drawPairs(basis.courses, seed),
      scans_before: basis.scans,
      scans_after: given.scansAfter,
      analysis: "pairs-1",
      simulated: basis.newest.scan.simulated,
      rise_tenths: rise === null ? null : Math.round(rise * 10)
    }
    const seal = Effect.gen(function*() {
      // If two calls are concurrent, the second one finds the plan of the first
      yield* (yield* OrganizationStore).lock(organizationId)
      const same = yield* findSame(organizationId, given)
      if (same !== null) return { id: same, sequence: null }
      const { sequence } = yield* sealFacts(organizationId, (set) => ({
        version: 4,
        experiment: plan,
        ...currentVersions(set)
      }))
      yield* (yield* ExperimentEnds).insert(organizationId, id, planTimes(plan).result)
      return { id, sequence }
    })
    const topics = 2 * plan.pairs.length
    const sealed = yield* runActs(organizationId, seal, ({ sequence }) =>
      sequence === null ? [] : [{
        action: "experiment.started",
        subjectId: id,
        detail: { name: plan.name, from: plan.from, until: plan.until, topics, seal: sequence }
      }])
    return sealed.id
  }
)
