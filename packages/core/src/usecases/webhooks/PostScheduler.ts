import type { EndpointId, OrganizationId } from "../../domain/ids.ts"
import { canStartPost } from "../../domain/webhooks/Delivery.ts"
import type { EndpointQueue } from "../../ports/DeliveryStore.ts"
import { Heap, type HeapEntry } from "../workers/Heap.ts"

/** What the scheduler needs to know of an endpoint. */
type Recipient = Pick<EndpointQueue, "organizationId" | "endpointId" | "failing">

interface Organization<Q> {
  readonly id: OrganizationId
  /** Its posts in flight, and those of them to endpoints that were failing when they began. */
  inFlight: number
  failing: number
  /** When it was served last, as a number that rises by one with each turn; 0 = never. */
  turn: number
  /** By number of posts in flight, and failing or not. */
  readonly lines: Map<number, Line<Q>>
}

interface Endpoint<Q> extends HeapEntry {
  readonly id: EndpointId
  readonly organization: Organization<Q>
  /** Null when it is not known any more, and has posts in flight. */
  queue: Q | null
  isReady: boolean
  inFlight: number
  turn: number
  /** Where it waits while it is ready. */
  line: Line<Q> | null
}

/** The ready endpoints of an organization that have as many posts in flight, and are failing or not. */
interface Line<Q> extends HeapEntry {
  readonly organization: Organization<Q>
  readonly isFailing: boolean
  readonly inFlight: number
  readonly endpoints: Heap<Endpoint<Q>>
  /** Where it waits while it has endpoints. */
  group: Group<Q> | null
}

/** Lines of organizations with equal counts: to all their endpoints a post may start, or to none. */
interface Group<Q> {
  readonly key: number
  readonly lines: Heap<Line<Q>>
}

type Served = Pick<Organization<never>, "turn"> & { readonly id: string }

/** Least recently served first; what was never served comes in the order of ids. */
const isBefore = (a: Served, b: Served): boolean => a.turn === b.turn ? a.id < b.id : a.turn < b.turn

/** Counts are at most `maxPostsInFlight`. */
const maxCount = 256

/**
 * Chooses the endpoint that is posted to next: of the organizations with a ready endpoint to which another post may
 * start (`canStartPost`), the one that was served least recently, and of those endpoints of it the one that was. Counts
 * the posts in flight. What one post takes does not grow with the number of endpoints, but with its logarithm:
 * endpoints for which `canStartPost` has the same answer wait together, and only the first of them are looked at.
 */
export class PostScheduler<Q extends Recipient> {
  readonly #organizations = new Map<OrganizationId, Organization<Q>>()
  readonly #endpoints = new Map<EndpointId, Endpoint<Q>>()
  readonly #groups = new Map<number, Group<Q>>()
  #inFlight = 0
  #failing = 0
  #turn = 0

  /** Posts in flight, to all endpoints. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Takes in an endpoint, or what has changed of it. It is ready while it has a delivery that is due. */
  update(queue: Q, isReady: boolean): void {
    const endpoint = this.#findEndpoint(queue)
    if (endpoint.queue?.failing === queue.failing && endpoint.isReady === isReady) endpoint.queue = queue
    else this.#change(endpoint, () => Object.assign(endpoint, { queue, isReady }))
  }

  /** Forgets all endpoints but these, and when they were served. Their posts in flight count until they end. */
  retain(known: ReadonlySet<EndpointId>): void {
    const organizations = new Set<Organization<Q>>()
    for (const endpoint of this.#endpoints.values()) {
      if (known.has(endpoint.id)) organizations.add(endpoint.organization)
      else {
        this.#change(endpoint, () => Object.assign(endpoint, { queue: null, isReady: false, turn: 0 }))
        if (endpoint.inFlight === 0) this.#endpoints.delete(endpoint.id)
      }
    }
    for (const organization of this.#organizations.values()) {
      if (organizations.has(organization)) continue
      // No line of it has an endpoint
      organization.turn = 0
      if (organization.inFlight === 0) this.#organizations.delete(organization.id)
    }
  }

