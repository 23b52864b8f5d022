/** The experiments of a report: plans in its chain, and results computed from its own answers. */
import { sealFromJson } from "../../domain/archive/Proof.ts"
import type { SealHeader } from "../../domain/archive/Seal.ts"
import { scanFactsOf } from "../../domain/archive/SealFacts.ts"
import { evaluateExperiment, type ExperimentResult } from "../../domain/experiments/effect.ts"
import { findLateSeal, ofPlannedSurface, type Plan, planTimes } from "../../domain/experiments/Plan.ts"
import type { EvidenceScan, ReportEvidence } from "../../domain/reports/ReportEvidence.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { isNarrowed } from "../../domain/scoring/asked.ts"
import type { ScoredCell } from "../../domain/scoring/cells.ts"

/** A plan whose seal is in the report. */
export interface ReportedExperiment {
  readonly plan: Plan
  readonly seal: SealHeader
  /** Why the experiment has no result in the report; null if it has a result. */
  readonly without: string | null
  readonly result: ExperimentResult | null
  /** Number of scans that count before and after the change. */
  readonly scans: { readonly before: number; readonly after: number }
}

/** The completed whole scans that the chain seals, in the order of their start. */
const listSealedScans = (headers: ReadonlyArray<SealHeader>, { simulated }: Plan) => {
  const scans = new Map<string, Pick<Scan, "completedAt" | "startedAt" | "surface"> & { readonly id: string }>()
  for (const { facts: own, scanId, sealedAt: completedAt } of headers) {
    const facts = scanFactsOf(own)
    if (facts?.status !== "completed" || facts.simulated !== simulated || facts.view !== undefined) continue
    const { askable, cells: cellCount, platforms, samples } = facts
    if (isNarrowed({ cellCount, platforms, samples, ...askable === null ? {} : { askable } })) continue
    const { surface } = facts
    const startedAt = new Date(facts.started_at)
    // The first seal of a scan is made when the scan completes; later ones cover late answers
    if (!scans.has(scanId)) {
      scans.set(scanId, { id: scanId, startedAt, completedAt, ...surface === undefined ? {} : { surface } })
    }
  }
  return [...scans.values()].toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
}

/**
 * Each plan of the chain with its result, newest first. The seals determine which scans count, so no scan can be left
 * out. A result is computed only if there is a seal from after the last day, because until then the experiment could be
 * stopped.
 */
export const formExperiments = (
  { scans, seals }: Pick<ReportEvidence, "scans" | "seals">,
  cellsOf: (scan: EvidenceScan) => ReadonlyArray<ScoredCell>
): ReadonlyArray<ReportedExperiment> => {
  const headers = seals.map(({ header }) => sealFromJson(header))
  return headers.flatMap((seal): ReadonlyArray<ReportedExperiment> => {
    if (seal.facts === undefined || !("experiment" in seal.facts)) return []
    const { facts: { experiment: plan, ...versions } } = seal
    const { change, result } = planTimes(plan)
    const stop = headers.flatMap(({ facts }) =>
      facts !== undefined && "stopped" in facts && facts.stopped.experiment === plan.id ? [facts.stopped] : []
    )[0]
    const sealed = ofPlannedSurface(listSealedScans(headers, plan), seal.sealedAt)
      .filter(({ startedAt }) =>
        startedAt < result
      )
    const before = sealed.filter(({ startedAt }) => startedAt < change).slice(-plan.scans_before)
    const after = sealed.filter(({ startedAt }) => startedAt >= change).slice(0, plan.scans_after)
    const find = (some: typeof sealed) => some.map(({ id }) => scans.find((one) => one.id === id))
    const counted = [...find(before), ...find(after)]
    const late = findLateSeal(plan, seal.sealedAt)
    const without = stop !== undefined
      ? `ended early: ${stop.reason}`
      : late !== null
      ? late
      : !headers.some(({ sealedAt }) => sealedAt >= result)
      ? `no scan of this report ended after ${plan.until}`
      : before.length < plan.scans_before || counted.some((scan) => scan?.measured == null)
      ? "the report has not all of its scans"
      : counted.some((scan) =>
          scan!.measured!.measure_version !== versions.measure_version ||
          scan!.measured!.tracked_set_version !== versions.tracked_set
        )
      ? "its scans are measured with other names or rules than those of the plan"
      : null
    return [{
      plan,
      seal,
      without,
      result: without !== null ? null : evaluateExperiment(plan.pairs, {
        before: find(before).map((scan) => cellsOf(scan!)),
        after: find(after).map((scan) => cellsOf(scan!))
      }),
      scans: { before: before.length, after: after.length }
    }]
  }).toReversed()
}
