import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { OrganizationId, PersonId } from "../../../domain/ids.ts"
import type { Identity, Member, Person } from "../../../domain/people/Person.ts"
import type { Role } from "../../../domain/people/Role.ts"
import { LastOwner, PersonExists, PersonStore } from "../../../ports/PersonStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { membershipFromRow, type MembershipRow, personFromRow, type PersonRow } from "./personRow.ts"

interface MemberRow extends PersonRow {
  readonly role: string
  readonly member_since: Date
  readonly member_name: string | null
  readonly member_signed_in_at: Date | null
}

const memberFromRow = (row: MemberRow): Member => ({
  person: personFromRow({ ...row, name: row.member_name ?? row.name, signed_in_at: row.member_signed_in_at }),
  role: row.role as Role,
  createdAt: row.member_since
})

const firstPerson = (rows: ReadonlyArray<PersonRow>): Person | null =>
  rows[0] === undefined ? null : personFromRow(rows[0])

/** A member beside what the organization knows of the person. Each sign-in has its entry in the audit log of each. */
const memberColumns = `p.*, m.role, m.created_at as member_since, m.name as member_name, (
  select max(e.at) from audit_entry e
  where e.organization_id = m.organization_id and e.person_id = m.person_id and e.action = 'session.started'
    and e.at >= m.created_at
) as member_signed_in_at`

/** People in tables `person`, `person_identity` and `membership`. */
export const PgPersonStore = Layer.effect(
  PersonStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const memberShown = sql.literal(memberColumns)

    /**
     * Runs `change` of a member who has a role, unless it would take the last owner away. The rows of all owners stay
     * locked meanwhile, so of two owners who leave at once the second one sees that the first has gone.
     */
    const changeMember = (
      organizationId: OrganizationId,
      id: PersonId,
      role: Role | null,
      change: Effect.Effect<unknown, SqlError.SqlError>
    ) =>
      sql.withTransaction(Effect.gen(function*() {
        const locked = yield* sql<{ readonly person_id: string; readonly role: string }>`
          select person_id, role from membership
          where organization_id = ${organizationId} and (role = 'owner' or person_id = ${id})
          order by person_id for update
        `
        const member = locked.find((row) => row.person_id === id)
        if (member === undefined) return null
        const takesOwner = member.role === "owner" && role !== "owner"
        if (takesOwner && !locked.some((row) => row.role === "owner" && row.person_id !== id)) {
          return yield* new LastOwner()
        }
        yield* change
        return member.role as Role
      }))

    return PersonStore.of({
      create: Effect.fnUntraced(function*(person) {
        const created = yield* sql`insert into person ${
          sql.insert({
            id: person.id,
            name: person.name,
            email: person.email,
            created_at: person.createdAt,
            signed_in_at: person.signedInAt,
            disabled_at: person.disabledAt
          })
        } on conflict do nothing returning id`.pipe(withStoreErrors("create person"))
        if (created.length === 0) return yield* new PersonExists()
      }),

      find: (id) =>
        sql<PersonRow>`select * from person where id = ${id}`.pipe(
          Effect.map(firstPerson),
          withStoreErrors("find person")
        ),

      findByEmail: (email) =>
        sql<PersonRow>`select * from person where lower(email) = lower(${email})`.pipe(
          Effect.map(firstPerson),
          withStoreErrors("find person")
        ),

      findByIdentity: ({ issuer, subject }) =>
        sql<PersonRow>`
          select p.* from person_identity i join person p on p.id = i.person_id
          where i.issuer = ${issuer} and i.subject = ${subject}
        `.pipe(Effect.map(firstPerson), withStoreErrors("find person")),

      addIdentity: (id, { issuer, subject }, at) =>
        sql`
          insert into person_identity (issuer, subject, person_id, created_at)
          select ${issuer}::text, ${subject}::text, ${id}::uuid, ${at}::timestamptz
          where not exists (select from person_identity where person_id = ${id} and issuer = ${issuer})
          on conflict do nothing returning person_id
        `.pipe(Effect.map((rows) => rows.length === 1), withStoreErrors("add identity")),

      listIdentities: (id) =>
        sql<{ readonly issuer: string; readonly subject: string; readonly created_at: Date }>`
          select issuer, subject, created_at from person_identity where person_id = ${id} order by created_at, issuer
        `.pipe(
          Effect.map((rows) =>
            rows.map(({ created_at: createdAt, issuer, subject }) => ({ issuer, subject, createdAt }))
          ),
          withStoreErrors("list identities")
        ),

      removeIdentity: (id, issuer) =>
        sql<Identity>`
          delete from person_identity where person_id = ${id} and issuer = ${issuer} returning issuer, subject
        `.pipe(Effect.map(([row]) => row ?? null), withStoreErrors("remove identity")),

      // Not "for update": rows that refer to the person, such as entries of the audit log, do not wait
      lock: (id) =>
        sql<PersonRow>`select * from person where id = ${id} for no key update`.pipe(
          Effect.map(firstPerson),
          withStoreErrors("lock person")
        ),

      recordSignIn: (id, at) =>
        sql`update person set signed_in_at = greatest(signed_in_at, ${at}) where id = ${id}`.pipe(
          Effect.asVoid,
          withStoreErrors("record sign-in")
        ),

      listMemberships: (id) =>
        sql<MembershipRow>`
          select o.*, m.role, coalesce(m.name, p.name) as member_name
          from membership m join organization o on o.id = m.organization_id join person p on p.id = m.person_id
          where m.person_id = ${id} order by o.created_at, o.id
        `.pipe(Effect.map((rows) => rows.map(membershipFromRow)), withStoreErrors("list memberships")),

      listMembers: (organizationId) =>
        sql<MemberRow>`
          select ${memberShown} from membership m join person p on p.id = m.person_id
          where m.organization_id = ${organizationId} order by m.created_at, p.id
        `.pipe(Effect.map((rows) => rows.map(memberFromRow)), withStoreErrors("list members")),

      findMember: (organizationId, id) =>
        sql<MemberRow>`
          select ${memberShown} from membership m join person p on p.id = m.person_id
          where m.organization_id = ${organizationId} and m.person_id = ${id}
        `.pipe(
          Effect.map(([row]) => row === undefined ? null : memberFromRow(row)),
          withStoreErrors("find member")
        ),

      addMember: (organizationId, id, role, at, name) =>
        sql`
          insert into membership ${
          sql.insert({ organization_id: organizationId, person_id: id, role, created_at: at, name: name ?? null })
        } on conflict do nothing returning person_id
        `.pipe(Effect.map((rows) => rows.length === 1), withStoreErrors("add member")),

      setRole: (organizationId, id, role) =>
        changeMember(
          organizationId,
          id,
          role,
          sql`update membership set role = ${role} where organization_id = ${organizationId} and person_id = ${id}`
        ).pipe(withStoreErrors("set role")),

      removeMember: (organizationId, id) =>
        changeMember(
          organizationId,
          id,
          null,
          sql`delete from membership where organization_id = ${organizationId} and person_id = ${id}`
        ).pipe(withStoreErrors("remove member"))
    })
  })
)
