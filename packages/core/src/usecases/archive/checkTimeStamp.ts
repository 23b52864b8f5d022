import { Effect } from "effect"
import { type AnchorDocument, stampedBytes } from "../../domain/archive/AnchorDocument.ts"
import { TimeStamps } from "../../ports/TimeStamps.ts"

/**
 * The time in the anchor's time stamp; null if it has no time stamp. With `trusted` (certificates in PEM), the signer
 * is also checked. Fails as `TimeStamps.check`.
 */
export const checkTimeStamp = Effect.fn("checkTimeStamp")(function*(anchor: AnchorDocument, trusted: string | null) {
  if (anchor.time_stamp === undefined) return null
  const response = Buffer.from(anchor.time_stamp.response, "base64")
  return yield* (yield* TimeStamps).check(response, stampedBytes(anchor), trusted)
})
