/**
 * People who sign in to the dashboard: their identities, sign-in links, sessions and memberships, and the audit log of
 * each organization. Persons, links and sessions belong to no organization: one person may be a member of several.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  // signed_in_at: the latest sign-in; null for an invited person who has not signed in yet
  `create table person (
    id uuid primary key,
    name text not null,
    email text,
    created_at timestamptz(3) not null,
    signed_in_at timestamptz(3),
    disabled_at timestamptz(3)
  )`,
  `create unique index person_email on person (lower(email))`,

  // issuer: the URL of an OpenID Connect issuer, or one of sov's own issuer names
  `create table person_identity (
    issuer text not null,
    subject text not null,
    person_id uuid not null references person,
    created_at timestamptz(3) not null,
    primary key (issuer, subject)
  )`,
  `create index person_identity_person on person_identity (person_id)`,

  `create table membership (
    organization_id uuid not null references organization,
    person_id uuid not null references person,
    role text not null check (role in ('owner', 'member', 'viewer')),
    created_at timestamptz(3) not null,
    primary key (organization_id, person_id)
  )`,
  `create index membership_person on membership (person_id)`,

  // hash: the sha256 of the token; the token itself is not stored
  `create table login_link (
    hash bytea primary key check (octet_length(hash) = 32),
    person_id uuid not null references person,
    purpose text not null check (purpose in ('console', 'mail', 'invitation')),
    made_by uuid references person,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    used_at timestamptz(3)
  )`,
  `create index login_link_person on login_link (person_id, created_at)`,
  `create index login_link_made_by on login_link (made_by)`,

  // agent: a description of the browser, without an address
  `create table session (
    hash bytea primary key check (octet_length(hash) = 32),
    id uuid not null unique,
    person_id uuid not null references person,
    method text not null check (method in ('console', 'mail', 'invitation', 'oidc', 'proxy')),
    agent text not null,
    created_at timestamptz(3) not null,
    seen_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  )`,
  `create index session_person on session (person_id, seen_at)`,

  // actor: the name that the acting person had at that time
  `create table audit_entry (
    organization_id uuid not null references organization,
    id uuid not null,
    at timestamptz(3) not null,
    person_id uuid references person,
    actor text not null,
    action text not null,
    subject_kind text,
    subject_id text,
    detail jsonb not null,
    primary key (organization_id, id),
    check ((subject_kind is null) = (subject_id is null))
  )`,
  `create index audit_entry_newest on audit_entry (organization_id, at desc, id desc)`,
  `create trigger audit_entry_append_only before update or delete on audit_entry
    for each row execute function append_only()`,
  `create trigger audit_entry_no_truncate before truncate on audit_entry
    for each statement execute function append_only()`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
