import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { EndpointId } from "../../../domain/ids.ts"
import { WebhookFormat } from "../../../domain/webhooks/Webhook.ts"
import { formatNewWork } from "../../../domain/workers/NewWork.ts"
import { EventOutbox } from "../../../ports/EventOutbox.ts"
import { workChannel } from "../../../ports/Notifications.ts"
import { decodeRows, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { inBatches } from "../values.ts"
import { encodeBodyUnlessJson, toEventRow } from "./deliveryRows.ts"

const EndpointRow = rowOf({ id: EndpointId, format: WebhookFormat })

/** Events in table `event`; their deliveries in `webhook_delivery`. */
export const PgEventOutbox = Layer.effect(
  EventOutbox,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const random = yield* SecureRandom.SecureRandom
    return EventOutbox.of({
      put: Effect.fnUntraced(function*(organizationId, event, message) {
        yield* sql`insert into event ${sql.insert(toEventRow(organizationId, event))}`
        const endpoints = yield* sql`
          select id, format from webhook_endpoint
          where organization_id = ${organizationId} and state = 'enabled' and ${event.event} = any (events)
          order by id for key share
        `.pipe(decodeRows(EndpointRow))
        if (endpoints.length === 0) return
        const deliveries = yield* Effect.forEach(endpoints, (endpoint) =>
          Effect.map(random.uuidV7(), (id) => ({
            organization_id: organizationId,
            id,
            endpoint_id: endpoint.id,
            event_id: event.id,
            body: encodeBodyUnlessJson(endpoint.format, message),
            state: "pending",
            due_at: event.timestamp,
            created_at: event.timestamp
          })))
        yield* inBatches(
          sql,
          deliveries,
          (batch) => sql`insert into webhook_delivery ${sql.insert(batch)}`
        )
        yield* sql`select pg_notify(${workChannel}, ${formatNewWork({ of: "deliveries", organizationId })})`
      }, withStoreErrors("put event into the outbox"))
    })
  })
).pipe(Layer.provide(SecureRandom.layerWebCrypto))
