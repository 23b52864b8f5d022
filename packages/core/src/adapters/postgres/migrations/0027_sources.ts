/** The sources of each answer, and the provenance that its leaf covers. Older answers have leaves of version 1. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `alter table answer
    add column payload_sha256 bytea,
    add column search text,
    add column leaf_version smallint not null default 1`,
  // Migration 60 validates the checks. Validation reads every answer, which takes long and would block all readers here
  `alter table answer
    add constraint answer_payload_sha256_check check (octet_length(payload_sha256) = 32) not valid,
    add constraint answer_search_check check (search in ('off', 'offered', 'required')) not valid,
    add constraint answer_leaf_version_check check (leaf_version in (1, 2)) not valid,
    add constraint answer_check check (leaf_version = 1 or payload_sha256 is not null) not valid`,
  // One row per answer and version: one row per source would take almost three times the space and not be faster
  `create table answer_sources (
    organization_id uuid not null,
    answer_id uuid not null,
    source_version integer not null check (source_version > 0),
    status text not null check (status in ('complete', 'unsupported', 'unreadable')),
    sources jsonb not null,
    queries text[] not null,
    cut integer not null check (cut >= 0),
    derived_at timestamptz(3) not null,
    primary key (organization_id, answer_id, source_version),
    foreign key (organization_id, answer_id) references answer
  )`,
  `create trigger answer_sources_append_only before update or delete on answer_sources
    for each row execute function append_only()`,
  `create trigger answer_sources_no_truncate before truncate on answer_sources
    for each statement execute function append_only()`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
