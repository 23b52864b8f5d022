import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { challengeBytes, proveLink } from "../../domain/people/linkProof.ts"
import { hashRandomToken } from "../../domain/randomToken.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"

/**
 * Creates a question for a server, and the answer that a server with this database and link would give (`linkProof`).
 * The question does not contain the link.
 */
export const makeLinkQuestion = Effect.fn("makeLinkQuestion")(function*(token: string) {
  const random = yield* SecureRandom.SecureRandom
  const challenge = Buffer.from(yield* random.randomBytes(challengeBytes)).toString("hex")
  const hash = hashRandomToken(token)
  return {
    path: `/login/check/${Buffer.from(hash).toString("hex")}?challenge=${challenge}` as const,
    answer: proveLink((yield* (yield* InstanceStore).readCursorKeys)[0], hash, challenge)
  }
})

export type LinkQuestion = Effect.Success<ReturnType<typeof makeLinkQuestion>>
