import { it } from "@effect/vitest"
import { type ArchivedAnswer, type CellFailure, type RegisteredWorker, StoreError, type Usage } from "@sov/core"
import { Clock, Effect, Scope } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { platformError } from "../../support/scriptedPlatforms.ts"
import { answer, type Line, stopped, working } from "./endlessWork.ts"

it.effect("a worker begins at most requestsPerMinute calls in any 60 seconds", () =>
  Effect.scoped(Effect.gen(function*() {
    const begun: Array<number> = []
    const ask = () =>
      Effect.map(Clock.currentTimeMillis, (ms) => {
        begun.push(ms / 1000)
        return answer
      })
    // Late in a clock minute: a window that begins with the minute would let six through at once.
    yield* TestClock.adjust("55 seconds")
    yield* working({ concurrency: 8, requestsPerMinute: 3, simulated: true }, ask, 130)
    // A second more than the minute: some calls arrive faster than others.
    expect(begun).toEqual([55, 55, 55, 116, 116, 116, 177, 177, 177])
  })))

it.effect("a worker has at most `concurrency` calls in flight, and never fewer while there is work", () =>
  Effect.scoped(Effect.gen(function*() {
    let running = 0
    const seen = new Set<number>()
    const ask = () =>
      Effect.sync(() => seen.add(++running)).pipe(
        Effect.andThen(Effect.sleep("1 second")),
        Effect.andThen(Effect.sync(() => {
          running--
          return answer
        }))
      )
    const worker = yield* working({ concurrency: 3, requestsPerMinute: null }, ask, 10)
    expect(Math.max(...seen)).toBe(3)
    expect(running).toBe(3)
    yield* stopped(worker)
    expect(running).toBe(0)
  })))

it.effect("a worker loses no permit if its work moves while a claim waits for the database", () =>
  Effect.scoped(Effect.gen(function*() {
    let asked = 0
    let claimed = 0
    const ask = () => Effect.sync(() => (asked++, answer))
    const worker = yield* working({ concurrency: 4, requestsPerMinute: null }, ask, 60, {
      claimFor: "700 millis",
      moved: Effect.sleep("1 second"),
      onClaim: (limit) => claimed += limit
    })
    expect(claimed).toBeGreaterThan(100)
    yield* stopped(worker)
    expect(asked).toBe(claimed)
  })))

it.effect("a worker stops in time even if leaving its tasks never ends", () =>
  Effect.gen(function*() {
    const ask = () => Effect.never
    const line: Line = { leaving: Effect.never }
    const scope = yield* Scope.make()
    const worker = yield* working({ concurrency: 1, requestsPerMinute: null }, ask, 1, line).pipe(Scope.provide(scope))
    const stopping = yield* Effect.forkChild(worker.stop("5 seconds"))
    yield* TestClock.adjust("8 seconds")
    expect(stopping.pollUnsafe()).toBeDefined()
  }))

it.effect("waiting organizations share the free permits", () =>
  Effect.scoped(Effect.gen(function*() {
    const limits: Array<number> = []
    const ask = () => Effect.as(Effect.sleep("1 second"), answer)
    const worker = yield* working({ concurrency: 6, requestsPerMinute: null, simulated: true }, ask, 0, {
      organizations: 3,
      onClaim: (limit) => limits.push(limit)
    })
    yield* TestClock.adjust("10 millis")
    expect(limits).toEqual([2, 2, 2])
    yield* stopped(worker)
  })))

it.effect("a scan is given up only while no cell of it is being claimed or in flight", () =>
  Effect.scoped(Effect.gen(function*() {
    const givenUp: Array<string> = []
    let asked = 0
    // The fifth refusal comes when nothing is in flight, and the next claim is at the database.
    const ask = () =>
      Effect.suspend(() => Effect.sleep(++asked === 5 ? "400 millis" : "100 millis")).pipe(
        Effect.andThen(Effect.fail(platformError("auth")))
      )
    const worker = yield* working({ concurrency: 5, requestsPerMinute: null }, ask, 20, {
      claimFor: "700 millis",
      onGiveUp: (inFlight, claiming) => givenUp.push(`${inFlight} in flight, ${claiming} claims`)
    })
    yield* stopped(worker)
    expect(new Set(givenUp)).toEqual(new Set(["0 in flight, 0 claims"]))
    // Cells that were being claimed are asked, and no others
    expect(asked).toBeLessThanOrEqual(5 + 4)
  })))

