/**
 * False alarms by rule and sensitivity: the mean over 200 simulated histories of 30 scans with 10 keywords on 5
 * platforms and without any change (docs/alerts.md). test/domain/alerts/falseAlarms.property.test.ts measures them, and
 * newCompetitor.property.test.ts measures `new_competitor`.
 */
import type { AlertRuleName, Sensitivity } from "./AlertRule.ts"

/** A situation without any change, and the number of alerts that 30 scans of it raise. */
export interface FalseAlarms extends Readonly<Record<Sensitivity, number>> {
  readonly situation: string
}

/**
 * The false alarms of each rule. `new_mention` has none, because a first mention of the brand is not noise; nor does
 * `platform_changed`. docs/business-card.md describes how often `fact_contradicted` results from a misread statement.
 */
export const falseAlarms: { readonly [rule in AlertRuleName]: ReadonlyArray<FalseAlarms> } = {
  sov_drop: [
    { situation: "threshold at the true share of voice", immediate: 7.4, confirmed: 1.3 },
    { situation: "threshold 3 points below", immediate: 4.4, confirmed: 0.2 },
    { situation: "threshold 8 points below", immediate: 0.2, confirmed: 0 }
  ],
  new_mention: [],
  competitor_overtake: [
    { situation: "overtaken by a competitor of equal strength", immediate: 6.3, confirmed: 0.4 }
  ],
  new_competitor: [
    { situation: "40 untracked names, each named as often as ever", immediate: 0.6, confirmed: 0.3 }
  ],
  platform_changed: [],
  fact_contradicted: []
}
