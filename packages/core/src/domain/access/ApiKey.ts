/**
 * API keys: `sov_live_` + 43 base62 characters (256 random bits) + 6 base62 characters of the CRC32 of all before,
 * as GitHub's tokens: secret scanners recognise a leaked key, and a mistyped one costs no query.
 */
import { Duration, Schema } from "effect"
import { hash } from "node:crypto"
import { ApiKeyId } from "../ids.ts"

/** What a key may do: `read` everything that the API and the tool server return, start a `scan`. */
export const keyScopes = ["read", "scan"] as const
export const KeyScope = Schema.Literals(keyScopes).annotate({ message: `must be ${keyScopes.join(" or ")}` })
export type KeyScope = typeof KeyScope.Type

/** What is stored and shown of a key; the key itself is shown once and never stored. */
export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  name: Schema.String,
  /** First 13 characters, for recognising it. */
  prefix: Schema.String,
  lastFour: Schema.String,
  /** At least one, in the order of `keyScopes`. */
  scopes: Schema.Array(KeyScope),
  createdAt: Schema.Date,
  expiresAt: Schema.NullOr(Schema.Date),
  /** Another key has replaced it: it expires at the end of the grace, or earlier. */
  rolled: Schema.Boolean,
  revokedAt: Schema.NullOr(Schema.Date),
  lastUsedAt: Schema.NullOr(Schema.Date)
})
export type ApiKey = typeof ApiKey.Type

/** How long the old key works after a roll when the caller gives no grace. */
export const defaultGrace = Duration.hours(24)
/** The longest grace that a roll accepts. */
export const maxGrace = Duration.days(30)

/** Whether the key is good at that time: neither revoked nor expired. */
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

/** What keys begin with: those of an organization, and those of the operator. */
const kinds = { organization: "sov_live_", operator: "sov_oper_" }

/** A key from 32 random bytes. */
export const formatApiKey = (random: Uint8Array): string => formatKey(kinds.organization, random)

/** A key of the operator from 32 random bytes. */
export const formatOperatorKey = (random: Uint8Array): string => formatKey(kinds.operator, random)

/** Whether a string is written as a key of the operator; says nothing about whether the key exists. */
export const isWellFormedOperatorKey = (key: string): boolean => isWellFormed(kinds.operator, key)

/** Whether a string has a key's form and its checksum holds; says nothing about whether the key exists. */
export const isWellFormedApiKey = (key: string): boolean => isWellFormed(kinds.organization, key)

/** sha256 of the key: what is stored. Keys carry 256 random bits, so no slow hash is needed. */
export const hashApiKey = (key: string): Uint8Array => hash("sha256", key, "buffer")
