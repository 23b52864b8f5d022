/** Measures answers on threads of their own, so that no answer blocks the other work of the process. */
import { type Duration, Effect, Layer, Result, Semaphore } from "effect"
import { availableParallelism } from "node:os"
import type { Measured } from "../../domain/measuring/Measurement.ts"
import {
  type AnalysedText,
  type Analysis,
  AnalysisError,
  AnswerAnalysis,
  makeDirectAnalysis,
  measureEach,
  type NamesToFind
} from "../../ports/AnswerAnalysis.ts"
import { type Job, type ThreadReply, unpackMeasured } from "./messages.ts"
import { PoolThread } from "./PoolThread.ts"

/**
 * An answer of up to this size (UTF-16 units and bytes) is measured on the calling thread. The slowest inputs take a
 * microsecond per unit there, so the thread is busy for 16 ms at most; most answers are shorter. Passing an answer to
 * another thread costs about 0.1 ms.
 */
const maxDirectSize = 16_384

/**
 * Several answers with fewer units in total are measured on the calling thread, in about 20 ms, because starting a
 * thread takes a tenth of a second.
 */
const minBatchUnits = 262_144

/** Units in one job of several answers, so that a thread gets its next job about every 20 ms. */
const batchUnits = 262_144

/** Megabytes of heap for one thread: four times what the most expensive 4 MiB answer needs. */
const defaultHeapMb = 1024

/** The options of a pool. */
export interface AnalysisPoolOptions {
  /** Maximum number of threads. Default: one less than the number of processors, between 1 and 4. */
  readonly threads?: number
  /** Megabytes of heap that one thread may use. A thread that needs more ends, and its answer fails. Default 1024. */
  readonly heapMb?: number
  /** Maximum size of an answer that is measured on the calling thread. Default 16,384. */
  readonly maxDirectSize?: number
  /** Several short answers with fewer units in total are measured on the calling thread. Default 262,144. */
  readonly minBatchUnits?: number
}

const failure = (reason: AnalysisError["reason"], message: string) => new AnalysisError({ reason, message })

const late = failure("deadline", "it took longer than its deadline")
const unexpected = failure("failed", "the thread replied with something else")

/** Creates a function that numbers sets of names; the same object always gets the same number. */
const makeNumbering = () => {
  const numbers = new WeakMap<NamesToFind, number>()
  let next = 0
  return (entities: NamesToFind): number => {
    const number = numbers.get(entities) ?? next++
    numbers.set(entities, number)
    return number
  }
}

/** Divides answers, in order, into batches of about `batchUnits`. */
const cutBatches = <A extends { readonly answer: AnalysedText }>(
  answers: ReadonlyArray<A>
): ReadonlyArray<ReadonlyArray<A>> => {
  const batches: Array<Array<A>> = []
  let room = 0
  for (const one of answers) {
    if (room <= 0) {
      batches.push([])
      room = batchUnits
    }
    batches.at(-1)!.push(one)
    room -= one.answer.text.length
  }
  return batches
}

/** Creates the pool. Its threads start with the first long answer and end with the scope. */
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

  /** A thread that was stopped during a job is not used again; the next answer starts a new one. */
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
            Effect.callback<ThreadReply, AnalysisError>((resume) => {
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

  /**
   * The deadline ends the work even where the caller cannot be interrupted, for example while an answer is archived.
   */
  const run = (makeJob: (thread: PoolThread) => Job, deadline: Duration.Input) =>
    Effect.raceFirst(
      Effect.interruptible(runOnThread(makeJob)),
      Effect.interruptible(Effect.andThen(Effect.sleep(deadline), Effect.fail(late)))
    ).pipe(
      Effect.flatMap((reply) =>
        reply.kind === "failed" ? Effect.fail(failure("failed", reply.name)) : Effect.succeed(reply)
      )
    )

  const nameEntities = (thread: PoolThread, entities: NamesToFind) => {
    const number = numberOf(entities)
    return { entities: number, ...thread.learn(number) ? { names: entities } : {} }
  }

  /** Makes a job with names, which are sent only to a thread that does not have them. */
  const makeNamedJob =
    (kind: "measure" | "explain", entities: NamesToFind, answer: AnalysedText) => (thread: PoolThread): Job => ({
      kind,
      answer,
      ...nameEntities(thread, entities)
    })

  const measure: Analysis["measure"] = (entities, answer, deadline) =>
    answer.text.length <= directSize
      ? direct.measure(entities, answer, deadline)
      : run(makeNamedJob("measure", entities, answer), deadline).pipe(
        Effect.flatMap((reply) =>
          reply.kind === "measured" ? Effect.succeed(unpackMeasured(reply.measured)) : Effect.fail(unexpected)
        )
      )

  /** Measures short answers as one job. An answer that could not be measured is measured again by itself. */
  const measureBatch = (
    entities: NamesToFind,
    answers: ReadonlyArray<AnalysedText>,
    deadline: Duration.Input
  ) =>
    run((thread) => ({ kind: "measureAll", answers, ...nameEntities(thread, entities) }), deadline).pipe(
      Effect.map((reply) => reply.kind === "measuredAll" ? reply.measured : answers.map(() => null)),
      Effect.catch(() => Effect.succeed(answers.map(() => null))),
      Effect.flatMap((found) =>
        Effect.forEach(found, (measured, n) =>
          measured === null
            ? Effect.result(measure(entities, answers[n]!, deadline))
            : Effect.succeed(Result.succeed(measured)))
      )
    )

  const pool: Analysis = {
    measure,
    measureAll: Effect.fnUntraced(function*(entities, answers, deadline) {
      const isShort = ({ text }: AnalysedText) => text.length <= Math.max(directSize, maxDirectSize)
      const numbered = answers.map((answer, n) => ({ answer, n }))
      const short = numbered.filter(({ answer }) => isShort(answer))
      const units = short.reduce((sum, { answer }) => sum + answer.text.length, 0)
      if (units < (options.minBatchUnits ?? minBatchUnits)) {
        return yield* measureEach(measure)(entities, answers, deadline)
      }
      const results = new Map<number, Result.Result<Measured, AnalysisError>>()
      const batches = [
        ...cutBatches(short),
        ...numbered.filter(({ answer }) => !isShort(answer)).map((one) => [one])
      ]
      yield* Effect.forEach(batches, (batch) => {
        const texts = batch.map(({ answer }) => answer)
        const measured = batch.length === 1 ? measureEach(measure) : measureBatch
        return Effect.map(
          measured(entities, texts, deadline),
          (found) => found.forEach((result, i) => results.set(batch[i]!.n, result))
        )
      }, { concurrency: "unbounded", discard: true })
      return answers.map((_, n) => results.get(n)!)
    }),
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

/** Measures long answers on other threads, with a deadline, and short answers on the calling thread. */
export const layerAnalysisPool = (options: AnalysisPoolOptions = {}): Layer.Layer<never> =>
  Layer.effect(AnswerAnalysis, makePool(options))
