import { Context, type Effect, Schema } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { TrackedSet } from "../domain/tracking/TrackedSet.ts"
import type { StoreError } from "./StoreError.ts"

/** A concurrent edit has added this version; read again and repeat the change. */
export class TrackedSetChanged extends Schema.TaggedError<TrackedSetChanged>()("TrackedSetChanged", {
  version: Schema.Int
}) {}

/** TrackedSetStore stores every version of what an organization tracks. Versions are only added, never edited. */
export class TrackedSetStore extends Context.Service<TrackedSetStore, {
  /** The newest version; null before the brand is set. */
  readonly current: (organizationId: OrganizationId) => Effect.Effect<TrackedSet | null, StoreError>
  readonly find: (organizationId: OrganizationId, version: number) => Effect.Effect<TrackedSet | null, StoreError>
  /** Adds `set` as version `set.version`. */
  readonly append: (
    organizationId: OrganizationId,
    set: TrackedSet
  ) => Effect.Effect<void, TrackedSetChanged | StoreError>
}>()("@sov/core/ports/TrackedSetStore") {}
