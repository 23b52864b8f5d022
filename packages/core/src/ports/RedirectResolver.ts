/**
 * RedirectResolver asks a redirecting address for its target, through the outbound connection of the platform that
 * named it.
 */
import { Context, type Effect } from "effect"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { ResolvedUrl } from "../domain/sources/resolvedUrl.ts"

/** The result of one attempt; `unanswered` if a later attempt may succeed. */
export type RedirectReply =
  | Pick<ResolvedUrl, "target"> & { readonly outcome: Exclude<ResolvedUrl["outcome"], "failed"> }
  | { readonly outcome: "unanswered" }

/** Tries once. Requests only addresses with `redirectPrefix`, never their targets. */
export type ResolveRedirect = (url: string) => Effect.Effect<RedirectReply>

/** The resolvers of the platforms for which the operator enabled resolving; empty without a configuration. */
export const RedirectResolver = Context.Reference<ReadonlyMap<PlatformId, ResolveRedirect>>(
  "@sov/core/ports/RedirectResolver",
  { defaultValue: () => new Map() }
)
