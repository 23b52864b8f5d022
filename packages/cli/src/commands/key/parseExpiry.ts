import { dateBound, Rejected } from "@sov/core/common"
import { Clock, Duration, Effect } from "effect"
import { parseDuration } from "../../input/duration.ts"

/** Parses an expiry: a time, a day (its first moment, UTC), or minutes, hours or days from now. Fails with Rejected. */
export const parseExpiry = Effect.fnUntraced(function*(text: string) {
  const after = parseDuration(text)
  const expiresAt = after === null
    ? dateBound(text, "from")
    : new Date((yield* Clock.currentTimeMillis) + Duration.toMillis(after))
  return expiresAt ?? (yield* new Rejected({
    field: "--expires",
    message: `--expires ${JSON.stringify(text)} is no time: give a day such as 2027-01-01, a time such as ` +
      "2027-01-01T08:00:00Z, or minutes, hours or days from now (30m, 24h, 90d)"
  }))
})
