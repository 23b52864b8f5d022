import { DeliveryId, DeliveryLedger, EndpointId } from "@sov/core"
import { expect, it } from "vitest"

const id = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, "0")}`
const delivery = (n: number) => DeliveryId.make(id(n))
const endpoint = (n: number) => EndpointId.make(id(100 + n))

it("a claim lasts until it is released", () => {
  const ledger = new DeliveryLedger()
  ledger.claim(delivery(1), endpoint(1))
  expect([...ledger.claimed]).toEqual([[delivery(1), endpoint(1)]])
  ledger.release(delivery(1))
  ledger.release(delivery(1))
  expect(ledger.claimed.size).toBe(0)
})

it("finds the claims of some endpoints", () => {
  const ledger = new DeliveryLedger()
  for (const n of [1, 2, 3, 4]) ledger.claim(delivery(n), endpoint(n % 2))
  expect([...ledger.claimedOf([endpoint(1)])]).toEqual([[delivery(1), endpoint(1)], [delivery(3), endpoint(1)]])
  ledger.release(delivery(1))
  ledger.release(delivery(3))
  expect([...ledger.claimedOf([endpoint(1), endpoint(2)])]).toEqual([])
  expect([...ledger.claimedOf([endpoint(0)])].map(([one]) => one)).toEqual([delivery(2), delivery(4)])
})
