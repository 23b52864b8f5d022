/** Alert rules and alerts as clients see them. */
import { type Alert, type AlertRule, eventOfRule, getAlertScan } from "../domain/alerts/AlertRule.ts"

/** An alert rule. */
export const alertRuleJson = ({ enabled, rule, sensitivity, threshold }: AlertRule) => ({
  rule,
  event: eventOfRule[rule],
  enabled,
  threshold,
  sensitivity
})

/** An alert as it was raised; `data` is that of its event. */
export const alertJson = (alert: Alert) => ({
  id: alert.id,
  rule: alert.rule,
  event: alert.event,
  scan_id: getAlertScan(alert),
  created_at: alert.createdAt.toISOString(),
  data: alert.data
})
