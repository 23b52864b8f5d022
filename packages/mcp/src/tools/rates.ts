import { Schema } from "effect"
import { Percent } from "../parameters.ts"

/** A part of the answers, per cent; null without answers. */
export const Rate = Schema.NullOr(Percent)
