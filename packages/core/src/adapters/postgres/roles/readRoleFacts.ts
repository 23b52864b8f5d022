/** Reads from the catalog who is connected, who owns the tables, and which roles may get grants. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withStoreErrors } from "../sqlErrors.ts"
import { tenantPolicy } from "./rowScope.ts"
import { tablePrivileges } from "./tablePrivileges.ts"

/** An existing role. */
export interface FoundRole {
  readonly name: string
  /** Why applications must not use this role: it could bypass its grants. Null if it is suitable. */
  readonly unfit:
    | "superuser"
    | "bypasses row security"
    | "owns the tables"
    | "owns the schema"
    | "owns the database"
    | null
}

/** The facts about a database that `formatRoles` depends on. */
export interface RoleFacts {
  readonly role: string
  readonly superuser: boolean
  readonly mayCreateRoles: boolean
  readonly database: string
  readonly schema: string
  /** The owner of the tables; null before tables exist. */
  readonly owner: string | null
  /** The owner of the schema, who may drop the tables. */
  readonly schemaOwner: string
  /** Whether the connected role has the owner's rights. */
  readonly ownsTables: boolean
  /** Whether every role may create objects in the schema, as in databases created before Postgres 15. */
  readonly schemaOpen: boolean
  /** The existing tables of sov. */
  readonly tables: ReadonlyArray<string>
  /** The tables whose rows belong to an organization. */
  readonly organizationTables: ReadonlyArray<string>
  /** Whether row-level security separates the organizations. */
  readonly rowSecurity: boolean
  /** The columns of each table. */
  readonly columns: { readonly [table: string]: ReadonlyArray<string> }
  readonly sequences: ReadonlyArray<string>
  readonly functions: ReadonlyArray<string>
  /** The views and their schema, with names quoted for SQL. */
  readonly views: ReadonlyArray<readonly ["schema" | "view", string]>
  readonly roles: ReadonlyArray<FoundRole>
}

const names = Object.keys(tablePrivileges)

/** Queries the catalog. On an empty database there are neither tables nor an owner. */
export const readRoleFacts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [facts] = yield* sql<Omit<RoleFacts, "roles">>`
    with own as (
      select c.oid, c.relname::text as name, c.relowner from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname = any (${names}::text[])
    ), archive as (select relowner from own where name = 'answer'), view_schema as (
      select oid, nspname from pg_namespace
      where nspname = case current_schema() when 'public' then 'sov' else current_schema() end || '_v1'
    )
    select current_user::text as role, r.rolsuper as superuser, r.rolsuper or r.rolcreaterole as "mayCreateRoles",
      current_database()::text as database, current_schema()::text as schema,
      (select rolname::text from pg_roles where oid = (select relowner from archive)) as owner,
      (select pg_get_userbyid(nspowner)::text from pg_namespace where oid = current_schema()::regnamespace) as "schemaOwner",
      coalesce((select pg_has_role(relowner, 'usage') from archive), false) as "ownsTables",
      exists (
        select from pg_namespace n, aclexplode(n.nspacl) a
        where n.oid = current_schema()::regnamespace and a.grantee = 0 and a.privilege_type = 'CREATE'
      ) as "schemaOpen",
      array(select name from own order by 1) as tables, (
        select coalesce(jsonb_object_agg(name, names), '{}') from own cross join lateral (
          select jsonb_agg(attname) as names from pg_attribute
          where attrelid = own.oid and attnum > 0 and not attisdropped
        ) had
      ) as columns,
      array(
        select own.name from own join pg_attribute a on a.attrelid = own.oid
        where a.attname = 'organization_id' and not a.attisdropped order by 1
      ) as "organizationTables",
      coalesce((select relrowsecurity from pg_class where oid = to_regclass('answer')), false) as "rowSecurity",
      array(
        select distinct s.relname::text from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
        where d.refobjid in (select oid from own) and d.deptype in ('a', 'i') order by 1
      ) as sequences,
      array(
        select distinct p.proname::text from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        where t.tgrelid in (select oid from own) and not t.tgisinternal order by 1
      ) as functions, (
        select coalesce(jsonb_agg(jsonb_build_array(kind, name) order by kind, name), '[]') from (
          select 'schema' as kind, quote_ident(nspname) as name from view_schema
          union all
          select 'view', quote_ident(nspname) || '.' || quote_ident(relname) from pg_class v
          join view_schema n on n.oid = v.relnamespace where v.relkind = 'v'
        ) found
      ) as views
    from pg_roles r where r.rolname = current_user
  `
  const roles = yield* sql<FoundRole>`
    select r.rolname::text as name, case
        when r.rolsuper then 'superuser'
        when r.rolbypassrls then 'bypasses row security'
        when exists (
          select from pg_class c where c.oid = to_regclass('answer') and pg_has_role(r.oid, c.relowner, 'member')
        ) then 'owns the tables'
        when pg_has_role(r.oid, d.datdba, 'member') then 'owns the database'
        when pg_has_role(r.oid, n.nspowner, 'member') then 'owns the schema'
      end as unfit
    from pg_roles r, pg_database d, pg_namespace n
    where d.datname = current_database() and n.oid = current_schema()::regnamespace and r.rolname !~ '^pg_' order by 1
  `
  const found: RoleFacts = { ...facts!, roles }
  return found
}).pipe(withStoreErrors("read roles"))

/**
 * Whether row-level security limits the connected role to one organization at a time: it is active, and a tenant policy
 * applies to the role.
 */
export const hasTenantPolicy = (sql: SqlClient.SqlClient) =>
  sql`(
    coalesce(row_security_active(to_regclass('answer')), false) and exists (
      select from pg_policy p where p.polrelid = to_regclass('answer') and p.polname = ${tenantPolicy}
        and exists (select from unnest(p.polroles) granted where pg_has_role(granted, 'usage'))
    )
  )`

/** The connected role of this process. */
export interface OwnRole {
  readonly name: string
  /**
   * Whether the role could change or drop the archive: it is a superuser, or owns the tables, their schema or the
   * database.
   */
  readonly ownsArchive: boolean
  /**
   * What row-level security lets the role see: `organization`: one organization at a time · `every`: all organizations
   * · `off`: row-level security is disabled, or does not apply to this role.
   */
  readonly rowSecurity: "organization" | "every" | "off"
}

/** Reads the connected role of this process. */
export const readOwnRole = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<OwnRole>`
    select current_user::text as name, r.rolsuper or pg_has_role(d.datdba, 'usage') or exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.oid = to_regclass('answer') and (pg_has_role(c.relowner, 'usage') or pg_has_role(n.nspowner, 'usage'))
    ) as "ownsArchive", case
        when ${hasTenantPolicy(sql)} then 'organization'
        when row_security_active(to_regclass('answer')) then 'every'
        else 'off'
      end as "rowSecurity"
    from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()
  `
  return row!
}).pipe(withStoreErrors("read own role"))
