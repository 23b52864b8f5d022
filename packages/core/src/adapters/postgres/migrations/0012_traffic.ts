/**
 * AI traffic: the counts, and the ids of the log lines that were counted. Line ids are stored in parts by hour, 8 bytes
 * per id; one row per id would take fourteen times the space.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table traffic_count (
    organization_id uuid not null references organization,
    day date not null,
    signal text not null check (signal in ('referrer', 'tag', 'crawler')),
    source text not null,
    tag text not null,
    foreign_referrer boolean not null,
    path text not null,
    count bigint not null check (count > 0),
    primary key (organization_id, day, signal, source, tag, foreign_referrer, path)
  )`,
  // hour: hours since 1970, UTC; sources: version of the table that recognised these lines
  `create table traffic_lines (
    organization_id uuid not null references organization,
    hour integer not null,
    part integer not null check (part >= 0),
    sources text not null,
    ids bytea not null check (octet_length(ids) % 8 = 0),
    primary key (organization_id, hour, part)
  )`,
  // Ids are hashes: compressing them would take time and save no space
  "alter table traffic_lines alter column ids set storage external"
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
