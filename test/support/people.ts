/** Rows of people for tests of the database itself. */
import { AuditEntryId, type OrganizationId, PersonId } from "@sov/core"
import { at, newId } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A person with an identity, who owns the organization, and one entry of its audit log. */
export const seedMembership = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const [personId, entryId] = [yield* newId(PersonId), yield* newId(AuditEntryId)]
  yield* sql`insert into person ${sql.insert({ id: personId, name: "Ada", created_at: at(1) })}`
  yield* sql`insert into person_identity ${
    sql.insert({ issuer: "https://id.example", subject: personId, person_id: personId, created_at: at(1) })
  }`
  yield* sql`insert into membership ${
    sql.insert({ organization_id: organizationId, person_id: personId, role: "owner", created_at: at(1) })
  }`
  yield* sql`insert into audit_entry ${
    sql.insert({
      organization_id: organizationId,
      id: entryId,
      at: at(2),
      person_id: personId,
      actor_kind: "person",
      actor: "Ada",
      action: "member.role",
      subject_kind: "person",
      subject_id: personId,
      detail: "{}"
    })
  }`
  return personId
})
