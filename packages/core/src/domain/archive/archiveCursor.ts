/** Cursors of the archive, which are bound to its filters. */
import { decodeCursor, encodeCursor } from "../Cursor.ts"
import type { AnswerId, OrganizationId } from "../ids.ts"
import { type ArchiveFilters, listFilterTexts } from "./ArchiveFilters.ts"
import type { ArchivePosition } from "./ArchiveRow.ts"

/** The cursor of the page after `position`, valid only for these filters. */
export const encodeArchiveCursor = (
  key: Uint8Array,
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  position: ArchivePosition
): string => encodeCursor(key, organizationId, listFilterTexts(filters), position)

/** The position in the archive; null as in `decodeCursor`. */
export const decodeArchiveCursor = (
  key: Uint8Array,
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  cursor: string
): ArchivePosition | null => {
  const position = decodeCursor(key, organizationId, listFilterTexts(filters), cursor)
  return position && { createdAt: position.createdAt, id: position.id as AnswerId }
}
