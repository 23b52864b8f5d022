/** When a platform's worker reads which scans there are, and which of them. */
import { it } from "@effect/vitest"
import { type Cell, type CellStore, formatNewWork, type NewWork, OrganizationId, ScanId } from "@sov/core"
import { Clock, Effect, Schedule, Stream } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { platformError } from "../../support/scriptedPlatforms.ts"
import { answer, stopped, working } from "./endlessWork.ts"

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

it.effect("reading known scans takes at most a tenth of the time while there is work", () =>
  Effect.gen(function*() {
    const ms = yield* readingMs()
    expect(ms).toBeLessThanOrEqual(3_000 / 10 + 20 * 2)
    // What is announced is read as soon as that, and not with the next poll
    expect(ms).toBeGreaterThan(200)
  }))

it.effect("new work is read as soon as it is announced if there is no other work", () =>
  Effect.gen(function*() {
    expect(yield* readingMs({ claim: () => Effect.succeed([]) })).toBeGreaterThan(1_500)
  }))

it.effect("between two polls only the announced scan is read, and nothing is read if other work is announced", () =>
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

it.effect("a cell that was postponed earlier is asked when it is due, without another read", () =>
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
  "a call is repeated at the time that the platform asked for, after %d ms, not at the next poll",
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
