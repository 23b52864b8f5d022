/**
 * JobQueue hands lanes of work to workers. Rows are the state (cells with due times and attempts); a lane only says
 * that one scan has work on one platform, so losing or repeating a lane never loses or repeats an answer.
 */
import { Context, type Effect, Schema } from "effect"
import { OrganizationId, ScanId } from "../domain/ids.ts"
import { PlatformId } from "../domain/Platform.ts"
import type { StoreError } from "./StoreError.ts"

/** Work of one scan on one platform. */
export const Lane = Schema.Struct({
  platform: PlatformId,
  organizationId: OrganizationId,
  scanId: ScanId
})
export type Lane = typeof Lane.Type

export class JobQueue extends Context.Service<JobQueue, {
  /** Offers a lane as part of the caller's transaction. A lane is offered once; offering it again does nothing. */
  readonly offer: (lane: Lane) => Effect.Effect<void, StoreError>
  /**
   * Waits for a lane of the platform and gives it to `work`, leased to this worker alone while `work` runs. `done`
   * removes the lane; `open` puts it at the end of the line; a failure does the same and is returned; interruption
   * gives the lane back at once.
   */
  readonly take: <E, R>(
    platform: PlatformId,
    work: (lane: Lane) => Effect.Effect<"done" | "open", E, R>
  ) => Effect.Effect<void, E | StoreError, R>
}>()("@sov/core/ports/JobQueue") {}
