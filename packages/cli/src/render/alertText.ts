/** Formats alerts for people, one line each. */
import { describeDrop, type DetectedAlert, listFacts, listNewNames } from "@sov/core/alerts"
import { pluralized } from "@sov/core/common"
import { describeBreak } from "@sov/core/scoring"
import { printable } from "../output/Output.ts"

const formatPoints = (value: number): string => value.toFixed(1)

/**
 * The event on one line: "share of voice fell from 42.1 to 37.2 (threshold 40)". Names come from outside and are made
 * safe.
 */
export const alertText = (alert: DetectedAlert): string => {
  switch (alert.rule) {
    case "sov_drop": {
      const { before, fell, now } = describeDrop(alert.data)
      return `share of voice ${fell ? `fell from ${before} to ${now}` : `stays at ${now}, ${before} before`} ` +
        `(threshold ${alert.data.threshold})`
    }
    case "new_mention":
      return `newly named in ${pluralized(alert.data.mentions_total, "answer")}`
    case "competitor_overtake":
      return `${printable(alert.data.competitor_name)} is ahead: ${formatPoints(alert.data.competitor_sov)} to ` +
        formatPoints(alert.data.brand_sov)
    case "new_competitor":
      return `newly named, not tracked: ${printable(listNewNames(alert.data.names))}`
    case "platform_changed":
      return printable(`${alert.data.platform}: ${describeBreak(alert.data)}`)
    case "fact_contradicted":
      return `answers of two scans contradict the card: ${printable(listFacts(alert.data.facts))}`
  }
}
