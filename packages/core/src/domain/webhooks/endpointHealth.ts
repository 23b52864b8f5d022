/**
 * Decides how the attempts of its deliveries affect an endpoint: when it is disabled, and when its organization is
 * notified.
 */
import { Duration } from "effect"
import { type Attempt, disableAfter, exhaustedMailInterval } from "./Delivery.ts"
import type { EndpointTrouble } from "./endpointMail.ts"
import type { Endpoint } from "./Webhook.ts"

/** The part of an endpoint's health that is stored between attempts. */
export interface EndpointHealth
  extends Pick<Endpoint, "disabledReason" | "disabledAt" | "failingSince" | "lastSuccessAt" | "lastFailureAt">
{
  /** When the organization was last notified that a delivery to this endpoint has failed permanently; null if never. */
  readonly notifiedAt: Date | null
}

/** The end of one attempt. */
export interface EndedTry extends Pick<Attempt, "startedAt" | "status" | "failure"> {
  readonly endedAt: Date
}

export interface HealthStep {
  readonly health: EndpointHealth
  /**
   * The notice to the organization, if there is one. Deliveries that failed since `failedSince` did not arrive because
   * of the trouble.
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
 * Updates an endpoint after one or more attempts that ended together. An answer of 410 disables it (`gone`), and so
 * does a failure if every attempt has failed for `disableAfter` (`failing`); one success resets that time.
 * `exhaustedAt` is when the first of these deliveries failed permanently after all its attempts, or null.
 *
 * The organization is notified when the endpoint becomes disabled, and at most once per `exhaustedMailInterval` that a
 * delivery to it was given up. There are no notices about an endpoint that was already disabled.
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
