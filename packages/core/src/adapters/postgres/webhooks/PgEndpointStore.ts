import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { OrganizationId } from "../../../domain/ids.ts"
import { Endpoint, maxEndpoints } from "../../../domain/webhooks/Webhook.ts"
import { formatNewWork } from "../../../domain/workers/NewWork.ts"
import { EndpointStore } from "../../../ports/EndpointStore.ts"
import { workChannel } from "../../../ports/Notifications.ts"
import { decodeCount, decodeFirst, decodeRows, listColumns, rowOf, toColumns } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const EndpointRow = rowOf(Endpoint.fields)
const SecretsRow = rowOf({ current: Schema.String, next: Schema.NullOr(Schema.String) }, {
  current: "secret",
  next: "next_secret"
})

/** Endpoints in table `webhook_endpoint`. */
export const PgEndpointStore = Layer.effect(
  EndpointStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const shown = sql.literal(listColumns(Endpoint.fields))

    /** Changes one endpoint and wakes the delivery worker. */
    const updateEndpoint = (operation: string, organizationId: OrganizationId, id: string, to: Statement.Fragment) =>
      sql`
        with changed as (
          update webhook_endpoint set ${to} where organization_id = ${organizationId} and id = ${id} returning ${shown}
        )
        select changed.*, pg_notify(${workChannel}, ${formatNewWork({ of: "deliveries", organizationId })}) from changed
      `.pipe(decodeFirst(EndpointRow), withStoreErrors(operation))

    return EndpointStore.of({
      insert: Effect.fnUntraced(
        function*(organizationId, endpoint, secret) {
          // Serializes concurrent inserts, so that each of them counts the other's endpoint
          yield* sql`select from organization where id = ${organizationId} for no key update`
          const count = yield* sql`
            select count(*)::int as count from webhook_endpoint where organization_id = ${organizationId}
          `.pipe(decodeCount)
          if (count >= maxEndpoints) return false
          yield* sql`insert into webhook_endpoint ${
            sql.insert({
              organization_id: organizationId,
              state: endpoint.disabledReason === null ? "enabled" : "disabled",
              secret,
              ...toColumns(Endpoint.fields, endpoint)
            })
          }`
          return true
        },
        sql.withTransaction,
        withStoreErrors("add endpoint")
      ),

      list: (organizationId) =>
        sql`
          select ${shown} from webhook_endpoint where organization_id = ${organizationId} order by created_at, id
        `.pipe(decodeRows(EndpointRow), withStoreErrors("list endpoints")),

      find: (organizationId, id) =>
        sql`
          select ${shown} from webhook_endpoint where organization_id = ${organizationId} and id = ${id}
        `.pipe(decodeFirst(EndpointRow), withStoreErrors("find endpoint")),

      secrets: (organizationId, id) =>
        sql`
          select secret, next_secret from webhook_endpoint where organization_id = ${organizationId} and id = ${id}
        `.pipe(decodeFirst(SecretsRow), withStoreErrors("read secrets")),

      setEvents: (organizationId, id, events) =>
        updateEndpoint("change endpoint", organizationId, id, sql`events = ${events as ReadonlyArray<string>}`),

      enable: (organizationId, id) =>
        updateEndpoint(
          "enable endpoint",
          organizationId,
          id,
          sql`state = 'enabled', disabled_reason = null, disabled_at = null, failing_since = null`
        ),

      disable: (organizationId, id, at) =>
        updateEndpoint(
          "disable endpoint",
          organizationId,
          id,
          sql`state = 'disabled', disabled_reason = coalesce(disabled_reason, 'operator'),
            disabled_at = coalesce(disabled_at, ${at})`
        ),

      stage: (organizationId, id, secret, at) =>
        updateEndpoint("stage secret", organizationId, id, sql`next_secret = ${secret}, staged_at = ${at}`),

      promote: (organizationId, id) =>
        updateEndpoint(
          "promote secret",
          organizationId,
          id,
          sql`secret = coalesce(next_secret, secret), next_secret = null, staged_at = null`
        ),

      replaceSecret: (organizationId, id, secret) =>
        updateEndpoint(
          "replace secret",
          organizationId,
          id,
          sql`secret = ${secret}, next_secret = null, staged_at = null`
        ),

      replaceEncrypted: (organizationId, id, from, to) =>
        sql`
          update webhook_endpoint set secret = ${to.current}, next_secret = ${to.next}
          where organization_id = ${organizationId} and id = ${id}
            and secret = ${from.current} and next_secret is not distinct from ${from.next}
          returning id
        `.pipe(Effect.map((rows) => rows.length === 1), withStoreErrors("replace encrypted secrets")),

      remove: (organizationId, id) =>
        sql`delete from webhook_endpoint where organization_id = ${organizationId} and id = ${id} returning id`.pipe(
          Effect.map((rows) => rows.length === 1),
          withStoreErrors("remove endpoint")
        ),

      promoteStaged: (before) =>
        sql`
          update webhook_endpoint set secret = next_secret, next_secret = null, staged_at = null
          where staged_at <= ${before}
        `.pipe(Effect.asVoid, withStoreErrors("promote secrets"))
    })
  })
)
