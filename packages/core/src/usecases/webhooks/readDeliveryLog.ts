import { Effect } from "effect"
import { decodeCursor, encodeCursor, type PageScope } from "../../domain/Cursor.ts"
import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { DeliveryState } from "../../domain/webhooks/Delivery.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { BadCursor } from "../errors.ts"

/** Which deliveries; all when left out. */
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
 * Up to `limit` deliveries that the window shows, newest first, and the cursor of the next page, null on the last. Fails
 * with BadCursor for a cursor of other filters or another organization.
 */
export const readDeliveryLog = Effect.fn("readDeliveryLog")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  filters: DeliveryFilters,
  { cursor, limit }: { readonly limit: number; readonly cursor?: string | undefined }
) {
  const key = yield* (yield* InstanceStore).cursorKey
  const scope = makePageScope(filters)
  const after = cursor === undefined ? null : decodeCursor(key, organizationId, scope, cursor)
  if (cursor !== undefined && after === null) return yield* new BadCursor()
  const { endpointId, state } = filters
  const found = yield* (yield* DeliveryStore).list(organizationId, {
    limit: limit + 1,
    ...endpointId === undefined ? {} : { endpointId },
    ...state === undefined ? {} : { state },
    ...window.since === null ? {} : { since: window.since },
    ...after === null ? {} : { after }
  })
  const deliveries = found.slice(0, limit)
  const last = found.length > limit ? deliveries.at(-1) : undefined
  return {
    deliveries,
    nextCursor: last === undefined
      ? null
      : encodeCursor(key, organizationId, scope, { createdAt: last.createdAt, id: last.id })
  }
})