it.effect("a worker asks nothing once others may consider it dead, or while another worker does its work", () =>
  Effect.scoped(Effect.gen(function*() {
    let there: "away" | ReadonlyArray<Partial<RegisteredWorker>> = []
    let asked = 0
    const ask = () => Effect.as(Effect.sleep("500 millis"), (asked++, answer))
    const worker = yield* working({ concurrency: 1, requestsPerMinute: null }, ask, 9, { others: () => there })
    const during = Effect.fnUntraced(function*(seconds: number) {
      const before = asked
      for (let second = 0; second < seconds; second++) yield* TestClock.adjust("1 second")
      return asked - before
    })
    expect(yield* during(3)).toBeGreaterThan(4)
    // Its last sign was taken at most two seconds ago
    there = "away"
    expect(yield* during(4)).toBeGreaterThan(4)
    yield* during(4)
    expect(yield* during(30)).toBe(0)
    // Its sign is taken again, but a successor was there first
    there = [{ doing: ["sweeper", "platform/assistant_a"] }]
    expect(yield* during(30)).toBe(0)
    there = [{ doing: ["sweeper"] }]
    expect(yield* during(5)).toBeGreaterThan(4)
    yield* stopped(worker)
  })))

it.effect("a cell whose answer is refused repeatedly ends and is charged, but a full disk only delays it", () =>
  Effect.scoped(Effect.gen(function*() {
    let [asked, tried] = [0, 0]
    let reason: StoreError["reason"] | null = "full"
    const failures: Array<CellFailure> = []
    const charges: Array<Usage> = []
    const ask = () => Effect.as(Effect.sleep("1 second"), (asked++, answer))
    const worker = yield* working({ concurrency: 1, requestsPerMinute: null }, ask, 60, {
      archive: () =>
        Effect.suspend(() => {
          tried++
          return reason === null ? Effect.succeed(true) : Effect.fail(new StoreError({ reason, message: "no (XX000)" }))
        }),
      onFailed: (failure) => failures.push(failure),
      onCharge: (usage) => charges.push(usage)
    })
    expect([asked, failures]).toEqual([1, []])
    reason = "internal"
    tried = 0
    for (let second = 0; second < 40; second++) yield* TestClock.adjust("1 second")
    expect(failures[0]).toMatchObject({ message: "the platform's answer cannot be archived: no (XX000)" })
    expect(charges[0]).toEqual(answer.usage)
    expect(asked).toBeLessThanOrEqual(failures.length + 1)
    // Once a second, with the measurement and without it
    expect(tried).toBeLessThan(100)
    reason = null
    for (let second = 0; second < 5; second++) yield* TestClock.adjust("1 second")
    yield* stopped(worker)
  })))

it.effect("an answer that a fault of sov keeps out of the archive costs one call, and is archived without citations if possible", () =>
  Effect.scoped(Effect.gen(function*() {
    let [asked, broken] = [0, (one: ArchivedAnswer) => one.citations.length > 0]
    const [archived, failures, charges]: [Array<number>, Array<CellFailure>, Array<Usage>] = [[], [], []]
    const citations = [{ url: "https://a.example/", title: null, position: 1 }]
    const ask = () => Effect.as(Effect.sleep("1 second"), (asked++, { ...answer, citations }))
    const worker = yield* working({ concurrency: 1, requestsPerMinute: null }, ask, 5, {
      archive: (_, one) =>
        broken(one) ? Effect.die(new TypeError("no")) : Effect.sync(() => archived.push(one.citations.length) > 0),
      onFailed: (failure) => failures.push(failure),
      onCharge: (usage) => charges.push(usage)
    })
    expect([archived, failures]).toEqual([Array.from({ length: asked - 1 }, () => 0), []])
    broken = () => true
    for (let second = 0; second < 5; second++) yield* TestClock.adjust("1 second")
    expect(failures[0]).toMatchObject({ message: "the platform's answer cannot be archived: TypeError" })
    expect(charges).toHaveLength(failures.length)
    expect(asked).toBeLessThanOrEqual(archived.length + failures.length + 1)
    yield* stopped(worker)
  })))
