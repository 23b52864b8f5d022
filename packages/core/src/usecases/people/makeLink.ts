import { Duration, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Actor } from "../../domain/audit/Actor.ts"
import type { Act } from "../../domain/audit/AuditEntry.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { linkLifetimes, type LinkPurpose, type LoginLink } from "../../domain/people/LoginLink.ts"
import type { Person } from "../../domain/people/Person.ts"
import { formatRandomToken, hashRandomToken, randomTokenBytes } from "../../domain/randomToken.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { recordActs } from "../audit/recordActs.ts"
import { now } from "../now.ts"

/** Creates a new token for a link or a session. */
export const newSecretToken = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  return formatRandomToken(yield* random.randomBytes(randomTokenBytes))
})

/** Creates a link that signs the person in once; `maker` is null if only the person knows it. `token` is not stored. */
export const makeLink = Effect.fnUntraced(function*(
  { id: personId }: Pick<Person, "id">,
  purpose: LinkPurpose,
  maker: Pick<Actor, "personId" | "knownTo"> | null
) {
  const token = yield* newSecretToken
  const createdAt = yield* now
  const expiresAt = new Date(createdAt.getTime() + Duration.toMillis(linkLifetimes[purpose]))
  const madeBy = maker?.personId ?? null
  const knownTo = maker?.knownTo ?? []
  const link: LoginLink = { personId, purpose, madeBy, knownTo, createdAt, expiresAt, usedAt: null }
  yield* (yield* SessionStore).insertLink(link, hashRandomToken(token))
  return { link, token }
})

/** The act of creating a link for the person. */
export const makeLinkCreatedAct = ({ id, name }: Pick<Person, "id" | "name">, purpose: LinkPurpose): Act => ({
  action: "link.created",
  subjectId: id,
  detail: { name, purpose }
})

/** Records in these organizations that the person got a link. */
export const recordLink = (
  organizations: ReadonlyArray<OrganizationId>,
  person: Pick<Person, "id" | "name">,
  purpose: LinkPurpose
) => Effect.forEach(organizations, (one) => recordActs(one, [makeLinkCreatedAct(person, purpose)]), { discard: true })
