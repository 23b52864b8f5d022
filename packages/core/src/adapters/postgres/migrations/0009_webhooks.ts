/** Webhooks: events with the bytes of their bodies, endpoints, deliveries and every attempt. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table event (
    organization_id uuid not null references organization,
    id uuid not null,
    event text not null check (event in ('scan.completed', 'sov.dropped', 'mention.detected', 'competitor.overtake')),
    body bytea not null,
    created_at timestamptz(3) not null,
    primary key (organization_id, id)
  )`,
  // A body that was signed and sent must never change
  `create trigger event_append_only before update or delete on event for each row execute function append_only()`,
  `create trigger event_no_truncate before truncate on event for each statement execute function append_only()`,

  // secret, next_secret: encrypted, never in plain text. failing_since: the first failed attempt after the last success
  `create table webhook_endpoint (
    organization_id uuid not null references organization,
    id uuid not null,
    url text not null,
    events text[] not null,
    state text not null check (state in ('enabled', 'disabled')),
    disabled_reason text check (disabled_reason in ('operator', 'gone', 'failing')),
    disabled_at timestamptz(3),
    secret text not null,
    next_secret text,
    staged_at timestamptz(3),
    failing_since timestamptz(3),
    last_failure_at timestamptz(3),
    last_success_at timestamptz(3),
    created_at timestamptz(3) not null,
    primary key (organization_id, id),
    check ((state = 'disabled') = (disabled_reason is not null)),
    check ((next_secret is null) = (staged_at is null))
  )`,

  // tries: position in the retry schedule, which a replay resets to 0; attempts: all attempts ever made
  `create table webhook_delivery (
    organization_id uuid not null,
    id uuid not null,
    endpoint_id uuid not null,
    event_id uuid not null,
    state text not null check (state in ('pending', 'delivered', 'failed')),
    tries integer not null default 0,
    attempts integer not null default 0,
    due_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    ended_at timestamptz(3),
    primary key (organization_id, id),
    unique (organization_id, endpoint_id, event_id),
    foreign key (organization_id, endpoint_id) references webhook_endpoint on delete cascade,
    foreign key (organization_id, event_id) references event,
    check ((state = 'pending') = (ended_at is null))
  )`,
  `create index webhook_delivery_due on webhook_delivery (organization_id, endpoint_id, due_at) where state = 'pending'`,
  `create index webhook_delivery_newest on webhook_delivery (organization_id, created_at desc, id desc)`,

  // response: the beginning of the receiver's answer
  `create table webhook_attempt (
    organization_id uuid not null,
    delivery_id uuid not null,
    number integer not null check (number > 0),
    started_at timestamptz(3) not null,
    duration_ms integer not null,
    status integer,
    failure text,
    message text,
    response text,
    primary key (organization_id, delivery_id, number),
    foreign key (organization_id, delivery_id) references webhook_delivery on delete cascade
  )`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
