/** RedirectResolver asks an address that redirects where it leads, over the way out of the platform that named it. */
import { Context, type Effect } from "effect"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { ResolvedUrl } from "../domain/sources/resolvedUrl.ts"

/** What one try gave; `unanswered` when the same may have an answer later. */
export type RedirectReply =
  | Pick<ResolvedUrl, "target"> & { readonly outcome: Exclude<ResolvedUrl["outcome"], "failed"> }
  | { readonly outcome: "unanswered" }

/** Tries once. Requests nothing but addresses with `redirectPrefix`; never what they lead to. */
export type ResolveRedirect = (url: string) => Effect.Effect<RedirectReply>

/** By platform, those where the operator asks for it; empty without a configuration. */
export const RedirectResolver = Context.Reference<ReadonlyMap<PlatformId, ResolveRedirect>>(
  "@sov/core/ports/RedirectResolver",
  { defaultValue: () => new Map() }
)
