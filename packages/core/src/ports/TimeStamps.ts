/**
 * TimeStamps asks time-stamping authorities (RFC 3161) to witness when some bytes existed, and checks what they
 * answered.
 */
import { Context, type Effect, Schema } from "effect"

/**
 * Why there is no time stamp, or not this one. `unreachable` no whole answer in time · `refused` the authority
 * answered, and gave none · `invalid` what it gave is no time stamp over these bytes, or nobody who is trusted signed
 * it.
 */
export const TimeStampFailure = Schema.Literals(["unreachable", "refused", "invalid"])
export type TimeStampFailure = typeof TimeStampFailure.Type

/** `message` is one line, and says nothing that the authority says. */
export class TimeStampError extends Schema.TaggedError<TimeStampError>()("TimeStampError", {
  reason: TimeStampFailure,
  message: Schema.String
}) {}

export class TimeStamps extends Context.Service<TimeStamps, {
  /**
   * Asks the authority at `url` once, within 30 seconds, for a time stamp over the SHA-256 of `data`, and follows no
   * redirect. The answer, a DER-encoded TimeStampResp, repeats the nonce of the request and passed `check` without
   * trusted certificates.
   */
  readonly request: (url: string, data: Uint8Array) => Effect.Effect<Uint8Array, TimeStampError>
  /**
   * Checks that `response` is a time stamp over `data`, signed by the certificate that it names, which is one for time
   * stamps. With `trusted`, certificates of authorities in PEM, that certificate must lead to one of them and have been
   * valid at that time. Returns the time that it states.
   */
  readonly check: (
    response: Uint8Array,
    data: Uint8Array,
    trusted: string | null
  ) => Effect.Effect<Date, TimeStampError>
}>()("@sov/core/ports/TimeStamps") {}
