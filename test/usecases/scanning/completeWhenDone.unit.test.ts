import {
  ArchiveStore,
  CellStore,
  completeWhenDone,
  CompletionTurns,
  makeCompletionTurns,
  Notifications,
  OrganizationId,
  ScanId,
  ScanStore,
  StoreError,
  TrackedSetStore,
  Transaction
} from "@sov/core"
import { Effect, Exit, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { idleStores } from "../../support/idleStores.ts"

const organizationId = OrganizationId.make(randomUUID())
const newScanId = () => ScanId.make(randomUUID())

/** A worker's turns, and stores of scans that have ended; `onFind` runs while a completion reads the scan. */
const layerEnded = (onFind: (scanId: ScanId) => Effect.Effect<void, StoreError>) =>
  Layer.mergeAll(
    Layer.effect(CompletionTurns, makeCompletionTurns),
    idleStores,
    Layer.mock(CellStore, { hasOpen: () => Effect.succeed(false) }),
    Layer.mock(ScanStore, {
      find: (_, scanId) => Effect.as(onFind(scanId), null),
      lock: () => Effect.die("locked")
    }),
    Layer.mock(ArchiveStore, {}),
    Layer.mock(TrackedSetStore, {}),
    Layer.mock(Notifications, {}),
    Layer.mock(Transaction, {}),
    SecureRandom.layerWebCrypto
  )

it("one fiber of a worker at a time completes a scan, and no lock is taken once the scan has ended", async () => {
  const [one, other] = [newScanId(), newScanId()]
  const running = new Map<ScanId, number>()
  const most = { same: 0, all: 0 }
  const layer = layerEnded((scanId) =>
    Effect.gen(function*() {
      running.set(scanId, (running.get(scanId) ?? 0) + 1)
      most.same = Math.max(most.same, running.get(scanId)!)
      most.all = Math.max(most.all, (running.get(one) ?? 0) + (running.get(other) ?? 0))
      yield* Effect.sleep("5 millis")
      running.set(scanId, running.get(scanId)! - 1)
    })
  )
  await Effect.runPromise(
    Effect.forEach([one, one, other, one, other], (scanId) => completeWhenDone(organizationId, scanId), {
      concurrency: "unbounded"
    }).pipe(Effect.provide(layer))
  )
  expect(most).toEqual({ same: 1, all: 2 })
})

it("a completion that fails or is interrupted lets the next one begin", async () => {
  const scanId = newScanId()
  let found = 0
  const layer = layerEnded(() =>
    Effect.suspend(() => {
      found++
      if (found === 1) return Effect.fail(new StoreError({ reason: "unavailable", message: "away" }))
      return found === 2 ? Effect.never : Effect.void
    })
  )
  const exits = await Effect.runPromise(
    Effect.forEach(
      ["1 minute", "100 millis", "1 minute"] as const,
      (limit) => Effect.exit(Effect.timeout(completeWhenDone(organizationId, scanId), limit)),
      { concurrency: 1 }
    ).pipe(Effect.provide(layer))
  )
  expect(exits.map(Exit.isSuccess)).toEqual([false, false, true])
})
