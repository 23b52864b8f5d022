/**
 * How a command learns that a server has its database before it sends anybody there with a sign-in link: it names the
 * link by its hash and asks with a number of its own, and only a process with the key of the installation can answer.
 * The link itself is not told, so a program that has taken the server's port learns nothing that signs in.
 */
import { createHmac } from "node:crypto"

/** Random bytes of a challenge. */
export const challengeBytes = 32

/** Whether a text has the form of a challenge: 64 hex digits. */
export const isWellFormedChallenge = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** The answer for a link that works, 64 hex digits: HMAC-SHA256 with a key that follows from the installation's. */
export const proveLink = (cursorKey: Uint8Array, hash: Uint8Array, challenge: string): string => {
  const key = createHmac("sha256", cursorKey).update("sov sign-in link").digest()
  return createHmac("sha256", key).update(hash).update(challenge).digest("hex")
}
