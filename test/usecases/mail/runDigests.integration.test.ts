/** Which digests are queued when, where there are many, and where one cannot be made. */
import { DigestStore, type OrganizationId, runDigests, StoreError } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Exit, Fiber, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeEach, expect, it } from "vitest"
import { oneHome } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const dueAt = new Date("2026-11-23T08:00:00Z")
const at = (seconds: number) => new Date(dueAt.getTime() + seconds * 1000)

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)
const run: typeof storage.run = (program) =>
  storage.run(Effect.provide(Effect.andThen(TestClock.setTime(dueAt.getTime()), program), TestClock.layer()))

beforeEach(() =>
  run(Effect.gen(function*() {
    const digests = yield* DigestStore
    for (const id of yield* digests.listDue(dueAt)) yield* digests.save(id, { enabled: false, nextAt: null })
  }))
)

const seedDue = (count: number) =>
  Effect.forEach(Array.from({ length: count }, (_, n) => n), (n) =>
    Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      yield* (yield* DigestStore).save(id, { enabled: true, nextAt: at(n / 1000 - 60) })
      return id
    }))
const countDue = DigestStore.use((digests) => Effect.map(digests.listDue(dueAt), (due) => due.length))

it("a failing digest is logged once, retried after half a minute, and delays no other", () =>
  run(Effect.gen(function*() {
    const [failingId] = yield* seedDue(2)
    const digests = yield* DigestStore
    const warnings: Array<unknown> = []
    let [tries, away] = [0, true]
    const failing = new Map<OrganizationId, Date>()
    const look = runDigests(failing).pipe(
      Effect.provideService(DigestStore, {
        ...digests,
        lock: (id) => {
          if (id !== failingId) return digests.lock(id)
          tries++
          return away ? Effect.fail(new StoreError({ reason: "unavailable", message: "cut" })) : digests.lock(id)
        }
      }),
      Effect.provide(
        Logger.layer([Logger.make(({ logLevel, message }) => void (logLevel === "Warn" && warnings.push(message)))])
      ),
      Effect.provideService(References.MinimumLogLevel, "Warn")
    )
    expect([yield* look, tries, yield* countDue]).toEqual([at(30), 1, 1])
    yield* TestClock.setTime(at(29).getTime())
    expect([yield* look, tries]).toEqual([at(30), 1])
    yield* TestClock.setTime(at(30).getTime())
    expect([yield* look, tries]).toEqual([at(60), 2])
    expect(warnings.map(String)).toEqual([
      expect.stringContaining(`the digest of organization ${failingId} cannot be made`)
    ])
    away = false
    yield* TestClock.setTime(at(60).getTime())
    yield* look
    expect([tries, yield* countDue, failing.size]).toEqual([3, 0, 0])
  })))

it("one call queues twenty due digests, the next call the rest", () =>
  run(Effect.gen(function*() {
    yield* seedDue(21)
    expect([yield* runDigests(), yield* countDue]).toEqual([dueAt, 1])
    const next = yield* runDigests()
    expect([next! > dueAt, yield* countDue]).toEqual([true, 0])
  })))

it("an interruption takes effect between two digests", () =>
  run(Effect.gen(function*() {
    yield* seedDue(3)
    const digests = yield* DigestStore
    const fiber: Fiber.Fiber<unknown, unknown> = yield* runDigests().pipe(
      Effect.provideService(DigestStore, {
        ...digests,
        save: (id, setting) => {
          fiber.interruptUnsafe()
          return digests.save(id, setting)
        }
      }),
      Effect.uninterruptible,
      Effect.forkChild
    )
    expect(Exit.hasInterrupts(yield* Fiber.await(fiber))).toBe(true)
    expect(yield* countDue).toBe(2)
  })))
