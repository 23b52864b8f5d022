/**
 * HealthStore keeps how each platform does, so that who looks on sees it and the next worker goes on from it. It belongs
 * to no organization and holds nothing of one.
 */
import { Context, type Effect } from "effect"
import type { Breaker } from "../domain/platforms/Breaker.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { PlatformFailure } from "../domain/scanning/Cell.ts"
import type { Watch } from "../domain/scanning/Watch.ts"
import type { StoreError } from "./StoreError.ts"

/** How a call ended. */
export type CallOutcome = "answered" | PlatformFailure

/** A failed call. `at` in milliseconds since 1970. */
export interface LastFailure {
  readonly reason: PlatformFailure
  readonly message: string
  readonly at: number
}

/** The calls that count against the limit of the minute, so that the next process keeps it too. */
export interface SentCalls {
  /** How many were sent in each second since 1970, oldest first. */
  readonly bySecond: ReadonlyArray<readonly [second: number, calls: number]>
  /** Calls that were about to be sent. */
  readonly unsent: number
}

/** How a platform does; `outcomes` are those of its last calls (at most 100), the newest last. */
export interface PlatformHealth {
  readonly platform: PlatformId
  readonly simulated: boolean
  /** Whose health it is (`providerDigest`). */
  readonly provider: string
  /** When a worker looked after it, as far as it has been failing since. */
  readonly watch: Watch
  readonly sent: SentCalls
  readonly breaker: Breaker
  readonly outcomes: ReadonlyArray<CallOutcome>
  readonly lastFailure: LastFailure | null
  readonly seenAt: Date
}

export class HealthStore extends Context.Service<HealthStore, {
  /** Replaces what was kept of the platform. */
  readonly save: (health: PlatformHealth) => Effect.Effect<void, StoreError>
  /** Every platform that has ever been called, by id. */
  readonly list: Effect.Effect<ReadonlyArray<PlatformHealth>, StoreError>
}>()("@sov/core/ports/HealthStore") {}
