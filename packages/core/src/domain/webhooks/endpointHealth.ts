/**
 * What the tries of its deliveries say of an endpoint: when it is disabled, and what its organization is notified of.
 */
import { Duration } from "effect"
import { type Attempt, disableAfter, exhaustedMailInterval } from "./Delivery.ts"
import type { EndpointTrouble } from "./endpointMail.ts"
import type { Endpoint } from "./Webhook.ts"

/** What is kept of an endpoint from try to try. */
export interface EndpointHealth
  extends Pick<Endpoint, "disabledReason" | "disabledAt" | "failingSince" | "lastSuccessAt" | "lastFailureAt">
{
  /** When its organization was last notified that a delivery to it has failed for good; null = never. */
  readonly notifiedAt: Date | null
}

/** How one try ended. */
export interface EndedTry extends Pick<Attempt, "startedAt" | "status" | "failure"> {
  readonly endedAt: Date
}

export interface HealthStep {
  readonly health: EndpointHealth
  /**
   * What the organization is to be notified of; `failedSince`: what failed from then on is not delivered because of it.
   */
  readonly notice: { readonly trouble: EndpointTrouble; readonly failedSince: Date } | null
}

const findEarliest = (times: ReadonlyArray<Date>): Date | null =>
  times.reduce<Date | null>((found, time) => found === null || time < found ? time : found, null)

const findLatest = (times: ReadonlyArray<Date | null>): Date | null =>
  times.reduce<Date | null>((found, time) => found === null || (time !== null && time > found) ? time : found, null)

const isAtLeastApart = (from: Date, to: Date, duration: Duration.Duration): boolean =>
  to.getTime() - from.getTime() >= Duration.toMillis(duration)

/**
 * An endpoint after tries that ended together, at least one. An answer of 410 disables it (`gone`), and so does a
 * failure when every try has failed for `disableAfter` (`failing`); one success resets that time. `exhaustedAt` is
 * when the first of these deliveries failed for good after all its tries, null when none did.
 *
 * Its organization is notified when it becomes disabled, and once in `exhaustedMailInterval` that a delivery to it was
 * given up; of an endpoint that was disabled before there is no notice.
 */
export const updateEndpointHealth = (
  before: EndpointHealth,
  tries: ReadonlyArray<EndedTry>,
  exhaustedAt: Date | null
): HealthStep => {
  const failed = tries.filter(({ failure }) => failure !== null)
  const delivered = tries.filter(({ failure }) => failure === null)
  const failedFrom = findEarliest(failed.map(({ startedAt }) => startedAt))
  const failureAt = findLatest(failed.map(({ endedAt }) => endedAt))
  const failingSince = delivered.length > 0 ? null : before.failingSince ?? failedFrom
  const findDisabledReason = () => {
    if (tries.some(({ status }) => status === 410)) return "gone"
    if (failingSince === null || failureAt === null) return null
    return isAtLeastApart(failingSince, failureAt, disableAfter) ? "failing" : null
  }
  const disabling = findDisabledReason()
  const mayNotify = before.notifiedAt === null || failureAt === null ||
    isAtLeastApart(before.notifiedAt, failureAt, exhaustedMailInterval)
  const chooseNotice = (): HealthStep["notice"] => {
    if (before.disabledReason !== null) return null
    if (disabling !== null) return { trouble: disabling, failedSince: (failingSince ?? failedFrom)! }
    return exhaustedAt !== null && mayNotify ? { trouble: "exhausted", failedSince: exhaustedAt } : null
  }
  const message = chooseNotice()
  return {
    health: {
      disabledReason: before.disabledReason ?? disabling,
      disabledAt: before.disabledAt ?? (disabling === null ? null : failureAt),
      failingSince,
      lastSuccessAt: findLatest([before.lastSuccessAt, ...delivered.map(({ endedAt }) => endedAt)]),
      lastFailureAt: findLatest([before.lastFailureAt, failureAt]),
      notifiedAt: message?.trouble === "exhausted" ? failureAt : before.notifiedAt
    },
    notice: message
  }
}
