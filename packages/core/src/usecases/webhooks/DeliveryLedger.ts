import type { DeliveryId, EndpointId } from "../../domain/ids.ts"

/** The deliveries that this process has claimed, which no query reads again. */
export class DeliveryLedger {
  readonly #claimed = new Map<DeliveryId, EndpointId>()
  readonly #byEndpoint = new Map<EndpointId, Set<DeliveryId>>()

  /** The claimed deliveries with their endpoints. */
  get claimed(): ReadonlyMap<DeliveryId, EndpointId> {
    return this.#claimed
  }

  /** The claimed deliveries of these endpoints. */
  claimedOf(endpoints: Iterable<EndpointId>): ReadonlyMap<DeliveryId, EndpointId> {
    const found = new Map<DeliveryId, EndpointId>()
    for (const endpointId of endpoints) {
      for (const id of this.#byEndpoint.get(endpointId) ?? []) found.set(id, endpointId)
    }
    return found
  }

  claim(id: DeliveryId, endpointId: EndpointId): void {
    this.#claimed.set(id, endpointId)
    const own = this.#byEndpoint.get(endpointId)
    if (own === undefined) this.#byEndpoint.set(endpointId, new Set([id]))
    else own.add(id)
  }

  /** Gives a claimed delivery back: from now on queries may read it. */
  release(id: DeliveryId): void {
    const endpointId = this.#claimed.get(id)
    if (endpointId === undefined) return
    this.#claimed.delete(id)
    const own = this.#byEndpoint.get(endpointId)!
    own.delete(id)
    if (own.size === 0) this.#byEndpoint.delete(endpointId)
  }
}
