import type { DeliveryId, EndpointId, OrganizationId } from "../../domain/ids.ts"
import { canStartPost, type PostsInFlight } from "../../domain/webhooks/Delivery.ts"
import type { EndpointQueue } from "../../ports/DeliveryStore.ts"

type Recipient = Pick<EndpointQueue, "organizationId" | "endpointId" | "failing">

/** Posts in flight, and how many of them go to endpoints that were failing when they began. */
interface Count {
  all: number
  failing: number
}

/**
 * What this process works on: the deliveries that it has claimed, which no query reads again, and the posts in flight,
 * counted in all, per organization and per endpoint. It decides which endpoint may have another post (`canStartPost`).
 */
export class DeliveryLedger {
  readonly #claimed = new Map<DeliveryId, EndpointId>()
  readonly #total: Count = { all: 0, failing: 0 }
  readonly #organizations = new Map<OrganizationId, Count>()
  readonly #endpoints = new Map<EndpointId, Count>()

  /** The claimed deliveries with their endpoints. */
  get claimed(): ReadonlyMap<DeliveryId, EndpointId> {
    return this.#claimed
  }

  /** Posts in flight, to all endpoints. */
  get inFlight(): number {
    return this.#total.all
  }

  claim(id: DeliveryId, endpointId: EndpointId): void {
    this.#claimed.set(id, endpointId)
  }

  /** Gives a claimed delivery back: from now on queries may read it. */
  release(id: DeliveryId): void {
    this.#claimed.delete(id)
  }

  /** Whether another post to the endpoint may start now. */
  canStart({ endpointId, failing, organizationId }: Recipient): boolean {
    const own = this.#organizations.get(organizationId)
    const counts: PostsInFlight = {
      all: this.#total.all,
      failing: this.#total.failing,
      own: own?.all ?? 0,
      ownFailing: own?.failing ?? 0,
      endpoint: this.#endpoints.get(endpointId)?.all ?? 0
    }
    return canStartPost(failing, counts)
  }

  /** Counts a post as in flight until the function that is returned is called, of which the first call counts. */
  trackInFlight({ endpointId, failing, organizationId }: Recipient): () => void {
    const change = (by: 1 | -1) => {
      addToCount(this.#total, failing, by)
      addToCounts(this.#organizations, organizationId, failing, by)
      addToCounts(this.#endpoints, endpointId, failing, by)
    }
    change(1)
    let ended = false
    return () => {
      if (!ended) change(-1)
      ended = true
    }
  }
}

const addToCount = (count: Count, failing: boolean, by: 1 | -1): void => {
  count.all += by
  if (failing) count.failing += by
}

/** Adds to the count of `key`, which is forgotten when it has no post in flight. */
const addToCounts = <K>(counts: Map<K, Count>, key: K, failing: boolean, by: 1 | -1): void => {
  const count = counts.get(key) ?? { all: 0, failing: 0 }
  addToCount(count, failing, by)
  if (count.all === 0) counts.delete(key)
  else counts.set(key, count)
}
