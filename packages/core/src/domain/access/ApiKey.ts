/**
 * API keys: `sov_live_` + 43 base62 characters (256 random bits) + 6 base62 characters with the CRC32 of everything
 * before them, like GitHub's tokens: secret scanners recognise a leaked key, and a mistyped one is refused without a
 * query.
 */
import { Duration, Schema } from "effect"
import { hash } from "node:crypto"
import { ApiKeyId } from "../ids.ts"

/** What a key may do: `read` everything that the API and the tool server return · `scan` start scans. */
export const keyScopes = ["read", "scan"] as const
export const KeyScope = Schema.Literals(keyScopes).annotate({ message: `must be ${keyScopes.join(" or ")}` })
export type KeyScope = typeof KeyScope.Type

/** The stored and displayed data of a key; the key itself is shown once and never stored. */
export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  name: Schema.String,
  /** First 13 characters, to recognise the key by. */
  prefix: Schema.String,
  lastFour: Schema.String,
  /** At least one scope, in the order of `keyScopes`. */
  scopes: Schema.Array(KeyScope),
  createdAt: Schema.Date,
  expiresAt: Schema.NullOr(Schema.Date),
  /** True if another key replaced this key, which expires at the end of the grace period or earlier. */
  rolled: Schema.Boolean,
  revokedAt: Schema.NullOr(Schema.Date),
  lastUsedAt: Schema.NullOr(Schema.Date)
})
export type ApiKey = typeof ApiKey.Type

/** How long the old key works after a roll, unless the caller sets a grace period. */
export const defaultGrace = Duration.hours(24)
/** The longest grace period that a roll accepts. */
export const maxGrace = Duration.days(30)

/** Whether the key is valid at that time: neither revoked nor expired. */
export const isUsable = ({ expiresAt, revokedAt }: Pick<ApiKey, "expiresAt" | "revokedAt">, at: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > at)

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const base62 = (value: bigint, length: number): string => {
  let out = ""
  for (let rest = value; out.length < length; rest /= 62n) out = digits.charAt(Number(rest % 62n)) + out
  return out
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})

/** CRC-32 (IEEE 802.3) of an ASCII string. */
const crc32 = (text: string): number => {
  let c = 0xffffffff
  for (let i = 0; i < text.length; i++) c = crcTable[(c ^ text.charCodeAt(i)) & 0xff]! ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}

const checksum = (body: string): string => base62(BigInt(crc32(body)), 6)

const formatKey = (kind: string, random: Uint8Array): string => {
  const value = random.reduce((n, byte) => (n << 8n) | BigInt(byte), 0n)
  const body = kind + base62(value, 43)
  return body + checksum(body)
}

const isWellFormed = (kind: string, key: string): boolean =>
  key.startsWith(kind) && /^[0-9A-Za-z]{49}$/.test(key.slice(kind.length)) &&
  checksum(key.slice(0, 52)) === key.slice(52)

/** Prefixes of keys of an organization and of the operator. */
const kinds = { organization: "sov_live_", operator: "sov_oper_" }

/** Formats 32 random bytes as a key. */
export const formatApiKey = (random: Uint8Array): string => formatKey(kinds.organization, random)

/** Formats 32 random bytes as a key of the operator. */
export const formatOperatorKey = (random: Uint8Array): string => formatKey(kinds.operator, random)

/** Whether a string has the format of an operator's key; does not check that the key exists. */
export const isWellFormedOperatorKey = (key: string): boolean => isWellFormed(kinds.operator, key)

/** Whether a string has a key's format and a correct checksum; does not check that the key exists. */
export const isWellFormedApiKey = (key: string): boolean => isWellFormed(kinds.organization, key)

/** SHA-256 of the key; only this hash is stored. Keys have 256 random bits, so no slow hash is needed. */
export const hashApiKey = (key: string): Uint8Array => hash("sha256", key, "buffer")
