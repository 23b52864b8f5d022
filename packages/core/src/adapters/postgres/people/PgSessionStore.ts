import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { PersonId, SessionId } from "../../../domain/ids.ts"
import type { LinkPurpose, LoginLink } from "../../../domain/people/LoginLink.ts"
import type { Session, SignInMethod } from "../../../domain/people/Session.ts"
import { type FoundSession, SessionStore } from "../../../ports/SessionStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray } from "../values.ts"
import { membershipFromRow, type MembershipRow, personFromRow, type PersonRow } from "./personRow.ts"

interface LinkRow {
  readonly person_id: string
  readonly purpose: string
  readonly made_by: string | null
  readonly known_to: ReadonlyArray<string>
  readonly created_at: Date
  readonly expires_at: Date
  readonly used_at: Date | null
}

interface SessionRow {
  readonly id: string
  readonly person_id: string
  readonly method: string
  readonly made_by: string | null
  readonly known_to: ReadonlyArray<string>
  readonly agent: string
  readonly created_at: Date
  readonly seen_at: Date
  readonly expires_at: Date
}

/** A session beside its person and one organization: a row a membership, or one row without any. */
interface FoundRow
  extends
    Omit<SessionRow, keyof MembershipRow>,
    Omit<PersonRow, keyof MembershipRow>,
    Omit<MembershipRow, "role" | "member_name">
{
  readonly role: string | null
  readonly member_name: string | null
  readonly session_id: string
  readonly session_created_at: Date
  readonly person_name: string
  readonly person_created_at: Date
}

const linkFromRow = (row: LinkRow): LoginLink => ({
  personId: row.person_id as PersonId,
  purpose: row.purpose as LinkPurpose,
  madeBy: row.made_by as PersonId | null,
  knownTo: row.known_to as ReadonlyArray<PersonId>,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  usedAt: row.used_at
})

const sessionFromRow = (row: SessionRow): Session => ({
  id: row.id as SessionId,
  personId: row.person_id as PersonId,
  method: row.method as SignInMethod,
  madeBy: row.made_by as PersonId | null,
  knownTo: row.known_to as ReadonlyArray<PersonId>,
  agent: row.agent,
  createdAt: row.created_at,
  seenAt: row.seen_at,
  expiresAt: row.expires_at
})

const firstLink = (rows: ReadonlyArray<LinkRow>): LoginLink | null =>
  rows[0] === undefined ? null : linkFromRow(rows[0])
const firstSession = (rows: ReadonlyArray<SessionRow>): Session | null =>
  rows[0] === undefined ? null : sessionFromRow(rows[0])

const foundFromRows = (rows: ReadonlyArray<FoundRow>): FoundSession | null => {
  const [row] = rows
  if (row === undefined) return null
  return {
    session: sessionFromRow({ ...row, id: row.session_id, created_at: row.session_created_at }),
    person: personFromRow({
      ...row,
      id: row.person_id,
      name: row.person_name,
      created_at: row.person_created_at
    }),
    memberships: rows.flatMap(({ member_name, role, ...one }) =>
      role === null ? [] : [membershipFromRow({ ...one, role, member_name: member_name ?? row.person_name })]
    )
  }
}

const linkColumns = "l.person_id, l.purpose, l.made_by, l.known_to, l.created_at, l.expires_at, l.used_at"
const sessionColumns = "id, person_id, method, made_by, known_to, agent, created_at, seen_at, expires_at"

