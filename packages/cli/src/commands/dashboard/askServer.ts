import { formatLinkUrl } from "@sov/core"
import { Effect } from "effect"

/** A server on this machine answers at once; one far away may take a while. */
const timeoutMs = 5_000

/**
 * What a server says of a sign-in link: `known` it signs in there · `unknown` the server has another database · `other` what
 * answers is no dashboard of sov · `silent` nothing listens there · `slow` no answer within five seconds. A `HEAD` uses
 * nothing up.
 */
export type LinkAnswer = "known" | "unknown" | "other" | "silent" | "slow"

const meaningOf = (status: number): LinkAnswer => status === 200 ? "known" : status === 410 ? "unknown" : "other"

/** Asks the server at `origin` whether it knows the link. */
export const askServer = (origin: string, token: string): Effect.Effect<LinkAnswer> =>
  Effect.tryPromise((signal) =>
    fetch(formatLinkUrl(origin, token), {
      method: "HEAD",
      redirect: "manual",
      headers: { accept: "text/html" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    })
  ).pipe(Effect.match({
    onFailure: ({ cause }) => (cause as Error).name === "TimeoutError" ? "slow" as const : "silent" as const,
    onSuccess: ({ status }) => meaningOf(status)
  }))
