/** Rows of table `person`, and of `membership` with the joined columns. */
import { Schema } from "effect"
import { Organization } from "../../../domain/organizations/Organization.ts"
import { Person } from "../../../domain/people/Person.ts"
import { Role } from "../../../domain/people/Role.ts"
import { mapRow, rowOf } from "../rows.ts"

/** A row of table `person`. */
export const PersonRow = rowOf(Person.fields)

/** An organization with the person's role and name in it. */
export const MembershipRow = rowOf({ ...Organization.fields, role: Role, memberName: Schema.String }).pipe(
  mapRow(({ memberName: name, role, ...organization }) => ({ organization, role, name }))
)
