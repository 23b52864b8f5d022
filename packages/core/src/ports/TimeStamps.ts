/**
 * TimeStamps asks time-stamping authorities (RFC 3161) to certify when some bytes existed, and checks their responses.
 */
import { Context, type Effect, Schema } from "effect"

/**
 * Why there is no valid time stamp. `unreachable`: no complete response in time · `refused`: the authority responded
 * without a time stamp · `invalid`: the response is no time stamp over these bytes, or no trusted party signed it.
 */
export const TimeStampFailure = Schema.Literals(["unreachable", "refused", "invalid"])
export type TimeStampFailure = typeof TimeStampFailure.Type

/** A request for a time stamp, or its check, failed. `message` is one line and quotes nothing from the authority. */
export class TimeStampError extends Schema.TaggedError<TimeStampError>()("TimeStampError", {
  reason: TimeStampFailure,
  message: Schema.String
}) {}

export class TimeStamps extends Context.Service<TimeStamps, {
  /**
   * Asks the authority at `url` once, within 30 seconds and without following redirects, for a time stamp over the
   * SHA-256 of `data`. The returned response, a DER-encoded TimeStampResp, repeats the nonce of the request and passed
   * `check` without trusted certificates.
   */
  readonly request: (url: string, data: Uint8Array) => Effect.Effect<Uint8Array, TimeStampError>
  /**
   * Checks that `response` is a time stamp over `data`, signed by the certificate that it names, and that this
   * certificate is for time stamps. With `trusted` (PEM certificates of authorities), that certificate must chain to
   * one of them and have been valid at the stamped time. Returns the stamped time.
   */
  readonly check: (
    response: Uint8Array,
    data: Uint8Array,
    trusted: string | null
  ) => Effect.Effect<Date, TimeStampError>
}>()("@sov/core/ports/TimeStamps") {}
