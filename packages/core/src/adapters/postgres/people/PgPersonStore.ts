import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { type OrganizationId, PersonId } from "../../../domain/ids.ts"
import { Person } from "../../../domain/people/Person.ts"
import { Role } from "../../../domain/people/Role.ts"
import { LastOwner, PersonExists, PersonStore } from "../../../ports/PersonStore.ts"
import { decodeFirst, decodeRows, mapRow, rowOf, toColumns } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { MembershipRow, PersonRow } from "./personRow.ts"

const MemberRow = rowOf({ ...Person.fields, role: Role, memberSince: Schema.Date }, {
  name: "member_name",
  signedInAt: "member_signed_in_at"
}).pipe(mapRow(({ memberSince: createdAt, role, ...person }) => ({ person, role, createdAt })))

const identity = { issuer: Schema.String, subject: Schema.String }
const IdentityRow = rowOf(identity)
const AttachedRow = rowOf({ ...identity, createdAt: Schema.Date })
const LockedRow = rowOf({ personId: PersonId, role: Role })

/**
 * Columns of a member, with the name that the organization uses. The time of the last sign-in comes from the audit log:
 * every sign-in is recorded in the logs of all the person's organizations.
 */
const memberColumns = `p.*, m.role, m.created_at as member_since, coalesce(m.name, p.name) as member_name, (
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
     * Runs `change` on a member who has a role, unless it would remove the last owner. The rows of all owners stay
     * locked until the end, so if two owners leave at once, the second one sees that the first is gone.
     */
    const changeMember = (
      organizationId: OrganizationId,
      id: PersonId,
      role: Role | null,
      change: Effect.Effect<unknown, SqlError.SqlError>
    ) =>
      sql.withTransaction(Effect.gen(function*() {
        const locked = yield* sql`
          select person_id, role from membership
          where organization_id = ${organizationId} and (role = 'owner' or person_id = ${id})
          order by person_id for update
        `.pipe(decodeRows(LockedRow))
        const member = locked.find((row) => row.personId === id)
        if (member === undefined) return null
        const takesOwner = member.role === "owner" && role !== "owner"
        if (takesOwner && !locked.some((row) => row.role === "owner" && row.personId !== id)) {
          return yield* new LastOwner()
        }
        yield* change
        return member.role
      }))

    return PersonStore.of({
      create: Effect.fnUntraced(function*(person) {
        const created = yield* sql`insert into person ${
          sql.insert(toColumns(Person.fields, person))
        } on conflict do nothing returning id`.pipe(withStoreErrors("create person"))
        if (created.length === 0) return yield* new PersonExists()
      }),

      find: (id) =>
        sql`select * from person where id = ${id}`.pipe(
          decodeFirst(PersonRow),
          withStoreErrors("find person")
        ),

      findByEmail: (email) =>
        sql`select * from person where lower(email) = lower(${email})`.pipe(
          decodeFirst(PersonRow),
          withStoreErrors("find person")
        ),

      findByIdentity: ({ issuer, subject }) =>
        sql`
          select p.* from person_identity i join person p on p.id = i.person_id
          where i.issuer = ${issuer} and i.subject = ${subject}
        `.pipe(decodeFirst(PersonRow), withStoreErrors("find person")),

      addIdentity: (id, { issuer, subject }, at) =>
        sql`
          insert into person_identity (issuer, subject, person_id, created_at)
          select ${issuer}::text, ${subject}::text, ${id}::uuid, ${at}::timestamptz
          where not exists (select from person_identity where person_id = ${id} and issuer = ${issuer})
          on conflict do nothing returning person_id
        `.pipe(Effect.map((rows) => rows.length === 1), withStoreErrors("add identity")),

      listIdentities: (id) =>
        sql`
          select issuer, subject, created_at from person_identity where person_id = ${id} order by created_at, issuer
        `.pipe(
          decodeRows(AttachedRow),
          withStoreErrors("list identities")
        ),

      removeIdentity: (id, issuer) =>
        sql`
          delete from person_identity where person_id = ${id} and issuer = ${issuer} returning issuer, subject
        `.pipe(decodeFirst(IdentityRow), withStoreErrors("remove identity")),

      // Not "for update", because inserts of rows that refer to the person, such as audit entries, must not wait
      lock: (id) =>
        sql`select * from person where id = ${id} for no key update`.pipe(
          decodeFirst(PersonRow),
          withStoreErrors("lock person")
        ),

      recordSignIn: (id, at) =>
        sql`update person set signed_in_at = greatest(signed_in_at, ${at}) where id = ${id}`.pipe(
          Effect.asVoid,
          withStoreErrors("record sign-in")
        ),

      listMemberships: (id) =>
        sql`
          select o.*, m.role, coalesce(m.name, p.name) as member_name
          from membership m join organization o on o.id = m.organization_id join person p on p.id = m.person_id
          where m.person_id = ${id} order by o.created_at, o.id
        `.pipe(decodeRows(MembershipRow), withStoreErrors("list memberships")),

      listMembers: (organizationId) =>
        sql`
          select ${memberShown} from membership m join person p on p.id = m.person_id
          where m.organization_id = ${organizationId} order by m.created_at, p.id
        `.pipe(decodeRows(MemberRow), withStoreErrors("list members")),

      findMember: (organizationId, id) =>
        sql`
          select ${memberShown} from membership m join person p on p.id = m.person_id
          where m.organization_id = ${organizationId} and m.person_id = ${id}
        `.pipe(
          decodeFirst(MemberRow),
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
