/** Alert rules, alerts, recipients of e-mails, and all e-mails until they are sent or given up. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `create table alert_rule (
    organization_id uuid not null references organization,
    rule text not null check (rule in ('sov_drop', 'new_mention', 'competitor_overtake')),
    enabled boolean not null,
    threshold double precision check (threshold > 0 and threshold <= 100),
    sensitivity text not null check (sensitivity in ('immediate', 'confirmed')),
    changed_at timestamptz(3) not null,
    primary key (organization_id, rule),
    check (rule = 'sov_drop' or threshold is null),
    check (rule <> 'sov_drop' or threshold is not null or not enabled)
  )`,

  // scan_id: the newest scan that was evaluated with the rule
  `create table alert_memory (
    organization_id uuid not null,
    rule text not null,
    simulated boolean not null,
    scan_id uuid not null,
    measure_version integer not null,
    tracked_set_version integer not null,
    memory jsonb not null,
    primary key (organization_id, rule, simulated),
    foreign key (organization_id, rule) references alert_rule,
    foreign key (organization_id, scan_id) references scan
  )`,

  // id: also the id of the alert's event
  `create table alert (
    organization_id uuid not null,
    id uuid not null,
    rule text not null,
    scan_id uuid not null,
    competitor_id uuid,
    data jsonb not null,
    created_at timestamptz(3) not null,
    primary key (organization_id, id),
    unique nulls not distinct (organization_id, rule, scan_id, competitor_id),
    foreign key (organization_id, rule) references alert_rule,
    foreign key (organization_id, scan_id) references scan
  )`,
  `create index alert_newest on alert (organization_id, created_at desc, id desc)`,
  `create trigger alert_append_only before update or delete on alert for each row execute function append_only()`,
  `create trigger alert_no_truncate before truncate on alert for each statement execute function append_only()`,

  `create table mail_recipient (
    organization_id uuid not null references organization,
    address text not null,
    flagged_at timestamptz(3),
    flagged_reason text,
    created_at timestamptz(3) not null,
    primary key (organization_id, address),
    check ((flagged_at is null) = (flagged_reason is null))
  )`,

  // There is no foreign key to the recipient, so that sent e-mails stay when a recipient is removed
  `create table mail (
    organization_id uuid not null references organization,
    id uuid not null,
    address text not null,
    subject text not null,
    body_text text not null,
    body_html text not null,
    state text not null check (state in ('queued', 'sent', 'failed')),
    tries integer not null,
    due_at timestamptz(3) not null,
    message text,
    created_at timestamptz(3) not null,
    ended_at timestamptz(3),
    primary key (organization_id, id, address),
    check ((state = 'queued') = (ended_at is null))
  )`,
  `create index mail_due on mail (due_at) where state = 'queued'`,
  `create index mail_failed on mail (ended_at) where state = 'failed'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
