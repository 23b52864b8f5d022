import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer } from "effect"
import type { EventId, OrganizationId } from "../../../domain/ids.ts"
import type { EmailAddress } from "../../../domain/mail/EmailAddress.ts"
import { mailRetryDelaysMs, type MailState, type Recipient } from "../../../domain/mail/Mail.ts"
import { type ClaimedMail, type MailQueue, type MailStatus, MailStore } from "../../../ports/MailStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray, storableText } from "../values.ts"

interface RecipientRow {
  readonly address: string
  readonly flagged_at: Date | null
  readonly flagged_reason: string | null
  readonly digest_off_at: Date | null
}

const recipientFromRow = (row: RecipientRow): Recipient => ({
  address: row.address as EmailAddress,
  flagged: row.flagged_at === null ? null : { at: row.flagged_at, reason: row.flagged_reason! },
  digestOffAt: row.digest_off_at
})

interface MailRow {
  readonly organization_id: string
  readonly id: string
  readonly address: string
  readonly subject: string
  readonly body_text: string
  readonly body_html: string
  readonly digest: boolean
  readonly state: string
  readonly tries: number
  readonly message: string | null
  readonly created_at: Date
  readonly ended_at: Date | null
}

const claimedFromRow = (row: MailRow): ClaimedMail => ({
  organizationId: row.organization_id as OrganizationId,
  id: row.id as EventId,
  to: row.address as EmailAddress,
  subject: row.subject,
  text: row.body_text,
  html: row.body_html,
  digest: row.digest,
  tries: row.tries,
  createdAt: row.created_at
})

const statusFromRow = (row: MailRow): MailStatus => ({
  id: row.id as EventId,
  to: row.address as EmailAddress,
  state: row.state as MailState,
  tries: row.tries,
  message: row.message,
  endedAt: row.ended_at
})

/** Recipients in table `mail_recipient`, e-mails in `mail`. */
export const PgMailStore = Layer.effect(
  MailStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const matchMail = ({ id, organizationId, to }: Pick<ClaimedMail, "organizationId" | "id" | "to">) =>
      sql`organization_id = ${organizationId} and id = ${id} and address = ${to} and state = 'queued'`
    /** Whether its recipient still is one who gets e-mails. */
    const wanted = sql`exists (
      select from mail_recipient r
      where r.organization_id = mail.organization_id and r.address = mail.address and r.flagged_at is null
        and not (mail.digest and r.digest_off_at is not null)
    )`
    return MailStore.of({
      listRecipients: (organizationId) =>
        sql<RecipientRow>`
          select address, flagged_at, flagged_reason, digest_off_at from mail_recipient
          where organization_id = ${organizationId} order by address
        `.pipe(Effect.map((rows) => rows.map(recipientFromRow)), withStoreErrors("list recipients")),

      setRecipients: (organizationId, addresses, at) =>
        Effect.gen(function*() {
          const kept = yield* sql<{ readonly address: string; readonly digest_off_at: Date | null }>`
            delete from mail_recipient where organization_id = ${organizationId} returning address, digest_off_at
          `
          const rows = [...new Set(addresses)].map((address) => ({
            organization_id: organizationId,
            address,
            created_at: at,
            digest_off_at: kept.find((one) => one.address === address)?.digest_off_at ?? null
          }))
          if (Array.isReadonlyArrayNonEmpty(rows)) {
            yield* sql`insert into mail_recipient ${sql.insert(Array.map(rows, (row) => row))}`
          }
        }).pipe(sql.withTransaction, withStoreErrors("set recipients")),

      enqueue: (organizationId, { createdAt, html, id, subject, text }) =>
        sql`
          insert into mail (organization_id, id, address, subject, body_text, body_html, state, tries, due_at, created_at)
          select organization_id, ${id}, address, ${storableText(subject)}, ${storableText(text)},
            ${storableText(html)}, 'queued', 0, ${createdAt}, ${createdAt}
          from mail_recipient where organization_id = ${organizationId} and flagged_at is null
          on conflict do nothing
        `.pipe(Effect.asVoid, withStoreErrors("queue e-mail")),

      listOrganizationsWithDueMail: (now) =>
        sql<{ readonly id: string }>`
          select o.id from organization o where exists (
            select from mail where organization_id = o.id and state = 'queued' and due_at <= ${now}
          ) order by o.id
        `.pipe(
          Effect.map((rows) => rows.map(({ id }) => id as OrganizationId)),
          withStoreErrors("list e-mails that wait")
        ),

      claim: (organizationId, now, limit) =>
        sql<MailRow>`
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
        `.pipe(Effect.map((rows) => rows.map(claimedFromRow)), withStoreErrors("claim e-mails")),

      hasUnattempted: (now) =>
        sql<{ readonly found: boolean }>`
          select exists(select from mail where state = 'queued' and tries = 0 and due_at <= ${now}) as found
        `.pipe(Effect.map(([row]) => row!.found), withStoreErrors("look for e-mails")),

      markSent: (mail, at) =>
        sql`update mail set state = 'sent', message = null, ended_at = ${at} where ${matchMail(mail)}`.pipe(
          Effect.asVoid,
          withStoreErrors("note e-mail sent")
        ),

      markFailed: (mail, message, givenUpAt) =>
        sql`
          update mail set message = ${storableText(message)} ${
          givenUpAt === null ? sql`` : sql`, state = 'failed', ended_at = ${givenUpAt}`
        } where ${matchMail(mail)}
        `.pipe(Effect.asVoid, withStoreErrors("note e-mail failed")),

      flag: (organizationId, address, reason, at) =>
        sql`
          update mail_recipient set flagged_at = ${at}, flagged_reason = ${storableText(reason)}
          where organization_id = ${organizationId} and address = ${address} and flagged_at is null
        `.pipe(Effect.asVoid, withStoreErrors("flag recipient")),

      listStatuses: (organizationId, ids) =>
        sql<MailRow>`
          select * from mail where organization_id = ${organizationId} and id = any (${formatUuidArray(ids)}::uuid[])
          order by id, address
        `.pipe(Effect.map((rows) => rows.map(statusFromRow)), withStoreErrors("read e-mails")),

      queue: (since) =>
        sql<{
          readonly queued: number
          readonly failed: number
          readonly last_failure: string | null
          readonly flagged: number
        }>`
          select count(*) filter (where state = 'queued')::int as queued,
            count(*) filter (where state = 'failed')::int as failed,
            (array_agg(message order by created_at desc, id desc) filter (where message is not null))[1] as last_failure,
            (select count(*)::int from mail_recipient where flagged_at is not null) as flagged
          from mail where state = 'queued' or (state = 'failed' and ended_at >= ${since})
        `.pipe(
          Effect.map(([row]): MailQueue => ({
            queued: row!.queued,
            failed: row!.failed,
            lastFailure: row!.last_failure,
            flagged: row!.flagged
          })),
          withStoreErrors("count e-mails")
        )
    })
  })
)
