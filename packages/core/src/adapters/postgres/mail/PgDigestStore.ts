import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { OrganizationId } from "../../../domain/ids.ts"
import { DigestStore } from "../../../ports/DigestStore.ts"
import { decodeCount, decodeFirst, decodeRows, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { upsert } from "../upsert.ts"
import { toStorableText } from "../values.ts"

const SettingRow = rowOf({ enabled: Schema.Boolean, nextAt: Schema.NullOr(Schema.Date) })
const DueRow = rowOf({ organizationId: OrganizationId, dueAt: Schema.Date })

/** Settings in table `digest`; queued digests in `digest_mail`, which is append-only in the database. */
export const PgDigestStore = Layer.effect(
  DigestStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return DigestStore.of({
      find: (organizationId) =>
        sql`select enabled, next_at from digest where organization_id = ${organizationId}`.pipe(
          decodeFirst(SettingRow),
          withStoreErrors("find digest")
        ),

      lock: (organizationId) =>
        sql`select enabled, next_at from digest where organization_id = ${organizationId} for update`.pipe(
          decodeFirst(SettingRow),
          withStoreErrors("lock digest")
        ),

      save: (organizationId, { enabled, nextAt }) =>
        upsert(sql, "digest", ["organization_id"], { organization_id: organizationId, enabled, next_at: nextAt }).pipe(
          Effect.asVoid,
          withStoreErrors("save digest")
        ),

      listDue: (until) =>
        sql`
          select organization_id, next_at as due_at from digest where next_at <= ${until}
          order by next_at, organization_id
        `.pipe(
          decodeRows(DueRow),
          withStoreErrors("list due digests")
        ),

      enqueue: (organizationId, week, { createdAt, html, id, subject, text }) =>
        sql`
          with told as (
            insert into digest_mail (organization_id, week, address, mail_id, created_at)
            select organization_id, ${week}::text::date, address, ${id}, ${createdAt} from mail_recipient
            where organization_id = ${organizationId} and flagged_at is null and digest_off_at is null
            on conflict do nothing returning address
          ), queued as (
            insert into mail (organization_id, id, address, subject, body_text, body_html, state, tries, due_at, created_at,
              digest)
            select ${organizationId}, ${id}, address, ${toStorableText(subject)}, ${toStorableText(text)},
              ${toStorableText(html)}, 'queued', 0, ${createdAt}, ${createdAt}, true
            from told
          )
          select count(*)::int as count from told
        `.pipe(decodeCount, withStoreErrors("queue digest")),

      unsubscribe: (organizationId, address, at) =>
        sql`
          update mail_recipient set digest_off_at = coalesce(digest_off_at, ${at})
          where organization_id = ${organizationId} and address = ${address} returning address
        `.pipe(Effect.map((rows) => rows.length === 1), withStoreErrors("unsubscribe"))
    })
  })
)
