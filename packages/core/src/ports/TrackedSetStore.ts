import { Context, type Effect, Schema } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { TrackedSet } from "../domain/tracking/TrackedSet.ts"
import type { StoreError } from "./StoreError.ts"

/** A concurrent edit has already added this version. Read the tracked set again and repeat the change. */
export class TrackedSetChanged extends Schema.TaggedError<TrackedSetChanged>()("TrackedSetChanged", {
  version: Schema.Int
}) {}

/** A name that must not be suggested as a competitor. */
export interface IgnoredName {
  readonly name: string
  /** The name in comparison form: two spellings with the same form are the same name. */
  readonly form: string
  readonly ignoredAt: Date
}

/**
 * TrackedSetStore stores every version of an organization's tracked set, and the names that must not be suggested.
 * Versions are only added, never edited.
 */
export class TrackedSetStore extends Context.Service<TrackedSetStore, {
  /** The newest version; null if no brand is set. */
  readonly current: (organizationId: OrganizationId) => Effect.Effect<TrackedSet | null, StoreError>
  readonly find: (organizationId: OrganizationId, version: number) => Effect.Effect<TrackedSet | null, StoreError>
  /** Adds `set` as version `set.version`. */
  readonly append: (
    organizationId: OrganizationId,
    set: TrackedSet
  ) => Effect.Effect<void, TrackedSetChanged | StoreError>
  /** Adds an ignored name; returns false and changes nothing if it is already ignored. */
  readonly ignore: (organizationId: OrganizationId, ignored: IgnoredName) => Effect.Effect<boolean, StoreError>
  /** Removes an ignored name by its comparison form; false if it is not ignored. */
  readonly stopIgnoring: (organizationId: OrganizationId, form: string) => Effect.Effect<boolean, StoreError>
  /** The ignored names, oldest first. */
  readonly listIgnored: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<IgnoredName>, StoreError>
}>()("@sov/core/ports/TrackedSetStore") {}
