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

/** The response to an invitation, with the link if no e-mail was sent. */
export const invitedMemberJson = ({ added, expiresAt, mailed, person, role, url }: Pick<Member, "person" | "role"> & {
  readonly added: boolean
  readonly mailed: boolean
  readonly url: string | null
  readonly expiresAt: Date | null
}) => ({
  id: person.id,
  name: person.name,
  email: person.email,
  role,
  added,
  mailed,
  url,
  expires_at: expiresAt?.toISOString() ?? null
})
