import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { hash } from "node:crypto"
import { AnswerId } from "../../../domain/ids.ts"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import { ResolvedUrlStore } from "../../../ports/ResolvedUrlStore.ts"
import { decodeRows, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const hashUrl = (url: string): Uint8Array => hash("sha256", url, "buffer")

const UnresolvedRow = rowOf({ answerId: AnswerId, platform: PlatformId, urls: Schema.Array(Schema.String) })
const TargetRow = rowOf({ url: Schema.String, target: Schema.String })

/** Maximum number of URL hashes in one statement. */
const maxAskedUrls = 5_000

/** Resolved addresses in table `resolved_url`, which is append-only in the database. */
export const PgResolvedUrlStore = Layer.effect(
  ResolvedUrlStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return ResolvedUrlStore.of({
      listUnresolved: (organizationId, { after, limit, platforms, prefix, since }) =>
        sql`
          with answer as materialized (
            select organization_id, id, platform from answer
            where organization_id = ${organizationId} and platform = any(${platforms}) and created_at >= ${since}
              ${after === undefined ? sql`` : sql`and id > ${after}`}
          )
          select answer.id as answer_id, platform, array_agg(distinct source.url) as urls
          from answer
          cross join lateral (
            select sources from answer_sources
            where answer_sources.organization_id = answer.organization_id and answer_sources.answer_id = answer.id
            order by source_version desc limit 1
          ) newest
          cross join lateral jsonb_to_recordset(newest.sources) as source (url text)
          -- A look-up for each address: a limit within is no join of all that is resolved
          left join lateral (
            select true as found from resolved_url
            where resolved_url.organization_id = ${organizationId}
              and url_sha256 = sha256(convert_to(source.url, 'UTF8'))
            limit 1
          ) resolved on true
          where starts_with(source.url, ${prefix}) and resolved.found is null
          group by answer.id, platform order by answer.id limit ${limit}
        `.pipe(
          decodeRows(UnresolvedRow),
          withStoreErrors("list addresses to resolve")
        ),

      insert: (organizationId, { outcome, resolvedAt, target, url }) =>
        sql`
          insert into resolved_url ${
          sql.insert({
            organization_id: organizationId,
            url_sha256: hashUrl(url),
            url,
            target,
            outcome,
            resolved_at: resolvedAt
          })
        } on conflict do nothing
        `.pipe(Effect.asVoid, withStoreErrors("keep a resolved address")),

      listTargets: Effect.fnUntraced(function*(organizationId, urls) {
        const targets = new Map<string, string>()
        for (let i = 0; i < urls.length; i += maxAskedUrls) {
          const hashes = urls.slice(i, i + maxAskedUrls).map((url) => hash("sha256", url, "hex"))
          const rows = yield* sql`
            select url, target from resolved_url
            where organization_id = ${organizationId} and outcome = 'resolved'
              and url_sha256 in (select decode(asked, 'hex') from unnest(${hashes}::text[]) as asked)
          `.pipe(decodeRows(TargetRow))
          for (const { target, url } of rows) targets.set(url, target)
        }
        return targets
      }, withStoreErrors("read resolved addresses"))
    })
  })
)
