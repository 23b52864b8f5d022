import { Effect } from "effect"
import { readShort } from "./readShort.ts"

/** A server on this machine answers at once, and one that is not there refuses at once; a busy one may take a while. */
const timeoutMs = 2_000

/** Which installation answers at `origin`; null where none does. */
export const askInstance = (origin: string): Effect.Effect<string | null> =>
  Effect.tryPromise(async (signal) => {
    const response = await fetch(`${origin}/login/instance`, {
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    })
    return response.ok ? await readShort(response) : null
  }).pipe(Effect.orElseSucceed(() => null))
