import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { OrganizationId, PersonId } from "../../../domain/ids.ts"
import type { Member, Person } from "../../../domain/people/Person.ts"
import type { Role } from "../../../domain/people/Role.ts"
import { LastOwner, PersonExists, PersonStore } from "../../../ports/PersonStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { membershipFromRow, type MembershipRow, personFromRow, type PersonRow } from "./personRow.ts"

interface MemberRow extends PersonRow {
  readonly role: string
  readonly member_since: Date
}

const memberFromRow = (row: MemberRow): Member => ({
  person: personFromRow(row),
  role: row.role as Role,
  createdAt: row.member_since
})

const firstPerson = (rows: ReadonlyArray<PersonRow>): Person | null =>
  rows[0] === undefined ? null : personFromRow(rows[0])

/** People in tables `person`, `person_identity` and `membership`. */
export const PgPersonStore = Layer.effect(
  PersonStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient

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

      lock: (id) =>
        sql<PersonRow>`select * from person where id = ${id} for update`.pipe(
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
          select o.*, m.role from membership m join organization o on o.id = m.organization_id
          where m.person_id = ${id} order by o.created_at, o.id
        `.pipe(Effect.map((rows) => rows.map(membershipFromRow)), withStoreErrors("list memberships")),

      listMembers: (organizationId) =>
        sql<MemberRow>`
          select p.*, m.role, m.created_at as member_since from membership m join person p on p.id = m.person_id
          where m.organization_id = ${organizationId} order by m.created_at, p.id
        `.pipe(Effect.map((rows) => rows.map(memberFromRow)), withStoreErrors("list members")),

      findMember: (organizationId, id) =>
        sql<MemberRow>`
          select p.*, m.role, m.created_at as member_since from membership m join person p on p.id = m.person_id
          where m.organization_id = ${organizationId} and m.person_id = ${id}
        `.pipe(
          Effect.map(([row]) => row === undefined ? null : memberFromRow(row)),
          withStoreErrors("find member")
        ),

      addMember: (organizationId, id, role, at) =>
        sql`
          insert into membership ${
          sql.insert({ organization_id: organizationId, person_id: id, role, created_at: at })
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
