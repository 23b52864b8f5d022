import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { ApiKey, KeyScope } from "../../../domain/access/ApiKey.ts"
import type { ApiKeyId } from "../../../domain/ids.ts"
import { ApiKeyStore } from "../../../ports/ApiKeyStore.ts"
import { organizationFromRow, type OrganizationRow } from "../organizations/organizationRow.ts"
import { withStoreErrors } from "../sqlErrors.ts"

interface ApiKeyRow {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly last_four: string
  readonly scopes: ReadonlyArray<KeyScope>
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly rolled: boolean
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
}

/** A key beside the organization that it belongs to. */
interface KeyedOrganizationRow extends OrganizationRow, Omit<ApiKeyRow, keyof OrganizationRow> {
  readonly key_id: string
  readonly key_name: string
  readonly key_created_at: Date
}

const apiKeyFromRow = (row: ApiKeyRow): ApiKey => ({
  id: row.id as ApiKeyId,
  name: row.name,
  prefix: row.prefix,
  lastFour: row.last_four,
  scopes: row.scopes,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  rolled: row.rolled,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at
})

const columns = "id, name, prefix, last_four, scopes, created_at, expires_at, rolled, revoked_at, last_used_at"

/** API keys by their hashes in table `api_key`. */
export const PgApiKeyStore = Layer.effect(
  ApiKeyStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const shown = sql.literal(columns)
    return ApiKeyStore.of({
      insert: (organizationId, key, hash) =>
        sql`insert into api_key ${
          sql.insert({
            organization_id: organizationId,
            id: key.id,
            name: key.name,
            prefix: key.prefix,
            last_four: key.lastFour,
            scopes: key.scopes,
            hash,
            created_at: key.createdAt,
            expires_at: key.expiresAt,
            rolled: key.rolled,
            revoked_at: key.revokedAt,
            last_used_at: key.lastUsedAt
          })
        }`.pipe(Effect.asVoid, withStoreErrors("add API key")),

      list: (organizationId) =>
        sql<ApiKeyRow>`
          select ${shown} from api_key
          where organization_id = ${organizationId} order by created_at desc, id desc
        `.pipe(Effect.map((rows) => rows.map(apiKeyFromRow)), withStoreErrors("list API keys")),

      revoke: (organizationId, id, at) =>
        sql<ApiKeyRow>`
          update api_key set revoked_at = coalesce(revoked_at, ${at})
          where organization_id = ${organizationId} and id = ${id}
          returning ${shown}
        `.pipe(Effect.map(([row]) => row === undefined ? null : apiKeyFromRow(row)), withStoreErrors("revoke API key")),

      roll: (organizationId, id, expiresAt) =>
        sql<ApiKeyRow>`
          update api_key set expires_at = least(expires_at, ${expiresAt}), rolled = true
          where organization_id = ${organizationId} and id = ${id} and revoked_at is null and not rolled
          returning ${shown}
        `.pipe(Effect.map(([row]) => row === undefined ? null : apiKeyFromRow(row)), withStoreErrors("roll API key")),

      findByHash: (hash) =>
        sql<KeyedOrganizationRow>`
          select organization.*, api_key.id as key_id, api_key.name as key_name, prefix, last_four, scopes,
            api_key.created_at as key_created_at, expires_at, rolled, revoked_at, last_used_at
          from api_key join organization on organization.id = api_key.organization_id where hash = ${hash}
        `.pipe(
          Effect.map(([row]) =>
            row === undefined ? null : {
              organization: organizationFromRow(row),
              key: apiKeyFromRow({ ...row, id: row.key_id, name: row.key_name, created_at: row.key_created_at })
            }
          ),
          withStoreErrors("find API key")
        ),

      recordUse: (organizationId, id, at) =>
        sql`
          update api_key set last_used_at = greatest(last_used_at, ${at})
          where organization_id = ${organizationId} and id = ${id}
        `.pipe(Effect.asVoid, withStoreErrors("note use of API key"))
    })
  })
)
