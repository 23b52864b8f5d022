/**
 * Tokens of sign-in links, sessions and share links: 32 random bytes in base64url, 43 characters. The database stores
 * only their SHA-256; with 256 random bits no slow hash is needed.
 */
import { createHash } from "node:crypto"

/** Number of random bytes in a token. */
export const randomTokenBytes = 32

/** Formats `randomTokenBytes` random bytes as a token. */
export const formatRandomToken = (random: Uint8Array): string => Buffer.from(random).toString("base64url")

/** Whether a string has the format of a token. Other strings are refused without a query. */
export const isWellFormedRandomToken = (token: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(token)

/** SHA-256 of the token; only this hash is stored. */
export const hashRandomToken = (token: string): Uint8Array => createHash("sha256").update(token).digest()
