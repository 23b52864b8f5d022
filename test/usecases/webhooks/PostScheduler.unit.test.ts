import { EndpointId, OrganizationId, PostScheduler } from "@sov/core"
import { expect, it } from "vitest"

const id = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, "0")}`
const endpoint = (organization: number, n: number, failing = false) => ({
  organizationId: OrganizationId.make(id(organization)),
  endpointId: EndpointId.make(id(n)),
  failing
})
type Recipient = ReturnType<typeof endpoint>

/** Starts posts to the endpoint, which alone is ready, until it may have no other one; gives their ends. */
const startAll = (scheduler: PostScheduler<Recipient>, to: Recipient) => {
  const ends: Array<() => void> = []
  scheduler.update(to, true)
  for (let next = scheduler.next(); next !== null; next = scheduler.next()) ends.push(scheduler.trackInFlight(next))
  scheduler.update(to, false)
  return ends
}

it("an endpoint may have four posts in flight, one that is failing a single one", () => {
  const scheduler = new PostScheduler<Recipient>()
  expect(startAll(scheduler, endpoint(1, 1))).toHaveLength(4)
  expect(startAll(scheduler, endpoint(1, 2, true))).toHaveLength(1)
  expect(scheduler.inFlight).toBe(5)
})

it("a post that has ended makes room for another one, whether its endpoint was failing or not", () => {
  const scheduler = new PostScheduler<Recipient>()
  for (const failing of [false, true]) {
    const to = endpoint(1, 1, failing)
    for (let round = 0; round < 40; round++) {
      const ends = startAll(scheduler, to)
      expect(ends).toHaveLength(failing ? 1 : 4)
      for (const end of ends) end()
    }
  }
  expect(scheduler.inFlight).toBe(0)
})

it("a post ends as what it began as, and once, whatever has become of its endpoint", () => {
  const scheduler = new PostScheduler<Recipient>()
  const end = scheduler.trackInFlight(endpoint(1, 1, false))
  end()
  end()
  expect(scheduler.inFlight).toBe(0)
  // As failing it would now count one too few, and let a second post start
  expect(startAll(scheduler, endpoint(1, 1, true))).toHaveLength(1)
})

it("counts each organization by itself, and all together", () => {
  const scheduler = new PostScheduler<Recipient>()
  const endpoints = Array.from({ length: 60 }, (_, n) => n)
  const own = (organization: number) =>
    endpoints.flatMap((n) => startAll(scheduler, endpoint(organization, 100 * organization + n))).length
  // A quarter of the slots that the others leave
  expect([own(1), own(2), own(3)]).toEqual([32, 24, 18])
  expect(scheduler.inFlight).toBe(74)
})

it("organizations take turns, and so do the endpoints of one; nothing is chosen of what is not ready", () => {
  const scheduler = new PostScheduler<Recipient>()
  for (const [organization, n] of [[1, 11], [1, 12], [1, 13], [2, 21]] as const) {
    scheduler.update(endpoint(organization, n), true)
  }
  scheduler.update(endpoint(3, 31), false)
  const turns = Array.from({ length: 8 }, () => Number(scheduler.next()!.endpointId.slice(-2)))
  expect(turns).toEqual([11, 21, 12, 21, 13, 21, 11, 21])
})

it("what is not retained counts as never served, and its posts in flight count until they end", () => {
  const scheduler = new PostScheduler<Recipient>()
  const [one, two] = [endpoint(1, 1), endpoint(2, 2)]
  for (const to of [one, two]) scheduler.update(to, true)
  const ends = [one, two].map(() => scheduler.trackInFlight(scheduler.next()!))
  scheduler.retain(new Set([one.endpointId]))
  expect([scheduler.inFlight, scheduler.next()]).toEqual([2, one])
  scheduler.update(two, true)
  expect(scheduler.next()).toEqual(two)
  for (const end of ends) end()
  expect(scheduler.inFlight).toBe(0)
})
