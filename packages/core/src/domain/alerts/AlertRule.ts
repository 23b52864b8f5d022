/**
 * Alert rules, evaluated when a scan completes. Each rule is off until it is enabled. A rule with sensitivity
 * `immediate` (the default) raises its event when:
 *
 * - `sov_drop` (`sov.dropped`): the last score was at or above the threshold, and this one is below.
 * - `new_mention` (`mention.detected`): an answer names the brand, and the last 5 answers in its cell did not.
 * - `competitor_overtake` (`competitor.overtake`): a competitor was not ahead in the last scan and is now.
 * - `new_competitor` (`competitor.suggested`): answers name an untracked brand that earlier scans did not name.
 * - `platform_changed` (`platform.changed`): another model answers on a platform, or the platform is asked differently.
 * - `fact_contradicted` (`fact.contradicted`): answers of two scans in a row contradict the card in the same way.
 *
 * With `confirmed`, noise must also be an unlikely explanation; `new_mention` fires only for the first mention ever.
 * "Last" and "this" refer to the questions that both scans answered.
 */
import { Schema } from "effect"
import type { CompetitorId, EventId, ScanId } from "../ids.ts"
import type { EventData, EventName } from "../webhooks/Event.ts"
import { alertRuleNames } from "./alertRuleNames.ts"

export { alertRuleNames }

export const AlertRuleName = Schema.Literals(alertRuleNames)
export type AlertRuleName = typeof AlertRuleName.Type

/** `immediate`: the literal condition decides · `confirmed`: the noise gate (docs/alerts.md) decides. */
export const Sensitivity = Schema.Literals(["immediate", "confirmed"])
export type Sensitivity = typeof Sensitivity.Type

/** The threshold of `sov_drop`. */
export const Threshold = Schema.Finite.check(
  Schema.makeFilter((value) => value > 0 && value <= 100 ? true : "must be a number above 0, at most 100")
)

/** The setting of an alert rule of an organization: whether it is enabled, and when it fires. */
export interface AlertRule {
  readonly rule: AlertRuleName
  readonly enabled: boolean
  /** Above 0 and at most 100 for `sov_drop`; null for other rules, and until `sov_drop` is first enabled. */
  readonly threshold: number | null
  readonly sensitivity: Sensitivity
}

/** The default setting of a rule. */
export const defaultAlertRule = (rule: AlertRuleName): AlertRule => ({
  rule,
  enabled: false,
  threshold: null,
  sensitivity: "immediate"
})

/** The event that a rule raises for a scan. */
export type DetectedAlert =
  | { readonly rule: "sov_drop"; readonly event: "sov.dropped"; readonly data: EventData<"sov.dropped"> }
  | { readonly rule: "new_mention"; readonly event: "mention.detected"; readonly data: EventData<"mention.detected"> }
  | {
    readonly rule: "competitor_overtake"
    readonly event: "competitor.overtake"
    readonly data: EventData<"competitor.overtake">
  }
  | {
    readonly rule: "new_competitor"
    readonly event: "competitor.suggested"
    readonly data: EventData<"competitor.suggested">
  }
  | {
    readonly rule: "platform_changed"
    readonly event: "platform.changed"
    readonly data: EventData<"platform.changed">
  }
  | {
    readonly rule: "fact_contradicted"
    readonly event: "fact.contradicted"
    readonly data: EventData<"fact.contradicted">
  }

/** Rules that compare no figures, so that the noise gate does not apply. */
export const ungatedRules = ["platform_changed", "fact_contradicted"] as const
type UngatedRule = (typeof ungatedRules)[number]

export const isGatedRule = (rule: AlertRuleName): rule is Exclude<AlertRuleName, UngatedRule> =>
  ungatedRules.every((one) => one !== rule)

/** Alerts that the noise gate judges. */
export type GatedAlert = Exclude<DetectedAlert, { readonly rule: UngatedRule }>

export const isGated = <A extends DetectedAlert>(
  alert: A
): alert is Exclude<A, { readonly rule: UngatedRule }> => isGatedRule(alert.rule)

/** Whether noise is an unlikely explanation. */
export const isConfirmed = ({ data }: Pick<DetectedAlert, "data">): boolean => !("confirmed" in data) || data.confirmed

/** A stored alert. Its event, webhooks and e-mails carry its id. */
export type Alert = DetectedAlert & { readonly id: EventId; readonly createdAt: Date }

/** The competitor of an alert, if it has one. */
export const getAlertCompetitor = (alert: DetectedAlert): CompetitorId | null =>
  alert.rule === "competitor_overtake" ? alert.data.competitor_id : null

/** The scan of an alert. */
export const getAlertScan = (alert: DetectedAlert): ScanId => alert.data.scan_id

/** The event type of each rule. */
export const eventOfRule: { readonly [R in AlertRuleName]: EventName } = {
  sov_drop: "sov.dropped",
  new_mention: "mention.detected",
  competitor_overtake: "competitor.overtake",
  new_competitor: "competitor.suggested",
  platform_changed: "platform.changed",
  fact_contradicted: "fact.contradicted"
}