  /** The endpoint whose turn it is, which counts as served now; null when to none that is ready a post may start. */
  next(): Q | null {
    let chosen: Organization<Q> | null = null
    for (const { lines } of this.#groups.values()) {
      const line = lines.first!
      if ((chosen === null || isBefore(line.organization, chosen)) && this.#canStart(line)) chosen = line.organization
    }
    if (chosen === null) return null
    let next: Endpoint<Q> | undefined
    for (const line of chosen.lines.values()) {
      const first = line.endpoints.first
      if (first !== undefined && (next === undefined || isBefore(first, next)) && this.#canStart(line)) next = first
    }
    const turn = ++this.#turn
    const endpoint = next!
    this.#change(endpoint, () => {
      endpoint.turn = turn
      endpoint.organization.turn = turn
    })
    return endpoint.queue
  }

  /** Counts a post as in flight until the function that is returned is called, of which the first call counts. */
  trackInFlight(queue: Q): () => void {
    const endpoint = this.#findEndpoint(queue)
    this.#count(endpoint, queue.failing, 1)
    let ended = false
    return () => {
      if (!ended) this.#count(endpoint, queue.failing, -1)
      ended = true
    }
  }

  #findEndpoint({ endpointId, organizationId }: Q): Endpoint<Q> {
    const found = this.#endpoints.get(endpointId)
    if (found !== undefined) return found
    const organization = this.#organizations.get(organizationId) ??
      { id: organizationId, inFlight: 0, failing: 0, turn: 0, lines: new Map() }
    this.#organizations.set(organizationId, organization)
    const endpoint: Endpoint<Q> = {
      id: endpointId,
      organization,
      queue: null,
      isReady: false,
      inFlight: 0,
      turn: 0,
      line: null,
      heapIndex: -1
    }
    this.#endpoints.set(endpointId, endpoint)
    return endpoint
  }

  #canStart({ inFlight, isFailing, organization }: Line<Q>): boolean {
    return canStartPost(isFailing, {
      all: this.#inFlight,
      failing: this.#failing,
      own: organization.inFlight,
      ownFailing: organization.failing,
      endpoint: inFlight
    })
  }

  #count(endpoint: Endpoint<Q>, isFailing: boolean, by: 1 | -1): void {
    const { organization } = endpoint
    const failing = isFailing ? by : 0
    this.#inFlight += by
    this.#failing += failing
    this.#change(endpoint, () => {
      endpoint.inFlight += by
      organization.inFlight += by
      organization.failing += failing
    })
    if (endpoint.queue === null && endpoint.inFlight === 0) this.#endpoints.delete(endpoint.id)
  }

  /** Changes an endpoint and its organization while neither waits anywhere. */
  #change(endpoint: Endpoint<Q>, change: () => void): void {
    const { organization } = endpoint
    for (const line of organization.lines.values()) this.#leave(line)
    endpoint.line?.endpoints.remove(endpoint)
    endpoint.line = null
    change()
    if (endpoint.isReady && endpoint.queue !== null) {
      endpoint.line = this.#findLine(organization, endpoint.inFlight, endpoint.queue.failing)
      endpoint.line.endpoints.add(endpoint)
    }
    for (const line of organization.lines.values()) if (!line.endpoints.isEmpty) this.#enter(line)
  }

  #findLine(organization: Organization<Q>, inFlight: number, isFailing: boolean): Line<Q> {
    const key = 2 * inFlight + Number(isFailing)
    const found = organization.lines.get(key)
    if (found !== undefined) return found
    const endpoints = new Heap<Endpoint<Q>>(isBefore)
    const line: Line<Q> = { organization, isFailing, inFlight, endpoints, group: null, heapIndex: -1 }
    organization.lines.set(key, line)
    return line
  }

  #enter(line: Line<Q>): void {
    const { failing, inFlight } = line.organization
    const key = 2 * (maxCount * (maxCount * inFlight + failing) + line.inFlight) + Number(line.isFailing)
    let group = this.#groups.get(key)
    if (group === undefined) {
      group = { key, lines: new Heap((a, b) => isBefore(a.organization, b.organization)) }
      this.#groups.set(key, group)
    }
    group.lines.add(line)
    line.group = group
  }

  #leave(line: Line<Q>): void {
    const { group } = line
    if (group === null) return
    group.lines.remove(line)
    if (group.lines.isEmpty) this.#groups.delete(group.key)
    line.group = null
  }
}
