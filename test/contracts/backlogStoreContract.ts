import { BacklogStore, CellStore } from "@sov/core"
import { at, seedAnswers, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** What every BacklogStore must keep. */
export const backlogStoreContract = storeContract("BacklogStore", {
  "counts what is open, due, and waits for a retry": Effect.fnUntraced(function*() {
    const backlog = yield* BacklogStore
    const cells = yield* CellStore
    const seed = yield* seedScan()
    const { organizationId, scan } = seed
    const fresh = yield* backlog.ofScan(organizationId, scan.id, at(10))
    assert.deepEqual(fresh, {
      platforms: [
        { platform: "assistant_a", open: 2, due: 2, nextDueAt: null },
        { platform: "assistant_b", open: 2, due: 2, nextDueAt: null }
      ],
      lastActivityAt: null
    })
    const [claimed] = yield* cells.claim({ organizationId, scanId: scan.id }, "assistant_a", {
      now: at(11),
      limit: 1,
      inFlight: []
    })
    yield* cells.postpone(organizationId, claimed!.cell.id, at(42), null)
    const other = seed.cells.find(({ id, platform }) => platform === "assistant_a" && id !== claimed!.cell.id)
    yield* cells.fail(organizationId, other!.id, { reason: "auth", message: "no", excerpt: null, status: null })
    assert.deepEqual(yield* backlog.ofScan(organizationId, scan.id, at(12)), {
      platforms: [
        { platform: "assistant_a", open: 1, due: 0, nextDueAt: at(42) },
        { platform: "assistant_b", open: 2, due: 2, nextDueAt: null }
      ],
      lastActivityAt: at(11)
    })
    assert.equal((yield* backlog.ofScan(organizationId, scan.id, at(42))).platforms[0]?.due, 1)
    assert.deepEqual(
      yield* backlog.listOpen(organizationId, scan.id, at(42)),
      (yield* backlog.ofScan(organizationId, scan.id, at(42))).platforms
    )
  }),

  "takes the last answer for the last activity": Effect.fnUntraced(function*() {
    const backlog = yield* BacklogStore
    const seed = yield* seedScan()
    yield* seedAnswers(seed, 20)
    assert.deepEqual(yield* backlog.ofScan(seed.organizationId, seed.scan.id, at(99)), {
      platforms: [],
      lastActivityAt: at(23)
    })
  })
})
