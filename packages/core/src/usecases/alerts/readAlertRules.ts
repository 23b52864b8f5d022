import { Effect } from "effect"
import { alertRuleNames, defaultAlertRule } from "../../domain/alerts/AlertRule.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { AlertStore } from "../../ports/AlertStore.ts"

/** Every alert rule, set or not, each with when it raised an alert last, as far as the window shows; null = never. */
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
