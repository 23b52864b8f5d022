/**
 * HealthStore stores the health of each platform. Status commands show it, and the next worker continues from it. It
 * belongs to no organization and contains no data of any organization.
 */
import { Context, type Effect, Schema } from "effect"
import type { AttendanceIntervals } from "../domain/platforms/AttendanceIntervals.ts"
import type { Breaker } from "../domain/platforms/Breaker.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import { PlatformFailure } from "../domain/scanning/Cell.ts"
import type { StoreError } from "./StoreError.ts"

/** How a call ended. */
export const CallOutcome = Schema.Literals(["answered", ...PlatformFailure.literals])
export type CallOutcome = typeof CallOutcome.Type

/** A failed call; `at` is in milliseconds since 1970. */
export interface LastFailure {
  readonly reason: PlatformFailure
  readonly message: string
  readonly at: number
}

/** The calls that count towards the limit per minute. They are stored so that the next process also respects it. */
export interface SentCalls {
  /** Number of calls that were sent in each second (seconds since 1970), oldest first. */
  readonly bySecond: ReadonlyArray<readonly [second: number, calls: number]>
  /** Number of calls that were about to be sent. */
  readonly unsent: number
}

/** The health of a platform. `outcomes` are those of its last calls (at most 100), newest last. */
export interface PlatformHealth {
  readonly platform: PlatformId
  readonly simulated: boolean
  /** The provider that this health describes (`providerDigest`). */
  readonly provider: string
  /** When workers polled for the platform while it was failing; empty while it is not failing. */
  readonly attendance: AttendanceIntervals
  readonly sent: SentCalls
  readonly breaker: Breaker
  readonly outcomes: ReadonlyArray<CallOutcome>
  readonly lastFailure: LastFailure | null
  /**
   * The day (UTC) on which the provider retires the model, such as `2026-12-31`, as its answers or the provider's
   * description of the model say; null if none is known.
   */
  readonly endsOn: string | null
  readonly seenAt: Date
}

export class HealthStore extends Context.Service<HealthStore, {
  /** Replaces the stored health of the platform. */
  readonly save: (health: PlatformHealth) => Effect.Effect<void, StoreError>
  /** The health of every platform that has ever been called, by id. */
  readonly list: Effect.Effect<ReadonlyArray<PlatformHealth>, StoreError>
}>()("@sov/core/ports/HealthStore") {}
