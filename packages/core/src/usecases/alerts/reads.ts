import { Effect } from "effect"
import { type Alert, type AlertRuleName, alertRuleNames, defaultAlertRule } from "../../domain/alerts/AlertRule.ts"
import type { PagePosition } from "../../domain/Cursor.ts"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow, laterBegin } from "../../domain/organizations/HistoryWindow.ts"
import { AlertStore } from "../../ports/AlertStore.ts"
import { type MailStatus, MailStore } from "../../ports/MailStore.ts"

/** Filters and maximum length of an alert list. */
export interface AlertQuery {
  readonly limit: number
  readonly scanId?: ScanId
  readonly rule?: AlertRuleName
  /** Only alerts after this position. */
  readonly after?: PagePosition
}

/** An alert with the state of its e-mails. */
export interface ListedAlert {
  readonly alert: Alert
  readonly emails: ReadonlyArray<MailStatus>
}

/** Alerts within the window, newest first. */
export const listAlerts = Effect.fn("listAlerts")(
  function*(organizationId: OrganizationId, window: HistoryWindow, query: AlertQuery) {
    const alerts = yield* (yield* AlertStore).list(organizationId, { ...query, since: window.since })
    const none: ReadonlyArray<ListedAlert> = []
    if (alerts.length === 0) return none
    const emails = yield* (yield* MailStore).listStatuses(organizationId, alerts.map(({ id }) => id))
    const byAlert = Map.groupBy(emails, ({ id }) => id)
    return alerts.map((alert): ListedAlert => ({ alert, emails: byAlert.get(alert.id) ?? [] }))
  }
)

/**
 * The number of alerts of each organization since `from`, within its window, at most `limit`; an organization without
 * such an alert is left out.
 */
export const countAlerts = Effect.fn("countAlerts")(
  function*(
    organizations: ReadonlyArray<{ readonly organizationId: OrganizationId; readonly window: HistoryWindow }>,
    from: Date,
    limit: number
  ) {
    return yield* (yield* AlertStore).countsOf(
      organizations.map(({ organizationId, window }) => ({
        organizationId,
        since: laterBegin(window, from) ?? from
      })),
      limit
    )
  }
)

/** The current settings of the rule. */
export const readAlertRule = Effect.fn("readAlertRule")(function*(organizationId: OrganizationId, rule: AlertRuleName) {
  const rules = yield* (yield* AlertStore).listRules(organizationId)
  return rules.find((one) => one.rule === rule) ?? defaultAlertRule(rule)
})

/** Every alert rule, set or not, each with the time of its last alert within the window; null if it raised no alert. */
export const readAlertRules = Effect.fn("readAlertRules")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow
) {
  const store = yield* AlertStore
  const set = yield* store.listRules(organizationId)
  return yield* Effect.forEach(
    alertRuleNames,
    Effect.fnUntraced(function*(name) {
      const [last] = yield* store.list(organizationId, { limit: 1, rule: name })
      const rule = set.find((one) => one.rule === name) ?? defaultAlertRule(name)
      return { rule, lastAlertAt: last !== undefined && isInWindow(window, last.createdAt) ? last.createdAt : null }
    })
  )
})
