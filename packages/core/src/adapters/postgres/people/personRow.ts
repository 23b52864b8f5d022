/** Rows of table `person`, and of `membership` beside what they join. */
import type { PersonId } from "../../../domain/ids.ts"
import type { EmailAddress } from "../../../domain/mail/EmailAddress.ts"
import type { Membership, Person } from "../../../domain/people/Person.ts"
import type { Role } from "../../../domain/people/Role.ts"
import { organizationFromRow, type OrganizationRow } from "../organizations/organizationRow.ts"

/** A row of table `person`. */
export interface PersonRow {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly created_at: Date
  readonly signed_in_at: Date | null
  readonly disabled_at: Date | null
}

/** The person of a row. */
export const personFromRow = (row: PersonRow): Person => ({
  id: row.id as PersonId,
  name: row.name,
  email: row.email as EmailAddress | null,
  createdAt: row.created_at,
  signedInAt: row.signed_in_at,
  disabledAt: row.disabled_at
})

/** An organization beside the role and the name that the person has there. */
export interface MembershipRow extends OrganizationRow {
  readonly role: string
  readonly member_name: string
}

/** The membership of a row. */
export const membershipFromRow = (row: MembershipRow): Membership => ({
  organization: organizationFromRow(row),
  role: row.role as Role,
  name: row.member_name
})
