import { Effect } from "effect"
import type { AlertRuleName } from "../../domain/alerts/AlertRule.ts"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { AlertStore } from "../../ports/AlertStore.ts"
import { MailStore } from "../../ports/MailStore.ts"

/** Which alerts, and how many at most. */
export interface AlertQuery {
  readonly limit: number
  readonly scanId?: ScanId
  readonly rule?: AlertRuleName
}

/** Alerts that were raised, the newest first, each with the state of its e-mails. */
export const listAlerts = Effect.fn("listAlerts")(function*(organizationId: OrganizationId, query: AlertQuery) {
  const alerts = yield* (yield* AlertStore).list(organizationId, query)
  if (alerts.length === 0) return []
  const emails = yield* (yield* MailStore).listStatuses(organizationId, alerts.map(({ id }) => id))
  const byAlert = Map.groupBy(emails, ({ id }) => id)
  return alerts.map((alert) => ({ alert, emails: byAlert.get(alert.id) ?? [] }))
})