/** Links and sessions by the hashes of their tokens in tables `login_link` and `session`. */
export const PgSessionStore = Layer.effect(
  SessionStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const linkShown = sql.literal(linkColumns)
    const shown = sql.literal(sessionColumns)
    /** Whether somebody beside these may know the link, or the one by which the session began. */
    const knownToOthers = (id: PersonId, trusted: ReadonlyArray<PersonId>) =>
      sql`not array_remove(known_to || made_by, null) <@ ${formatUuidArray([id, ...trusted])}::uuid[]`
    return SessionStore.of({
      insertLink: (link, hash) =>
        sql`insert into login_link ${
          sql.insert({
            hash,
            person_id: link.personId,
            purpose: link.purpose,
            made_by: link.madeBy,
            known_to: formatUuidArray(link.knownTo),
            created_at: link.createdAt,
            expires_at: link.expiresAt,
            used_at: link.usedAt
          })
        }`.pipe(Effect.asVoid, withStoreErrors("add link")),

      findLink: (hash) =>
        sql<LinkRow>`select ${linkShown} from login_link l where hash = ${hash}`.pipe(
          Effect.map(firstLink),
          withStoreErrors("find link")
        ),

      consumeLink: (hash, at) =>
        sql<LinkRow>`
          update login_link l set used_at = ${at} from person p
          where l.hash = ${hash} and l.used_at is null and l.expires_at > ${at}
            and p.id = l.person_id and p.disabled_at is null
          returning ${linkShown}
        `.pipe(Effect.map(firstLink), withStoreErrors("use link")),

      countMailedLinks: (id, since) =>
        sql<{ readonly links: number }>`
          select count(*)::int as links from login_link
          where person_id = ${id} and purpose = 'mail' and created_at > ${since}
        `.pipe(Effect.map(([row]) => row!.links), withStoreErrors("count links")),

      recordMaker: (hash, maker, knownTo) =>
        sql`
          update login_link set made_by = ${maker}, known_to = ${formatUuidArray(knownTo)}
          where hash = ${hash} and used_at is null
        `.pipe(Effect.asVoid, withStoreErrors("record who knows a link")),

      // Rows are locked in one order: two who remove some of the same ones wait for each other
      removeLinks: (id) =>
        sql`
          delete from login_link where hash in (
            select hash from login_link where person_id = ${id} and used_at is null order by hash for update
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
            id: session.id,
            person_id: session.personId,
            method: session.method,
            made_by: session.madeBy,
            known_to: formatUuidArray(session.knownTo),
            agent: session.agent,
            created_at: session.createdAt,
            seen_at: session.seenAt,
            expires_at: session.expiresAt
          })
        }`.pipe(Effect.asVoid, withStoreErrors("add session")),

      findSession: (hash) =>
        sql<FoundRow>`
          select s.id as session_id, s.method, s.made_by, s.known_to, s.agent, s.created_at as session_created_at, s.seen_at,
            s.expires_at, s.person_id, p.name as person_name, p.email, p.created_at as person_created_at, p.signed_in_at, p.disabled_at,
            m.role, m.name as member_name, o.*
          from session s join person p on p.id = s.person_id and p.disabled_at is null
          left join membership m on m.person_id = p.id left join organization o on o.id = m.organization_id
          where s.hash = ${hash} order by o.created_at, o.id
        `.pipe(Effect.map(foundFromRows), withStoreErrors("find session")),

      recordUse: (id, at) =>
        sql`update session set seen_at = greatest(seen_at, ${at}) where id = ${id}`.pipe(
          Effect.asVoid,
          withStoreErrors("record use of session")
        ),

      listSessions: (id) =>
        sql<SessionRow>`
          select ${shown} from session where person_id = ${id} order by seen_at desc, id desc
        `.pipe(Effect.map((rows) => rows.map(sessionFromRow)), withStoreErrors("list sessions")),

      removeByHash: (hash) =>
        sql<SessionRow>`delete from session where hash = ${hash} returning ${shown}`.pipe(
          Effect.map(firstSession),
          withStoreErrors("end session")
        ),

      removeSession: (id, session) =>
        sql<SessionRow>`
          delete from session where person_id = ${id} and id = ${session} returning ${shown}
        `.pipe(Effect.map(firstSession), withStoreErrors("end session")),

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

      // What another one is removing already is left to it
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
