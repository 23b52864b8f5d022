import { Effect } from "effect"
import { decodeCursor, encodeCursor, type PageScope } from "../../domain/Cursor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, laterBegin } from "../../domain/organizations/HistoryWindow.ts"
import { type AuditFilters, AuditLog } from "../../ports/AuditLog.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { BadCursor } from "../errors.ts"

const makePageScope = ({ action, actor, since }: AuditFilters): PageScope => [
  "audit",
  actor ?? null,
  action ?? null,
  since?.toISOString() ?? null
]

/**
 * Up to `limit` entries of the audit log that the window shows, newest first, and the cursor of the next page, null on the last. Fails with
 * BadCursor for a cursor of other filters or another organization.
 */
export const readAuditLog = Effect.fn("readAuditLog")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  filters: AuditFilters,
  { cursor, limit }: { readonly limit: number; readonly cursor?: string | undefined }
) {
  const key = yield* (yield* InstanceStore).cursorKey
  const scope = makePageScope(filters)
  const after = cursor === undefined ? null : decodeCursor(key, organizationId, scope, cursor)
  if (cursor !== undefined && after === null) return yield* new BadCursor()
  const since = laterBegin(window, filters.since ?? null)
  const found = yield* (yield* AuditLog).page(organizationId, { ...filters, ...since === null ? {} : { since } }, {
    limit: limit + 1,
    ...after === null ? {} : { after }
  })
  const entries = found.slice(0, limit)
  const last = found.length > limit ? entries.at(-1) : undefined
  return {
    entries,
    nextCursor: last === undefined
      ? null
      : encodeCursor(key, organizationId, scope, { createdAt: last.at, id: last.id })
  }
})
