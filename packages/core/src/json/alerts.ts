/** Alert rules and alerts as clients see them. */
import {
  type Alert,
  type AlertRule,
  type DetectedAlert,
  eventOfRule,
  getAlertScan
} from "../domain/alerts/AlertRule.ts"
import type { Scan } from "../domain/scanning/Scan.ts"
import { simulatedJson } from "./simulated.ts"

/** An alert rule. */
export const alertRuleJson = ({ enabled, rule, sensitivity, threshold }: AlertRule) => ({
  rule,
  event: eventOfRule[rule],
  enabled,
  threshold,
  sensitivity
})

/** An alert as it was raised; `data` is the data of its event. */
export const alertJson = (alert: Alert) => ({
  id: alert.id,
  rule: alert.rule,
  event: alert.event,
  scan_id: getAlertScan(alert),
  created_at: alert.createdAt.toISOString(),
  data: alert.data
})

/**
 * The alerts that a rule would have raised on a scan; `measured` is false if the scan's answers are not measured with
 * the present names and rules.
 */
export const previewedScanJson = ({ alerts, measured, scan }: {
  readonly scan: Scan
  readonly alerts: ReadonlyArray<DetectedAlert>
  readonly measured: boolean
}) => ({
  scan_id: scan.id,
  completed_at: scan.completedAt?.toISOString() ?? null,
  ...simulatedJson(scan.simulated),
  measured,
  alerts: alerts.map(({ data, event, rule }) => ({ rule, event, data }))
})
