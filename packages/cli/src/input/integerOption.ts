import { Rejected } from "@sov/core/common"
import { Effect } from "effect"

/** Parses a whole number from `least` to `most`, in decimal digits without sign or leading zeros. */
export const integerOption = (
  field: string,
  text: string,
  least: number,
  most: number
): Effect.Effect<number, Rejected> => {
  const value = /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most
    ? Effect.succeed(value)
    : Effect.fail(
      new Rejected({
        field,
        message: `${field} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`
      })
    )
}
