/** Adds, changes and removes webhook endpoints; every change is in the audit log. */
import { Effect } from "effect"
import type { Act } from "../../domain/audit/AuditEntry.ts"
import { EndpointId, type OrganizationId } from "../../domain/ids.ts"
import type { EventName } from "../../domain/webhooks/Event.ts"
import { type Endpoint, hostOf, maxEndpoints, type WebhookFormat } from "../../domain/webhooks/Webhook.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { WebhookSender } from "../../ports/WebhookSender.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound, Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { decryptSecrets, newWebhookSecret } from "./webhookSecrets.ts"

/**
 * Runs `change`, records the act that it amounts to (null = it changed nothing), and returns the changed endpoint.
 * Fails with NotFound.
 */
const edit = Effect.fnUntraced(function*<E, R>(
  organizationId: OrganizationId,
  id: EndpointId,
  change: (store: EndpointStore["Service"]) => Effect.Effect<Endpoint | null, E, R>,
  toAct: (before: Endpoint, changed: Endpoint) => Act | null
) {
  const store = yield* EndpointStore
  const run = Effect.gen(function*() {
    const before = yield* store.find(organizationId, id)
    const changed = yield* change(store)
    if (before === null || changed === null) return yield* new NotFound({ what: "webhook", id })
    return { changed, act: toAct(before, changed) }
  })
  const { changed } = yield* runActs(organizationId, run, ({ act }) => act === null ? [] : [act])
  return changed
})

/**
 * Adds an endpoint that receives these events from now on. `secret` is shown only once and stored encrypted. Fails with
 * Rejected for a URL that can never be called (whether any other can be called is known only at delivery), and for more
 * than `maxEndpoints`. Posts in a chat's format are not signed; they have a secret only because every endpoint has one.
 */
export const addEndpoint = Effect.fn("addEndpoint")(
  function*(
    organizationId: OrganizationId,
    url: string,
    events: ReadonlyArray<EventName>,
    format: WebhookFormat = "json"
  ) {
    const refusal = (yield* WebhookSender).refusal(url)
    if (refusal !== null) return yield* new Rejected({ field: "url", message: `${url} cannot be called: ${refusal}` })
    const id = yield* newId(EndpointId)
    const { encrypted, secret } = yield* newWebhookSecret(organizationId, id)
    const endpoint: Endpoint = {
      id,
      url: new URL(url).href,
      format,
      events: [...new Set(events)],
      disabledReason: null,
      disabledAt: null,
      stagedAt: null,
      failingSince: null,
      lastFailureAt: null,
      lastSuccessAt: null,
      createdAt: yield* now
    }
    const store = yield* EndpointStore
    const add = Effect.gen(function*() {
      if (yield* store.insert(organizationId, endpoint, encrypted)) return
      return yield* new Rejected({
        field: "url",
        message: `there are ${maxEndpoints} webhooks already, and more are not allowed: sov webhook remove ID`
      })
    })
    yield* runActs(organizationId, add, () => [
      { action: "endpoint.added", subjectId: id, detail: { host: hostOf(endpoint), events: endpoint.events, format } }
    ])
    return { endpoint, secret }
  }
)

/**
 * Enables an endpoint and clears its failures; its pending deliveries are sent. An enabled endpoint without failures
 * does not change, and nothing is recorded. Returns the endpoint. Fails with NotFound.
 */
export const enableEndpoint = Effect.fn("enableEndpoint")((organizationId: OrganizationId, id: EndpointId) =>
  edit(
    organizationId,
    id,
    (store) => store.enable(organizationId, id),
    ({ disabledReason, failingSince }, endpoint) =>
      disabledReason === null && failingSince === null
        ? null
        : { action: "endpoint.enabled", subjectId: id, detail: { host: hostOf(endpoint) } }
  )
)

/**
 * Disables an endpoint; its pending deliveries wait. A disabled endpoint keeps its time and reason. Returns the
 * endpoint. Fails with NotFound.
 */
export const disableEndpoint = Effect.fn("disableEndpoint")((organizationId: OrganizationId, id: EndpointId) =>
  edit(
    organizationId,
    id,
    (store) => Effect.flatMap(now, (at) => store.disable(organizationId, id, at)),
    ({ disabledReason }, endpoint) =>
      disabledReason === null
        ? { action: "endpoint.disabled", subjectId: id, detail: { host: hostOf(endpoint) } }
        : null
  )
)

