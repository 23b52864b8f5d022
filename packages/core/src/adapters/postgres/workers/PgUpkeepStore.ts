import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { OrganizationId } from "../../../domain/ids.ts"
import type { RetainedKind, RetentionCut } from "../../../domain/workers/retention.ts"
import { UpkeepStore } from "../../../ports/UpkeepStore.ts"
import { decodeCount, decodeOne, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const MayRow = rowOf({ may: Schema.Boolean }).pipe(mapRow(({ may }) => may))

const tables: { readonly [kind in RetainedKind]: string } = {
  mail: "mail",
  deliveries: "webhook_delivery",
  events: "event",
  alert_memory: "alert_memory",
  audit: "audit_entry",
  schedule_runs: "schedule_run",
  digests: "digest_mail",
  share_links: "share_link",
  idempotency_keys: "idempotency_key"
}

/**
 * Removes old rows from tables that grow with every scan; attempts are removed with their deliveries, by the foreign
 * key.
 */
export const PgUpkeepStore = Layer.effect(
  UpkeepStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient

    /** The condition for removing a row, for a table with the alias `old`. */
    const conditions: { readonly [kind in RetainedKind]: (cut: RetentionCut) => Statement.Fragment } = {
      mail: ({ before, removedBefore }) =>
        sql`ended_at < ${removedBefore} and (ended_at < ${before} or ${removedRecipient})`,
      deliveries: ({ before }) => sql`ended_at < ${before}`,
      events: ({ before, deliveriesBefore }) =>
        sql`created_at < ${before} and not exists (
          select from webhook_delivery d where d.organization_id = old.organization_id and d.event_id = old.id
            and (d.ended_at >= ${deliveriesBefore} or d.ended_at is null)
        )`,
      // The newest memory of each rule is kept, even if scans are rare
      alert_memory: ({ before }) =>
        sql`exists (
          select from scan join alert_memory newer on newer.organization_id = scan.organization_id
          join scan later on later.organization_id = scan.organization_id and later.id = newer.scan_id
          where scan.organization_id = old.organization_id and scan.id = old.scan_id and scan.started_at < ${before}
            and newer.rule = old.rule and later.started_at > scan.started_at
        )`,
      audit: ({ before }) => sql`at < ${before}`,
      schedule_runs: ({ before }) => sql`scheduled_at < ${before}`,
      digests: ({ before, removedBefore }) =>
        sql`created_at < ${removedBefore} and (created_at < ${before} or ${removedRecipient})`,
      share_links: ({ before }) => sql`least(expires_at, revoked_at) < ${before}`,
      idempotency_keys: ({ before }) => sql`created_at < ${before}`
    }
    const removedRecipient = sql`not exists (
      select from mail_recipient r where r.organization_id = old.organization_id and r.address = old.address
    )`
    const matches = (organizationId: OrganizationId, kind: RetainedKind, cut: RetentionCut) =>
      sql`old.organization_id = ${organizationId} and ${conditions[kind](cut)}`

    return UpkeepStore.of({
      count: (organizationId, kind, cut) =>
        sql`select count(*)::int as count from ${sql(tables[kind])} old where ${matches(organizationId, kind, cut)}`
          .pipe(decodeCount, withStoreErrors(`count old ${kind}`)),

      prune: Effect.fnUntraced(function*(organizationId, kind, given, limit) {
        // An event is kept as long as any delivery refers to it, however old it is
        const cut = { ...given, deliveriesBefore: new Date(0) }
        const table = sql(tables[kind])
        const may = yield* sql`select has_table_privilege(${tables[kind]}, 'delete') as may`.pipe(
          decodeOne(MayRow),
          withStoreErrors(`remove old ${kind}`)
        )
        if (!may) return null
        // Checks the condition again in the outer statement, because a delivery may be replayed in between
        return yield* sql`
          with gone as (
            delete from ${table} old where ${matches(organizationId, kind, cut)} and ctid = any(array(
              select ctid from ${table} old where ${matches(organizationId, kind, cut)} limit ${limit}
            )) returning 1
          )
          select count(*)::int as count from gone
        `.pipe(decodeCount, withStoreErrors(`remove old ${kind}`))
      })
    })
  })
)
