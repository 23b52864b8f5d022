import { Duration, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { PersonId } from "../../domain/ids.ts"
import { linkLifetimes, type LinkPurpose, type LoginLink } from "../../domain/people/LoginLink.ts"
import { formatSignInToken, hashSignInToken, signInTokenBytes } from "../../domain/people/signInToken.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { now } from "../now.ts"

/** A new token of a link or a session. */
export const newSignInToken = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  return formatSignInToken(yield* random.randomBytes(signInTokenBytes))
})

/** Makes a link that signs the person in once. `token` is stored nowhere. */
export const makeLink = Effect.fnUntraced(function*(personId: PersonId, purpose: LinkPurpose, madeBy: PersonId | null) {
  const token = yield* newSignInToken
  const createdAt = yield* now
  const expiresAt = new Date(createdAt.getTime() + Duration.toMillis(linkLifetimes[purpose]))
  const link: LoginLink = { personId, purpose, madeBy, createdAt, expiresAt, usedAt: null }
  yield* (yield* SessionStore).insertLink(link, hashSignInToken(token))
  return { link, token }
})
