/** Preview of an alert rule: the alerts that it would have raised on past scans. */
import { Effect } from "effect"
import type { AlertRule, DetectedAlert } from "../../domain/alerts/AlertRule.ts"
import type { ComparableScan } from "../../domain/alerts/evidence.ts"
import { noUntrackedNames } from "../../domain/alerts/newCompetitor.ts"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { measureVersion, toComparisonForm } from "../../domain/measuring/measureAnswer.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import type { StoredRuleMemory } from "../../ports/AlertStore.ts"
import { MeasurementStore, type MeasurementVersions } from "../../ports/MeasurementStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { detectPlatformChanges } from "../scanning/platformChanges.ts"
import { makeContradictionDetector } from "./contradictedFacts.ts"
import { evaluateScan } from "./evaluateScan.ts"
import { findUntrackedNames } from "./findUntrackedNames.ts"
import { listEarlierScans, readMeasuredScan, selectComparableScans } from "./readComparableScans.ts"
import { readUnwantedNames } from "./readSettledNames.ts"
import { type AlertRuleChange, resolveAlertRule } from "./setAlertRule.ts"

/** Maximum number of scans in a preview. */
export const maxPreviewedScans = 12

/** The result of a rule for one scan. */
export interface PreviewedScan {
  readonly scan: Scan
  /** Alerts that the rule would have raised when the scan completed. */
  readonly alerts: ReadonlyArray<DetectedAlert>
  /**
   * False if the result is unknown, because the scan, or an earlier answer that it depends on, is measured only with
   * other names or rules.
   */
  readonly measured: boolean
}

/** A rule applied to the newest completed scans. */
export interface AlertRulePreview {
  readonly rule: AlertRule
  /** Up to `maxPreviewedScans` scans, oldest first. */
  readonly scans: ReadonlyArray<PreviewedScan>
}

type CompletedScan = Scan & { readonly completedAt: Date }

/**
 * A preview of rule `new_competitor` reads every answer, so it covers only the newest scans, up to this number of
 * answers in total, but at least one scan.
 */
const maxNamedAnswers = 1000

/** The scans that the preview covers, newest first. */
const selectPreviewed = (rule: AlertRule, newest: ReadonlyArray<Scan>): ReadonlyArray<Scan> => {
  if (rule.rule !== "new_competitor") return newest
  let answers = 0
  return newest.filter(({ cellCount }, n) => (answers += cellCount) <= maxNamedAnswers || n === 0)
}

const byCompletion = (a: CompletedScan, b: CompletedScan): number => a.completedAt.getTime() - b.completedAt.getTime()

const startedLater = (a: Scan, b: Scan): boolean =>
  a.startedAt.getTime() === b.startedAt.getTime() ? a.id > b.id : a.startedAt > b.startedAt

/** Maximum number of scans whose measurements are counted; with more, each previewed scan is examined. */
const maxCountedScans = 500

/** Whether every answer of the scans before this one is known to be measured with these versions. */
const areMeasuredBefore = Effect.fnUntraced(
  function*(organizationId: OrganizationId, before: Scan, versions: MeasurementVersions) {
    const scans = yield* (yield* ScanStore).list(organizationId, { limit: maxCountedScans + 1, before })
    if (scans.length > maxCountedScans) return false
    const counts = yield* (yield* MeasurementStore).countsOfScans(organizationId, scans.map(({ id }) => id), versions)
    return [...counts.values()].every(({ answers, measured }) => measured === answers)
  }
)

