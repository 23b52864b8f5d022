/** Deliveries: one event on its way to one endpoint, its tries, and the time of the next one. */
import { Duration, Schema } from "effect"
import { DeliveryId, EndpointId, EventId } from "../ids.ts"
import { EventName } from "./Event.ts"

/** `pending`: tried until it is delivered or has failed · `failed`: all tries failed, or the endpoint is gone. */
export const DeliveryState = Schema.Literals(["pending", "delivered", "failed"])
export type DeliveryState = typeof DeliveryState.Type

/**
 * Why a try failed. `status`: the answer was not 2xx · `redirect`: it was 3xx, which is not followed · `blocked`: the
 * address must not be called · `dns`: the name has no address · `connect`: nobody listens there · `tls`: the connection
 * could not be secured · `timeout`: no complete answer in time · `reset`: the connection broke.
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

/** One try. */
export const Attempt = Schema.Struct({
  /** 1, 2, 3 … across all tries of the delivery. */
  number: Schema.Int,
  startedAt: Schema.Date,
  durationMs: Schema.Int,
  /** Null if no answer began. */
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
  /** Number of all tries. */
  attempts: Schema.Int,
  /** When the next try is due; meaningless once the delivery has ended. */
  dueAt: Schema.Date,
  createdAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date),
  last: Schema.NullOr(Attempt)
})
export type Delivery = typeof Delivery.Type

/** Time limit of a try, including the connection, whose own limit is `connectDeadline`. */
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
 * quarter of the slots that no other organization uses: 32 if it is alone. An endpoint gets a second, third and fourth
 * slot only if that leaves four, eight and twelve slots of the share free. A failing endpoint has a single slot, and
 * all failing endpoints together have at most half of the share and half of all slots. So endpoints that are known to
 * time out leave slots to the others, no matter how many there are. Endpoints not yet known to fail can use all slots,
 * but only for one `attemptDeadline`.
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
 * Waits before the second try, the third, and so on: ten tries within about 76 hours, as Standard Webhooks recommends.
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

/** Number of tries after which a delivery has failed. */
export const maxTries = retryDelaysMs.length + 1

/** Waits vary by up to a tenth, so that deliveries that failed together are not retried together. */
const jitter = 0.1

/** The longest `Retry-After` that is respected. */
export const maxRetryAfter = Duration.hours(24)

/**
 * When to try again after `tries` failed tries, the last of which ended at `endedAt`; null if no tries are left.
 * `random` in [0, 1) determines the jitter; `retryAfterMs`, the receiver's own wish, can lengthen the wait.
 */
export const nextTry = (tries: number, endedAt: Date, random: number, retryAfterMs: number | null): Date | null => {
  const wait = retryDelaysMs[tries - 1]
  if (wait === undefined) return null
  const asked = Math.min(retryAfterMs ?? 0, Duration.toMillis(maxRetryAfter))
  return new Date(endedAt.getTime() + Math.round(Math.max(wait * (1 + jitter * (2 * random - 1)), asked)))
}

/**
 * An endpoint whose tries have all failed for this long is disabled at the next failure. Its first and last failure are
 * then more than 12 hours apart, so that one bad day does not disable it.
 */
export const disableAfter = Duration.hours(120)

/** An organization gets at most one notice of abandoned deliveries in this time for each endpoint. */
export const exhaustedMailInterval = Duration.days(1)

/** Deliveries that were pending for this long, because their endpoint is disabled, are never sent. */
export const maxPendingAge = Duration.days(30)
