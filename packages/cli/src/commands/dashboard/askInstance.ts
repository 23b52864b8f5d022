import { Effect } from "effect"
import { type IncomingMessage, request } from "node:http"
import { request as requestSecurely } from "node:https"
import { readShort } from "./readShort.ts"

/**
 * Time limit in milliseconds. A local server answers at once, and a missing server refuses at once; a busy server may
 * need longer.
 */
const timeoutMs = 2_000

/**
 * Sends a GET request without `fetch`, because loading `fetch` takes longer than the request, which commands send after
 * their own work.
 */
const get = (url: string, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const ask = url.startsWith("https:") ? requestSecurely : request
    ask(url, { agent: false, signal }).on("response", resolve).on("error", reject).end()
  })

/** The id of the installation that answers at `origin`; null if there is no answer. */
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
