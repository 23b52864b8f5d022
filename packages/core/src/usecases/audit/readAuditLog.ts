import { Effect, Option, Stream } from "effect"
import type { PageScope } from "../../domain/Cursor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, laterBegin, wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import { maxLogPage } from "../../domain/pageSizes.ts"
import { type AuditFilters, AuditLog } from "../../ports/AuditLog.ts"
import { type PageOptions, readPage } from "../readPage.ts"

const makePageScope = ({ action, actor, since }: AuditFilters): PageScope => [
  "audit",
  actor ?? null,
  action ?? null,
  since?.toISOString() ?? null
]

/**
 * Up to `limit` entries of the audit log within the window, newest first, and the cursor of the next page; null on the
 * last page. Fails with BadCursor for a cursor of other filters or another organization.
 */
export const readAuditLog = Effect.fn("readAuditLog")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  filters: AuditFilters,
  options: PageOptions
) {
  const since = laterBegin(window, filters.since ?? null)
  const log = yield* AuditLog
  const { nextCursor, rows } = yield* readPage(
    organizationId,
    makePageScope(filters),
    options,
    (page) => log.page(organizationId, { ...filters, ...since === null ? {} : { since } }, page),
    ({ at, id }) => ({ createdAt: at, id })
  )
  return { entries: rows, nextCursor }
})

/** The entire audit log of an organization, newest first, page by page. */
export const streamAuditLog = (organizationId: OrganizationId) =>
  Stream.paginate(undefined as string | undefined, (cursor) =>
    Effect.map(
      readAuditLog(organizationId, wholeHistory, {}, { limit: maxLogPage, cursor }),
      ({ entries, nextCursor }) => [[entries], Option.fromNullOr(nextCursor)] as const
    ))
