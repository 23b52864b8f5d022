/** Reads and prints the options of an alert rule. */
import { type AlertRule, type Sensitivity, Threshold } from "@sov/core/alerts"
import { Rejected } from "@sov/core/common"
import { Effect } from "effect"
import { decodeInput } from "../../input/decodeInput.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

export interface RuleOptions extends GlobalOptions {
  readonly threshold?: string
  readonly sensitivity?: Sensitivity
}

/** Accepts digits with at most one decimal point: no sign, no exponent. */
const parseThreshold = (text: string): Effect.Effect<number, Rejected> =>
  /^\d{1,3}(?:\.\d{1,6})?$/.test(text)
    ? decodeInput(Threshold, Number(text), "--threshold")
    : Effect.fail(
      new Rejected({
        field: "--threshold",
        message: `--threshold must be a number such as 40, not ${JSON.stringify(text)}`
      })
    )

/** The settings of the rule that the options change; settings without an option stay as they are. */
export const readRuleOptions = Effect.fnUntraced(function*({ sensitivity, threshold }: RuleOptions) {
  return {
    ...threshold === undefined ? {} : { threshold: yield* parseThreshold(threshold) },
    ...sensitivity === undefined ? {} : { sensitivity }
  }
})

export const describeRule = ({ enabled, rule, sensitivity, threshold }: AlertRule): string =>
  enabled ? `${rule}: on${threshold === null ? "" : `, below ${threshold}`}, ${sensitivity}` : `${rule}: off`
