import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { PersonId } from "../../../domain/ids.ts"
import { LoginLink } from "../../../domain/people/LoginLink.ts"
import { Person } from "../../../domain/people/Person.ts"
import { Session } from "../../../domain/people/Session.ts"
import { SessionStore } from "../../../ports/SessionStore.ts"
import { decodeCount, decodeFirst, decodeRows, joinOf, listColumns, mapRow, rowOf, toColumns } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray } from "../values.ts"
import { MembershipRow } from "./personRow.ts"

const LinkRow = rowOf(LoginLink.fields)
const SessionRow = rowOf(Session.fields)

/**
 * A session with its person and one organization: one row per membership, or a single row if the person has no
 * membership.
 */
const FoundRow = joinOf({
  session: rowOf(Session.fields, { id: "session_id", createdAt: "session_created_at" }),
  person: rowOf(Person.fields, { id: "person_id", name: "person_name", createdAt: "person_created_at" }),
  membership: Schema.Union([rowOf({ role: Schema.Null }).pipe(mapRow(() => null)), MembershipRow])
})

/** Sign-in links and sessions in tables `login_link` and `session`, by the hashes of their tokens. */
export const PgSessionStore = Layer.effect(
  SessionStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const linkShown = sql.literal(
      "l.person_id, l.purpose, l.made_by, l.known_to, l.created_at, l.expires_at, l.used_at"
    )
    const shown = sql.literal(listColumns(Session.fields))
    /** Whether anyone else may know the link, or the link that began the session. */
    const knownToOthers = (id: PersonId, trusted: ReadonlyArray<PersonId>) =>
      sql`not array_remove(known_to || made_by, null) <@ ${formatUuidArray([id, ...trusted])}::uuid[]`
    return SessionStore.of({
      insertLink: (link, hash) =>
        sql`insert into login_link ${
          sql.insert({
            hash,
            ...toColumns(LoginLink.fields, link),
            known_to: formatUuidArray(link.knownTo)
          })
        }`.pipe(Effect.asVoid, withStoreErrors("add link")),

      findLink: (hash) =>
        sql`select ${linkShown} from login_link l where hash = ${hash}`.pipe(
          decodeFirst(LinkRow),
          withStoreErrors("find link")
        ),

      consumeLink: (hash, at) =>
        sql`
          update login_link l set used_at = ${at} from person p
          where l.hash = ${hash} and l.used_at is null and l.expires_at > ${at}
            and p.id = l.person_id and p.disabled_at is null
          returning ${linkShown}
        `.pipe(decodeFirst(LinkRow), withStoreErrors("use link")),

      countMailedLinks: (id, since) =>
        sql`
          select count(*)::int as count from login_link
          where person_id = ${id} and purpose = 'mail' and created_at > ${since}
        `.pipe(decodeCount, withStoreErrors("count links")),

      recordMaker: (hash, maker, knownTo) =>
        sql`
          update login_link set made_by = ${maker}, known_to = ${formatUuidArray(knownTo)}
          where hash = ${hash} and used_at is null
        `.pipe(Effect.asVoid, withStoreErrors("record who knows a link")),

      // Locks rows in a fixed order, so that concurrent removals wait for each other instead of deadlocking
      removeLinks: (id, purpose) =>
        sql`
          delete from login_link where hash in (
            select hash from login_link where person_id = ${id} and used_at is null
              and (purpose = ${purpose ?? null} or ${purpose === undefined}) order by hash for update
          )
        `.pipe(Effect.asVoid, withStoreErrors("remove links")),

      removeLinksKnownToOthers: (id, trusted) =>
        sql`
          delete from login_link where hash in (
            select hash from login_link
            where person_id = ${id} and used_at is null and ${knownToOthers(id, trusted)}
            order by hash for update
          )
        `.pipe(Effect.asVoid, withStoreErrors("remove links")),

      removeLinksKnownTo: (id) =>
        sql`
          delete from login_link where hash in (
            select hash from login_link where (made_by = ${id} or ${id} = any(known_to)) and used_at is null
            order by hash for update
          )
        `.pipe(Effect.asVoid, withStoreErrors("remove links")),

      insertSession: (session, hash) =>
        sql`insert into session ${
          sql.insert({
            hash,
            ...toColumns(Session.fields, session),
            known_to: formatUuidArray(session.knownTo)
          })
        }`.pipe(Effect.asVoid, withStoreErrors("add session")),

      findSession: (hash) =>
        sql`
          select s.id as session_id, s.method, s.made_by, s.known_to, s.agent, s.created_at as session_created_at, s.seen_at,
            s.expires_at, s.person_id, p.name as person_name, p.email, p.created_at as person_created_at, p.signed_in_at, p.disabled_at,
            m.role, coalesce(m.name, p.name) as member_name, o.*
          from session s join person p on p.id = s.person_id and p.disabled_at is null
          left join membership m on m.person_id = p.id left join organization o on o.id = m.organization_id
          where s.hash = ${hash} order by o.created_at, o.id
        `.pipe(
          decodeRows(FoundRow),
          Effect.map((rows) =>
            rows[0] === undefined ? null : {
              session: rows[0].session,
              person: rows[0].person,
              memberships: rows.flatMap(({ membership }) => membership ?? [])
            }
          ),
          withStoreErrors("find session")
        ),

      recordUse: (id, at) =>
        sql`update session set seen_at = greatest(seen_at, ${at}) where id = ${id}`.pipe(
          Effect.asVoid,
          withStoreErrors("record use of session")
        ),

      listSessions: (id) =>
        sql`
          select ${shown} from session where person_id = ${id} order by seen_at desc, id desc
        `.pipe(decodeRows(SessionRow), withStoreErrors("list sessions")),

      removeByHash: (hash) =>
        sql`delete from session where hash = ${hash} returning ${shown}`.pipe(
          decodeFirst(SessionRow),
          withStoreErrors("end session")
        ),

      removeSession: (id, session) =>
        sql`
          delete from session where person_id = ${id} and id = ${session} returning ${shown}
        `.pipe(decodeFirst(SessionRow), withStoreErrors("end session")),

      removeSessions: (id) =>
        sql`
          delete from session where hash in (
            select hash from session where person_id = ${id} order by hash for update
          ) returning id
        `.pipe(Effect.map((rows) => rows.length), withStoreErrors("end sessions")),

      removeSessionsKnownToOthers: (id, trusted) =>
        sql`
          delete from session where hash in (
            select hash from session where person_id = ${id} and ${knownToOthers(id, trusted)} order by hash for update
          ) returning id
        `.pipe(Effect.map((rows) => rows.length), withStoreErrors("end sessions")),

      removeSessionsKnownTo: (id) =>
        sql`
          delete from session where hash in (
            select hash from session where (made_by = ${id} or ${id} = any(known_to)) and person_id <> ${id}
            order by hash for update
          ) returning id
        `.pipe(Effect.map((rows) => rows.length), withStoreErrors("end sessions")),

      // Skips rows that another process is removing
      prune: ({ endedBefore, seenBefore }) =>
        sql`
          with links as (
            delete from login_link where hash in (
              select hash from login_link where expires_at < ${endedBefore} for update skip locked
            )
          )
          delete from session where hash in (
            select hash from session where expires_at < ${endedBefore} or seen_at < ${seenBefore} for update skip locked
          )
        `.pipe(Effect.asVoid, withStoreErrors("remove ended sessions"))
    })
  })
)
