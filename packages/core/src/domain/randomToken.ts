/**
 * Tokens of sign-in links, sessions and share links: 32 random bytes in base64url, 43 characters. The database holds
 * their sha256 only; with 256 random bits no slow hash is needed.
 */
import { createHash } from "node:crypto"

/** Random bytes of a token. */
export const randomTokenBytes = 32

/** A token from `randomTokenBytes` random bytes. */
export const formatRandomToken = (random: Uint8Array): string => Buffer.from(random).toString("base64url")

/** Whether a string has a token's form: other strings cost no query. */
export const isWellFormedRandomToken = (token: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(token)

/** sha256 of the token: what is stored. */
export const hashRandomToken = (token: string): Uint8Array => createHash("sha256").update(token).digest()
