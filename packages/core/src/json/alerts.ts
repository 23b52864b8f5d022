/** Alert rules and alerts as clients see them. */
import { type Alert, alertEvents, type AlertRule, alertScan } from "../domain/alerts/AlertRule.ts"

/** An alert rule. */
export const alertRuleJson = ({ enabled, rule, sensitivity, threshold }: AlertRule) => ({
  rule,
  event: alertEvents[rule],
  enabled,
  threshold,
  sensitivity
})

/** An alert as it was raised; `data` is that of its event. */
export const alertJson = (alert: Alert) => ({
  id: alert.id,
  rule: alert.rule,
  event: alert.event,
  scan_id: alertScan(alert),
  created_at: alert.createdAt.toISOString(),
  data: alert.data
})
