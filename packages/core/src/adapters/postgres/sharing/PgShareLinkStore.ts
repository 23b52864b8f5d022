import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { ShareLinkId } from "../../../domain/ids.ts"
import type { ShareLink } from "../../../domain/sharing/ShareLink.ts"
import { ShareLinkStore } from "../../../ports/ShareLinkStore.ts"
import { organizationFromRow, type OrganizationRow } from "../organizations/organizationRow.ts"
import { withStoreErrors } from "../sqlErrors.ts"

interface ShareLinkRow {
  readonly id: string
  readonly name: string
  readonly period_from: Date | null
  readonly period_to: Date | null
  readonly with_answers: boolean
  readonly created_at: Date
  readonly expires_at: Date
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
}

/** A link beside the organization that it belongs to. */
interface LinkedOrganizationRow extends OrganizationRow, Omit<ShareLinkRow, keyof OrganizationRow> {
  readonly link_id: string
  readonly link_name: string
  readonly link_created_at: Date
}

const shareLinkFromRow = (row: ShareLinkRow): ShareLink => ({
  id: row.id as ShareLinkId,
  name: row.name,
  from: row.period_from,
  to: row.period_to,
  withAnswers: row.with_answers,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at
})

/** Share links by the hashes of their tokens in table `share_link`. */
export const PgShareLinkStore = Layer.effect(
  ShareLinkStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const shown = sql.literal(
      "id, name, period_from, period_to, with_answers, created_at, expires_at, revoked_at, last_used_at"
    )
    return ShareLinkStore.of({
      insert: (organizationId, link, hash) =>
        sql`insert into share_link ${
          sql.insert({
            organization_id: organizationId,
            id: link.id,
            hash,
            name: link.name,
            period_from: link.from,
            period_to: link.to,
            with_answers: link.withAnswers,
            created_at: link.createdAt,
            expires_at: link.expiresAt,
            revoked_at: link.revokedAt,
            last_used_at: link.lastUsedAt
          })
        }`.pipe(Effect.asVoid, withStoreErrors("add share link")),

      list: (organizationId) =>
        sql<ShareLinkRow>`
          select ${shown} from share_link where organization_id = ${organizationId} order by created_at desc, id desc
        `.pipe(Effect.map((rows) => rows.map(shareLinkFromRow)), withStoreErrors("list share links")),

      revoke: (organizationId, id, at) =>
        sql<ShareLinkRow>`
          update share_link set revoked_at = coalesce(revoked_at, ${at})
          where organization_id = ${organizationId} and id = ${id}
          returning ${shown}
        `.pipe(
          Effect.map(([row]) => row === undefined ? null : shareLinkFromRow(row)),
          withStoreErrors("revoke share link")
        ),

      findByHash: (hash) =>
        sql<LinkedOrganizationRow>`
          select organization.*, share_link.id as link_id, share_link.name as link_name,
            share_link.created_at as link_created_at, period_from, period_to, with_answers, expires_at, revoked_at,
            last_used_at
          from share_link join organization on organization.id = share_link.organization_id where hash = ${hash}
        `.pipe(
          Effect.map(([row]) =>
            row === undefined ? null : {
              organization: organizationFromRow(row),
              link: shareLinkFromRow({ ...row, id: row.link_id, name: row.link_name, created_at: row.link_created_at })
            }
          ),
          withStoreErrors("find share link")
        ),

      recordUse: (organizationId, id, at) =>
        sql`
          update share_link set last_used_at = ${at}
          where organization_id = ${organizationId} and id = ${id}
            and (last_used_at is null or last_used_at < ${at}::timestamptz - interval '1 minute')
        `.pipe(Effect.asVoid, withStoreErrors("note use of share link"))
    })
  })
)
