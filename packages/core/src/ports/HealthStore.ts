/**
 * HealthStore keeps the health of each platform: status commands show it, and the next worker continues from it. It
 * belongs to no organization and holds no data of one.
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

/** A failed call. `at` in milliseconds since 1970. */
export interface LastFailure {
  readonly reason: PlatformFailure
  readonly message: string
  readonly at: number
}

/** The calls that count against the limit per minute, so that the next process respects it, too. */
export interface SentCalls {
  /** How many were sent in each second since 1970, oldest first. */
  readonly bySecond: ReadonlyArray<readonly [second: number, calls: number]>
  /** Calls that were about to be sent. */
  readonly unsent: number
}

/** The health of a platform; `outcomes` are those of its last calls (at most 100), the newest last. */
export interface PlatformHealth {
  readonly platform: PlatformId
  readonly simulated: boolean
  /** Whose health it is (`providerDigest`). */
  readonly provider: string
  /** When workers polled for it while it was failing; empty while it is not. */
  readonly attendance: AttendanceIntervals
  readonly sent: SentCalls
  readonly breaker: Breaker
  readonly outcomes: ReadonlyArray<CallOutcome>
  readonly lastFailure: LastFailure | null
  /** The day (UTC) on which its model ends, `2026-12-31`, by its last answer; null if no day is announced. */
  readonly endsOn: string | null
  readonly seenAt: Date
}

export class HealthStore extends Context.Service<HealthStore, {
  /** Replaces what was saved of the platform. */
  readonly save: (health: PlatformHealth) => Effect.Effect<void, StoreError>
  /** Every platform that has ever been called, by id. */
  readonly list: Effect.Effect<ReadonlyArray<PlatformHealth>, StoreError>
}>()("@sov/core/ports/HealthStore") {}
