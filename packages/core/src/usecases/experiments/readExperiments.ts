/** Reads experiments from their seals, with progress and, once they have ended, results. */
import { Effect } from "effect"
import { evaluateExperiment, type ExperimentResult } from "../../domain/experiments/effect.ts"
import type { Experiment, ExperimentDetail, ExperimentState } from "../../domain/experiments/Experiment.ts"
import { findLateSeal, ofPlannedSurface, type Plan, planTimes } from "../../domain/experiments/Plan.ts"
import type { ExperimentId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { isNarrowed } from "../../domain/scoring/asked.ts"
import { findBreaks, listOrigins } from "../../domain/scoring/breaks.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { SealStore } from "../../ports/SealStore.ts"
import { NotFound } from "../errors.ts"
import { now } from "../now.ts"
import { readHeadlines } from "../scoring/readHeadlines.ts"

/** Maximum number of running scans that are examined; also of scored scans in one read. */
const maxListed = 100

const stateAt = (plan: Plan, at: Date, running: ReadonlyArray<Scan>): ExperimentState => {
  const { change, result } = planTimes(plan)
  if (at < change) return "planned"
  // A result that is shown before the last scans are over would change with these scans
  const isOpen = at < result || running.some(({ startedAt }) => startedAt >= change && startedAt < result)
  return isOpen ? "running" : "ended"
}

/** All experiments of the organization, newest first. */
export const listExperiments = Effect.fn("listExperiments")(function*(organizationId: OrganizationId) {
  const seals = yield* (yield* SealStore).registered(organizationId)
  const at = yield* now
  const running = yield* (yield* ScanStore).list(organizationId, {
    limit: maxListed,
    standard: true,
    status: "running"
  })
  const stops = new Map<ExperimentId, Experiment["stopped"]>()
  for (const { facts, sealedAt, sequence } of seals) {
    if (facts === undefined || !("stopped" in facts) || stops.has(facts.stopped.experiment)) continue
    stops.set(facts.stopped.experiment, { at: sealedAt, reason: facts.stopped.reason, sequence })
  }
  return seals.flatMap((seal): ReadonlyArray<Experiment> => {
    if (seal.facts === undefined || !("experiment" in seal.facts)) return []
    const plan = seal.facts.experiment
    const stopped = stops.get(plan.id) ?? null
    return [{ plan, seal, stopped, state: stopped === null ? stateAt(plan, at, running) : "stopped" }]
  }).toReversed()
})

/** An experiment by its id. Fails with NotFound. */
export const findExperiment = Effect.fnUntraced(function*(organizationId: OrganizationId, id: ExperimentId) {
  const found = (yield* listExperiments(organizationId)).find(({ plan }) => plan.id === id)
  return found ?? (yield* new NotFound({ what: "experiment", id }))
})

/** Lists the scans that the plan counts: whole scans of its kind, measured with its names and rules. */
const listScans = Effect.fnUntraced(function*(organizationId: OrganizationId, { plan, seal }: Experiment) {
  const scores = yield* ScoreStore
  const { change, result } = planTimes(plan)
  const versions = {
    measureVersion: seal.facts!.measure_version,
    trackedSetVersion: seal.facts!.tracked_set
  }
  const found = new Map<ScanId, Scan>()
  let [until, known] = [new Date(result.getTime() - 1), -1]
  let before: ReadonlyArray<Scan> = []
  let after: ReadonlyArray<Scan> = []
  while (before.length < plan.scans_before && found.size > known) {
    known = found.size
    for (const { scan } of yield* scores.history(organizationId, maxListed, null, until)) {
      found.set(scan.id, scan)
      until = scan.startedAt
    }
    const whole = [...found.values()].filter((scan) => scan.simulated === plan.simulated && !isNarrowed(scan))
    const all = ofPlannedSurface(whole.toReversed(), seal.sealedAt)
    before = all.filter(({ startedAt }) => startedAt < change).slice(-plan.scans_before)
    after = all.filter(({ startedAt }) => startedAt >= change).slice(0, plan.scans_after)
  }
  const measured = yield* Effect.filter(
    [...before, ...after],
    ({ id }) => Effect.map(scores.ofScan(organizationId, id, versions), (score) => score !== null)
  )
  return { before, after, versions, unmeasured: before.length + after.length - measured.length }
})

const unmeasured = (count: number, { measureVersion: rules }: { readonly measureVersion: number }): string =>
  rules === measureVersion
    ? `the names changed: ${count} of its scans were not measured with those of the plan`
    : "the rules of measuring changed, and the plan was made with earlier ones"

/** Adds the scans that count, and after the experiment's end its result. */
export const addResult = Effect.fnUntraced(
  function*(organizationId: OrganizationId, experiment: Experiment) {
    const { plan, state } = experiment
    const { after, before, unmeasured: missing, versions } = yield* listScans(organizationId, experiment)
    const scans = [...before, ...after]
    const { cellsOf } = yield* readHeadlines(organizationId, scans.map((scan) => scan.id), versions)
    const origins = scans.map((scan) => listOrigins(cellsOf(scan.id).flatMap(({ rows }) => rows)))
    const result = evaluateExperiment(plan.pairs, {
      before: before.map((scan) => cellsOf(scan.id)),
      after: after.map((scan) => cellsOf(scan.id))
    })
    const reason = findLateSeal(plan, experiment.seal.sealedAt) ?? (missing > 0 ? unmeasured(missing, versions) : null)
    const broken: ExperimentResult = {
      verdict: "broken",
      broken: reason,
      effect: null,
      platforms: [],
      placebo: null,
      course: []
    }
    const detail: ExperimentDetail = {
      ...experiment,
      before,
      after,
      breaks: origins.slice(1).flatMap((own, i) => findBreaks(origins[i]!, own)),
      result: state !== "ended" ? null : reason !== null ? broken : result
    }
    return detail
  }
)

/** Reads an experiment with its scans, and after its end with its result. Fails with NotFound. */
export const readExperiment = Effect.fn("readExperiment")((organizationId: OrganizationId, id: ExperimentId) =>
  Effect.flatMap(findExperiment(organizationId, id), (found) => addResult(organizationId, found))
)
