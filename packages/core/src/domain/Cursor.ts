/**
 * Cursors of pages. A cursor is opaque and bound to the organization and the query that it was made for, so that a
 * cursor of another organization or query is refused instead of returning a wrong page.
 *
 * Format: base64url( version 1 byte · createdAt ms 8 bytes · id 16 bytes · HMAC-SHA256 first 8 bytes ).
 */
import { Duration } from "effect"
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"
import type { OrganizationId } from "./ids.ts"

/** A position in a list: the time and id (UUID) of a row. */
export interface PagePosition {
  readonly createdAt: Date
  readonly id: string
}

/** The query that a cursor is valid for: the name of the list and its filters, in a fixed order. */
export type PageScope = ReadonlyArray<string | null>

/** How long cursors signed before a key rotation stay valid. */
export const previousCursorKeyLifetime = Duration.hours(24)

const version = 1
const bodyLength = 25

/** Caches Node's key objects, because creating one costs more than the signature. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>()

const toKeyObject = (key: Uint8Array): KeyObject => {
  const known = keyObjects.get(key)
  if (known !== undefined) return known
  const made = createSecretKey(key)
  keyObjects.set(key, made)
  return made
}

const mac = (key: Uint8Array, body: Uint8Array, organizationId: OrganizationId, scope: PageScope): Buffer =>
  createHmac("sha256", toKeyObject(key)).update(body).update(JSON.stringify([organizationId, ...scope])).digest()
    .subarray(0, 8)

/** The cursor of the page after `position`. `key` is the installation's secret, 32 bytes. */
export const encodeCursor = (
  key: Uint8Array,
  organizationId: OrganizationId,
  scope: PageScope,
  position: PagePosition
): string => {
  const body = Buffer.alloc(bodyLength)
  body[0] = version
  body.writeBigInt64BE(BigInt(position.createdAt.getTime()), 1)
  body.write(position.id.replaceAll("-", ""), 9, "hex")
  return Buffer.concat([body, mac(key, body, organizationId, scope)]).toString("base64url")
}

/** The position, or null when the cursor is damaged or belongs to another organization, query or installation. */
export const decodeCursor = (
  key: Uint8Array,
  organizationId: OrganizationId,
  scope: PageScope,
  cursor: string
): PagePosition | null => {
  if (!/^[A-Za-z0-9_-]{44}$/.test(cursor)) return null
  const bytes = Buffer.from(cursor, "base64url")
  if (bytes.length !== bodyLength + 8 || bytes[0] !== version) return null
  const body = bytes.subarray(0, bodyLength)
  if (!timingSafeEqual(bytes.subarray(bodyLength), mac(key, body, organizationId, scope))) return null
  const id = body.toString("hex", 9).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
  return { createdAt: new Date(Number(body.readBigInt64BE(1))), id }
}
