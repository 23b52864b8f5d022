/** How often background work reads its stores while there is nothing to do. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { stopped, working } from "../platforms/endlessWork.ts"

it.effect("a platform's worker that is idle for a minute reads the scans once every two seconds", () =>
  Effect.scoped(Effect.gen(function*() {
    let reads = 0
    const worker = yield* working({ concurrency: 1, requestsPerMinute: null }, () => Effect.never, 0, {
      cells: { queues: () => Effect.sync(() => (reads++, [])) }
    })
    for (let second = 0; second < 60; second++) yield* TestClock.adjust("1 second")
    expect(reads).toBeGreaterThanOrEqual(30)
    expect(reads).toBeLessThanOrEqual(31)
    yield* stopped(worker)
  })))
