import { awaitFirstTries, listDeliveries, listEndpoints, type OrganizationId } from "@sov/core"
import { Effect } from "effect"
import type { Session } from "../../runtime.ts"

/** Waits for the first tries of what a scan sends, and says what has not arrived. */
export const sayUndelivered = Effect.fnUntraced(
  function*({ out }: Session, organizationId: OrganizationId, since: Date) {
    const endpoints = yield* listEndpoints(organizationId)
    if (endpoints.length === 0) return
    yield* awaitFirstTries(organizationId)
    const urls = new Map(endpoints.map(({ id, url }) => [id, url]))
    for (const one of yield* listDeliveries(organizationId, { limit: 100, since })) {
      if (one.state === "delivered" || one.last === null) continue
      const then = one.state === "pending"
        ? `; tried again from ${one.dueAt.toISOString()} on, while a sov process works`
        : ""
      out.note(`webhook ${urls.get(one.endpointId) ?? one.endpointId}: ${one.last.message ?? one.state}${then}`)
    }
  }
)
