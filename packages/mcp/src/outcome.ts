/** Turns a program's outcome into a value or one line for the client that says why it failed. */
import type { StoragePorts, StoreError } from "@sov/core/common"
import { withTimeout } from "@sov/http"
import { Cause, Effect } from "effect"

/** Default deadline of a call in milliseconds. */
export const defaultTimeoutMs = 10_000

const unavailable = "sov cannot reach its database right now; try again in a few seconds."
export const internal = "Internal error; the log of the sov server says more."
const timedOut = "It took too long; ask for less: a narrower range, a smaller limit."

/**
 * Why a program failed, for the client. Never contains the message of an error, because messages may contain secrets.
 */
const describeFailure = Effect.fnUntraced(function*(cause: Cause.Cause<StoreError | Cause.TimeoutError>) {
  const error = cause.reasons.find(Cause.isFailReason)?.error
  if (error !== undefined && Cause.isTimeoutError(error)) return timedOut
  if (error !== undefined && error.retryable) return unavailable
  yield* Effect.logError("tool server failed", cause)
  return internal
})

/** The value of a program, or one line with the reason if it fails or exceeds `timeoutMs`. */
export const valueOrReason = <A>(program: Effect.Effect<A, StoreError, StoragePorts>, timeoutMs: number) =>
  program.pipe(
    withTimeout(timeoutMs),
    Effect.map((value) => ({ value })),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause as Cause.Cause<never>)
        : Effect.map(describeFailure(cause), (reason) => ({ reason }))
    )
  )
