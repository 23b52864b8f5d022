/** Deliveries: one event on its way to one endpoint, its attempts, and the time of the next attempt. */
import { Duration, Schema } from "effect"
import { DeliveryId, EndpointId, EventId } from "../ids.ts"
import { EventName } from "./Event.ts"

/** `pending`: tried until it is delivered or has failed · `failed`: all attempts failed, or the endpoint is gone. */
export const DeliveryState = Schema.Literals(["pending", "delivered", "failed"])
export type DeliveryState = typeof DeliveryState.Type

/**
 * Why an attempt failed. `status`: the answer was not 2xx · `redirect`: it was 3xx, which is not followed · `blocked`:
 * the address must not be called · `dns`: the name has no address · `connect`: nobody listens there · `tls`: the
 * connection could not be secured · `timeout`: no complete answer in time · `reset`: the connection broke.
 */
export const AttemptFailure = Schema.Literals([
  "status",
  "redirect",
  "blocked",
  "dns",
  "connect",
  "tls",
  "timeout",
  "reset"
])
export type AttemptFailure = typeof AttemptFailure.Type

/** One attempt to post an event. */
export const Attempt = Schema.Struct({
  /** 1, 2, 3 … across all attempts of the delivery. */
  number: Schema.Int,
  startedAt: Schema.Date,
  durationMs: Schema.Int,
  /** HTTP status; null if no answer began. */
  status: Schema.NullOr(Schema.Int),
  /** Null if the event was delivered. */
  failure: Schema.NullOr(AttemptFailure),
  /** The failure in words; contains no secret. */
  message: Schema.NullOr(Schema.String),
  /** The beginning of the answer: at most 1,024 characters, without credentials. */
  response: Schema.NullOr(Schema.String)
})
export type Attempt = typeof Attempt.Type

export const Delivery = Schema.Struct({
  id: DeliveryId,
  endpointId: EndpointId,
  /** The receiver sees this id as `webhook-id`. */
  eventId: EventId,
  event: EventName,
  state: DeliveryState,
  /** Number of all attempts. */
  attempts: Schema.Int,
  /** When the next attempt is due; meaningless once the delivery has ended. */
  dueAt: Schema.Date,
  createdAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date),
  last: Schema.NullOr(Attempt)
})
export type Delivery = typeof Delivery.Type

/** Time limit of an attempt, including the connection, which has its own limit `connectDeadline`. */
export const attemptDeadline = Duration.seconds(15)
export const connectDeadline = Duration.seconds(5)

/** Maximum number of concurrent posts to one endpoint. */
export const maxPostsPerEndpoint = 4

/** Maximum number of concurrent posts to all endpoints; each uses one connection. */
export const maxPostsInFlight = 128

/** The posts in flight before another one starts. */
export interface PostsInFlight {
  /** Posts of all organizations; `failing` counts those to failing endpoints. */
  readonly all: number
  readonly failing: number
  /** Posts of the endpoint's organization; `ownFailing` counts those to failing endpoints. */
  readonly own: number
  readonly ownFailing: number
  /** Posts to the endpoint. */
  readonly endpoint: number
}

/**
 * Whether another post to an endpoint may start. There are `maxPostsInFlight` slots. An organization's share is a
 * quarter of the slots that no other organization uses: 32 if it is the only one. An endpoint gets a second, third and
 * fourth slot only if that leaves four, eight and twelve slots of the share free. A failing endpoint has a single slot,
 * and all failing endpoints together have at most half of the share and half of all slots. Endpoints that are known to
 * time out therefore leave slots to the others, no matter how many there are. Endpoints not yet known to fail can use
 * all slots, but only for one `attemptDeadline`.
 */
export const canStartPost = (
  isFailing: boolean,
  { all, endpoint, failing, own, ownFailing }: PostsInFlight
): boolean => {
  const share = Math.ceil((maxPostsInFlight - (all - own)) / 4)
  if (own >= share) return false
  return isFailing
    ? endpoint === 0 && 2 * ownFailing < share && 2 * failing < maxPostsInFlight
    : endpoint < maxPostsPerEndpoint && maxPostsPerEndpoint * endpoint < share - own
}

/**
 * Waiting times before the second attempt, the third, and so on: ten attempts within about 76 hours, as Standard
 * Webhooks recommends.
 */
const waits = [
  "5 seconds",
  "5 minutes",
  "30 minutes",
  "2 hours",
  "5 hours",
  "10 hours",
  "14 hours",
  "20 hours"
] as const
const retryDelaysMs: ReadonlyArray<number> = [...waits, "24 hours" as const].map((wait) => Duration.toMillis(wait))

/** Number of attempts after which a delivery has failed. */
export const maxTries = retryDelaysMs.length + 1

/** Waiting times vary by up to a tenth, so that deliveries that failed together are not retried together. */
const jitter = 0.1

/** Maximum waiting time that a receiver's `Retry-After` can cause. */
export const maxRetryAfter = Duration.hours(24)

/**
 * When to try again after `tries` failed attempts, the last of which ended at `endedAt`; null if no attempts are left.
 * `random` in [0, 1) determines the jitter; `retryAfterMs`, which the receiver asked for, can lengthen the waiting
 * time.
 */
export const nextTry = (tries: number, endedAt: Date, random: number, retryAfterMs: number | null): Date | null => {
  const wait = retryDelaysMs[tries - 1]
  if (wait === undefined) return null
  const asked = Math.min(retryAfterMs ?? 0, Duration.toMillis(maxRetryAfter))
  return new Date(endedAt.getTime() + Math.round(Math.max(wait * (1 + jitter * (2 * random - 1)), asked)))
}

/**
 * An endpoint whose attempts have all failed for this long is disabled at the next failure. Its first and last failure
 * must be more than 12 hours apart, so that one bad day does not disable it.
 */
export const disableAfter = Duration.hours(120)

/** During this time, an organization gets at most one notice of abandoned deliveries for each endpoint. */
export const exhaustedMailInterval = Duration.days(1)

/** Deliveries that have been pending for this long, because their endpoint is disabled, are never sent. */
export const maxPendingAge = Duration.days(30)
