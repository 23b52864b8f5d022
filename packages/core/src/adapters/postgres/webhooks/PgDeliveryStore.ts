import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { OrganizationId } from "../../../domain/ids.ts"
import { maxTries } from "../../../domain/webhooks/Delivery.ts"
import { updateEndpointHealth } from "../../../domain/webhooks/endpointHealth.ts"
import { WebhookFormat } from "../../../domain/webhooks/Webhook.ts"
import { formatNewWork } from "../../../domain/workers/NewWork.ts"
import { DeliveryStore } from "../../../ports/DeliveryStore.ts"
import { workChannel } from "../../../ports/Notifications.ts"
import { decodeCount, decodeFirst, decodeRows, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray } from "../values.ts"
import {
  AttemptRow,
  ClaimedRow,
  DeliveryRow,
  encodeBodyUnlessJson,
  HealthRow,
  QueueRow,
  SentRow,
  toEventRow,
  toHealthRow,
  toOutcomeRow
} from "./deliveryRows.ts"

const FormatRow = rowOf({ format: WebhookFormat }).pipe(mapRow(({ format }) => format))

/** Deliveries in table `webhook_delivery`; their log in `webhook_attempt`. */
export const PgDeliveryStore = Layer.effect(
  DeliveryStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient

    const selectDeliveries = sql`
      select d.id, d.endpoint_id, d.event_id, e.event, d.state, d.attempts, d.due_at, d.created_at, d.ended_at,
        to_jsonb(a) as last
      from webhook_delivery d
      join event e on e.organization_id = d.organization_id and e.id = d.event_id
      left join webhook_attempt a
        on a.organization_id = d.organization_id and a.delivery_id = d.id and a.number = d.attempts
    `

    /**
     * Selects the endpoints of these organizations by key. Passes JSON, because Postgres makes a new plan for each
     * array.
     */
    const selectEndpointsOf = (organizations: ReadonlyArray<OrganizationId>) =>
      sql`jsonb_to_recordset(${
        sql.json(organizations.map((id) => ({ id })))
      }::jsonb) as named (id uuid) cross join lateral (
            select * from webhook_endpoint where webhook_endpoint.organization_id = named.id limit all offset 0
          )`

    // Quotes within strings are escaped, so only the body's own member `test` can have this form
    const hasFailedSince = (since: Date) =>
      sql`and d.state = 'failed' and d.ended_at >= ${since} and position('"test":true'::bytea in e.body) = 0`

    return DeliveryStore.of({
      queues: (claimed, which) =>
        sql`
          select e.organization_id, e.id, e.url, e.format, e.secret, e.next_secret, e.failing_since, first.due_at
          from ${which === "all" ? sql`webhook_endpoint` : selectEndpointsOf(which)} e left join lateral (
            select d.due_at from webhook_delivery d
            where d.organization_id = e.organization_id and d.endpoint_id = e.id and d.state = 'pending'
              and d.id <> all (${formatUuidArray([...claimed.keys()])}::uuid[])
            order by d.due_at limit 1
          ) first on true
          where e.state = 'enabled'
            and (first.due_at is not null or e.id = any (${formatUuidArray([...new Set(claimed.values())])}::uuid[]))
          order by e.organization_id, e.id
        `.pipe(decodeRows(QueueRow), withStoreErrors("list deliveries that wait")),

      due: (queues, { claimed, now }) => {
        const asked = new Set(queues.map(({ endpointId }) => endpointId))
        const own = [...claimed].flatMap(([id, endpoint]) => asked.has(endpoint) ? [id] : [])
        const wanted = queues.map(({ endpointId, limit, organizationId }) => ({
          organization_id: organizationId,
          endpoint_id: endpointId,
          most: limit
        }))
        return sql`
          select d.id, d.event_id, d.endpoint_id, d.tries, coalesce(d.body, e.body) as body
          from jsonb_to_recordset(${sql.json(wanted)}::jsonb) as w(organization_id uuid, endpoint_id uuid, most integer)
          cross join lateral (
            select * from webhook_delivery
            where organization_id = w.organization_id and endpoint_id = w.endpoint_id and state = 'pending'
              and due_at <= ${now} and id <> all (${formatUuidArray(own)}::uuid[])
            order by due_at, id limit w.most
          ) d
          join event e on e.organization_id = d.organization_id and e.id = d.event_id
          order by d.due_at, d.id
        `.pipe(decodeRows(ClaimedRow), withStoreErrors("read deliveries"))
      },

      // The endpoint's row stays locked until the caller's transaction ends. Another process that records attempts for
      // it waits, and then reads the time of the last notification
      record: Effect.fnUntraced(
        function*(outcomes) {
          const rows = yield* sql`
            with outcome as materialized (
              select * from jsonb_to_recordset(${sql.json(outcomes.map(toOutcomeRow))}::jsonb) as o(
                organization_id uuid, endpoint_id uuid, delivery_id uuid, started_at timestamptz, ended_at timestamptz,
                duration_ms integer, status integer, failure text, message text, response text, retry_at timestamptz
              )
            ), tried as (
              update webhook_delivery d set
                tries = d.tries + 1,
                attempts = d.attempts + 1,
                state = case when o.failure is null then 'delivered' when o.retry_at is null then 'failed'
                  else 'pending' end,
                due_at = coalesce(o.retry_at, d.due_at),
                ended_at = case when o.failure is null or o.retry_at is null then o.ended_at end
              from outcome o
              where d.organization_id = o.organization_id and d.id = o.delivery_id and d.state = 'pending'
              returning d.organization_id, d.id, d.endpoint_id, d.attempts, d.ended_at,
                d.state = 'failed' and d.tries >= ${maxTries} as exhausted
            ), logged as (
              insert into webhook_attempt
                (organization_id, delivery_id, number, started_at, duration_ms, status, failure, message, response)
              select o.organization_id, o.delivery_id, tried.attempts, o.started_at, o.duration_ms, o.status, o.failure,
                o.message, o.response
              from outcome o join tried on tried.organization_id = o.organization_id and tried.id = o.delivery_id
            )
            select w.organization_id, w.id, w.url, w.disabled_reason, w.disabled_at, w.failing_since, w.last_success_at,
              w.last_failure_at, w.told_at, (
                select min(ended_at) from tried
                where tried.organization_id = w.organization_id and tried.endpoint_id = w.id and tried.exhausted
              ) as exhausted_at
            from webhook_endpoint w
            where (w.organization_id, w.id) in (select organization_id, endpoint_id from outcome)
            order by w.organization_id, w.id
            for no key update of w
          `.pipe(decodeRows(HealthRow))
          const outcomesByEndpoint = Map.groupBy(
            outcomes,
            ({ endpointId, organizationId }) => `${organizationId} ${endpointId}`
          )
          const steps = rows.map(({ endpoint, exhaustedAt, health }) => ({
            endpoint,
            ...updateEndpointHealth(
              health,
              outcomesByEndpoint.get(`${endpoint.organizationId} ${endpoint.endpointId}`)!,
              exhaustedAt
            )
          }))
          yield* sql`
            update webhook_endpoint w set
              state = case when h.disabled_reason is null then 'enabled' else 'disabled' end,
              disabled_reason = h.disabled_reason,
              disabled_at = h.disabled_at,
              failing_since = h.failing_since,
              last_success_at = h.last_success_at,
              last_failure_at = h.last_failure_at,
              told_at = h.told_at
            from jsonb_to_recordset(${
            sql.json(steps.map(({ endpoint, health }) => toHealthRow(endpoint, health)))
          }::jsonb) as h(
              organization_id uuid, id uuid, disabled_reason text, disabled_at timestamptz, failing_since timestamptz,
              last_success_at timestamptz, last_failure_at timestamptz, told_at timestamptz
            )
            where w.organization_id = h.organization_id and w.id = h.id
          `
          return steps.flatMap(({ endpoint, notice }) => notice === null ? [] : [{ ...endpoint, ...notice }])
        },
        sql.withTransaction,
        withStoreErrors("record tries")
      ),

      list: (organizationId, { after, endpointId, eventId, failedSince, limit, since, state }) =>
        sql`
          ${selectDeliveries} where d.organization_id = ${organizationId}
            ${endpointId === undefined ? sql`` : sql`and d.endpoint_id = ${endpointId}`}
            ${
          eventId === undefined
            ? sql``
            // Filters by endpoint, because there are few of them and the index of events begins with the endpoint
            : sql`and d.event_id = ${eventId}
                and d.endpoint_id in (select id from webhook_endpoint where organization_id = ${organizationId})`
        }
            ${state === undefined ? sql`` : sql`and d.state = ${state}`}
            ${since === undefined ? sql`` : sql`and d.created_at >= ${since}`}
            ${after === undefined ? sql`` : sql`and (d.created_at, d.id) < (${after.createdAt}, ${after.id}::uuid)`}
            ${
          failedSince === undefined
            ? sql``
            : hasFailedSince(failedSince)
        }
          order by d.created_at desc, d.id desc limit ${limit}
        `.pipe(decodeRows(DeliveryRow), withStoreErrors("list deliveries")),

      find: Effect.fnUntraced(function*(organizationId, id) {
        const found = yield* sql`
          select found.*, coalesce(own.body, event.body) as body from (${selectDeliveries}
            where d.organization_id = ${organizationId} and d.id = ${id}) found
          join webhook_delivery own on own.organization_id = ${organizationId} and own.id = found.id
          join event on event.organization_id = ${organizationId} and event.id = found.event_id
        `.pipe(decodeFirst(SentRow))
        if (found === null) return null
        const attempts = yield* sql`
          select number, started_at, duration_ms, status, failure, message, response from webhook_attempt
          where organization_id = ${organizationId} and delivery_id = ${id} order by number
        `.pipe(decodeRows(AttemptRow))
        return { ...found, attempts }
      }, withStoreErrors("find delivery")),

      addOne: Effect.fnUntraced(
        function*(organizationId, endpointId, event, message, deliveryId, dueAt) {
          yield* sql`insert into event ${sql.insert(toEventRow(organizationId, event))}`
          const format = yield* sql`
            select format from webhook_endpoint where organization_id = ${organizationId} and id = ${endpointId}
          `.pipe(decodeFirst(FormatRow))
          yield* sql`insert into webhook_delivery ${
            sql.insert({
              organization_id: organizationId,
              id: deliveryId,
              endpoint_id: endpointId,
              event_id: event.id,
              body: format === null ? null : encodeBodyUnlessJson(format, message),
              state: "pending",
              due_at: dueAt,
              created_at: event.timestamp
            })
          }`
        },
        sql.withTransaction,
        withStoreErrors("add delivery")
      ),

      restart: Effect.fnUntraced(function*(organizationId, id, { dueAt, now }) {
        const restarted = yield* sql`
          update webhook_delivery d
            set state = 'pending', tries = 0, due_at = ${dueAt}, begun_at = ${dueAt}, ended_at = null from event e
          where d.organization_id = ${organizationId} and d.id = ${id}
            and (d.state <> 'pending' or (d.tries > 0 and d.due_at > ${now}))
            and e.organization_id = d.organization_id and e.id = d.event_id
          returning d.id, d.event_id, d.endpoint_id, d.tries, coalesce(d.body, e.body) as body
        `.pipe(decodeFirst(ClaimedRow))
        if (restarted !== null) return restarted
        const found = yield* sql`
          select from webhook_delivery where organization_id = ${organizationId} and id = ${id}
        `
        return found.length === 0 ? null : "in flight" as const
      }, withStoreErrors("begin delivery again")),

      countFailed: (organizationId, endpointId, since) =>
        sql`
          select count(*)::int as count from webhook_delivery d
          join event e on e.organization_id = d.organization_id and e.id = d.event_id
          where d.organization_id = ${organizationId} and d.endpoint_id = ${endpointId} ${hasFailedSince(since)}
        `.pipe(decodeCount, withStoreErrors("count deliveries")),

      restartFailed: (organizationId, endpointId, since, dueAt) =>
        sql`
          with begun as (
            update webhook_delivery d
              set state = 'pending', tries = 0, due_at = ${dueAt}, begun_at = ${dueAt}, ended_at = null from event e
            where d.organization_id = ${organizationId} and d.endpoint_id = ${endpointId}
              and e.organization_id = d.organization_id and e.id = d.event_id ${hasFailedSince(since)}
            returning d.id
          )
          select count(*)::int as count, pg_notify(${workChannel}, ${
          formatNewWork({ of: "deliveries", organizationId })
        }) from begun
        `.pipe(decodeCount, withStoreErrors("begin deliveries again")),

      hasUnattempted: (organizationId, now) =>
        sql`
          select 1 from webhook_delivery d
          join webhook_endpoint w on w.organization_id = d.organization_id and w.id = d.endpoint_id
          where d.organization_id = ${organizationId} and d.state = 'pending' and d.tries = 0 and d.due_at <= ${now}
            and w.state = 'enabled' limit 1
        `.pipe(Effect.map((rows) => rows.length === 1), withStoreErrors("look for deliveries")),

      expire: (before, at) =>
        sql`
          update webhook_delivery set state = 'failed', ended_at = ${at}
          where state = 'pending' and coalesce(begun_at, created_at) <= ${before}
        `.pipe(Effect.asVoid, withStoreErrors("end old deliveries"))
    })
  })
)
