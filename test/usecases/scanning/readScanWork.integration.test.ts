/** How a scan stands on each platform, and why what is open waits. */
import {
  BacklogStore,
  cancelScan,
  CellStore,
  closedBreaker,
  followScanWork,
  HealthStore,
  type PlatformHealth,
  readScanWork,
  wholeHistory
} from "@sov/core"
import { at, seedScan } from "@sov/core/testing"
import { Effect, Stream } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const lastFailure = { reason: "throttled", message: "assistant_b: slow down", at: at(9).getTime() } as const

const healthOf = (fields: Partial<PlatformHealth>): PlatformHealth => ({
  platform: "assistant_b",
  simulated: false,
  provider: "adapter model",
  attendance: [],
  sent: { bySecond: [], unsent: 0 },
  breaker: { ...closedBreaker, failures: 1, failingSince: at(9).getTime() },
  outcomes: ["throttled"],
  endsOn: null,
  lastFailure,
  seenAt: at(9),
  ...fields
})

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("the work of a scan shows why a platform's open questions wait, and until when, while its calls fail", () =>
    storage.run(Effect.gen(function*() {
      const { cells, organizationId, scan } = yield* seedScan()
      const health = yield* HealthStore
      const store = yield* CellStore
      // A viewer asks once a second: the last activity would be read of all cells and answers each time
      const backlog = { ...(yield* BacklogStore), ofScan: () => Effect.die("the last activity is read") }
      const read = Effect.provideService(readScanWork(organizationId, wholeHistory, scan.id), BacklogStore, backlog)
      const later = new Date(Date.now() + 3_600_000)
      yield* health.save(healthOf({}))
      for (const cell of cells) {
        if (cell.platform === "assistant_b") yield* store.postpone(organizationId, cell.id, later, null)
      }
      const [a, b] = (yield* read).platforms
      expect(a).toMatchObject({ platform: "assistant_a", open: 2, nextDueAt: null, failing: null })
      expect(b).toMatchObject({ platform: "assistant_b", open: 2, nextDueAt: later, failing: "throttled" })

      yield* health.save(healthOf({ breaker: closedBreaker, outcomes: ["throttled", "answered"] }))
      expect((yield* read).platforms[1]).toMatchObject({ failing: null })

      yield* health.save(healthOf({ simulated: true }))
      expect((yield* read).platforms[1]).toMatchObject({ failing: null })
    })))

  it("following a scan ends with its final state, which the follower receives", () =>
    storage.run(Effect.gen(function*() {
      const { organizationId, scan } = yield* seedScan()
      const seen = yield* followScanWork(organizationId, wholeHistory, scan.id).pipe(
        Stream.tap(({ scan: { status } }) => status === "running" ? cancelScan(organizationId, scan.id) : Effect.void),
        Stream.runCollect
      )
      expect([...seen].map((one) => one.scan.status)).toEqual(["running", "cancelled"])
      expect([...seen].at(-1)!.platforms).toMatchObject([{ open: 0, cancelled: 2, failing: null }, {
        open: 0,
        cancelled: 2
      }])
    })))
})
