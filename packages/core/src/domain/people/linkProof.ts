/**
 * Lets a command check that a server uses its database before it opens a sign-in link there. The command names the link
 * by its hash and sends a random challenge, and only a process with the key of the installation can answer. The link
 * itself is not sent, so a program that has taken the server's port learns nothing that it could sign in with.
 */
import { createHmac } from "node:crypto"

/** Number of random bytes in a challenge. */
export const challengeBytes = 32

/** Whether a text has the format of a challenge: 64 hex digits. */
export const isWellFormedChallenge = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/**
 * The answer to a challenge for a valid link, 64 hex digits: HMAC-SHA256 with a key derived from the installation's
 * key.
 */
export const proveLink = (cursorKey: Uint8Array, hash: Uint8Array, challenge: string): string => {
  const key = createHmac("sha256", cursorKey).update("sov sign-in link").digest()
  return createHmac("sha256", key).update(hash).update(challenge).digest("hex")
}
