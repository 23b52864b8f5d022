import { Effect } from "effect"
import { type IncomingMessage, request } from "node:http"
import { request as requestSecurely } from "node:https"
import { readShort } from "./readShort.ts"

/** A server on this machine answers at once, and one that is not there refuses at once; a busy one may take a while. */
const timeoutMs = 2_000

/** Not by `fetch`: commands ask this after their own work, and loading it takes longer than that. */
const get = (url: string, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const ask = url.startsWith("https:") ? requestSecurely : request
    ask(url, { agent: false, signal }).on("response", resolve).on("error", reject).end()
  })

/** Which installation answers at `origin`; null where none does. */
export const askInstance = (origin: string): Effect.Effect<string | null> =>
  Effect.tryPromise(async (signal) => {
    const response = await get(
      `${origin}/login/instance`,
      AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    )
    if (response.statusCode === 200) return await readShort(response)
    response.destroy()
    return null
  }).pipe(Effect.orElseSucceed(() => null))
