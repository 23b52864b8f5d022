/** Enables, disables and configures alert rules. */
import { Effect } from "effect"
import type { AlertRule, AlertRuleName, Sensitivity } from "../../domain/alerts/AlertRule.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { AlertStore } from "../../ports/AlertStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { now } from "../now.ts"
import { readAlertRule } from "./reads.ts"

/** Changes to a rule; members that are left out stay as they are. */
export interface AlertRuleChange {
  readonly rule: AlertRuleName
  readonly enabled: boolean
  readonly threshold?: number
  readonly sensitivity?: Sensitivity
}

const isSameRule = (a: AlertRule, b: AlertRule): boolean =>
  a.enabled === b.enabled && a.threshold === b.threshold && a.sensitivity === b.sensitivity

/** The rule with the change applied. Fails with Rejected if `sov_drop` has no threshold, or if another rule has one. */
export const resolveAlertRule = Effect.fnUntraced(
  function*(organizationId: OrganizationId, { enabled, rule, sensitivity, threshold }: AlertRuleChange) {
    if (rule !== "sov_drop" && threshold !== undefined) {
      return yield* new Rejected({ field: "threshold", message: `only sov_drop has a threshold, ${rule} has none` })
    }
    const before = yield* readAlertRule(organizationId, rule)
    const after: AlertRule = {
      rule,
      enabled,
      threshold: threshold ?? before.threshold,
      sensitivity: sensitivity ?? before.sensitivity
    }
    if (rule === "sov_drop" && enabled && after.threshold === null) {
      return yield* new Rejected({
        field: "threshold",
        message: "sov_drop needs a threshold: the share of voice that it must not fall below, for example 40"
      })
    }
    return { before, after }
  }
)

const toDetail = ({ enabled, sensitivity, threshold }: AlertRule) => ({ enabled, threshold, sensitivity })

/**
 * Sets a rule and returns it. A changed rule loses its memory; an unchanged rule keeps it. Fails with Rejected if
 * `sov_drop` has no threshold, or if another rule has one.
 */
export const setAlertRule = Effect.fn("setAlertRule")(
  function*(organizationId: OrganizationId, change: AlertRuleChange) {
    const store = yield* AlertStore
    const organizations = yield* OrganizationStore
    const set = Effect.gen(function*() {
      // If two changes are made concurrently, the second one keeps what the first has changed
      yield* organizations.lock(organizationId)
      const { after, before } = yield* resolveAlertRule(organizationId, change)
      if (!isSameRule(before, after)) yield* store.setRule(organizationId, after, yield* now)
      return { after, before }
    })
    const { after } = yield* runActs(organizationId, set, ({ after, before }) =>
      isSameRule(before, after) ? [] : [{
        action: "alert_rule.changed",
        subjectId: change.rule,
        detail: { ...toDetail(after), before: toDetail(before) }
      }])
    return after
  }
)
