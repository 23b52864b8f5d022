/** Members of an organization as clients see them. */
import type { Member } from "../domain/people/Person.ts"

/** A member as lists show it. `status` is `invited` until the first sign-in. */
export const memberJson = ({ createdAt, person, role }: Member) => ({
  id: person.id,
  name: person.name,
  email: person.email,
  role,
  status: person.signedInAt === null ? "invited" as const : "active" as const,
  created_at: createdAt.toISOString(),
  signed_in_at: person.signedInAt?.toISOString() ?? null
})