/** Applies the rule to one scan after the other, with its own memory. Reads each scan once. */
const makeReplay = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  rule: AlertRule,
  set: TrackedSet,
  newest: Scan | undefined
) {
  const measurements = yield* MeasurementStore
  const versions = { measureVersion, trackedSetVersion: set.version }
  const read = new Map<ScanId, ComparableScan | null>()
  const evaluated: Array<Scan> = []
  const remembered: Array<StoredRuleMemory> = []
  const isWatched = rule.rule === "new_competitor"
  // Only new mentions depend on earlier answers that no compared scan contains
  const needsEarlier = rule.rule === "new_mention" && newest !== undefined &&
    !(yield* areMeasuredBefore(organizationId, newest, versions))
  const detectContradictions = rule.rule === "fact_contradicted"
    ? yield* makeContradictionDetector(organizationId, set)
    : null
  const settledNames = new Set(isWatched ? yield* readUnwantedNames(organizationId) : [])

  const readOnce = Effect.fnUntraced(function*(scan: Scan) {
    const known = read.get(scan.id)
    if (known !== undefined) return known
    const measured = yield* readMeasuredScan(organizationId, scan, set)
    read.set(scan.id, measured)
    return measured
  })

  const isMeasured = Effect.fnUntraced(function*(scan: Scan) {
    if ((yield* readOnce(scan)) === null) return false
    if (!needsEarlier) return true
    return (yield* measurements.unmeasuredBefore(organizationId, scan.id, versions, 1)).length === 0
  })

  return Effect.fnUntraced(function*(scan: CompletedScan) {
    const step = (alerts: PreviewedScan["alerts"], measured = true): PreviewedScan => ({ scan, alerts, measured })
    // As in raiseAlerts, a scan that completes after a scan that started later raises no alert
    if (evaluated.some((one) => one.simulated === scan.simulated && startedLater(one, scan))) return step([])
    if (rule.rule === "platform_changed") {
      evaluated.push(scan)
      return step(yield* detectPlatformChanges(organizationId, scan))
    }
    if (detectContradictions !== null) {
      evaluated.push(scan)
      return step(yield* detectContradictions(scan))
    }
    if (!(yield* isMeasured(scan))) return step([], false)
    const earlier = (yield* listEarlierScans(organizationId, scan))
      .filter(({ completedAt }) => completedAt !== null && completedAt <= scan.completedAt)
    const scans = yield* selectComparableScans(scan, earlier, readOnce)
    const found = yield* evaluateScan(organizationId, {
      scan,
      scans,
      set,
      rules: [rule],
      remembered,
      untracked: isWatched ? yield* findUntrackedNames(organizationId, scan, earlier, set) : noUntrackedNames,
      settledNames
    })
    for (const { data, rule } of found.alerts) {
      if (rule === "new_competitor") data.names.forEach(({ name }) => settledNames.add(toComparisonForm(name)))
    }
    if (found.remember.length > 0) evaluated.push(scan)
    remembered.push(...found.remember)
    return step(found.alerts)
  })
})

/**
 * The alerts that a rule would have raised on the newest completed scans within the window, if it had been set before
 * the first of them. Evaluates them in order of completion, by the same function as completion (`evaluateScan`), with
 * the names that are tracked and ignored now. Stores nothing, and covers disabled rules as well. Fails with Rejected as
 * `setAlertRule` does.
 */
export const previewAlertRule = Effect.fn("previewAlertRule")(
  function*(organizationId: OrganizationId, window: HistoryWindow, change: Omit<AlertRuleChange, "enabled">) {
    const { after: rule } = yield* resolveAlertRule(organizationId, { ...change, enabled: true })
    const set = yield* (yield* TrackedSetStore).current(organizationId)
    const newest = yield* (yield* ScanStore).list(organizationId, {
      limit: maxPreviewedScans,
      standard: true,
      status: "completed",
      since: window.since
    })
    if (set === null) return { rule, scans: [] } satisfies AlertRulePreview
    const previewed = selectPreviewed(rule, newest)
    const replay = yield* makeReplay(organizationId, rule, set, previewed[0])
    const completed = previewed.filter((scan): scan is CompletedScan => scan.completedAt !== null).toSorted(
      byCompletion
    )
    const preview: AlertRulePreview = { rule, scans: yield* Effect.forEach(completed, replay) }
    return preview
  }
)
