import { Organization } from "../../../domain/organizations/Organization.ts"
import { rowOf } from "../rows.ts"

/** A row of table `organization`. */
export const OrganizationRow = rowOf(Organization.fields)
