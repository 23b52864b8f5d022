/** Deliveries: one event on its way to one endpoint, each try of it, and when the next one is due. */
import { Duration, Schema } from "effect"
import { DeliveryId, EndpointId, EventId } from "../ids.ts"
import { EventName } from "./Event.ts"

/** `pending` it is tried until it is delivered or has failed · `failed` all tries did, or the endpoint is gone. */
export const DeliveryState = Schema.Literals(["pending", "delivered", "failed"])
export type DeliveryState = typeof DeliveryState.Type

/**
 * Why a try failed: `status` the answer was not 2xx · `redirect` it was 3xx, which is not followed · `blocked` the
 * address is not one that may be called · `dns` the name has no address · `connect` nobody listens there · `tls` the
 * connection could not be secured · `timeout` no whole answer in time · `reset` the connection broke.
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
  /** 1, 2, 3 … over all tries of the delivery. */
  number: Schema.Int,
  startedAt: Schema.Date,
  durationMs: Schema.Int,
  /** Null when no answer began. */
  status: Schema.NullOr(Schema.Int),
  /** Null when it was delivered. */
  failure: Schema.NullOr(AttemptFailure),
  /** The failure in words; holds no secret. */
  message: Schema.NullOr(Schema.String),
  /** The beginning of the answer, at most 1,024 characters, credentials removed. */
  response: Schema.NullOr(Schema.String)
})
export type Attempt = typeof Attempt.Type

export const Delivery = Schema.Struct({
  id: DeliveryId,
  endpointId: EndpointId,
  /** What the receiver knows as `webhook-id`. */
  eventId: EventId,
  event: EventName,
  state: DeliveryState,
  /** Number of all tries. */
  attempts: Schema.Int,
  /** When the next try is due; of no meaning once it has ended. */
  dueAt: Schema.Date,
  createdAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date),
  last: Schema.NullOr(Attempt)
})
export type Delivery = typeof Delivery.Type

/** A try may take this long in all; connecting alone not longer than `connectDeadline`. */
export const attemptDeadline = Duration.seconds(15)
export const connectDeadline = Duration.seconds(5)

/** Posts in flight to one endpoint. */
export const maxPostsPerEndpoint = 4

/** Posts in flight, to all endpoints together; each takes one connection. */
export const maxPostsInFlight = 128

/** Posts in flight when another one is to start. */
export interface PostsInFlight {
  /** Of all organizations; `failing` = those of them to endpoints that are failing. */
  readonly all: number
  readonly failing: number
  /** Of the endpoint's organization; `ownFailing` = those of them to endpoints that are failing. */
  readonly own: number
  readonly ownFailing: number
  /** To the endpoint. */
  readonly endpoint: number
}

/**
 * Whether another post to an endpoint may start. There are `maxPostsInFlight` slots. The share of an organization is a
 * quarter of the slots that no other organization uses: 32 if it is alone. An endpoint gets a second, third and fourth
 * slot only while four, eight, twelve slots of the share are free; one that is failing has a single slot, and all that
 * are failing have at most half of the share. Half of all slots are never used for endpoints that are failing. So
 * endpoints that are known to time out leave slots to the others, however many they are; those that are not known yet
 * can use all slots, but not for longer than one `attemptDeadline`.
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

/** Waits before the second try, the third, …: ten tries within about 76 hours, as Standard Webhooks recommends. */
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

/** Tries of one delivery before it has failed. */
export const maxTries = retryDelaysMs.length + 1

/** Waits vary by up to a tenth, so that what failed together is not tried again together. */
const jitter = 0.1

/** The longest `Retry-After` that is respected. */
export const maxRetryAfter = Duration.hours(24)

/**
 * When to try again after `tries` failed ones, the last of which ended at `endedAt`; null when that was the last.
 * `random` in [0, 1) decides the jitter; a receiver's own wish (milliseconds) prolongs the wait.
 */
export const nextTry = (tries: number, endedAt: Date, random: number, retryAfterMs: number | null): Date | null => {
  const wait = retryDelaysMs[tries - 1]
  if (wait === undefined) return null
  const asked = Math.min(retryAfterMs ?? 0, Duration.toMillis(maxRetryAfter))
  return new Date(endedAt.getTime() + Math.round(Math.max(wait * (1 + jitter * (2 * random - 1)), asked)))
}

/**
 * An endpoint of which every try has failed for this long is disabled at the next failure. The first and the last of
 * them are then more than the 12 hours apart that keep one bad day from doing it.
 */
export const disableAfter = Duration.hours(120)

/** An organization is notified of deliveries that were given up once in this time for each endpoint. */
export const exhaustedMailInterval = Duration.days(1)

/** After this long without delivery, because the endpoint is disabled, is not sent any more. */
export const maxPendingAge = Duration.days(30)
