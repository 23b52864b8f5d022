/** How an alert rule is given on the command line, and shown. */
import { type AlertRule, type Sensitivity, Threshold } from "@sov/core/alerts"
import { Rejected } from "@sov/core/common"
import { Effect } from "effect"
import { decodeInput } from "../../input/decodeInput.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

export interface RuleOptions extends GlobalOptions {
  readonly threshold?: string
  readonly sensitivity?: Sensitivity
}

/** Digits with at most one point: no sign, no exponent. */
const parseThreshold = (text: string): Effect.Effect<number, Rejected> =>
  /^\d{1,3}(?:\.\d{1,6})?$/.test(text)
    ? decodeInput(Threshold, Number(text), "--threshold")
    : Effect.fail(
      new Rejected({
        field: "--threshold",
        message: `--threshold must be a number such as 40, not ${JSON.stringify(text)}`
      })
    )

/** What the options say of the rule; what they leave out stays. */
export const readRuleOptions = Effect.fnUntraced(function*({ sensitivity, threshold }: RuleOptions) {
  return {
    ...threshold === undefined ? {} : { threshold: yield* parseThreshold(threshold) },
    ...sensitivity === undefined ? {} : { sensitivity }
  }
})

export const describeRule = ({ enabled, rule, sensitivity, threshold }: AlertRule): string =>
  enabled ? `${rule}: on${threshold === null ? "" : `, below ${threshold}`}, ${sensitivity}` : `${rule}: off`
