import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationId } from "../../../domain/ids.ts"
import { signTombstone, type Tombstone } from "../../../domain/organizations/Tombstone.ts"
import { OrganizationData } from "../../../ports/OrganizationData.ts"
import { type BackupTable, backupTables } from "../backup/backupTables.ts"
import { firstPage, selectPage } from "../backup/selectPage.ts"
import { decodeOne, decodeRows, jsonOf, mapRow, rowOf } from "../rows.ts"
import { withoutTimeouts } from "../sessionTimeouts.ts"
import { withStoreErrors } from "../sqlErrors.ts"

/** Columns that grant access, or contain a value that does. */
const secretColumns: { readonly [table: string]: ReadonlyArray<string> } = {
  api_key: ["hash"],
  mail: ["body_text", "body_html"],
  share_link: ["hash"],
  webhook_endpoint: ["secret", "next_secret"]
}

const RequestRow = rowOf({
  organizationId: OrganizationId,
  requestedAt: Schema.Date,
  requestedBy: Schema.String,
  due: Schema.Boolean
})

const StoneRow = rowOf({
  id: OrganizationId,
  headSequence: Schema.NullOr(Schema.Int),
  headHash: Schema.NullOr(Schema.Uint8Array),
  rows: jsonOf<Tombstone["rows"]>(),
  requestedAt: Schema.NullOr(Schema.Date),
  requestedBy: Schema.NullOr(Schema.String),
  deletedAt: Schema.Date,
  deletedBy: Schema.String,
  signature: Schema.NullOr(Schema.Uint8Array),
  seed: Schema.Uint8Array
}).pipe(mapRow(({ seed, signature, ...row }) => {
  const signed = signTombstone({
    sov_tombstone: 1,
    organization_id: row.id,
    head: row.headHash === null
      ? null
      : { sequence: row.headSequence!, hash: Buffer.from(row.headHash).toString("hex") },
    rows: row.rows,
    requested_at: row.requestedAt?.toISOString() ?? null,
    requested_by: row.requestedBy,
    deleted_at: row.deletedAt.toISOString(),
    deleted_by: row.deletedBy
  }, seed)
  // A stored signature shows whether the row is unchanged, so it replaces the signature just computed
  return signature === null ? signed : { ...signed, signature: Buffer.from(signature).toString("hex") }
}))

const CountRow = rowOf({ rows: Schema.Int }).pipe(mapRow(({ rows }) => rows))
const NameRow = rowOf({ name: Schema.String }).pipe(mapRow(({ name }) => name))

const isOwned = ({ columns, name }: BackupTable): boolean =>
  name === "organization" || columns.includes("organization_id")

/**
 * Reads the rows of all tables in the catalog, so a table that a migration adds is included. Inserting a tombstone
 * deletes the organization (migration 78).
 */
export const PgOrganizationData = Layer.effect(
  OrganizationData,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const owned = backupTables.pipe(
      Effect.map((tables) => tables.filter(isOwned)),
      Effect.provideService(SqlClient.SqlClient, sql),
      withStoreErrors("list tables")
    )
    const requests = sql`
      select *, requested_at <= now() - interval '7 days' as due from deletion_request
    `
    const stones = sql`
      select id, head_sequence, head_hash, rows, requested_at, requested_by, deleted_at, deleted_by, signature,
        instance.value as seed
      from tombstone join instance on instance.name = 'tombstone_key'
    `
    return OrganizationData.of({
      tables: () => Effect.map(owned, (tables) => tables.map(({ name }) => name)),

      page: Effect.fnUntraced(function*(organizationId, name, start) {
        const table = (yield* owned).find((one) => one.name === name)
        if (table === undefined) return { rows: [], next: null }
        const columns = table.columns.filter((column) => secretColumns[name]?.includes(column) !== true)
        const owner = name === "organization" ? "id" : "organization_id"
        const page = yield* selectPage(
          sql,
          { ...table, columns },
          [[`${owner} = ?::text::uuid`, organizationId]],
          start ?? firstPage
        ).pipe(withStoreErrors("read the organization's rows"))
        return page === null ? { rows: [], next: null } : { rows: page.json.split("\n"), next: page.next }
      }),

      count: Effect.fnUntraced(
        function*(organizationId) {
          // Includes tables whose rows are not in backups
          const names = yield* sql`
            select table_name::text as name from information_schema.columns join information_schema.tables
            using (table_schema, table_name)
            where table_schema = current_schema() and column_name = 'organization_id' and table_type = 'BASE TABLE'
            order by 1
          `.pipe(decodeRows(NameRow))
          const counts = yield* Effect.forEach(
            names,
            (name) =>
              sql`select count(*)::int as rows from ${sql(name)} where organization_id = ${organizationId}`.pipe(
                decodeOne(CountRow),
                Effect.map((rows) => [name, rows] as const)
              )
          )
          return Object.fromEntries(counts.filter(([, rows]) => rows > 0))
        },
        withStoreErrors("count the organization's rows")
      ),

      requestDeletion: Effect.fnUntraced(
        function*(organizationId, by) {
          const created = yield* sql`
            insert into deletion_request ${sql.insert({ organization_id: organizationId, requested_by: by })}
            on conflict do nothing returning organization_id
          `
          const request = yield* sql`${requests} where organization_id = ${organizationId}`.pipe(decodeOne(RequestRow))
          return { request, created: created.length > 0 }
        },
        withStoreErrors("request the deletion")
      ),

      cancelDeletion: (organizationId) =>
        sql`delete from deletion_request where organization_id = ${organizationId} returning organization_id`.pipe(
          Effect.map((rows) => rows.length > 0),
          withStoreErrors("cancel the deletion")
        ),

      deletionRequests: sql`${requests} order by requested_at, organization_id`.pipe(
        decodeRows(RequestRow),
        withStoreErrors("list requests to delete")
      ),

      delete: Effect.fnUntraced(
        function*(organizationId, { atOnce, by }) {
          yield* withoutTimeouts
          const locked = yield* sql`select from organization where id = ${organizationId} for key share`
          if (locked.length === 0) return null
          yield* sql`insert into tombstone ${sql.insert({ id: organizationId, at_once: atOnce, deleted_by: by })}`
          const made = yield* sql`${stones} where id = ${organizationId}`.pipe(decodeOne(StoneRow))
          const signature = Buffer.from(made.signature, "hex")
          yield* sql`update tombstone set signature = ${signature} where id = ${organizationId}`
          return made
        },
        sql.withTransaction,
        Effect.provideService(SqlClient.SqlClient, sql),
        withStoreErrors("delete the organization")
      ),

      tombstones: sql`${stones} where deleted_at is not null order by deleted_at, id`.pipe(
        decodeRows(StoneRow),
        withStoreErrors("list tombstones")
      )
    })
  })
)
