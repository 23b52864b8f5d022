/** What a program gives a client: its value in time, or one line that says why there is none. */
import type { StoragePorts, StoreError } from "@sov/core"
import { Cause, Effect } from "effect"

/** What has not answered by then will not. Milliseconds. */
export const defaultPatienceMs = 10_000

const busy = "sov cannot reach its database right now; try again in a few seconds."
export const internal = "Internal error; the log of the sov server says more."
const late = "It took too long; ask for less: a narrower range, a smaller limit."

/** Why there is no value, for the client: never the words of an error, which may hold what nobody else may see. */
const reasonOf = Effect.fnUntraced(function*(cause: Cause.Cause<StoreError | Cause.TimeoutError>) {
  const error = cause.reasons.find(Cause.isFailReason)?.error
  if (error !== undefined && Cause.isTimeoutError(error)) return late
  if (error !== undefined && error.retryable) return busy
  yield* Effect.logError("tool server failed", cause)
  return internal
})

/** What a program gives within `patienceMs`, or one line that says why it gives nothing. */
export const outcome = <A>(program: Effect.Effect<A, StoreError, StoragePorts>, patienceMs: number) =>
  program.pipe(
    Effect.timeout(patienceMs),
    Effect.map((value) => ({ value })),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause as Cause.Cause<never>)
        : Effect.map(reasonOf(cause), (reason) => ({ reason }))
    )
  )
