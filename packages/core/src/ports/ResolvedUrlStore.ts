/**
 * ResolvedUrlStore stores the targets of redirecting addresses. A row is written once, when all attempts have ended.
 */
import { Context, type Effect } from "effect"
import type { AnswerId, OrganizationId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { ResolvedUrl } from "../domain/sources/resolvedUrl.ts"
import type { StoreError } from "./StoreError.ts"

/** An answer with addresses that have no row yet. */
export interface UnresolvedAnswer {
  readonly answerId: AnswerId
  readonly platform: PlatformId
  /** The URLs, without duplicates. */
  readonly urls: ReadonlyArray<string>
}

export class ResolvedUrlStore extends Context.Service<ResolvedUrlStore, {
  /**
   * The next answers with a source whose URL begins with `prefix` and has no row yet, in id order, starting after
   * `after`. Only answers of these platforms that were archived at `since` or later.
   */
  readonly listUnresolved: (
    organizationId: OrganizationId,
    options: {
      readonly prefix: string
      readonly platforms: ReadonlyArray<PlatformId>
      readonly since: Date
      readonly after?: AnswerId
      readonly limit: number
    }
  ) => Effect.Effect<ReadonlyArray<UnresolvedAnswer>, StoreError>
  /** Adds a row; an existing row for the same URL is left unchanged. */
  readonly insert: (organizationId: OrganizationId, resolved: ResolvedUrl) => Effect.Effect<void, StoreError>
  /** The targets of these URLs; URLs that are not resolved are left out. */
  readonly listTargets: (
    organizationId: OrganizationId,
    urls: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, string>, StoreError>
}>()("@sov/core/ports/ResolvedUrlStore") {}
