/** Event `scan.failed`, and the time of a scan beside others, on a real database of each home. */
import { cancelScan, completeScan, estimateScan, listDeliveries, shiftedClock } from "@sov/core"
import { seedScan } from "@sov/core/testing"
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { seedEndpoint } from "../../contracts/webhookSeeds.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { layerPlatforms, scriptedPlatform } from "../../support/scriptedPlatforms.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  it("a receiver is notified once that a scan failed, with platforms and reasons", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seed
      yield* seedEndpoint(organizationId, { events: ["scan.failed"] })
      yield* scanWith(organizationId, 100, (keyword) => keyword === 0 ? "Acme Forge." : null)
      const failed = yield* scanWith(organizationId, 200, () => null)
      expect(failed.status).toBe("failed")
      yield* completeScan(organizationId, failed.id)
      const [delivery, ...more] = yield* listDeliveries(organizationId, { limit: 9 })
      expect(more).toEqual([])
      const sql = yield* SqlClient.SqlClient
      const [event] = yield* sql<{ readonly body: Uint8Array }>`
        select body from event where id = ${delivery!.eventId}
      `
      expect(JSON.parse(Buffer.from(event!.body).toString("utf8"))).toMatchObject({
        event: "scan.failed",
        organization_id: organizationId,
        data: {
          scan_id: failed.id,
          failed_count: 12,
          failures: [
            { platform: "assistant_a", reason: "timeout", count: 6 },
            { platform: "assistant_b", reason: "timeout", count: 6 }
          ]
        }
      })
    })))

  it("an estimate includes the running scans of all organizations, as they were less than a second ago", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seed
      const clock = yield* Clock.Clock
      const began = yield* clock.currentTimeMillis
      const estimateAt = (ms: number) =>
        Effect.map(estimateScan(organizationId, { samples: 1 }), ({ seconds }) => seconds).pipe(
          Effect.provide(
            layerPlatforms({
              ...scriptedPlatform("assistant_a", () => Effect.never),
              latency: Duration.seconds(10)
            })
          ),
          Effect.provideService(
            Clock.Clock,
            Object.assign(shiftedClock(clock, 0), {
              currentTimeMillis: Effect.succeed(began + ms),
              currentTimeMillisUnsafe: () => began + ms
            })
          )
        )
      expect(yield* estimateAt(0)).toBe(15)
      const { organizationId: other, scan } = yield* seedScan()
      yield* seedScan({ simulated: true })
      expect(yield* estimateAt(999)).toBe(15)
      expect(yield* estimateAt(1000)).toBe(20)
      yield* cancelScan(other, scan.id)
      expect(yield* estimateAt(1999)).toBe(20)
      // The clock was set back
      expect(yield* estimateAt(999)).toBe(15)
    })))
})
