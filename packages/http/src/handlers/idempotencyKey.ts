import { Effect } from "effect"
import { InvalidRequest } from "../contract/problems.ts"

/** The value of an Idempotency-Key header: unquoted if it is a structured-field string, otherwise unchanged. */
export const parseIdempotencyKey = (header: string): Effect.Effect<string, InvalidRequest> => {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]
  const key = quoted === undefined ? header : quoted.replace(/\\(.)/g, "$1")
  return /^[\x20-\x7e]{1,255}$/.test(key)
    ? Effect.succeed(key)
    : Effect.fail(
      new InvalidRequest({
        errors: [{ path: ["header", "idempotency-key"], message: "must be 1 to 255 printable ASCII characters" }]
      })
    )
}
