/** Which digests are queued when, where there are many, and where one cannot be made. */
import { DigestStore, makeDigestKind, runErrands, StoreError } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Logger, References } from "effect"
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
    for (const { organizationId } of yield* digests.listDue(dueAt)) {
      yield* digests.save(organizationId, { enabled: false, nextAt: null })
    }
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

it("a failing digest is logged once, retried after half a minute, and delays no other digest", () =>
  run(Effect.gen(function*() {
    const [failingId] = yield* seedDue(2)
    const digests = yield* DigestStore
    const warnings: Array<unknown> = []
    let [tries, away] = [0, true]
    const look = runErrands(makeDigestKind(true)).pipe(
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
    yield* look
    expect([tries, yield* countDue]).toEqual([1, 1])
    yield* TestClock.setTime(at(29).getTime())
    yield* look
    expect(tries).toBe(1)
    yield* TestClock.setTime(at(30).getTime())
    yield* look
    expect(tries).toBe(2)
    expect(warnings.map(String)).toEqual([
      expect.stringContaining(`the digest of organization ${failingId} failed`)
    ])
    away = false
    yield* TestClock.setTime(at(60).getTime())
    yield* look
    expect([tries, yield* countDue]).toEqual([3, 0])
  })))
