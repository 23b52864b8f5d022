/**
 * Duty: reading answers gives the same on the asking thread and on others. On others a deadline, an interruption and a
 * limit of memory end the work, whatever the caller is doing, and the next answer is read.
 */
import {
  type Analysis,
  AnswerAnalysis,
  compileTerms,
  deriveSources,
  explainWithTerms,
  measureWithTerms,
  type NamesToFind,
  type StoredAnswer
} from "@sov/core"
import { type AnalysisPoolOptions, layerAnalysisPool } from "@sov/core/threads"
import { Deferred, Effect, Fiber, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"

const entity = (name: string) => ({ name, aliases: [], domains: [] })
const acme: NamesToFind = {
  brand: entity("Acme"),
  competitors: [entity("Bolt"), entity("滴滴")],
  excludes: ["Acme Labs"]
}
const bolt: NamesToFind = { brand: entity("Bolt"), competitors: [], excludes: [] }
const prompt = "is Acme any good?"

const texts = [
  "",
  "Acme beats Bolt. **Acme Labs** is another.\n\n- [acme](https://a.example) and 滴滴打车",
  "Is Acme any good?\n\nAcme is bad \ud800 and ไลน์",
  "Bolt, ".repeat(4000)
]

const storedAnswer = (text: string): StoredAnswer => ({
  adapter: "simulated",
  payload: new TextEncoder().encode(JSON.stringify({ citations: ["https://cited.example/a"], queries: [text] })),
  text: `${text} https://linked.example/b`,
  citations: []
})

const onThreads = <A, E>(use: (pool: Analysis) => Effect.Effect<A, E>, options: AnalysisPoolOptions = {}) =>
  Effect.runPromise(
    Effect.flatMap(AnswerAnalysis, use).pipe(
      Effect.provide(layerAnalysisPool({ threads: 1, maxDirectSize: -1, ...options }))
    )
  )

const implementations = {
  "the asking thread": <A, E>(use: (pool: Analysis) => Effect.Effect<A, E>) =>
    Effect.runPromise(Effect.flatMap(AnswerAnalysis, use)),
  "other threads": <A, E>(use: (pool: Analysis) => Effect.Effect<A, E>) =>
    onThreads(use, { threads: 2, minBatchUnits: 1000 })
}

it("by default, a pool analyses answers of more than 16,384 UTF-16 units on a thread", async () => {
  let threads = 0
  const count = () => threads++
  process.on("worker", count)
  const measure = (text: string) =>
    Effect.runPromise(
      AnswerAnalysis.use((analysis) => analysis.measure(acme, { text, prompt }, "1 minute")).pipe(
        Effect.provide(layerAnalysisPool())
      )
    )
  await measure("Bolt, ".repeat(2700))
  expect(threads).toBe(0)
  await measure("Bolt, ".repeat(2800))
  expect(threads).toBe(1)
  process.off("worker", count)
})

describe.for(Object.entries(implementations))("on %s", ([, run]) => {
  it("the measurement of an answer equals that of the rules, for any tracked set", async () => {
    await run((analysis) =>
      Effect.forEach([acme, bolt, acme], (entities) => {
        const { brand, competitors, excludes } = entities
        const compiled = compileTerms(brand, competitors, excludes)
        return Effect.forEach(texts, (text) =>
          Effect.map(analysis.measure(entities, { text, prompt }, "1 minute"), (measured) =>
            expect(measured).toEqual(measureWithTerms(compiled, text, prompt))), { concurrency: "unbounded" })
      }, { concurrency: "unbounded" })
    )
  })

  it("several answers are measured in order, and each measurement equals that of the rules", async () => {
    await run(Effect.fnUntraced(function*(analysis) {
      const compiled = compileTerms(acme.brand, acme.competitors, acme.excludes)
      expect(yield* analysis.measureAll(acme, [], "1 minute")).toEqual([])
      for (const times of [1, 20]) {
        const short = texts.slice(0, 3)
        const many = Array.from({ length: times }, (_, n) => short.map((text) => ({ text: `${n} ${text}`, prompt })))
          .flat()
        const results = yield* analysis.measureAll(acme, many, "1 minute")
        expect(results).toEqual(
          many.map(({ text }) => Result.succeed(measureWithTerms(compiled, text, prompt)))
        )
      }
    }))
  })

  it("the explanation of an answer equals that of the rules", async () => {
    await run((analysis) =>
      Effect.forEach([acme, bolt], (entities) => {
        const { brand, competitors, excludes } = entities
        const compiled = compileTerms(brand, competitors, excludes)
        return Effect.forEach(texts, (text) =>
          Effect.map(analysis.explain(entities, { text, prompt }, "1 minute"), (explained) =>
            expect(explained).toEqual(explainWithTerms(compiled, text, prompt))))
      })
    )
  })

  it("the sources of an answer equal those that the rules derive", async () => {
    await run((analysis) =>
      Effect.forEach(texts, (text) =>
        Effect.map(analysis.deriveSources(storedAnswer(text), "1 minute"), (sources) => {
          expect(sources).toEqual(deriveSources(storedAnswer(text)))
          expect(sources.sources.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["cited", "in_text"]))
        }))
    )
  })
})

