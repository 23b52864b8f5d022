import { Effect } from "effect"
import { isWellFormedChallenge, proveLink } from "../../domain/people/linkProof.ts"
import { isLinkUsable } from "../../domain/people/LoginLink.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { LinkRefused } from "../errors.ts"
import { now } from "../now.ts"

/**
 * Proves to a command that this server uses the command's database. `hash` is the hex hash of the command's link, which
 * stays unused. Fails with LinkRefused for a link that does not work here and for a malformed question.
 */
export const answerLinkQuestion = Effect.fn("answerLinkQuestion")(function*(hash: string, challenge: string) {
  if (!/^[0-9a-f]{64}$/.test(hash) || !isWellFormedChallenge(challenge)) return yield* new LinkRefused()
  const bytes = Buffer.from(hash, "hex")
  const link = yield* (yield* SessionStore).findLink(bytes)
  if (link === null || !isLinkUsable(link, yield* now)) return yield* new LinkRefused()
  return proveLink((yield* (yield* InstanceStore).readCursorKeys)[0], bytes, challenge)
})
