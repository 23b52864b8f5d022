import { Effect } from "effect"
import type { PageScope } from "../../domain/Cursor.ts"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { DeliveryState } from "../../domain/webhooks/Delivery.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { type PageOptions, readPage } from "../readPage.ts"

/** Filters of deliveries; without filters, all deliveries. */
export interface DeliveryFilters {
  readonly endpointId?: EndpointId | undefined
  readonly state?: DeliveryState | undefined
}

const makePageScope = ({ endpointId, state }: DeliveryFilters): PageScope => [
  "deliveries",
  endpointId ?? null,
  state ?? null
]

/**
 * Up to `limit` deliveries within the history window, newest first, and the cursor of the next page, null on the last.
 * Fails with BadCursor for a cursor of other filters or another organization.
 */
export const readDeliveryLog = Effect.fn("readDeliveryLog")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  filters: DeliveryFilters,
  options: PageOptions
) {
  const { endpointId, state } = filters
  const store = yield* DeliveryStore
  const { nextCursor, rows } = yield* readPage(
    organizationId,
    makePageScope(filters),
    options,
    (page) =>
      store.list(organizationId, {
        ...page,
        ...endpointId === undefined ? {} : { endpointId },
        ...state === undefined ? {} : { state },
        ...window.since === null ? {} : { since: window.since }
      }),
    ({ createdAt, id }) => ({ createdAt, id })
  )
  return { deliveries: rows, nextCursor }
})
