/**
 * Deletes an organization as a whole or not at all: inserting its tombstone deletes all its rows, with the rights of
 * the tables' owner. Nothing else removes a row of the archive.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quoteIdentifier } from "../backup/backupTables.ts"

const tables: ReadonlyArray<string> = [
  // The key that signs tombstones: the seed of an Ed25519 key
  `insert into instance (name, value)
    select 'tombstone_key', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))`,

  `create table deletion_request (
    organization_id uuid primary key references organization,
    requested_at timestamptz(3) not null,
    requested_by text not null
  )`,

  // All that is left of a deleted organization; it does not contain the organization's name. at_once: the organization
  // was deleted immediately, without a request and a grace period
  `create table tombstone (
    id uuid primary key,
    at_once boolean not null default false,
    deleted_by text not null,
    deleted_at timestamptz(3),
    requested_at timestamptz(3),
    requested_by text,
    head_sequence integer,
    head_hash bytea,
    rows jsonb,
    transaction xid8,
    signature bytea
  )`
]

/** Functions that run with the owner's rights, or from triggers of any session, must name the schema of the tables. */
const formatFunctions = (schema: string): ReadonlyArray<string> => [
  // The grace period begins by the database's clock, even after a restore
  `create function deletion_requested() returns trigger language plpgsql as $$
  begin
    new.requested_at := now();
    return new;
  end $$`,
  `create trigger deletion_requested before insert on deletion_request
    for each row execute function deletion_requested()`,

  // Rows may be deleted in the transaction that inserts the organization's tombstone; in a table with a time column,
  // also when they are old enough
  `create or replace function append_only() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      if tg_nargs = 1 and (to_jsonb(old) ->> tg_argv[0])::timestamptz < now() - interval '28 days' then
        return old;
      end if;
      if exists (
        select from ${schema}.tombstone t
        where t.id = old.organization_id and t.transaction = pg_current_xact_id_if_assigned()
      ) then
        return old;
      end if;
    end if;
    raise exception '% is append-only: % is not allowed', tg_table_name, tg_op using errcode = 'restrict_violation';
  end $$`,

  // A tombstone first receives the results of the deletion and later, once, its signature
  `create function tombstone_guard() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' then
      if old.deleted_at is null then return new; end if;
      if old.signature is null and to_jsonb(new) - 'signature' = to_jsonb(old) - 'signature' then return new; end if;
    end if;
    raise exception 'tombstone is append-only: % is not allowed', tg_op using errcode = 'restrict_violation';
  end $$`,
  `create trigger tombstone_guard before update or delete on tombstone
    for each row execute function tombstone_guard()`,
  `create trigger tombstone_no_truncate before truncate on tombstone
    for each statement execute function tombstone_guard()`,

  `create function delete_organization() returns trigger language plpgsql security definer
    set search_path = ${schema}, pg_temp as $$
  declare
    is_owner boolean := pg_has_role(session_user, current_user, 'member');
    people uuid[];
    owned record;
    removed bigint;
    counts jsonb := '{}';
  begin
    perform from organization where id = new.id for update;
    if not found then
      -- A backup is restored
      if is_owner and new.deleted_at is not null then return null; end if;
      raise exception 'organization % does not exist', new.id using errcode = 'restrict_violation';
    end if;
    if new.at_once and not is_owner then
      raise exception 'only the owner of the tables deletes an organization at once'
        using errcode = 'insufficient_privilege';
    end if;
    if not new.at_once and not exists (
      select from deletion_request where organization_id = new.id and requested_at <= now() - interval '7 days'
    ) then
      raise exception 'organization % is not due to be deleted', new.id using errcode = 'restrict_violation';
    end if;

    update tombstone set transaction = pg_current_xact_id(),
      requested_at = (select requested_at from deletion_request where organization_id = new.id),
      requested_by = (select requested_by from deletion_request where organization_id = new.id),
      (head_sequence, head_hash) = (
        select sequence, hash from seal where organization_id = new.id order by sequence desc limit 1
      )
      where id = new.id;
    people := array(select person_id from membership where organization_id = new.id);

    -- Rows that point to others come first; the catalog also lists tables of later migrations
    for owned in
      with recursive own as (
        select c.oid, c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = (select relnamespace from pg_class where oid = tg_relid) and c.relkind = 'r'
          and a.attname = 'organization_id' and not a.attisdropped
      ), deep as (
        select oid, relname, 0 as depth from own
        union
        select own.oid, own.relname, deep.depth + 1 from deep
        join pg_constraint f on f.confrelid = deep.oid and f.contype = 'f' and f.conrelid <> f.confrelid
        join own on own.oid = f.conrelid
      )
      select relname as name from deep group by relname order by max(depth) desc, relname
    loop
      execute format('delete from %I where organization_id = $1', owned.name) using new.id;
      get diagnostics removed = row_count;
      if removed > 0 then counts := counts || jsonb_build_object(owned.name, removed); end if;
    end loop;
    delete from organization where id = new.id;

    -- People who belong to no organization any more, and whom no other one's log names
    people := array(
      select person.id from person where person.id = any (people)
        and not exists (select from membership m where m.person_id = person.id)
        and not exists (select from audit_entry e where e.person_id = person.id)
    );
    delete from session where person_id = any (people) or made_by = any (people);
    delete from login_link where person_id = any (people) or made_by = any (people);
    delete from person_identity where person_id = any (people);
    delete from person where id = any (people);

    update tombstone set deleted_at = now(), rows = counts where id = new.id;
    return null;
  end $$`,
  `create trigger delete_organization after insert on tombstone
    for each row execute function delete_organization()`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly schema: string }>`select current_schema()::text as schema`
  const statements = [...tables, ...formatFunctions(quoteIdentifier(found!.schema))]
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
