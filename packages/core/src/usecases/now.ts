import { Clock, Effect } from "effect"

/** The current time of Effect's clock, in milliseconds precision: what every row is stamped with. */
export const now: Effect.Effect<Date> = Effect.map(Clock.currentTimeMillis, (ms) => new Date(ms))
