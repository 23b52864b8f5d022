/** Creates people and their sessions for tests that use the stores. */
import {
  type Act,
  type Actor,
  AuditEntryId,
  AuditLog,
  type EmailAddress,
  formatRandomToken,
  hashRandomToken,
  type LoginLink,
  makeAuditEntry,
  type OrganizationId,
  type Person,
  PersonId,
  PersonStore,
  type Role,
  type Session,
  SessionId,
  SessionStore
} from "@sov/core"
import { at, newId } from "@sov/core/testing"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"

/** A person that is not stored. */
export const personOf = (fields: Partial<Person> = {}) =>
  Effect.map(newId(PersonId), (id): Person => ({
    id,
    name: "Ada Example",
    email: `${id}@People.example` as EmailAddress,
    createdAt: at(1),
    signedInAt: null,
    disabledAt: null,
    ...fields
  }))

/** Stores a person. */
export const seedPerson = Effect.fnUntraced(function*(fields: Partial<Person> = {}) {
  const person = yield* personOf(fields)
  yield* (yield* PersonStore).create(person)
  return person
})

/** Stores a person who is a member of the organization. */
export const seedMember = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  role: Role = "owner",
  fields: Partial<Person> = {}
) {
  const person = yield* seedPerson(fields)
  yield* (yield* PersonStore).addMember(organizationId, person.id, role, at(1))
  return person
})

/** Adds this number of invitations by the person to the audit log. */
export const seedInvitations = Effect.fnUntraced(
  function*(organizationId: OrganizationId, { id, name }: Person, count: number, sentAt: Date) {
    const actor: Actor = { kind: "person", name, personId: id }
    const act: Act = { action: "member.invited", subjectId: id, detail: { name, role: "viewer" } }
    const entries = yield* Effect.forEach(
      Array.from({ length: count }),
      () => Effect.map(newId(AuditEntryId), (entryId) => makeAuditEntry(entryId, sentAt, actor, act))
    )
    yield* (yield* AuditLog).record(organizationId, entries)
  }
)

/** A new token and its hash. */
export const newToken = Effect.gen(function*() {
  const token = formatRandomToken(yield* (yield* SecureRandom.SecureRandom).randomBytes(32))
  return { token, hash: hashRandomToken(token) }
})

/** Stores a sign-in link that is valid for ten minutes. */
export const seedLink = Effect.fnUntraced(function*(personId: PersonId, fields: Partial<LoginLink> = {}) {
  const link: LoginLink = {
    personId,
    purpose: "console",
    madeBy: null,
    knownTo: [],
    createdAt: at(0),
    expiresAt: at(600),
    usedAt: null,
    ...fields
  }
  const made = yield* newToken
  yield* (yield* SessionStore).insertLink(link, made.hash)
  return { link, ...made }
})

/** Stores a session. */
export const seedSession = Effect.fnUntraced(function*(personId: PersonId, fields: Partial<Session> = {}) {
  const session: Session = {
    id: yield* newId(SessionId),
    personId,
    method: "mail",
    madeBy: null,
    knownTo: [],
    agent: "Firefox on Linux",
    createdAt: at(0),
    seenAt: at(0),
    expiresAt: at(2_592_000),
    ...fields
  }
  const made = yield* newToken
  yield* (yield* SessionStore).insertSession(session, made.hash)
  return { session, ...made }
})

/** Stores a person with an identity, who owns the organization, and one entry in its audit log. */
export const seedMembership = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const person = yield* seedMember(organizationId)
  yield* (yield* PersonStore).addIdentity(person.id, { issuer: "https://id.example", subject: person.id }, at(1))
  yield* sql`insert into audit_entry ${
    sql.insert({
      organization_id: organizationId,
      id: yield* newId(AuditEntryId),
      at: at(2),
      person_id: person.id,
      actor_kind: "person",
      actor: person.name,
      action: "member.role",
      subject_kind: "person",
      subject_id: person.id,
      detail: "{}"
    })
  }`
  return person.id
})
