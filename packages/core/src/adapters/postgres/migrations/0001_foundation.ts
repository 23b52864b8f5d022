/**
 * The tables of sov, for both homes (Postgres 15 and newer, PGlite).
 *
 * Every table except `instance` has a column `organization_id`; keys and foreign keys are (organization_id, id), so
 * that no row can refer to another organization. Times are `timestamptz(3)`: milliseconds, as in all output.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  // Secrets of this installation. gen_random_uuid() uses the server's strong random source; two UUIDs hashed give 244
  // random bits.
  `create table instance (
    name text primary key,
    value bytea not null,
    created_at timestamptz(3) not null default now()
  )`,
  `insert into instance (name, value)
    select 'cursor_key', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))`,

  `create table organization (
    id uuid primary key,
    name text not null unique,
    slug text not null unique,
    plan text not null check (plan in ('free', 'starter', 'pro', 'business', 'enterprise')),
    time_zone text not null,
    scan_quota integer check (scan_quota >= 0),
    history_days integer check (history_days > 0),
    created_at timestamptz(3) not null
  )`,

  `create table tracked_set (
    organization_id uuid not null references organization,
    version integer not null check (version > 0),
    brand jsonb not null,
    competitors jsonb not null,
    created_at timestamptz(3) not null,
    primary key (organization_id, version)
  )`,

  `create table keyword (
    organization_id uuid not null references organization,
    id uuid not null,
    text text not null,
    status text not null check (status in ('active', 'paused', 'archived')),
    created_at timestamptz(3) not null,
    primary key (organization_id, id)
  )`,
  // md5, because long texts would exceed the size limit of an index entry
  `create unique index keyword_text on keyword (organization_id, md5(text))`,

  `create table api_key (
    organization_id uuid not null references organization,
    id uuid not null,
    name text not null,
    prefix text not null,
    last_four text not null,
    hash bytea not null unique,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    last_used_at timestamptz(3),
    primary key (organization_id, id)
  )`,

  `create table quota_usage (
    organization_id uuid not null references organization,
    period text not null check (period ~ '^[0-9]{4}-[0-9]{2}$'),
    used integer not null check (used >= 0),
    primary key (organization_id, period)
  )`,

  `create table scan (
    organization_id uuid not null references organization,
    id uuid not null,
    status text not null check (status in ('running', 'completed', 'failed', 'cancelled')),
    scan_type text not null check (scan_type in ('manual', 'scheduled')),
    platforms text[] not null,
    samples integer not null check (samples between 1 and 5),
    cell_count integer not null check (cell_count > 0),
    simulated boolean not null,
    tracked_set_version integer not null,
    quota_period text,
    started_at timestamptz(3) not null,
    completed_at timestamptz(3),
    primary key (organization_id, id),
    foreign key (organization_id, tracked_set_version) references tracked_set,
    check ((status = 'running') = (completed_at is null))
  )`,
  `create index scan_newest on scan (organization_id, started_at desc, id desc)`,
  `create index scan_completed on scan (organization_id, started_at desc, id desc) where status = 'completed'`,
  `create index scan_running on scan (started_at) where status = 'running'`,
  `create function scan_guard() returns trigger language plpgsql as $$
  begin
    if old.status <> 'running' and (new.status <> old.status or new.completed_at is distinct from old.completed_at) then
      raise exception 'scan % is %: a terminal state never changes', old.id, old.status using errcode = 'restrict_violation';
    end if;
    return new;
  end $$`,
  `create trigger scan_guard before update on scan for each row execute function scan_guard()`,

  `create table cell (
    organization_id uuid not null,
    id uuid not null,
    scan_id uuid not null,
    keyword_id uuid not null,
    platform text not null check (platform in ('assistant_a', 'assistant_b', 'assistant_c', 'assistant_d', 'assistant_e')),
    sample integer not null check (sample > 0),
    state text not null check (state in ('open', 'answered', 'failed', 'cancelled')),
    attempts integer not null default 0,
    first_attempt_at timestamptz(3),
    due_at timestamptz(3) not null,
    reason text,
    message text,
    excerpt text,
    status integer,
    primary key (organization_id, id),
    unique (organization_id, scan_id, keyword_id, platform, sample),
    foreign key (organization_id, scan_id) references scan,
    foreign key (organization_id, keyword_id) references keyword
  )`,
  `create index cell_due on cell (organization_id, scan_id, platform, due_at) where state = 'open'`,

  // The archive. The unique key makes the database enforce "one answer per cell".
  `create table answer (
    organization_id uuid not null,
    id uuid not null,
    scan_id uuid not null,
    cell_id uuid not null,
    keyword_id uuid not null,
    platform text not null,
    sample integer not null,
    prompt_used text not null,
    raw_response text not null,
    payload bytea not null,
    leaf_hash bytea not null check (octet_length(leaf_hash) = 32),
    adapter text not null,
    model text not null,
    latency_ms integer not null,
    finish text not null,
    input_tokens integer,
    output_tokens integer,
    cost_usd double precision,
    citations jsonb not null,
    simulated boolean not null,
    created_at timestamptz(3) not null,
    primary key (organization_id, id),
    unique (organization_id, scan_id, keyword_id, platform, sample),
    unique (organization_id, cell_id),
    foreign key (organization_id, scan_id) references scan,
    foreign key (organization_id, cell_id) references cell,
    foreign key (organization_id, keyword_id) references keyword
  )`,
  `create index answer_newest on answer (organization_id, created_at desc, id desc)`,
  `create index answer_keyword on answer (organization_id, keyword_id, platform, created_at desc, id desc)`,
  `create index answer_platform on answer (organization_id, platform, created_at desc, id desc)`,

  `create table measurement (
    organization_id uuid not null,
    answer_id uuid not null,
    measure_version integer not null,
    tracked_set_version integer not null,
    icu_version text not null,
    brand_mentioned boolean not null,
    mention_count integer not null,
    mention_position integer,
    sentiment text check (sentiment in ('positive', 'neutral', 'negative')),
    sov_score double precision not null,
    competitors_mentioned uuid[] not null,
    mentions jsonb not null,
    measured_at timestamptz(3) not null,
    primary key (organization_id, answer_id, tracked_set_version, measure_version),
    foreign key (organization_id, answer_id) references answer,
    foreign key (organization_id, tracked_set_version) references tracked_set
  )`,

  `create table score (
    organization_id uuid not null,
    scan_id uuid not null,
    measure_version integer not null,
    tracked_set_version integer not null,
    avg_sov double precision,
    platform_breakdown jsonb not null,
    low_coverage text[] not null,
    competitors jsonb not null,
    nobody double precision,
    branded_only boolean not null,
    results_count integer not null,
    failed_count integer not null,
    mentioned_count integer not null,
    created_at timestamptz(3) not null,
    primary key (organization_id, scan_id, tracked_set_version, measure_version),
    foreign key (organization_id, scan_id) references scan,
    foreign key (organization_id, tracked_set_version) references tracked_set
  )`,

  // leaf_hashes: 32 bytes per leaf, in the order of leaf_ids
  `create table seal (
    organization_id uuid not null,
    sequence integer not null check (sequence > 0),
    scan_id uuid not null,
    leaf_ids uuid[] not null,
    leaf_hashes bytea not null check (octet_length(leaf_hashes) = 32 * cardinality(leaf_ids)),
    root bytea not null check (octet_length(root) = 32),
    previous bytea,
    sealed_at timestamptz(3) not null,
    hash bytea not null check (octet_length(hash) = 32),
    primary key (organization_id, sequence),
    foreign key (organization_id, scan_id) references scan
  )`,
  `create index seal_scan on seal (organization_id, scan_id, sequence)`,

  `create function append_only() returns trigger language plpgsql as $$
  begin
    raise exception '% is append-only: % is not allowed', tg_table_name, tg_op using errcode = 'restrict_violation';
  end $$`,
  ...["answer", "measurement", "score", "seal", "tracked_set"].flatMap((table) => [
    `create trigger ${table}_append_only before update or delete on ${table}
      for each row execute function append_only()`,
    `create trigger ${table}_no_truncate before truncate on ${table}
      for each statement execute function append_only()`
  ])
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
