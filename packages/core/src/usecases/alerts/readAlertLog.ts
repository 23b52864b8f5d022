import { Effect } from "effect"
import type { AlertRuleName } from "../../domain/alerts/AlertRule.ts"
import type { PageScope } from "../../domain/Cursor.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { type PageOptions, readPage } from "../readPage.ts"
import { listAlerts } from "./reads.ts"

/** Filters of the alert log; a filter that is left out matches all alerts. */
export interface AlertFilters {
  readonly rule?: AlertRuleName | undefined
}

const makePageScope = ({ rule }: AlertFilters): PageScope => ["alerts", rule ?? null]

/**
 * Up to `limit` alerts within the window, newest first, and the cursor of the next page; null on the last page. Fails
 * with BadCursor for a cursor of other filters or another organization.
 */
export const readAlertLog = Effect.fn("readAlertLog")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  filters: AlertFilters,
  options: PageOptions
) {
  const { nextCursor, rows } = yield* readPage(
    organizationId,
    makePageScope(filters),
    options,
    (page) =>
      listAlerts(organizationId, window, { ...page, ...filters.rule === undefined ? {} : { rule: filters.rule } }),
    ({ alert: { createdAt, id } }) => ({ createdAt, id })
  )
  return { alerts: rows, nextCursor }
})
