/** Five adapters in one scan: all answers, every limit kept, and four that do not wait for a fifth that is dead. */
// Only with SOV_LONG_TESTS: five adapters through the command; outbound/ shows each
import { type Placement, readScan, startScan, startWorker } from "@sov/core"
import { decodePlatformConfig, layerPlatforms } from "@sov/core/outbound"
import type { Stores } from "@sov/core/testing"
import { Clock, Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { startProviders } from "../support/FiveProviders.ts"
import { hasEnded, initializeOrganization, layerLocalPlacement, scanRequest } from "../support/scriptedPlatforms.ts"
import { sov, sovInit, workspace } from "../support/sov.ts"
import { openStorage } from "../support/storage.ts"
import { advanceClockUntil } from "../support/testClock.ts"
import { deliveryServices } from "../support/webhooks.ts"

it("the 166 questions are asked of five providers at once, each within its own limits", async () => {
  const { config, providers } = await startProviders([
    { latencyMs: 60, concurrency: 8 },
    { latencyMs: 90, concurrency: 12, requestsPerMinute: 166 },
    { latencyMs: 20, concurrency: 2 },
    { latencyMs: 120, concurrency: 16 },
    { latencyMs: 5, concurrency: 1, requestsPerMinute: 1_000 }
  ], "Acme makes the best anvil.")
  const cwd = workspace()
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify(config))
  const keywords = Array.from({ length: 166 }, (_, n) => ({ text: `best anvil of kind ${n}?` }))
  writeFileSync(join(cwd, "tracking.json"), JSON.stringify({ brand: { name: "Acme" }, keywords }))
  await sovInit(cwd, ["--from", "tracking.json"])
  const scan = await sov(cwd, ["scan", "--json"])
  expect(scan).toMatchObject({ code: 0 })
  expect(JSON.parse(scan.stdout)).toMatchObject({
    status: "completed",
    results_count: 830,
    failed_count: 0,
    mentioned_count: 830,
    platform_breakdown: { assistant_a: 100, assistant_b: 100, assistant_c: 100, assistant_d: 100, assistant_e: 100 }
  })
  for (const { adapter, limits, most, mostInAMinute, times } of providers) {
    expect({ adapter, requests: times.length }).toEqual({ adapter, requests: 166 })
    expect(most(), adapter).toBeLessThanOrEqual(limits.concurrency)
    expect(mostInAMinute(), adapter).toBeLessThanOrEqual(limits.requestsPerMinute ?? Infinity)
  }
})

describe("in a test's time", () => {
  const storage = openStorage("embedded")
  afterAll(storage.close)

  it("no provider gets more than its limit in any minute, even from consecutive processes", async () => {
    let nowMs = 0
    const { config, providers } = await startProviders(
      [7, 5, 4, 3, 2].map((requestsPerMinute) => ({ latencyMs: 1, concurrency: 8, requestsPerMinute })),
      "Acme makes the best anvil.",
      () => nowMs
    )
    const layer = Layer.merge(
      layerPlatforms(Result.getOrThrow(decodePlatformConfig(config, "test")), {}),
      deliveryServices
    )
    const program: Effect.Effect<void, unknown, Stores | Placement> = Effect.scoped(Effect.gen(function*() {
      const organizationId = yield* initializeOrganization(8)
      const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
      const clock = Effect.map(Clock.currentTimeMillis, (ms) => void (nowMs = ms))
      const sent = Effect.andThen(clock, Effect.sync(() => providers.reduce((sum, { times }) => sum + times.length, 0)))
      const first = yield* Effect.provide(startWorker(), layer)
      yield* advanceClockUntil(Effect.map(sent, (count) => count === 21), {
        stepMs: 50,
        maxSteps: 1_000,
        realMsPerStep: 5
      })
      yield* first.stop("1 second")
      const second = yield* Effect.provide(startWorker(), layer)
      yield* advanceClockUntil(Effect.andThen(clock, hasEnded(organizationId, scan.id)), {
        stepMs: 1_000,
        maxSteps: 400,
        realMsPerStep: 5
      })
      yield* second.stop("1 second")
      expect((yield* readScan(organizationId, scan.id)).archived.answers).toBe(40)
    }))
    await storage.run(Effect.provide(program, Layer.merge(layerLocalPlacement, TestClock.layer())))
    for (const { adapter, limits, mostInAMinute, times } of providers) {
      expect({ adapter, requests: times.length }).toEqual({ adapter, requests: 8 })
      // It binds: the eighth waits for the first to be a minute old.
      expect({ adapter, most: mostInAMinute() }).toEqual({ adapter, most: limits.requestsPerMinute })
    }
  })
})

describe("a scan in which one of five platforms never works", () => {
  const storage = openStorage("embedded")
  afterAll(storage.close)

  const closedPort = async (): Promise<string> => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    return `http://127.0.0.1:${port}/v1`
  }
  const failing = async (): Promise<string> => {
    const server = createServer((_, response) => response.writeHead(500).end("{\"error\":{\"message\":\"down\"}}"))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  }

  const deaths = [["refuses connections", closedPort], ["answers 500", failing]] as const
  it.each(process.env["SOV_LONG_TESTS"] === undefined ? deaths.slice(0, 1) : deaths)(
    "a platform that %s does not delay the scan: the other four complete",
    async (_, dead) => {
      const limits = { latencyMs: 1, concurrency: 4 }
      const { config } = await startProviders(Array.from({ length: 5 }, () => limits), "Acme makes the best anvil.")
      const bound = config.platforms["assistant_c"]!
      const platforms = { ...config.platforms, assistant_c: { ...bound, baseUrl: await dead() } }
      const layer = Layer.merge(
        layerPlatforms(Result.getOrThrow(decodePlatformConfig({ platforms }, "test")), {}),
        deliveryServices
      )
      const program: Effect.Effect<void, unknown, Stores | Placement> = Effect.scoped(Effect.gen(function*() {
        const begun = yield* Clock.currentTimeMillis
        const organizationId = yield* initializeOrganization(20)
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        const counts = Effect.map(readScan(organizationId, scan.id), (report) => report.counts)
        // The four take real time: the clock stands nearly still for them.
        const four = Effect.map(counts, (all) => all.filter(({ answered }) => answered === 20).length === 4)
        yield* advanceClockUntil(four, { stepMs: 5, maxSteps: 4_000, realMsPerStep: 5 })
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 700, realMsPerStep: 5 })
        expect((yield* Clock.currentTimeMillis) - begun).toBeLessThan(700_000)
        yield* worker.stop("1 second")
        const { archived, scan: ended, score } = yield* readScan(organizationId, scan.id)
        expect(ended.status).toBe("completed")
        expect(archived.answers).toBe(80)
        expect(Object.keys(score!.platformBreakdown).toSorted()).toEqual([
          "assistant_a",
          "assistant_b",
          "assistant_d",
          "assistant_e"
        ])
        expect((yield* counts).map(({ failed, open }) => ({ failed, open }))).toEqual(
          [0, 0, 20, 0, 0].map((failed) => ({ failed, open: 0 }))
        )
      }))
      await storage.run(Effect.provide(program, Layer.merge(layerLocalPlacement, TestClock.layer())))
    }
  )
})
