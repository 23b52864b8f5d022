/** Reads answers on threads of their own, so that no answer holds up what else the process does. */
import { type Duration, Effect, Layer, Semaphore } from "effect"
import { availableParallelism } from "node:os"
import {
  type AnalysedEntities,
  type AnalysedText,
  type Analysis,
  AnalysisError,
  AnswerAnalysis,
  makeDirectAnalysis
} from "../../ports/AnswerAnalysis.ts"
import { type Job, type Reply, unpackMeasured } from "./messages.ts"
import { PoolThread } from "./PoolThread.ts"

/**
 * Up to so many UTF-16 units and bytes an answer is read on the asking thread: the slowest shapes take a microsecond a unit
 * there, so it is busy for 16 ms at most, and most answers are shorter. Passing one to a thread costs about 0.1 ms.
 */
const maxDirectSize = 16_384

/** Megabytes of heap of one thread: four times what the hungriest shape of 4 MiB needs. */
const defaultHeapMb = 1024

/** How a pool is made. */
export interface AnalysisPoolOptions {
  /** Threads at most; by default one less than the machine has processors, at least 1 and at most 4. */
  readonly threads?: number
  /** Megabytes of heap that one thread may use; beyond it ends, and its answer with it. Default 1024. */
  readonly heapMb?: number
  /** Size up to which an answer is read on the asking thread. Default 16,384. */
  readonly maxDirectSize?: number
}

const failure = (reason: AnalysisError["reason"], message: string) => new AnalysisError({ reason, message })

const late = failure("deadline", "it took longer than its deadline")
const unexpected = failure("failed", "the thread replied with something else")

/** Names by number, the same for the same object. */
const makeNumbering = () => {
  const numbers = new WeakMap<AnalysedEntities, number>()
  let next = 0
  return (entities: AnalysedEntities): number => {
    const number = numbers.get(entities) ?? next++
    numbers.set(entities, number)
    return number
  }
}

/** Threads start with the first long answer, and end with the scope. */
const makePool = Effect.fnUntraced(function*(options: AnalysisPoolOptions) {
  const threads = options.threads ?? Math.max(1, Math.min(4, availableParallelism() - 1))
  const directSize = options.maxDirectSize ?? maxDirectSize
  const direct = makeDirectAnalysis()
  const numberOf = makeNumbering()
  const permits = yield* Semaphore.make(threads)
  const idle: Array<PoolThread> = []
  const all = new Set<PoolThread>()
  let ended = false
  yield* Effect.addFinalizer(() =>
    Effect.promise(() => {
      ended = true
      return Promise.all(Array.from(all, (thread) => thread.end()))
    })
  )

  const takeThread = Effect.suspend(() => {
    if (ended) return Effect.fail(failure("failed", "the pool has ended"))
    const thread = idle.pop() ?? new PoolThread(options.heapMb ?? defaultHeapMb)
    all.add(thread)
    return Effect.succeed(thread)
  })

  /** A thread that was stopped in its work is not used again; the next answer starts another. */
  const releaseThread = (thread: PoolThread) =>
    Effect.promise(async () => {
      if (thread.isIdle) return void idle.push(thread)
      all.delete(thread)
      await thread.end()
    })

  const runOnThread = (makeJob: (thread: PoolThread) => Job) =>
    permits.withPermits(1)(
      Effect.acquireUseRelease(
        takeThread,
        (thread) =>
          Effect.andThen(
            Effect.tryPromise({ try: () => thread.ready, catch: (error) => thread.describeEnd(error) }),
            Effect.callback<Reply, AnalysisError>((resume) => {
              thread.send(
                makeJob(thread),
                (reply) => resume(Effect.succeed(reply)),
                (error) => resume(Effect.fail(error))
              )
            })
          ),
        releaseThread
      )
    )

  /** Also where the caller may not be interrupted, as while an answer is archived, the deadline ends the work. */
  const run = (makeJob: (thread: PoolThread) => Job, deadline: Duration.Input) =>
    Effect.raceFirst(
      Effect.interruptible(runOnThread(makeJob)),
      Effect.interruptible(Effect.andThen(Effect.sleep(deadline), Effect.fail(late)))
    ).pipe(
      Effect.flatMap((reply) =>
        reply.kind === "failed" ? Effect.fail(failure("failed", reply.name)) : Effect.succeed(reply)
      )
    )

  /** A job with names, which are given to a thread that has not got them. */
  const makeNamedJob =
    (kind: "measure" | "explain", entities: AnalysedEntities, answer: AnalysedText) => (thread: PoolThread): Job => {
      const number = numberOf(entities)
      return { kind, entities: number, answer, ...thread.learn(number) ? { names: entities } : {} }
    }

  const pool: Analysis = {
    measure: (entities, answer, deadline) =>
      answer.text.length <= directSize
        ? direct.measure(entities, answer, deadline)
        : run(makeNamedJob("measure", entities, answer), deadline).pipe(
          Effect.flatMap((reply) =>
            reply.kind === "measured" ? Effect.succeed(unpackMeasured(reply.measured)) : Effect.fail(unexpected)
          )
        ),
    explain: (entities, answer, deadline) =>
      answer.text.length <= directSize
        ? direct.explain(entities, answer, deadline)
        : run(makeNamedJob("explain", entities, answer), deadline).pipe(
          Effect.flatMap((reply) =>
            reply.kind === "explained" ? Effect.succeed(reply.explained) : Effect.fail(unexpected)
          )
        ),
    deriveSources: (answer, deadline) =>
      answer.text.length + (answer.payload?.length ?? 0) <= directSize
        ? direct.deriveSources(answer, deadline)
        : run(() => ({ kind: "sources", answer }), deadline).pipe(
          Effect.flatMap((reply) => reply.kind === "sources" ? Effect.succeed(reply.sources) : Effect.fail(unexpected))
        )
  }
  return pool
})

/** Reads long answers on other threads, with a deadline; short ones where they are asked for. */
export const layerAnalysisPool = (options: AnalysisPoolOptions = {}): Layer.Layer<never> =>
  Layer.effect(AnswerAnalysis, makePool(options))
