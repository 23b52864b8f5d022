import type { LinkQuestion } from "@sov/core/people"
import { Effect } from "effect"
import { readShort } from "./readShort.ts"

/** A server on this machine answers at once; one far away may take a while. */
const timeoutMs = 5_000

/**
 * What a server says of a sign-in link: `known` it signs in there · `unknown` the server has another database · `other`
 * what answers is no dashboard of sov, or does not prove that it has the database · `silent` nothing listens there ·
 * `slow` no answer within five seconds.
 */
export type LinkAnswer = "known" | "unknown" | "other" | "silent" | "slow"

/** Asks the server at `origin` whether it knows the link. Whatever listens there is not told the link. */
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
