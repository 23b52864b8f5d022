import type { LinkQuestion } from "@sov/core/people"
import { Effect } from "effect"
import { readShort } from "./readShort.ts"

/** Time limit in milliseconds. A local server answers at once; a distant server may need longer. */
const timeoutMs = 5_000

/**
 * The server's reply to a question about a sign-in link:
 * - `known`: the link signs in there
 * - `unknown`: the server has another database
 * - `other`: not a dashboard of sov, or it does not prove that it has the database
 * - `silent`: nothing listens there
 * - `slow`: no reply within five seconds
 */
export type LinkAnswer = "known" | "unknown" | "other" | "silent" | "slow"

/** Asks the server at `origin` whether it knows the link, without revealing the link to it. */
export const askServer = (origin: string, { answer, path }: LinkQuestion): Effect.Effect<LinkAnswer> =>
  Effect.tryPromise(async (signal) => {
    const response = await fetch(`${origin}${path}`, {
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    })
    if (response.status === 410) return "unknown" as const
    return response.status === 200 && response.body !== null &&
        await readShort(response.body) === answer ?
      "known" as const :
      "other" as const
  }).pipe(
    Effect.catch(({ cause }) =>
      Effect.succeed((cause as Error).name === "TimeoutError" ? "slow" as const : "silent" as const)
    )
  )
