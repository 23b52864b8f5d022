/** Followers of a scan share one reader of it, in front of stores that hold one scan in memory. */
import { it } from "@effect/vitest"
import {
  BacklogStore,
  type CellCounts,
  CellStore,
  HealthStore,
  makeScanFollower,
  OrganizationId,
  type Scan,
  ScanId,
  ScanStore,
  type ScanWork,
  StoreError,
  type StoreFailure,
  wholeHistory
} from "@sov/core"
import { Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"

const organizationId = OrganizationId.make("01900000-0000-7000-8000-000000000001")
const otherId = OrganizationId.make("01900000-0000-7000-8000-000000000002")
const scanId = ScanId.make("01900000-0000-7000-8000-000000000003")

/**
 * A scan that runs until `state.status` says otherwise and is read unless `state.failing`; `reads` has the organization
 * of each read of it.
 */
const makeStores = () => {
  const state = { status: "running" as Scan["status"], answered: 0, failing: null as StoreFailure | null }
  const reads: Array<OrganizationId> = []
  const stores = Layer.mergeAll(
    Layer.mock(ScanStore, {
      find: (organization, id) =>
        Effect.suspend(() => {
          reads.push(organization)
          if (state.failing !== null) return Effect.fail(new StoreError({ reason: state.failing, message: "away" }))
          const isOwn = organization === organizationId && id === scanId
          return Effect.succeed(
            isOwn ? { id, status: state.status, startedAt: new Date(5_000), simulated: false } as Scan : null
          )
        })
    }),
    Layer.mock(CellStore, {
      counts: () => Effect.sync(() => [{ platform: "assistant_a", answered: state.answered, open: 1 } as CellCounts])
    }),
    Layer.mock(BacklogStore, { listOpen: () => Effect.succeed([]) }),
    Layer.mock(HealthStore, { list: Effect.succeed([]) })
  )
  return { state, reads, stores }
}

const answeredOf = ({ platforms }: ScanWork) => platforms[0]!.answered

it.effect("twenty followers of a scan cost as much as one, and each receives all states and the end", () => {
  const { reads, state, stores } = makeStores()
  return Effect.scoped(Effect.gen(function*() {
    const { follow } = yield* makeScanFollower()
    const viewers = yield* Effect.forEach(
      Array.from({ length: 20 }),
      () => Effect.forkChild(Stream.runCollect(follow(organizationId, wholeHistory, scanId)))
    )
    for (state.answered = 0; state.answered < 3; state.answered++) yield* TestClock.adjust("1 second")
    const late = yield* Effect.forkChild(Stream.runCollect(follow(organizationId, wholeHistory, scanId)))
    // It need not wait for the next read
    yield* TestClock.adjust("1 milli")
    expect(reads).toHaveLength(4)
    state.status = "completed"
    yield* TestClock.adjust("1 second")
    expect(reads).toHaveLength(5)
    for (const viewer of viewers) {
      const seen = yield* Fiber.join(viewer)
      expect(seen.map(answeredOf)).toEqual([0, 0, 1, 2, 3])
      expect(seen.map(({ scan }) => scan.status).slice(-2)).toEqual(["running", "completed"])
    }
    expect((yield* Fiber.join(late)).map(({ scan }) => scan.status).slice(-2)).toEqual(["running", "completed"])
    // Nothing is left of it: the next one reads again
    expect(yield* Stream.runCollect(follow(organizationId, wholeHistory, scanId))).toHaveLength(1)
    expect(reads).toHaveLength(6)
  })).pipe(Effect.provide(stores))
})

it.effect("reading stops when the last follower leaves", () => {
  const { reads, stores } = makeStores()
  return Effect.scoped(Effect.gen(function*() {
    const { follow } = yield* makeScanFollower()
    const [one, two] = yield* Effect.forEach(
      [1, 2],
      () => Effect.forkChild(Stream.runDrain(follow(organizationId, wholeHistory, scanId)))
    )
    yield* TestClock.adjust("1 second")
    yield* Fiber.interrupt(one!)
    yield* TestClock.adjust("1 second")
    expect(reads).toHaveLength(3)
    yield* Fiber.interrupt(two!)
    yield* TestClock.adjust("1 minute")
    expect(reads).toHaveLength(3)
  })).pipe(Effect.provide(stores))
})

it.effect("a follower that stops reading does not delay other followers, and still gets the last state", () => {
  const { state, stores } = makeStores()
  return Effect.scoped(Effect.gen(function*() {
    const { follow } = yield* makeScanFollower()
    const slow = yield* follow(organizationId, wholeHistory, scanId).pipe(
      Stream.tap(() => Effect.sleep("1 minute")),
      Stream.runCollect,
      Effect.forkChild
    )
    const quick = yield* Effect.forkChild(Stream.runCollect(follow(organizationId, wholeHistory, scanId)))
    for (state.answered = 0; state.answered < 9; state.answered++) yield* TestClock.adjust("1 second")
    state.status = "cancelled"
    yield* TestClock.adjust("1 second")
    expect((yield* Fiber.join(quick)).map(answeredOf)).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    yield* TestClock.adjust("10 minutes")
    const seen = yield* Fiber.join(slow)
    expect(seen.length).toBeLessThan(6)
    expect(seen.at(-1)!.scan.status).toBe("cancelled")
  })).pipe(Effect.provide(stores))
})

it.effect("a database outage of a few seconds does not end any follower's page", () => {
  const { reads, state, stores } = makeStores()
  return Effect.scoped(Effect.gen(function*() {
    const { follow } = yield* makeScanFollower()
    const viewers = yield* Effect.forEach(
      [1, 2, 3],
      () => Effect.forkChild(Stream.runCollect(follow(organizationId, wholeHistory, scanId)))
    )
    yield* TestClock.adjust("1 milli")
    state.failing = "unavailable"
    yield* TestClock.adjust("8 seconds")
    // One at once, then one a second later, then every two seconds
    expect(reads).toHaveLength(5)
    state.failing = null
    yield* TestClock.adjust("1 second")
    state.status = "completed"
    yield* TestClock.adjust("1 second")
    for (const viewer of viewers) {
      const seen = yield* Fiber.join(viewer)
      expect(seen.map(({ scan }) => scan.status)).toEqual(["running", "running", "completed"])
    }
  })).pipe(Effect.provide(stores))
})

it.effect.each([["unavailable", 7], ["internal", 2]] as const)(
  "a database that stays %s ends all pages after %i reads",
  ([failing, count]) => {
    const { reads, state, stores } = makeStores()
    return Effect.scoped(Effect.gen(function*() {
      const { follow } = yield* makeScanFollower()
      const viewers = yield* Effect.forEach(
        [1, 2, 3],
        () => Effect.forkChild(Effect.result(Stream.runDrain(follow(organizationId, wholeHistory, scanId))))
      )
      yield* TestClock.adjust("1 milli")
      state.failing = failing
      yield* TestClock.adjust("1 minute")
      for (const viewer of viewers) {
        expect(yield* Fiber.join(viewer)).toMatchObject({ _tag: "Failure", failure: { reason: failing } })
      }
      expect(reads).toHaveLength(count)
    })).pipe(Effect.provide(stores))
  }
)

it.effect("followers see nothing of other organizations or outside their plan's window, even if others may see it", () => {
  const { reads, stores } = makeStores()
  return Effect.scoped(Effect.gen(function*() {
    const { follow } = yield* makeScanFollower()
    const owner = yield* Effect.forkChild(Stream.runDrain(follow(organizationId, wholeHistory, scanId)))
    yield* TestClock.adjust("1 milli")
    const see = (organization: OrganizationId, since: Date | null) =>
      Effect.result(Stream.runHead(follow(organization, { since }, scanId)))
    const refused = (error: string) => ({ _tag: "Failure", failure: { _tag: error, id: scanId } })
    expect(yield* see(otherId, null)).toMatchObject(refused("NotFound"))
    expect(yield* see(organizationId, new Date(5_001))).toMatchObject(refused("OutsideWindow"))
    expect(yield* see(organizationId, new Date(5_000))).toMatchObject({ _tag: "Success" })
    expect(reads).toEqual([organizationId, otherId])
    yield* Fiber.interrupt(owner)
  })).pipe(Effect.provide(stores))
})
