import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ShareLink } from "../../../domain/sharing/ShareLink.ts"
import { ShareLinkStore } from "../../../ports/ShareLinkStore.ts"
import { OrganizationRow } from "../organizations/organizationRow.ts"
import { decodeFirst, decodeRows, joinOf, listColumns, rowOf, toColumns } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const names = { from: "period_from", to: "period_to" }
const LinkRow = rowOf(ShareLink.fields, names)

const LinkedRow = joinOf({
  organization: OrganizationRow,
  link: rowOf(ShareLink.fields, { ...names, id: "link_id", name: "link_name", createdAt: "link_created_at" })
})

/** Share links in table `share_link`, by the hashes of their tokens. */
export const PgShareLinkStore = Layer.effect(
  ShareLinkStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const shown = sql.literal(listColumns(ShareLink.fields, names))
    return ShareLinkStore.of({
      insert: (organizationId, link, hash) =>
        sql`insert into share_link ${
          sql.insert({
            organization_id: organizationId,
            hash,
            ...toColumns(ShareLink.fields, link, names)
          })
        }`.pipe(Effect.asVoid, withStoreErrors("add share link")),

      list: (organizationId) =>
        sql`
          select ${shown} from share_link where organization_id = ${organizationId} order by created_at desc, id desc
        `.pipe(decodeRows(LinkRow), withStoreErrors("list share links")),

      revoke: (organizationId, id, at) =>
        sql`
          update share_link set revoked_at = coalesce(revoked_at, ${at})
          where organization_id = ${organizationId} and id = ${id}
          returning ${shown}
        `.pipe(decodeFirst(LinkRow), withStoreErrors("revoke share link")),

      findByHash: (hash) =>
        sql`
          select organization.*, share_link.id as link_id, share_link.name as link_name,
            share_link.created_at as link_created_at, period_from, period_to, with_answers, expires_at, revoked_at,
            last_used_at
          from share_link join organization on organization.id = share_link.organization_id where hash = ${hash}
        `.pipe(decodeFirst(LinkedRow), withStoreErrors("find share link")),

      recordUse: (organizationId, id, at) =>
        sql`
          update share_link set last_used_at = ${at}
          where organization_id = ${organizationId} and id = ${id}
            and (last_used_at is null or last_used_at < ${at}::timestamptz - interval '1 minute')
        `.pipe(Effect.asVoid, withStoreErrors("note use of share link"))
    })
  })
)
