import type { OrganizationId } from "@sov/core/common"
import { awaitFirstAttempts, listDeliveries, listEndpoints } from "@sov/core/webhooks"
import { Effect } from "effect"
import type { CommandSession } from "../../runtime.ts"

const maxNoted = 100

/** Waits until every webhook delivery of a scan was attempted once, and notes failed attempts. */
export const noteUndelivered = Effect.fnUntraced(
  function*({ out }: CommandSession, organizationId: OrganizationId, since: Date) {
    const endpoints = yield* listEndpoints(organizationId)
    if (endpoints.length === 0) return
    yield* awaitFirstAttempts(organizationId)
    const urls = new Map(endpoints.map(({ id, url }) => [id, url]))
    for (const one of yield* listDeliveries(organizationId, { limit: maxNoted, since })) {
      if (one.state === "delivered" || one.last === null) continue
      const then = one.state === "pending"
        ? `; the next attempt is due at ${one.dueAt.toISOString()}, while a sov process runs`
        : ""
      out.note(`webhook ${urls.get(one.endpointId) ?? one.endpointId}: ${one.last.message ?? one.state}${then}`)
    }
  }
)
