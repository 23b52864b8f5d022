import { Deferred, type Duration, Effect, Fiber, Schedule } from "effect"
import type { Cell } from "../domain/Cell.ts"
import type { CellId, ScanId } from "../domain/ids.ts"
import type { PlatformId } from "../domain/Platform.ts"
import type { TrackedSet } from "../domain/TrackedSet.ts"
import { type AnswerPlatform, AnswerPlatforms } from "../ports/AnswerPlatform.ts"
import { CellStore } from "../ports/CellStore.ts"
import { JobQueue, type Lane } from "../ports/JobQueue.ts"
import { ScanStore } from "../ports/ScanStore.ts"
import { type Judge, SentimentJudge } from "../ports/SentimentJudge.ts"
import { TrackedSetStore } from "../ports/TrackedSetStore.ts"
import { askCell, type Asking } from "./askCell.ts"
import { makeCallGate } from "./callGate.ts"
import { completeScan } from "./completeScan.ts"
import { judgeSentiment } from "./judgeSentiment.ts"
import { measurerFor } from "./measureStored.ts"
import { now } from "./now.ts"

/** Lanes of one platform that are worked side by side, so that a short scan gets its turn beside a long one. */
const lanesAtOnce = 4
/** A lane's slice, in rounds of the platform's concurrency; then it goes to the end of the line. */
const roundsPerSlice = 16

/** A running worker. */
export interface Worker {
  /**
   * Stops: nothing new is asked, calls in flight may finish within `grace` and are archived; what is still in flight
   * then is cut and stays open.
   */
  readonly stop: (grace: Duration.Input) => Effect.Effect<void>
}

/** What a worker's lanes share: a gate per platform, and the cells in its hands with their scans. */
interface Shared {
  readonly gates: ReadonlyMap<PlatformId, ReturnType<typeof makeCallGate>>
  readonly inHand: Map<CellId, ScanId>
  readonly judge: Judge | null
  readonly cut: Deferred.Deferred<void>
}

/**
 * Asks a cell within its platform's limits, and whoever judges its answer within the judge's. A cell in hand is not
 * asked again: a lane whose lease lapsed while the database stood still may be worked by two fibers for a while.
 */
const askOnce = ({ gates, inHand, judge }: Shared, asking: Asking, set: TrackedSet, cell: Cell) =>
  Effect.suspend(() => {
    if (inHand.has(cell.id)) return Effect.void
    inHand.set(cell.id, cell.scanId)
    return gates.get(asking.platform.id)!(askCell(asking, cell)).pipe(
      Effect.tap((answer) =>
        answer === null || judge === null
          ? Effect.void
          : gates.get(judge.platform)!(judgeSentiment(asking.organizationId, set, judge, asking.measure, answer))
      ),
      Effect.ensuring(Effect.sync(() => inHand.delete(cell.id))),
      Effect.asVoid
    )
  })

/** Works one slice of a lane; says whether work is left. */
const workLane = Effect.fnUntraced(function*(
  lane: Lane,
  platform: AnswerPlatform,
  shared: Shared
) {
  const { organizationId, scanId } = lane
  const cells = yield* CellStore
  const scan = yield* (yield* ScanStore).find(organizationId, scanId)
  if (scan === null || scan.status !== "running") return "done" as const
  // Made-up answers never get into a real scan, nor real ones into a simulated: the lane waits for the right worker.
  if (scan.simulated !== platform.simulated) return "open" as const
  const set = yield* (yield* TrackedSetStore).find(organizationId, scan.trackedSetVersion)
  const { cut, inHand, judge } = shared
  const asking = { organizationId, platform, cut, judged: judge !== null, measure: yield* measurerFor(set!) }
  const due = yield* cells.due(organizationId, scanId, platform.id, yield* now, platform.concurrency * roundsPerSlice)
  yield* Effect.forEach(due, (cell) => askOnce(shared, asking, set!, cell), {
    concurrency: platform.concurrency,
    discard: true
  })
  const counts = yield* cells.counts(organizationId, scanId)
  if (counts.some((count) => count.platform === platform.id && count.open > 0)) return "open" as const
  // Completion measures by the rules what another lane of this worker is still having judged.
  if (judge !== null && [...inHand.values()].includes(scanId)) return "open" as const
  if (counts.every((count) => count.open === 0)) yield* completeScan(organizationId, scanId)
  return "done" as const
})

/**
 * Starts working on every running scan of every organization, on all configured platforms, until stopped or its scope
 * closes. Trouble with one lane is logged and the lane comes again.
 */
export const startWorker = Effect.fn("startWorker")(function*() {
  const platforms = yield* AnswerPlatforms
  const queue = yield* JobQueue
  const all = [...platforms.all.values()]
  const shared: Shared = {
    gates: new Map(all.map((platform) => [platform.id, makeCallGate(platform)])),
    inHand: new Map(),
    judge: yield* SentimentJudge,
    cut: yield* Deferred.make<void>()
  }

  const fibers = yield* Effect.forEach(all, (platform) => {
    const takeOne = queue.take(platform.id, (lane) => workLane(lane, platform, shared)).pipe(
      Effect.tapCause((cause) => Effect.logDebug("lane failed and will be taken again", cause)),
      Effect.retry(Schedule.spaced("1 second")),
      Effect.forever
    )
    return Effect.replicateEffect(Effect.forkScoped(takeOne), lanesAtOnce)
  })

  const worker: Worker = {
    stop: (grace) =>
      Effect.raceFirst(
        Fiber.interruptAll(fibers.flat()),
        Effect.sleep(grace).pipe(Effect.andThen(Deferred.succeed(shared.cut, undefined)), Effect.andThen(Effect.never))
      )
  }
  return worker
})
