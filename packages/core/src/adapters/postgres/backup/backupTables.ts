/**
 * The tables that a backup contains. They are read from the database's catalog, so a table that a migration adds is in
 * the next backup.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A table in the catalog. */
export interface BackupTable {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** The columns of the primary key in order, and their types. */
  readonly key: ReadonlyArray<string>
  readonly keyTypes: ReadonlyArray<string>
  /** Tables that the foreign keys of this table refer to. */
  readonly parents: ReadonlyArray<string>
  /** Whether the database itself refuses to change or remove its rows. */
  readonly appendOnly: boolean
}

/** A name quoted for SQL. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll("\"", "\"\"")}"`

/**
 * Sorts tables so that parents come first. Among tables that could come next, tables that change come before tables
 * that only grow, then by name.
 */
const sortByParents = (tables: ReadonlyArray<BackupTable>): ReadonlyArray<BackupTable> => {
  const ordered: Array<BackupTable> = []
  const left = new Map(tables.map((table) => [table.name, table]))
  while (left.size > 0) {
    const ready = [...left.values()].filter((table) => table.parents.every((parent) => !left.has(parent)))
    const next = ready.find((table) => !table.appendOnly) ?? ready[0]
    if (next === undefined) throw new Error("tables point to each other in a circle")
    ordered.push(next)
    left.delete(next.name)
  }
  return ordered
}

/**
 * The tables of sov in an order in which their rows can be inserted: `instance`, `organization`, tombstones, the
 * operator's keys and log, persons with their identities, and those with an `organization_id` in their key. It leaves
 * out tables of other programs in the same database, and tables that every database fills itself: the list of
 * migrations, live workers, unlogged tables, and sessions and sign-in links, which must not give access to a copy of
 * the database.
 */
export const backupTables = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<BackupTable>`
    with key_column as (
      select i.indrelid, k.place, a.attname, format_type(a.atttypid, a.atttypmod) as type
      from pg_index i cross join unnest(i.indkey) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
      where i.indisprimary
    )
    select c.relname::text as name,
      array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
      ) as columns,
      array(select a.attname::text from key_column a where a.indrelid = c.oid order by a.place) as key,
      array(select a.type from key_column a where a.indrelid = c.oid order by a.place) as "keyTypes",
      array(
        select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid
      ) as parents,
      exists(
        select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        -- enabled, for each row, before update (16) and delete (8)
        where t.tgrelid = c.oid and p.proname = 'append_only' and t.tgenabled = 'O' and t.tgtype & 27 = 27
      ) as "appendOnly"
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and c.relname not like 'sov\\_%'
      and exists(
        select from key_column k join pg_attribute a on a.attrelid = k.indrelid and not a.attisdropped
        where k.indrelid = c.oid and (c.relname in ('instance', 'operator_entry', 'operator_key', 'organization', 'person',
          'person_identity', 'tombstone') or a.attname = 'organization_id')
      )
    order by c.relname
  `
  return sortByParents(rows)
})
