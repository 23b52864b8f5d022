import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import assert from "node:assert/strict"
import { OrganizationId, ScanId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/Platform.ts"
import { JobQueue, type Lane } from "../ports/JobQueue.ts"
import { Transaction } from "../ports/Transaction.ts"
import { newId } from "../usecases/newId.ts"
import { failureOf, storeContract } from "./storeContract.ts"

const lane = Effect.fnUntraced(function*(platform: PlatformId) {
  const made: Lane = { platform, organizationId: yield* newId(OrganizationId), scanId: yield* newId(ScanId) }
  return made
})

/** Takes one lane and ends it. */
const takeDone = Effect.fnUntraced(function*(platform: PlatformId) {
  const taken: Array<Lane> = []
  yield* (yield* JobQueue).take(platform, (lane) =>
    Effect.sync(() => {
      taken.push(lane)
      return "done" as const
    }))
  return taken[0]!
})

/** No lane may come for longer than a lane that was put back would need. */
const staysEmpty = Effect.fnUntraced(function*(platform: PlatformId) {
  const came = yield* Effect.exit(Effect.timeout(takeDone(platform), "2500 millis"))
  assert.ok(Exit.isFailure(came), "a lane came")
})

/** What every JobQueue must keep. Each test has a platform to itself and leaves no lane. */
export const jobQueueContract = storeContract("JobQueue", {
  "offers a lane once, also after it is done": Effect.fnUntraced(function*() {
    const queue = yield* JobQueue
    const [one, two] = [yield* lane("assistant_a"), yield* lane("assistant_a")]
    yield* queue.offer(one)
    yield* queue.offer(one)
    yield* queue.offer(two)
    assert.deepEqual(yield* takeDone("assistant_a"), one)
    assert.deepEqual(yield* takeDone("assistant_a"), two)
    yield* queue.offer(one)
    yield* staysEmpty("assistant_a")
  }),

  "keeps platforms apart": Effect.fnUntraced(function*() {
    const queue = yield* JobQueue
    const made = yield* lane("assistant_b")
    const elsewhere: Lane = { ...made, platform: "assistant_c" }
    yield* queue.offer(made)
    yield* queue.offer(elsewhere)
    assert.deepEqual(yield* takeDone("assistant_c"), elsewhere)
    assert.deepEqual(yield* takeDone("assistant_b"), made)
  }),

  "puts an open lane at the end of the line": Effect.fnUntraced(function*() {
    const queue = yield* JobQueue
    const [one, two] = [yield* lane("assistant_a"), yield* lane("assistant_a")]
    yield* queue.offer(one)
    yield* queue.offer(two)
    yield* queue.take("assistant_a", () => Effect.succeed("open" as const))
    assert.deepEqual(yield* takeDone("assistant_a"), two)
    assert.deepEqual(yield* takeDone("assistant_a"), one)
  }),

  "lets a lane with nothing to do rest: it does not come again at once": Effect.fnUntraced(function*() {
    const queue = yield* JobQueue
    const made = yield* lane("assistant_c")
    yield* queue.offer(made)
    let turns = 0
    const idle = queue.take("assistant_c", () => Effect.sync(() => (turns++, "open" as const)))
    yield* Effect.ignore(Effect.timeout(Effect.forever(idle), "2500 millis"))
    assert.ok(turns >= 1 && turns <= 4, `${turns} turns in 2.5 s`)
    assert.deepEqual(yield* takeDone("assistant_c"), made)
  }),

  "gives a failure to the caller and the lane to the next one": Effect.fnUntraced(function*() {
    const queue = yield* JobQueue
    const made = yield* lane("assistant_d")
    yield* queue.offer(made)
    assert.equal(yield* failureOf(queue.take("assistant_d", () => Effect.fail("no luck" as const))), "no luck")
    const defect = yield* Effect.exit(queue.take("assistant_d", () => Effect.die("broken")))
    assert.ok(Exit.isFailure(defect) && String(defect.cause).includes("broken"))
    assert.deepEqual(yield* takeDone("assistant_d"), made)
  }),

  "takes an interrupted worker's lane back at once": Effect.fnUntraced(function*() {
    const queue = yield* JobQueue
    const made = yield* lane("assistant_e")
    yield* queue.offer(made)
    const begun = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(
      queue.take("assistant_e", () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
    )
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(fiber)
    const given = yield* Effect.exit(Effect.timeout(queue.take("assistant_e", () => Effect.interrupt), "900 millis"))
    assert.ok(Exit.isFailure(given) && Cause.hasInterruptsOnly(given.cause))
    assert.deepEqual(yield* Effect.timeout(takeDone("assistant_e"), "900 millis"), made)
  }),

  "leases a lane to one worker alone": Effect.fnUntraced(function*() {
    const queue = yield* JobQueue
    const made = yield* lane("assistant_b")
    yield* queue.offer(made)
    let working = 0
    let most = 0
    let turns = 0
    const work = () =>
      Effect.gen(function*() {
        most = Math.max(most, ++working)
        yield* Effect.sleep("50 millis")
        working--
        return ++turns < 3 ? ("open" as const) : ("done" as const)
      })
    const workers = yield* Effect.replicateEffect(
      Effect.forkChild(Effect.forever(queue.take("assistant_b", work))),
      4
    )
    while (turns < 3) yield* Effect.sleep("50 millis")
    yield* Fiber.interruptAll(workers)
    assert.equal(most, 1)
    yield* staysEmpty("assistant_b")
  }),

  "offers with the caller's transaction: none when it rolls back": Effect.fnUntraced(function*() {
    const queue = yield* JobQueue
    const { run } = yield* Transaction
    const made = yield* lane("assistant_c")
    yield* Effect.exit(run(Effect.andThen(queue.offer(made), Effect.fail("no scan"))))
    yield* staysEmpty("assistant_c")
    yield* run(queue.offer(made))
    assert.deepEqual(yield* takeDone("assistant_c"), made)
  })
})
