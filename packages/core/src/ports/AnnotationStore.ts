import { Context, type Effect } from "effect"
import type { AnnotationId, OrganizationId } from "../domain/ids.ts"
import type { Annotation } from "../domain/scoring/Annotation.ts"
import type { StoreError } from "./StoreError.ts"

/** AnnotationStore stores organizations' notes about events of a day. */
export class AnnotationStore extends Context.Service<AnnotationStore, {
  readonly insert: (organizationId: OrganizationId, annotation: Annotation) => Effect.Effect<void, StoreError>
  /** All annotations by day; within a day, in the order in which they were added. */
  readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Annotation>, StoreError>
  /** Returns the removed annotation; null for an unknown id. */
  readonly remove: (organizationId: OrganizationId, id: AnnotationId) => Effect.Effect<Annotation | null, StoreError>
}>()("@sov/core/ports/AnnotationStore") {}
