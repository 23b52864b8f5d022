import { it } from "@effect/vitest"
import {
  type AnswerPlatform,
  AnswerPlatforms,
  type ArchivedAnswer,
  ArchiveStore,
  type Cell,
  type CellFailure,
  CellStore,
  formatNewWork,
  HealthStore,
  type NewWork,
  Notifications,
  OrganizationId,
  Placement,
  type RegisteredWorker,
  ScanId,
  type ScanQueue,
  ScanStore,
  startWorker,
  StoreError,
  TrackedSetStore,
  Transaction,
  type Usage,
  UsageStore,
  type Worker,
  WorkerRegistry
} from "@sov/core"
import { Clock, Duration, Effect, Fiber, Layer, Schedule, Scope, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { idleStores } from "../../support/idleStores.ts"
import { platformError } from "../../support/scriptedPlatforms.ts"
import { unaudited } from "../../support/unaudited.ts"
import { deliveryServices } from "../../support/webhooks.ts"

interface Line {
  /** Organizations that wait. */
  readonly organizations?: number
  /** How long a claim is at the database. */
  readonly claimFor?: Duration.Input
  readonly onClaim?: (limit: number) => void
  /** How many cells are in flight, and how many claims at the database, when a scan is given up. */
  readonly onGiveUp?: (inFlight: number, claiming: number) => void
  /** Interrupts the work each time it completes, and begins it again, as a hand-over there and back does. */
  readonly moved?: Effect.Effect<void>
  readonly archive?: ArchiveStore["Service"]["archive"]
  readonly onFailed?: (failure: CellFailure) => void
  readonly onCharge?: (usage: Usage) => void
  /** Announce that there is new work. */
  readonly notifications?: Stream.Stream<string>
  /** How long a read of the scans that there are is at the database. */
  readonly readFor?: Duration.Input
  readonly onRead?: () => void
  /** Replaces what the store of cells says of its scans. */
  readonly cells?: Partial<CellStore["Service"]>
  /** What leaving the other workers takes. */
  readonly leaving?: Effect.Effect<void>
  /**
   * Who else is there, where others may begin what this worker still does; "away" = no sign of it reaches the registry.
   */
  readonly others?: () => "away" | ReadonlyArray<Partial<RegisteredWorker>>
}

/** A line that never ends: every claim gives as many cells as it may. */
const endlessWork = (
  {
    archive = () => Effect.succeed(true),
    cells = {},
    claimFor = 0,
    leaving = Effect.void,
    moved = Effect.never,
    notifications = Stream.never,
    onCharge,
    onClaim,
    onFailed,
    onGiveUp,
    onRead,
    organizations = 1,
    others,
    readFor = 0
  }: Line
) =>
  Effect.sync(() => {
    let made = 0
    let claiming = 0
    const id = () => `00000000-0000-7000-8000-${String(++made).padStart(12, "0")}`
    const queues = Array.from(
      { length: organizations },
      () =>
        ({
          organizationId: id(),
          scanId: id(),
          trackedSetVersion: 1,
          startedAt: new Date(0),
          dueAt: new Date(0)
        }) as unknown as ScanQueue
    )
    const cell = () =>
      ({
        id: id(),
        scanId: queues[0]!.scanId,
        keywordId: id(),
        prompt: "?",
        platform: "assistant_a",
        sample: 1,
        attempts: 1,
        firstAttemptAt: new Date(0)
      }) as unknown as Cell
    return Layer.mergeAll(
      unaudited,
      idleStores,
      Layer.mock(CellStore, {
        queues: () => Effect.as(Effect.delay(Effect.sync(() => onRead?.()), readFor), queues),
        claim: (_, __, { limit }) =>
          // What is at the database is done there, whatever becomes of who asked
          Effect.uninterruptible(
            Effect.sync(() => claiming++).pipe(
              Effect.andThen(Effect.sleep(claimFor)),
              Effect.andThen(Effect.sync(() => claiming--))
            )
          ).pipe(
            Effect.tap(() => Effect.sync(() => onClaim?.(limit))),
            Effect.map(() => Array.from({ length: limit }, () => ({ cell: cell(), exhausted: false })))
          ),
        failOpen: (_, __, inFlight) => Effect.sync(() => onGiveUp?.(inFlight.length, claiming)),
        fail: (_, __, failure) => Effect.sync(() => onFailed?.(failure)),
        counts: () => Effect.succeed([]),
        hasOpen: () => Effect.succeed(true),
        ...cells
      }),
      Layer.mock(ScanStore, { listSettled: Effect.succeed([]) }),
      Layer.mock(ArchiveStore, { archive }),
      Layer.mock(TrackedSetStore, {
        find: () =>
          Effect.succeed({
            version: 1,
            brand: { id: id(), name: "Acme", aliases: [], domains: [], excludes: [] },
            competitors: []
          } as never)
      }),
      Layer.mock(Notifications, { listen: () => notifications }),
      Layer.succeed(Placement, {
        exclusive: others === undefined,
        run: (tasks) =>
          Effect.andThen(
            Effect.addFinalizer(() => leaving),
            Effect.forEach(
              Object.values(tasks),
              (one) => Effect.forkScoped(Effect.forever(Effect.raceFirst(Effect.scoped(one), moved))),
              { discard: true }
            )
          )
      }),
      deliveryServices,
      Layer.mock(HealthStore, { list: Effect.succeed([]), save: () => Effect.void }),
      Layer.mock(UsageStore, { charge: (_, { usage }) => Effect.sync(() => onCharge?.(usage)) }),
      Layer.mock(Transaction, { run: (effect) => effect }),
      Layer.mock(WorkerRegistry, {
        register: () => Effect.succeed(new Date(0)),
        list: () => {
          const there = others?.() ?? []
          return Effect.succeed(there === "away" ? [] : there as ReadonlyArray<RegisteredWorker>)
        },
        heartbeat: () =>
          others?.() === "away"
            ? Effect.fail(new StoreError({ reason: "unavailable", message: "away" }))
            : Effect.succeed(true),
        unregister: () => Effect.void
      }),
      SecureRandom.layerWebCrypto
    )
  })

const working = Effect.fnUntraced(function*(
  limits: Pick<AnswerPlatform, "concurrency" | "requestsPerMinute">,
  ask: AnswerPlatform["ask"],
  seconds: number,
  line: Line = {}
) {
  const platform: AnswerPlatform = {
    id: "assistant_a",
    adapter: "scripted",
    model: "m",
    simulated: false,
    timeout: Duration.seconds(10),
    ask,
    ...limits
  }
  const platforms = Layer.succeed(AnswerPlatforms, { all: new Map([[platform.id, platform]]), digest: "d" })
  const worker = yield* Effect.provide(startWorker(), Layer.merge(yield* endlessWork(line), platforms))
  for (let second = 0; second < seconds; second++) yield* TestClock.adjust("1 second")
  return worker
})

const stopped = Effect.fnUntraced(function*(worker: Worker) {
  const stopping = yield* Effect.forkChild(worker.stop("5 seconds"))
  yield* TestClock.adjust("1 second")
  yield* Fiber.join(stopping)
})

const answer = {
  text: "Acme",
  payload: Buffer.from(""),
  citations: [],
  model: "m",
  finish: "stop",
  usage: { inputTokens: 1, outputTokens: 1, costUsd: null },
  latencyMs: 1,
  simulated: false
} as const

/**
 * How long the scans that there are were read in three seconds, in milliseconds, while new work is announced all the
 * time.
 */
const readingMs = Effect.fnUntraced(function*(cells: Partial<CellStore["Service"]> = {}) {
  let reads = 0
  const ask = () => Effect.delay(Effect.succeed(answer), 500)
  const worker = yield* working({ concurrency: 1, requestsPerMinute: null }, ask, 3, {
    cells,
    notifications: Stream.fromSchedule(Schedule.spaced("5 millis")).pipe(Stream.map(String)),
    onRead: () => reads++,
    readFor: 20
  })
  yield* stopped(worker)
  return reads * 20
})

it.effect("while there is work, reads the scans that there are a tenth of the time at most", () =>
  Effect.gen(function*() {
    const ms = yield* readingMs()
    expect(ms).toBeLessThanOrEqual(3_000 / 10 + 20 * 2)
    // What is announced is read as soon as that, and not with the next poll
    expect(ms).toBeGreaterThan(200)
  }))

it.effect("while there is none, reads new work as soon as it is announced", () =>
  Effect.gen(function*() {
    expect(yield* readingMs({ claim: () => Effect.succeed([]) })).toBeGreaterThan(1_500)
  }))

it.effect("between two polls reads the scan that is announced alone, and none where other work is", () =>
  Effect.scoped(Effect.gen(function*() {
    const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`
    const begun = { organizationId: OrganizationId.make(id(1)), scanId: ScanId.make(id(2)) }
    const announced: ReadonlyArray<NewWork> = [
      { of: "mail" },
      { of: "scan", ...begun },
      { of: "schedules" },
      { of: "deliveries", organizationId: begun.organizationId },
      { of: "any" }
    ]
    const reads: Array<unknown> = []
    const worker = yield* working({ concurrency: 1, requestsPerMinute: null }, () => Effect.never, 0, {
      cells: { queues: (_, __, ___, which) => Effect.sync(() => (reads.push(which), [])) },
      notifications: Stream.fromIterable(announced).pipe(
        Stream.map(formatNewWork),
        Stream.schedule(Schedule.spaced("100 millis")),
        Stream.concat(Stream.never)
      )
    })
    yield* TestClock.adjust("1 second")
    expect(reads).toMatchObject(["all", [begun], "all"])
    yield* stopped(worker)
  })))

it.effect("begins at most requestsPerMinute calls in any 60 seconds", () =>
  Effect.scoped(Effect.gen(function*() {
    const begun: Array<number> = []
    const ask = () =>
      Effect.map(Clock.currentTimeMillis, (ms) => {
        begun.push(ms / 1000)
        return answer
      })
    // Late in a clock minute: a window that begins with the minute would let six through at once.
    yield* TestClock.adjust("55 seconds")
    yield* working({ concurrency: 8, requestsPerMinute: 3 }, ask, 130)
    // A second more than the minute: some calls arrive faster than others.
    expect(begun).toEqual([55, 55, 55, 116, 116, 116, 177, 177, 177])
  })))

it.effect("has at most `concurrency` calls in flight, and never fewer while there is work", () =>
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

it.effect("loses no permit when its work moves while a claim is at the database", () =>
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

it.effect("stops in time although leaving the others takes for ever", () =>
  Effect.gen(function*() {
    const ask = () => Effect.never
    const line: Line = { leaving: Effect.never }
    const scope = yield* Scope.make()
    const worker = yield* working({ concurrency: 1, requestsPerMinute: null }, ask, 1, line).pipe(Scope.provide(scope))
    const stopping = yield* Effect.forkChild(worker.stop("5 seconds"))
    yield* TestClock.adjust("8 seconds")
    expect(stopping.pollUnsafe()).toBeDefined()
  }))

it.effect("shares free permits among the organizations that wait", () =>
  Effect.scoped(Effect.gen(function*() {
    const limits: Array<number> = []
    const ask = () => Effect.as(Effect.sleep("1 second"), answer)
    const worker = yield* working({ concurrency: 6, requestsPerMinute: null }, ask, 0, {
      organizations: 3,
      onClaim: (limit) => limits.push(limit)
    })
    yield* TestClock.adjust("10 millis")
    expect(limits).toEqual([2, 2, 2])
    yield* stopped(worker)
  })))

it.effect("gives a scan up while nothing of it is being claimed or in flight", () =>
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
    // Those that were being claimed are asked, and no more
    expect(asked).toBeLessThanOrEqual(5 + 4)
  })))

it.effect("asks nothing once others may take it for dead, nor while one of them is at its work", () =>
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

it.effect("ends a cell whose answer is refused again and again, charges it, and waits for a disk that is full", () =>
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

it.effect("asks once where a fault of ours keeps the answer out of the archive: without its citations it may get in", () =>
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

/** A scan of one cell, which is asked until it is answered; `dueAt` is what the worker postponed it to. */
const makeOneCell = () => {
  const state = { open: true, dueAt: new Date(0) }
  const [scanId, id] = ["00000000-0000-7000-8000-00000000000a", "00000000-0000-7000-8000-00000000000b"]
  const queue = { organizationId: id, scanId, trackedSetVersion: 1, startedAt: new Date(0) }
  const cell = { id, scanId, keywordId: id, prompt: "?", sample: 1, attempts: 1, firstAttemptAt: new Date(0) }
  /** When the store was read, and which scans of it. */
  const reads: Array<readonly [number, "all" | ReadonlyArray<ScanId>]> = []
  const cells: Partial<CellStore["Service"]> = {
    queues: (_, __, inFlight, which) =>
      Effect.map(Clock.currentTimeMillis, (ms) => {
        reads.push([ms, which === "all" ? which : which.map((one) => one.scanId)])
        return state.open && inFlight.length === 0 ? [{ ...queue, dueAt: state.dueAt } as never] : []
      }),
    claim: (_, platform, { inFlight, now }) =>
      Effect.sync(() =>
        state.open && inFlight.length === 0 && now >= state.dueAt
          ? [{ cell: { ...cell, platform } as unknown as Cell, exhausted: false }]
          : []
      ),
    postpone: (_, __, at) => Effect.sync(() => void (state.dueAt = at))
  }
  return { state, cells, reads, scanId, archive: () => Effect.sync(() => (state.open = false, true)) }
}

it.effect("asks what was postponed before it came when that is due, without a read", () =>
  Effect.scoped(Effect.gen(function*() {
    const asked: Array<number> = []
    const { archive, cells, reads, state } = makeOneCell()
    state.dueAt = new Date(1_300)
    const ask = () => Effect.map(Clock.currentTimeMillis, (ms) => (asked.push(ms), answer))
    const worker = yield* working({ concurrency: 2, requestsPerMinute: null }, ask, 0, { archive, cells })
    for (let tenth = 0; tenth < 19; tenth++) yield* TestClock.adjust("100 millis")
    expect([asked, reads]).toEqual([[1_300], [[0, "all"]]])
    yield* stopped(worker)
  })))

// The store is read every 2 s: the first is due before it is read again, and after the longest wait of its own (1.5 s);
// the second between two reads after that
it.effect.each([1_600, 3_500])(
  "asks again when the platform said so, after %d ms, not at the next poll",
  (afterMs) =>
    Effect.scoped(Effect.gen(function*() {
      const asked: Array<number> = []
      const { archive, cells, reads, scanId, state } = makeOneCell()
      const ask = () =>
        Effect.flatMap(Clock.currentTimeMillis, (ms) =>
          asked.push(ms) === 1
            ? Effect.fail(platformError("throttled", { status: 429, retryAfterMs: afterMs }))
            : Effect.succeed(answer))
      const worker = yield* working({ concurrency: 2, requestsPerMinute: null }, ask, 0, { archive, cells })
      for (let tenth = 0; tenth < 60; tenth++) yield* TestClock.adjust("100 millis")
      expect(state).toEqual({ open: false, dueAt: new Date(afterMs) })
      expect(asked).toEqual([0, afterMs])
      // Of its own scan alone
      expect(reads.filter(([ms]) => ms === afterMs)).toEqual([[afterMs, [scanId]]])
      yield* stopped(worker)
    }))
)
