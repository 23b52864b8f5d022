/**
 * A twin: an organization whose rows have the same ids as another organization's, as after importing its archive, but
 * other contents. Requests by these ids must return only the twin's own rows.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** How the twin's rows differ from the rows they are copied from, by table: SQL of a JSON object over the row `t`. */
const differences: { readonly [table: string]: string } = {
  action_mark: "'title', 'twin'",
  alert: "'created_at', t.created_at + interval '1 minute'",
  alert_memory: "'measure_version', t.measure_version + 1",
  alert_rule: "'threshold', t.threshold + 1",
  annotation: "'text', 'twin'",
  answer: "'raw_response', t.raw_response || ' (twin)', 'model', 'twin', 'cost_usd', coalesce(t.cost_usd, 0) + 1",
  answer_sources: "'cut', t.cut + 1, 'queries', array['twin']",
  api_key: "'name', 'twin', 'hash', sha256(t.hash)",
  audit_entry: "'actor', 'twin'",
  branding: "'sender', 'twin'",
  card_attestation: "'attested_by', 'twin'",
  card_change: "'source', 'twin', 'value', to_jsonb(array['twin ' || t.sequence])",
  card_decision: "'judged_by', 'twin'",
  cell: "'attempts', t.attempts + 1",
  charge: "'cost_usd', coalesce(t.cost_usd, 0) + 1",
  event: "'body', convert_to(replace(convert_from(t.body, 'UTF8'), '2026-', '2025-'), 'UTF8')",
  experiment_end: "'due_at', t.due_at + interval '1 day'",
  idempotency_key: "'estimated_seconds', t.estimated_seconds + 1",
  keyword: "'text', t.text || ' (twin)'",
  mail: "'subject', 'twin'",
  mail_recipient: "'created_at', t.created_at + interval '1 day'",
  measurement: "'sov_score', t.sov_score / 2, 'mention_count', t.mention_count + 1",
  membership: "'role', 'viewer', 'name', 'twin'",
  organization_request_log: "'times', to_jsonb(array(select n - interval '12 hours' from unnest(t.times) n))",
  quota_usage: "'used', t.used + 1",
  request_log: "'times', to_jsonb(array(select n - interval '12 hours' from unnest(t.times) n))",
  resolved_url: "'target', 'https://twin.example/'",
  schedule: "'samples', t.samples % 5 + 1",
  schedule_run: "'message', 'twin'",
  score: "'avg_sov', coalesce(t.avg_sov, 0) + 1",
  scan: "'quota_period', '2020-01'",
  seal: "'hash', sha256(t.hash)",
  share_link: "'name', 'twin', 'hash', sha256(t.hash)",
  tracked_set: "'brand', t.brand || jsonb_build_object('name', 'Twin')",
  traffic_count: "'count', t.count + 1",
  view_wording: "'text', 'twin'",
  webhook_attempt: "'message', 'twin'",
  webhook_endpoint: "'url', 'https://twin.example/', 'format', 'slack'"
}

let tables: ReadonlyArray<string> | undefined

