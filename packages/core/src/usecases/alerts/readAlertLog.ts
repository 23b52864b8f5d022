import { Effect } from "effect"
import type { AlertRuleName } from "../../domain/alerts/AlertRule.ts"
import { decodeCursor, encodeCursor, type PageScope } from "../../domain/Cursor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { BadCursor } from "../errors.ts"
import { listAlerts } from "./listAlerts.ts"

/** Which alerts; all when left out. */
export interface AlertFilters {
  readonly rule?: AlertRuleName | undefined
}

const makePageScope = ({ rule }: AlertFilters): PageScope => ["alerts", rule ?? null]

/**
 * Up to `limit` alerts that the window shows, newest first, and the cursor of the next page, null on the last. Fails with
 * BadCursor for a cursor of other filters or another organization.
 */
export const readAlertLog = Effect.fn("readAlertLog")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  filters: AlertFilters,
  { cursor, limit }: { readonly limit: number; readonly cursor?: string | undefined }
) {
  const key = yield* (yield* InstanceStore).cursorKey
  const scope = makePageScope(filters)
  const after = cursor === undefined ? null : decodeCursor(key, organizationId, scope, cursor)
  if (cursor !== undefined && after === null) return yield* new BadCursor()
  const found = yield* listAlerts(organizationId, window, {
    limit: limit + 1,
    ...filters.rule === undefined ? {} : { rule: filters.rule },
    ...after === null ? {} : { after }
  })
  const alerts = found.slice(0, limit)
  const last = found.length > limit ? alerts.at(-1)?.alert : undefined
  return {
    alerts,
    nextCursor: last === undefined
      ? null
      : encodeCursor(key, organizationId, scope, { createdAt: last.createdAt, id: last.id })
  }
})