const sameEvents = (one: ReadonlyArray<EventName>, other: ReadonlyArray<EventName>): boolean =>
  one.toSorted().join() === other.toSorted().join()

/** Subscribes an endpoint to exactly these events and returns the endpoint. Fails with NotFound. */
export const setEndpointEvents = Effect.fn("setEndpointEvents")(
  (organizationId: OrganizationId, id: EndpointId, events: ReadonlyArray<EventName>) =>
    edit(
      organizationId,
      id,
      (store) => store.setEvents(organizationId, id, [...new Set(events)]),
      ({ events: before }, endpoint) => {
        const detail = { host: hostOf(endpoint), events: endpoint.events, before }
        return sameEvents(before, endpoint.events) ? null : { action: "endpoint.events_changed", subjectId: id, detail }
      }
    )
)

/**
 * Makes the staged secret of an endpoint the only one that signs. Changes nothing if no secret is staged. Returns the
 * endpoint. Fails with NotFound.
 */
export const promoteSecret = Effect.fn("promoteSecret")((organizationId: OrganizationId, id: EndpointId) =>
  edit(
    organizationId,
    id,
    (store) => store.promote(organizationId, id),
    ({ stagedAt }, endpoint) =>
      stagedAt === null
        ? null
        : { action: "endpoint.secret_promoted", subjectId: id, detail: { host: hostOf(endpoint) } }
  )
)

/** Fails with Rejected for an endpoint whose requests are not signed, because its secret has no use. */
const requireSigned = ({ format }: Pick<Endpoint, "format">) =>
  format === "json" ? Effect.void : new Rejected({
    field: "webhook",
    message: `requests in the format of ${format} are not signed: there is no secret`
  })

/**
 * Stages a new secret for an endpoint, shown only once. Deliveries carry signatures under both secrets until it is
 * promoted, by hand or after 24 hours. `immediate` replaces the current secret at once, for one that leaked. Fails with
 * Rejected if requests are not signed.
 */
export const rotateSecret = Effect.fn("rotateSecret")(
  function*(organizationId: OrganizationId, id: EndpointId, immediate: boolean) {
    const known = yield* (yield* EndpointStore).find(organizationId, id)
    yield* requireSigned(known ?? (yield* new NotFound({ what: "webhook", id })))
    const { encrypted, secret } = yield* newWebhookSecret(organizationId, id)
    const at = yield* now
    const endpoint = yield* edit(
      organizationId,
      id,
      (store) =>
        immediate
          ? store.replaceSecret(organizationId, id, encrypted)
          : store.stage(organizationId, id, encrypted, at),
      (_, { url }) => ({
        action: "endpoint.secret_rotated",
        subjectId: id,
        detail: { host: hostOf({ url }), immediate }
      })
    )
    return { endpoint, secret }
  }
)

/**
 * The secrets of an endpoint, for a receiver that has lost its copy: `next` is the staged secret, null if there is no
 * staged one. Each call is recorded. Fails with NotFound, with Rejected if requests are not signed, or with
 * KeysUnusable if the secrets cannot be decrypted; a failed call is not recorded.
 */
export const revealSecret = Effect.fn("revealSecret")(function*(organizationId: OrganizationId, id: EndpointId) {
  const store = yield* EndpointStore
  const reveal = Effect.gen(function*() {
    const [endpoint, encrypted] = [yield* store.find(organizationId, id), yield* store.secrets(organizationId, id)]
    if (endpoint === null || encrypted === null) return yield* new NotFound({ what: "webhook", id })
    yield* requireSigned(endpoint)
    return { endpoint, ...yield* decryptSecrets(organizationId, id, encrypted) }
  })
  return yield* runActs(organizationId, reveal, ({ endpoint }) => [
    { action: "endpoint.secret_revealed", subjectId: id, detail: { host: hostOf(endpoint) } }
  ])
})

/** Removes an endpoint and the log of its deliveries. Fails with NotFound. */
export const removeEndpoint = Effect.fn("removeEndpoint")(function*(organizationId: OrganizationId, id: EndpointId) {
  const store = yield* EndpointStore
  const remove = Effect.gen(function*() {
    const known = yield* store.find(organizationId, id)
    const removed = yield* store.remove(organizationId, id)
    return known !== null && removed ? known : yield* new NotFound({ what: "webhook", id })
  })
  yield* runActs(organizationId, remove, (known) => [
    { action: "endpoint.removed", subjectId: id, detail: { host: hostOf(known) } }
  ])
})
