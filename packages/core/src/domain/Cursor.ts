/**
 * Archive cursors: opaque, and bound to the organization and the filters they were made for, so that a cursor of
 * another organization or another query is refused instead of giving a wrong page.
 *
 * Form: base64url( version 1 byte · createdAt ms 8 bytes · id 16 bytes · HMAC-SHA256 first 8 bytes ).
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { ArchiveFilters, ArchivePosition } from "./ArchiveRow.ts"
import type { AnswerId, OrganizationId } from "./ids.ts"

const version = 1
const bodyLength = 25

const mac = (key: Uint8Array, body: Uint8Array, organizationId: OrganizationId, filters: ArchiveFilters): Buffer =>
  createHmac("sha256", key).update(body).update(JSON.stringify([
    organizationId,
    filters.keywordId ?? null,
    filters.platform ?? null,
    filters.scanId ?? null,
    filters.from?.toISOString() ?? null,
    filters.to?.toISOString() ?? null
  ])).digest().subarray(0, 8)

export const encodeCursor = (
  key: Uint8Array,
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  position: ArchivePosition
): string => {
  const body = Buffer.alloc(bodyLength)
  body[0] = version
  body.writeBigInt64BE(BigInt(position.createdAt.getTime()), 1)
  body.write(position.id.replaceAll("-", ""), 9, "hex")
  return Buffer.concat([body, mac(key, body, organizationId, filters)]).toString("base64url")
}

/** The position, or null when the cursor is damaged or belongs to another organization or other filters. */
export const decodeCursor = (
  key: Uint8Array,
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  cursor: string
): ArchivePosition | null => {
  if (!/^[A-Za-z0-9_-]{44}$/.test(cursor)) return null
  const bytes = Buffer.from(cursor, "base64url")
  if (bytes.length !== bodyLength + 8 || bytes[0] !== version) return null
  const body = bytes.subarray(0, bodyLength)
  if (!timingSafeEqual(bytes.subarray(bodyLength), mac(key, body, organizationId, filters))) return null
  const id = body.toString("hex", 9).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
  return { createdAt: new Date(Number(body.readBigInt64BE(1))), id: id as AnswerId }
}
