import { DeliveryId, DeliveryLedger, EndpointId, OrganizationId } from "@sov/core"
import { expect, it } from "vitest"

const id = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, "0")}`
const endpoint = (organization: number, n: number, failing = false) => ({
  organizationId: OrganizationId.make(id(organization)),
  endpointId: EndpointId.make(id(n)),
  failing
})

/** Starts posts to the endpoint until it may have no other one; gives their ends. */
const startAll = (ledger: DeliveryLedger, to: ReturnType<typeof endpoint>) => {
  const ends: Array<() => void> = []
  while (ledger.canStart(to)) ends.push(ledger.trackInFlight(to))
  return ends
}

it("an endpoint may have four posts in flight, one that is failing a single one", () => {
  const ledger = new DeliveryLedger()
  expect(startAll(ledger, endpoint(1, 1))).toHaveLength(4)
  expect(startAll(ledger, endpoint(1, 2, true))).toHaveLength(1)
  expect(ledger.inFlight).toBe(5)
})

it("a post that has ended makes room for another one, whether its endpoint was failing or not", () => {
  const ledger = new DeliveryLedger()
  for (const failing of [false, true]) {
    const to = endpoint(1, 1, failing)
    for (let round = 0; round < 40; round++) {
      const ends = startAll(ledger, to)
      expect(ends).toHaveLength(failing ? 1 : 4)
      for (const end of ends) end()
    }
  }
  expect(ledger.inFlight).toBe(0)
})

it("a post ends as what it began as, and once, whatever has become of its endpoint", () => {
  const ledger = new DeliveryLedger()
  const end = ledger.trackInFlight(endpoint(1, 1, false))
  end()
  end()
  expect(ledger.inFlight).toBe(0)
  // As failing it would now count one too few, and let a second post start
  expect(startAll(ledger, endpoint(1, 1, true))).toHaveLength(1)
})

it("counts each organization by itself, and all together", () => {
  const ledger = new DeliveryLedger()
  const endpoints = Array.from({ length: 60 }, (_, n) => n)
  const own = (organization: number) =>
    endpoints.flatMap((n) => startAll(ledger, endpoint(organization, 100 * organization + n))).length
  // A quarter of the slots that the others leave
  expect([own(1), own(2), own(3)]).toEqual([32, 24, 18])
  expect(ledger.inFlight).toBe(74)
})

it("a claim lasts until it is released", () => {
  const ledger = new DeliveryLedger()
  const delivery = DeliveryId.make(id(9))
  const { endpointId } = endpoint(1, 1)
  ledger.claim(delivery, endpointId)
  expect([...ledger.claimed]).toEqual([[delivery, endpointId]])
  ledger.release(delivery)
  expect(ledger.claimed.size).toBe(0)
})
