import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ApiKey } from "../../../domain/access/ApiKey.ts"
import { ApiKeyStore } from "../../../ports/ApiKeyStore.ts"
import { OrganizationRow } from "../organizations/organizationRow.ts"
import { decodeFirst, decodeRows, joinOf, listColumns, rowOf, toColumns } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { tryElsewhere } from "../tryElsewhere.ts"

const KeyRow = rowOf(ApiKey.fields)

const KeyedRow = joinOf({
  organization: OrganizationRow,
  key: rowOf(ApiKey.fields, { id: "key_id", name: "key_name", createdAt: "key_created_at" })
})

/** API keys, stored as hashes in table `api_key`. */
export const PgApiKeyStore = Layer.effect(
  ApiKeyStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const shown = sql.literal(listColumns(ApiKey.fields))
    return ApiKeyStore.of({
      insert: (organizationId, key, hash) =>
        sql`insert into api_key ${
          sql.insert({
            organization_id: organizationId,
            hash,
            ...toColumns(ApiKey.fields, key)
          })
        }`.pipe(Effect.asVoid, withStoreErrors("add API key")),

      list: (organizationId) =>
        sql`
          select ${shown} from api_key
          where organization_id = ${organizationId} order by created_at desc, id desc
        `.pipe(decodeRows(KeyRow), withStoreErrors("list API keys")),

      revoke: (organizationId, id, at) =>
        sql`
          update api_key set revoked_at = coalesce(revoked_at, ${at})
          where organization_id = ${organizationId} and id = ${id}
          returning ${shown}
        `.pipe(decodeFirst(KeyRow), withStoreErrors("revoke API key")),

      roll: (organizationId, id, expiresAt) =>
        sql`
          update api_key set expires_at = least(expires_at, ${expiresAt}), rolled = true
          where organization_id = ${organizationId} and id = ${id} and revoked_at is null and not rolled
          returning ${shown}
        `.pipe(decodeFirst(KeyRow), withStoreErrors("roll API key")),

      findByHash: (hash) =>
        sql`
          select organization.*, api_key.id as key_id, api_key.name as key_name, prefix, last_four, scopes,
            api_key.created_at as key_created_at, expires_at, rolled, revoked_at, last_used_at
          from api_key join organization on organization.id = api_key.organization_id where hash = ${hash}
        `.pipe(tryElsewhere(sql), decodeFirst(KeyedRow), withStoreErrors("find API key")),

      recordUse: (organizationId, id, at) =>
        sql`
          update api_key set last_used_at = greatest(last_used_at, ${at})
          where organization_id = ${organizationId} and id = ${id}
        `.pipe(Effect.asVoid, withStoreErrors("note use of API key"))
    })
  })
)