/** Takes a second or more, and hundreds of megabytes. */
const long = { text: `Acme ${"*a_".repeat(1_400_000)}`, prompt }
const short = { text: "Acme", prompt }

const expectWorking = (pool: Analysis) =>
  Effect.map(pool.measure(acme, short, "1 minute"), ({ count }) => expect(count).toBe(1))

describe("a pool of threads", () => {
  it("the pool gives up an answer at its deadline, even if the caller cannot be interrupted, and reads the next answer", async () => {
    await onThreads(Effect.fnUntraced(function*(pool) {
      const error = yield* Effect.uninterruptible(Effect.flip(pool.measure(acme, long, "50 millis")))
      expect(error).toMatchObject({ _tag: "AnalysisError", reason: "deadline" })
      yield* expectWorking(pool)
      expect(yield* Effect.flip(pool.explain(acme, long, "50 millis"))).toMatchObject({ reason: "deadline" })
      yield* expectWorking(pool)
      expect(yield* Effect.flip(pool.deriveSources(storedAnswer(long.text), "0 millis"))).toMatchObject({
        reason: "deadline"
      })
      yield* expectWorking(pool)
    }))
  })

  it("an interruption stops the analysis of an answer", async () => {
    await onThreads(Effect.fnUntraced(function*(pool) {
      const reading = yield* Effect.forkChild(pool.measure(acme, long, "1 minute"))
      // Its only thread reads the long answer first
      const waiting = yield* Effect.forkChild(expectWorking(pool))
      yield* Effect.sleep("20 millis")
      yield* Fiber.interrupt(reading)
      yield* Fiber.join(waiting)
    }))
  })

  it("the pool gives up an answer that exceeds a thread's memory, and starts another thread", async () => {
    await onThreads(
      Effect.fnUntraced(function*(pool) {
        // Of several answers each by itself: the others are measured
        const failing = { text: "Acme", prompt: null as never }
        const results = yield* pool.measureAll(acme, [short, long, failing, short], "1 minute")
        const said = results.map((result) => Result.isSuccess(result) ? result.success.count : result.failure.reason)
        expect(said).toEqual([1, "memory", "failed", 1])
        yield* expectWorking(pool)
        const late = yield* pool.measureAll(acme, [short, short], "0 millis")
        expect(late.map(Result.isFailure)).toEqual([true, true])
      }),
      { heapMb: 32, minBatchUnits: 1 }
    )
  })

  it("the calling thread stays free while another thread analyses an answer", async () => {
    await onThreads(Effect.fnUntraced(function*(pool) {
      yield* expectWorking(pool)
      const read = yield* Deferred.make<void>()
      yield* Effect.forkChild(
        Effect.ensuring(pool.measure(acme, long, "1 minute"), Deferred.succeed(read, undefined))
      )
      let turns = 0
      while (!Deferred.isDoneUnsafe(read)) {
        turns++
        yield* Effect.sleep("1 millis")
      }
      // Held up, it would have had one turn
      expect(turns).toBeGreaterThan(10)
    }))
  })

  it("threads end when their scope closes, even in the middle of an analysis", async () => {
    const left = await Effect.runPromise(
      Effect.scoped(Effect.gen(function*() {
        const pool = yield* Layer.build(layerAnalysisPool({ threads: 1, maxDirectSize: -1 }))
        const analysis = yield* Effect.provide(AnswerAnalysis, pool)
        return yield* Effect.forkDetach(Effect.flip(analysis.measure(acme, long, "1 hour")))
      })).pipe(Effect.flatMap(Fiber.join))
    )
    expect(left).toMatchObject({ reason: "failed" })
  })
})