const listTables = Effect.gen(function*() {
  if (tables !== undefined) return tables
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    select table_name::text as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'organization_id' order by 1`
  tables = rows.map(({ name }) => name)
  return tables
})

/**
 * Runs without triggers and foreign keys, because rows of the archive are copied and removed, which only the tables'
 * owner can do.
 */
const withoutGuards = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`set session_replication_role = replica`
    const result = yield* effect
    yield* sql`set session_replication_role = origin`
    return result
  })

/** Copies every row of an organization, with the same ids, for another organization that has no rows. */
export const copyToTwin = (from: string, twin: string) =>
  withoutGuards(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.forEach(yield* listTables, (table) =>
      sql.unsafe(
        `insert into ${table} select (jsonb_populate_record(null::${table},
          to_jsonb(t) || jsonb_build_object('organization_id', $1::text${
          differences[table] === undefined ? "" : `, ${differences[table]}`
        }))).* from ${table} t where organization_id = $2::uuid`,
        [twin, from]
      ))
  }))

/** Removes all rows of these organizations. */
export const removeRows = (organizations: ReadonlyArray<string>) =>
  withoutGuards(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const deletes = (yield* listTables).map((table) =>
      `delete from ${table} where organization_id = any ('{${organizations.join()}}'::uuid[]);`
    )
    yield* sql.unsafe(`do $$ begin ${deletes.join("\n")} end $$`)
  }))

/** All rows of these organizations, in a fixed order, with one statement. */
export const readRows = Effect.fnUntraced(function*(organizations: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const selects = (yield* listTables).map((table) =>
    `select '${table}' as name, to_jsonb(t) as row from ${table} t where organization_id = any ($1::uuid[])`
  )
  const own = "select 'organization' as name, to_jsonb(t) as row from organization t where id = any ($1::uuid[])"
  return yield* sql.unsafe<{ readonly name: string; readonly row: Readonly<Record<string, unknown>> }>(
    `select * from (${[own, ...selects].join(" union all ")}) rows order by name, row::text`,
    [`{${organizations.join()}}`]
  )
})

/** An additional difference between the twin and the organization that it was copied from. */
export interface Variant {
  readonly name: string
  /** The variant only matters to statements that name this table. */
  readonly table?: string
  readonly apply: (organization: string) => Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>
}

const runBlock = (statements: ReadonlyArray<string>) =>
  withoutGuards(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(`do $$ begin ${statements.join("\n")} end $$`)
  }))

/**
 * Shifts all times of the twin's rows, so that in one variant its own rows are the newest, and in another the other's.
 */
const shiftTimes = (by: string): Variant => ({
  name: `${by} apart`,
  apply: (twin) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = yield* sql<{ readonly table: string; readonly sets: string }>`
        select c.table_name::text as table,
          string_agg(quote_ident(c.column_name) || ' = ' || quote_ident(c.column_name) || ' + interval ' ||
            quote_literal(${by}::text), ', ') as sets
        from information_schema.columns c
        where c.table_schema = current_schema() and c.data_type = 'timestamp with time zone'
          and c.table_name = any (${yield* listTables}::text[])
        group by 1`
      yield* runBlock(
        columns.map(({ sets, table }) => `update ${table} set ${sets} where organization_id = '${twin}'::uuid;`)
      )
    })
})

const change = (table: string, name: string, statement: (organization: string) => string): Variant => ({
  name,
  table,
  apply: (organization) => runBlock([`${statement(`'${organization}'::uuid`)};`])
})

/** SQL of the id of an organization's newest scan. */
const newestScan = (id: string) =>
  `(select id from scan where organization_id = ${id} order by started_at desc limit 1)`

/** States that the rows of the tests do not reach by themselves. */
const states: ReadonlyArray<Variant> = [
  change(
    "answer",
    "without answers of earlier scans",
    (id) => `delete from answer where organization_id = ${id} and scan_id <> ${newestScan(id)}`
  ),
  change(
    "cell",
    "without questions of the newest scan",
    (id) => `delete from cell where organization_id = ${id} and scan_id = ${newestScan(id)}`
  ),
  change(
    "cell",
    "without questions of earlier scans",
    (id) => `delete from cell where organization_id = ${id} and scan_id <> ${newestScan(id)}`
  ),
  change(
    "cell",
    "without an open question",
    (id) => `update cell set state = 'cancelled' where organization_id = ${id} and state = 'open'`
  ),
  change(
    "cell",
    "with questions that were tried",
    (id) =>
      `update cell set first_attempt_at = due_at + interval '2 days', attempts = attempts + 2
        where organization_id = ${id}`
  ),
  change(
    "view_wording",
    "with a running scan of a view",
    (id) => `update scan set view = '{"name": "germany"}' where organization_id = ${id} and status = 'running'`
  ),
  change(
    "answer",
    "with recorded answers",
    (id) => `update answer set adapter = 'recorded' where organization_id = ${id}`
  ),
  {
    // The complete scan has no score any more, and the newest scan, which was narrowed, has one
    name: "with a score of a narrowed scan alone",
    table: "scan",
    apply: (organization) => {
      const id = `'${organization}'::uuid`
      return runBlock([
        `update scan set status = 'completed', completed_at = started_at where organization_id = ${id};`,
        `update scan set askable_platforms = 99 where organization_id = ${id} and id = ${newestScan(id)};`,
        `update score set scan_id = ${newestScan(id)} where organization_id = ${id};`
      ])
    }
  },
  ...["", ", begun at one time"].map((and): Variant => ({
    name: `with alert memories of all scans${and}`,
    table: "alert_memory",
    apply: (organization) => {
      const id = `'${organization}'::uuid`
      return runBlock([
        `insert into alert_memory select (jsonb_populate_record(null::alert_memory,
            to_jsonb(m) || jsonb_build_object('scan_id', s.id))).*
          from alert_memory m join scan s on s.organization_id = m.organization_id
          where m.organization_id = ${id} on conflict do nothing;`,
        ...and === "" ? [] : [`update scan set started_at = '2026-01-01' where organization_id = ${id};`]
      ])
    }
  })),
  {
    name: "with mail that was sent",
    table: "mail",
    apply: (organization) =>
      runBlock([
        `update mail set state = 'sent', ended_at = created_at where organization_id = '${organization}';`,
        `delete from mail_recipient where organization_id = '${organization}';`
      ])
  },
  // Earlier answers of a brand that is named for the first time
  change(
    "measurement",
    "with unmeasured answers of earlier scans",
    (id) =>
      `delete from measurement m using answer a where m.organization_id = ${id} and a.organization_id = ${id}
        and a.id = m.answer_id and a.scan_id <> ${newestScan(id)}`
  ),
  change(
    "measurement",
    "with unmeasured answers of the newest scan",
    (id) =>
      `delete from measurement m using answer a where m.organization_id = ${id} and a.organization_id = ${id}
        and a.id = m.answer_id and a.scan_id = ${newestScan(id)}`
  ),
  {
    name: "with unmeasured answers of a scan that began later",
    table: "measurement",
    apply: (organization) => {
      const id = `'${organization}'::uuid`
      return runBlock([
        `delete from measurement m using answer a where m.organization_id = ${id} and a.organization_id = ${id}
          and a.id = m.answer_id and a.scan_id <> ${newestScan(id)};`,
        `update scan set started_at = started_at + interval '1 day'
          where organization_id = ${id} and id <> ${newestScan(id)};`
      ])
    }
  },
  change(
    "measurement",
    "with a measurement after a failure",
    (id) =>
      `insert into measurement select (jsonb_populate_record(null::measurement,
          to_jsonb(m) || jsonb_build_object('measure_version', f.measure_version))).*
        from measurement m join measurement_failure f
          on f.organization_id = m.organization_id and f.answer_id = m.answer_id
        where m.organization_id = ${id} and m.measure_version <> f.measure_version`
  ),
  change(
    "measurement_failure",
    "with failures of all answers",
    (id) =>
      `insert into measurement_failure select (jsonb_populate_record(null::measurement_failure,
          to_jsonb(f) || jsonb_build_object('answer_id', a.id))).*
        from measurement_failure f join answer a on a.organization_id = f.organization_id
        where f.organization_id = ${id} on conflict do nothing`
  ),
  change(
    "tracked_set",
    "with a newer tracked set",
    (id) =>
      `insert into tracked_set select (jsonb_populate_record(null::tracked_set,
          to_jsonb(t) || jsonb_build_object('version', t.version + 1))).*
        from tracked_set t where organization_id = ${id} order by version desc limit 1`
  ),
  change(
    "resolved_url",
    "with resolved sources",
    (id) =>
      `insert into resolved_url (organization_id, url_sha256, url, target, outcome, resolved_at)
        select distinct on (s.url) ${id}, sha256(convert_to(s.url, 'UTF8')), s.url, 'https://resolved.example/',
          'resolved', a.derived_at
        from answer_sources a, jsonb_to_recordset(a.sources) as s(url text) where a.organization_id = ${id}
        on conflict do nothing`
  ),
  change(
    "audit_entry",
    "with signed-in members",
    (id) => `update audit_entry set action = 'session.started' where organization_id = ${id} and action = 'member.role'`
  ),
  change(
    "webhook_endpoint",
    "with many endpoints",
    (id) =>
      `insert into webhook_endpoint select (jsonb_populate_record(null::webhook_endpoint,
      to_jsonb(t) || jsonb_build_object('id', md5(t.id || n::text)::uuid))).*
    from webhook_endpoint t, generate_series(1, 100) n where organization_id = ${id}`
  ),
  {
    name: "with untried deliveries to disabled endpoints",
    table: "webhook_endpoint",
    apply: (organization) =>
      runBlock([
        `update webhook_delivery set tries = 0 where organization_id = '${organization}';`,
        `update webhook_endpoint set state = 'disabled', disabled_reason = 'operator', disabled_at = created_at
          where organization_id = '${organization}';`
      ])
  },
  change(
    "webhook_delivery",
    "with deliveries that have bodies of their own",
    (id) => `update webhook_delivery set body = convert_to('{}', 'UTF8') where organization_id = ${id}`
  ),
  change(
    "webhook_delivery",
    "with failed deliveries",
    (id) => `update webhook_delivery set state = 'failed', ended_at = due_at where organization_id = ${id}`
  ),
  {
    name: "with failed deliveries of tests",
    table: "webhook_delivery",
    apply: (organization) =>
      runBlock([
        `update webhook_delivery set state = 'failed', ended_at = due_at where organization_id = '${organization}';`,
        `update event set body = convert_to('{"test":true}', 'UTF8') where organization_id = '${organization}';`
      ])
  },
  change(
    "webhook_delivery",
    "with untried deliveries",
    (id) => `update webhook_delivery set tries = 0 where organization_id = ${id}`
  ),
  change(
    "webhook_delivery",
    "with a last try",
    (id) => `update webhook_delivery set tries = 99 where organization_id = ${id}`
  ),
  change(
    "mail_recipient",
    "with flagged recipients",
    (id) => `update mail_recipient set flagged_at = created_at, flagged_reason = 'no' where organization_id = ${id}`
  )
]

/**
 * All variants: other times, states that the seeds do not reach, and for each table an organization without rows in it.
 */
export const makeVariants = Effect.map(listTables, (names): ReadonlyArray<Variant> => [
  shiftTimes("1 day"),
  shiftTimes("-1 day"),
  ...states,
  ...names.map((table): Variant => ({
    name: `without ${table}`,
    table,
    apply: (twin) => runBlock([`delete from ${table} where organization_id = '${twin}'::uuid;`])
  }))
])
