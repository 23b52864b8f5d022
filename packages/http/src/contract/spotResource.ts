/** Body of the operation `odds`. */
import { Schema } from "effect"
import { Count } from "./numbers.ts"
import { Platform, simulated } from "./resources.ts"

const Chance = Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 })))
const Interval = Schema.NullOr(Schema.Struct({ low: Schema.Finite, high: Schema.Finite }))

const odds = {
  odds: Chance.annotate({ description: "How often one opened answer names the brand, per cent; null without answers" }),
  odds_interval_95: Interval,
  three_misses: Chance.annotate({
    description: "How often three answers to one question on one platform all fail to name the brand, per cent; " +
      "null if no question has two answers on one platform"
  }),
  three_misses_interval_95: Interval,
  three_misses_between: Interval.annotate({
    description: "Minimum and maximum that three_misses can have if it is null"
  }),
  interval_about: Schema.String.annotate({ description: "What the intervals are about, in one phrase" }),
  answers: Count,
  questions: Count,
  topics: Count
}

/** How likely somebody who opens single answers sees the brand. */
export const SpotCheck = Schema.Struct({
  ...odds,
  scans: Schema.Array(Schema.String).annotate({ description: "Scans whose answers count, newest first" }),
  platforms: Schema.Array(Schema.Struct({ name: Platform, ...odds })),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, ...odds })),
  caveat: Schema.String.annotate({ description: "What the odds cover; belongs beside them" }),
  ...simulated
}).annotate({ identifier: "SpotCheck" })
