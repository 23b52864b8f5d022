import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { canStartPost } from "../../domain/webhooks/Delivery.ts"
import type { EndpointQueue } from "../../ports/DeliveryStore.ts"
import type { Slot, Slots } from "../workers/runKind.ts"

type Recipient = Pick<EndpointQueue, "organizationId" | "endpointId">

/** Creates the slots of `canStartPost`: counts posts in flight, and separately the posts to failing endpoints. */
export const makePostSlots = <Q extends Recipient>(isFailing: (queue: Q) => boolean): Slots<Q, Slot> => {
  const counts = new Map<"all" | "failing" | OrganizationId | `failing ${OrganizationId}` | EndpointId, number>()
  const count = (key: Parameters<typeof counts.get>[0]) => counts.get(key) ?? 0
  return {
    countFree: (queue) =>
      canStartPost(isFailing(queue), {
          all: count("all"),
          failing: count("failing"),
          own: count(queue.organizationId),
          ownFailing: count(`failing ${queue.organizationId}`),
          endpoint: count(queue.endpointId)
        })
        ? 1
        : 0,
    take: (queue) => {
      const keys = ["all", queue.organizationId, queue.endpointId] as const
      const failing = isFailing(queue) ? ["failing", `failing ${queue.organizationId}`] as const : []
      for (const key of [...keys, ...failing]) counts.set(key, count(key) + 1)
      let ended = false
      return {
        markEnded: () => {
          if (ended) return
          ended = true
          for (const key of [...keys, ...failing]) {
            if (count(key) > 1) counts.set(key, count(key) - 1)
            else counts.delete(key)
          }
        }
      }
    },
    findNextStart: () => Infinity
  }
}
