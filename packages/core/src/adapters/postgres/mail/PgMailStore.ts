import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer, Schema } from "effect"
import { EventId, OrganizationId } from "../../../domain/ids.ts"
import { EmailAddress } from "../../../domain/mail/EmailAddress.ts"
import { mailRetryDelaysMs, MailState } from "../../../domain/mail/Mail.ts"
import { type ClaimedMail, MailStore } from "../../../ports/MailStore.ts"
import { decodeOne, decodeRows, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray, toStorableText } from "../values.ts"

const RecipientRow = rowOf({
  address: EmailAddress,
  flaggedAt: Schema.NullOr(Schema.Date),
  flaggedReason: Schema.NullOr(Schema.String),
  digestOffAt: Schema.NullOr(Schema.Date)
}).pipe(mapRow(({ flaggedAt, flaggedReason, ...recipient }) => ({
  ...recipient,
  flagged: flaggedAt === null ? null : { at: flaggedAt, reason: flaggedReason! }
})))
const KeptRow = rowOf({ address: EmailAddress, digestOffAt: Schema.NullOr(Schema.Date) })

const ClaimedRow = rowOf({
  organizationId: OrganizationId,
  id: EventId,
  to: EmailAddress,
  subject: Schema.String,
  text: Schema.String,
  html: Schema.String,
  digest: Schema.Boolean,
  tries: Schema.Int,
  createdAt: Schema.Date
}, { to: "address", text: "body_text", html: "body_html" })

const StatusRow = rowOf({
  id: EventId,
  to: EmailAddress,
  state: MailState,
  tries: Schema.Int,
  message: Schema.NullOr(Schema.String),
  endedAt: Schema.NullOr(Schema.Date)
}, { to: "address" })

const WaitingRow = rowOf({ id: OrganizationId }).pipe(mapRow(({ id }) => id))
const FoundRow = rowOf({ found: Schema.Boolean }).pipe(mapRow(({ found }) => found))
const QueueRow = rowOf({
  queued: Schema.Int,
  failed: Schema.Int,
  lastFailure: Schema.NullOr(Schema.String),
  flagged: Schema.Int
})

/** Recipients in table `mail_recipient`, e-mails in `mail`. */
export const PgMailStore = Layer.effect(
  MailStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const matchMail = ({ id, organizationId, to }: Pick<ClaimedMail, "organizationId" | "id" | "to">) =>
      sql`organization_id = ${organizationId} and id = ${id} and address = ${to} and state = 'queued'`
    /** Whether the e-mail's recipient still accepts e-mails. */
    const wanted = sql`exists (
      select from mail_recipient r
      where r.organization_id = mail.organization_id and r.address = mail.address and r.flagged_at is null
        and not (mail.digest and r.digest_off_at is not null)
    )`
    return MailStore.of({
      listRecipients: (organizationId) =>
        sql`
          select address, flagged_at, flagged_reason, digest_off_at from mail_recipient
          where organization_id = ${organizationId} order by address
        `.pipe(decodeRows(RecipientRow), withStoreErrors("list recipients")),

      setRecipients: (organizationId, addresses, at) =>
        Effect.gen(function*() {
          const kept = yield* sql`
            delete from mail_recipient where organization_id = ${organizationId} returning address, digest_off_at
          `.pipe(decodeRows(KeptRow))
          const rows = [...new Set(addresses)].map((address) => ({
            organization_id: organizationId,
            address,
            created_at: at,
            digest_off_at: kept.find((one) => one.address === address)?.digestOffAt ?? null
          }))
          if (Array.isReadonlyArrayNonEmpty(rows)) {
            yield* sql`insert into mail_recipient ${sql.insert(Array.map(rows, (row) => row))}`
          }
        }).pipe(sql.withTransaction, withStoreErrors("set recipients")),

      enqueue: (organizationId, { createdAt, html, id, subject, text }) =>
        sql`
          insert into mail (organization_id, id, address, subject, body_text, body_html, state, tries, due_at, created_at)
          select organization_id, ${id}, address, ${toStorableText(subject)}, ${toStorableText(text)},
            ${toStorableText(html)}, 'queued', 0, ${createdAt}, ${createdAt}
          from mail_recipient where organization_id = ${organizationId} and flagged_at is null
          on conflict do nothing
        `.pipe(Effect.asVoid, withStoreErrors("queue e-mail")),

      listOrganizationsWithDueMail: (now) =>
        sql`
          select o.id from organization o where exists (
            select from mail where organization_id = o.id and state = 'queued' and due_at <= ${now}
          ) order by o.id
        `.pipe(
          decodeRows(WaitingRow),
          withStoreErrors("list e-mails that wait")
        ),

      claim: (organizationId, now, limit) =>
        sql`
          with dropped as (
            update mail set state = 'dropped', ended_at = ${now}
            where organization_id = ${organizationId} and state = 'queued' and due_at <= ${now}
              and not ${wanted}
          ), picked as materialized (
            select organization_id, id, address from mail
            where organization_id = ${organizationId} and state = 'queued' and due_at <= ${now} and ${wanted}
            order by due_at, id limit ${limit} for update skip locked
          )
          update mail set tries = mail.tries + 1,
            -- The process that claims it may die: then its next try is due as if this one had failed
            due_at = ${now}::timestamptz + interval '1 millisecond' *
              (${mailRetryDelaysMs}::float8[])[least(mail.tries + 1, ${mailRetryDelaysMs.length}::int)]
          from picked
          where mail.organization_id = picked.organization_id and mail.id = picked.id and mail.address = picked.address
          returning mail.*
        `.pipe(decodeRows(ClaimedRow), withStoreErrors("claim e-mails")),

      hasUnattempted: (now) =>
        sql`
          select exists(select from mail where state = 'queued' and tries = 0 and due_at <= ${now}) as found
        `.pipe(decodeOne(FoundRow), withStoreErrors("look for e-mails")),

      markSent: (mail, at) =>
        sql`update mail set state = 'sent', message = null, ended_at = ${at} where ${matchMail(mail)}`.pipe(
          Effect.asVoid,
          withStoreErrors("note e-mail sent")
        ),

      markFailed: (mail, message, givenUpAt) =>
        sql`
          update mail set message = ${toStorableText(message)} ${
          givenUpAt === null ? sql`` : sql`, state = 'failed', ended_at = ${givenUpAt}`
        } where ${matchMail(mail)}
        `.pipe(Effect.asVoid, withStoreErrors("note e-mail failed")),

      flag: (organizationId, address, reason, at) =>
        sql`
          update mail_recipient set flagged_at = ${at}, flagged_reason = ${toStorableText(reason)}
          where organization_id = ${organizationId} and address = ${address} and flagged_at is null
        `.pipe(Effect.asVoid, withStoreErrors("flag recipient")),

      listStatuses: (organizationId, ids) =>
        sql`
          select * from mail where organization_id = ${organizationId} and id = any (${formatUuidArray(ids)}::uuid[])
          order by id, address
        `.pipe(decodeRows(StatusRow), withStoreErrors("read e-mails")),

      queue: (since) =>
        sql`
          select count(*) filter (where state = 'queued')::int as queued,
            count(*) filter (where state = 'failed')::int as failed,
            (array_agg(message order by created_at desc, id desc) filter (where message is not null))[1] as last_failure,
            (select count(*)::int from mail_recipient where flagged_at is not null) as flagged
          from mail where state = 'queued' or (state = 'failed' and ended_at >= ${since})
        `.pipe(decodeOne(QueueRow), withStoreErrors("count e-mails"))
    })
  })
)
