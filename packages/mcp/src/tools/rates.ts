import { roundHalfUp } from "@sov/core/scoring"
import { Schema } from "effect"
import { Percent } from "../parameters.ts"

/** A part of the answers, per cent; null without answers. */
export const Rate = Schema.NullOr(Percent)

export const roundOrNull = (value: number | null, digits: number): number | null =>
  value === null ? null : roundHalfUp(value, digits)
