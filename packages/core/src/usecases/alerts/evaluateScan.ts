/** One evaluation of alert rules: it reads the scans and memories to compare with, and the domain decides. */
import { Effect } from "effect"
import { adaptMemory, findLastRemembered, type FormerMeasurement } from "../../domain/alerts/alertMemory.ts"
import type { AlertRule } from "../../domain/alerts/AlertRule.ts"
import { type AlertMemory, evaluateAlerts } from "../../domain/alerts/evaluateAlerts.ts"
import type { ComparableScan } from "../../domain/alerts/evidence.ts"
import type { UntrackedNames } from "../../domain/alerts/newCompetitor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import type { StoredRuleMemory } from "../../ports/AlertStore.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { readEventLabels } from "../webhooks/readEventLabels.ts"
import { becomesHeadlineScan } from "./readComparableScans.ts"

/** The remembered scan as it was measured when the memory was stored; null if the measurement has not changed. */
const readFormerMeasurement = Effect.fnUntraced(
  function*(organizationId: OrganizationId, remembered: StoredRuleMemory, { version }: TrackedSet) {
    if (remembered.measureVersion === measureVersion && remembered.trackedSetVersion === version) return null
    const set = (yield* (yield* TrackedSetStore).find(organizationId, remembered.trackedSetVersion))!
    const score = (yield* (yield* ScoreStore).ofScan(organizationId, remembered.scanId, remembered))!
    const competitors = new Map(score.competitors.map(({ id, sov }) => [id, sov]))
    const then: FormerMeasurement = { set, sov: score.avgSov!, competitors }
    return then
  }
)

const readAlertMemory = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  { remembered, rules, scans, set }: Pick<Evaluation, "remembered" | "rules" | "scans" | "set">
) {
  const known = yield* Effect.forEach(rules, ({ rule, threshold }) => {
    const last = findLastRemembered(remembered.filter(({ memory }) => memory.rule === rule), scans)
    if (last === undefined) return Effect.succeed({})
    return Effect.map(
      readFormerMeasurement(organizationId, last.remembered, set),
      (then) => adaptMemory(last.remembered.memory, last.scan, then, set, threshold)
    )
  })
  const nothing: AlertMemory = { sov_drop: null, new_mention: null, competitor_overtake: null, new_competitor: null }
  const memory: AlertMemory = Object.assign(nothing, ...known)
  return memory
})

/** The input of an evaluation. */
export interface Evaluation {
  /** The scan that completes. */
  readonly scan: Scan
  /** The completing scan and the scans to compare it with (`readComparableScans`), all measured with `set`. */
  readonly scans: ReadonlyArray<ComparableScan>
  readonly set: TrackedSet
  readonly rules: ReadonlyArray<AlertRule>
  /** The memories of the rules about these scans. */
  readonly remembered: ReadonlyArray<StoredRuleMemory>
  /** The untracked names in the scan (`findUntrackedNames`); empty if no rule needs them. */
  readonly untracked: UntrackedNames
  /** Comparison forms of names that rule `new_competitor` does not report. */
  readonly settledNames: ReadonlySet<string>
}

/** Rules about the share of voice. They are skipped for a narrowed scan, which does not replace the headline. */
const headlineRules: ReadonlySet<AlertRule["rule"]> = new Set(["sov_drop", "competitor_overtake"])

/** Evaluates the rules on a scan: returns its alerts and the new memory of each rule. Only reads. */
export const evaluateScan = Effect.fn("evaluateScan")(
  function*(organizationId: OrganizationId, { scan, ...evaluation }: Evaluation) {
    const { scans, set, settledNames, untracked } = evaluation
    const isHeadline = yield* becomesHeadlineScan(organizationId, scan)
    const rules = evaluation.rules.filter(({ rule }) => isHeadline || !headlineRules.has(rule))
    const versions = { measureVersion, trackedSetVersion: set.version }
    const mentionsEnabled = rules.some(({ rule }) => rule === "new_mention")
    const found = evaluateAlerts({
      rules,
      memory: yield* readAlertMemory(organizationId, { ...evaluation, rules }),
      scans,
      competitorNames: new Map(set.competitors.map(({ id, name }) => [id, name])),
      newMentions: mentionsEnabled
        ? yield* (yield* MeasurementStore).newMentions(organizationId, scan.id, versions)
        : [],
      untracked,
      settledNames,
      labels: yield* readEventLabels(organizationId, scan)
    })
    return {
      alerts: found.alerts,
      remember: found.remember.map((memory): StoredRuleMemory => ({ ...versions, scanId: scan.id, memory }))
    }
  }
)
