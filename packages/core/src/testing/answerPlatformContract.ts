/**
 * The contract suite of AnswerPlatform adapters, for any test library. The caller passes `describe` and `it`, and for
 * each scenario a platform with a server that plays the scenario. The suite runs on the test clock, so deadlines cost
 * no waiting time.
 */
import { Cause, Duration, Effect, Exit, Fiber, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import assert from "node:assert/strict"
import { Citation, Finish, Usage } from "../domain/archive/Answer.ts"
import type { PlatformFailure } from "../domain/scanning/Cell.ts"
import { SearchMode } from "../domain/sources/Source.ts"
import { type AnswerPlatform, PlatformError } from "../ports/AnswerPlatform.ts"

/** A platform under test, and events that its server observes. */
export interface PlatformUnderTest {
  readonly platform: AnswerPlatform
  /** The API key that the adapter sends; null if it sends no key. */
  readonly secret: string | null
  /** Completes when the call has reached the server. */
  readonly asked: Effect.Effect<void>
  /** Completes when the server has noticed that the call was aborted. */
  readonly aborted: Effect.Effect<void>
}

type Make = Effect.Effect<PlatformUnderTest, never, Scope.Scope>

/** The scenarios of the server. An adapter that cannot provide an optional scenario leaves it out. */
export interface AnswerPlatformScenarios {
  /** Returns any well-formed answer. */
  readonly answers: Make
  /** Accepts the call and never answers. */
  readonly silent: Make
  /** Returns a well-formed answer with exactly this text. */
  readonly says?: (text: string) => Make
  /** Starts an answer and sends one byte at a time, endlessly. */
  readonly drips?: Make
  /** Sends an endless answer that exceeds `maxAnswerBytes`. */
  readonly oversized?: Make
  /** Fails with a message that repeats the credentials of the call. */
  readonly echoesSecret?: Make
  /** Answers with a text that repeats the credentials of the call. */
  readonly answersSecret?: Make
  /** Every reason that the adapter can produce; `throttled` asks for a pause of 7 seconds. */
  readonly fails: Partial<Record<PlatformFailure, Make>>
}

/** The parts of the test library that the suite needs. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => void
  readonly it: (name: string, test: () => Promise<void>) => void
}

/**
 * Texts that a careless adapter would change: surrounding white space, U+0000, a lone surrogate, every kind of line
 * end.
 */
export const exactTexts: ReadonlyArray<string> = [
  "  \n\tAcme leads.\r\n\u00A0 ",
  "nul \u0000 and lone \uD800 surrogate",
  "😀 日本語 e\u0301 \u200B\uFEFF",
  "</script><b>\"\\quoted\\\"</b>"
]

const retryable: ReadonlySet<PlatformFailure> = new Set(["throttled", "empty", "timeout", "malformed", "unavailable"])
const prompt = "What is the best CRM?"

const run = <A, E>(test: Effect.Effect<A, E, Scope.Scope>): Promise<void> =>
  Effect.runPromise(Effect.asVoid(Effect.scoped(test)).pipe(Effect.provide(TestClock.layer())))

/** Waits in real time, because the server notices the end of a call only after a moment. */
const soon = <A, E>(end: Effect.Effect<A, E>, otherwise: string) =>
  TestClock.withLive(Effect.timeoutOrElse(end, {
    duration: "3 seconds",
    orElse: () => Effect.die(new assert.AssertionError({ message: otherwise }))
  }))

const isAnswerShape = Schema.is(
  Schema.Struct({
    text: Schema.NonEmptyString,
    payload: Schema.Uint8Array,
    citations: Schema.Array(Citation),
    model: Schema.NonEmptyString,
    finish: Finish,
    usage: Usage,
    latencyMs: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
    simulated: Schema.Boolean,
    search: Schema.optionalKey(SearchMode)
  })
)

/** The failure of one call, after the checks that every failure must pass. */
const failureOf = ({ platform, secret }: PlatformUnderTest, exit: Exit.Exit<unknown, PlatformError>): PlatformError => {
  assert.ok(Exit.isFailure(exit), "the call must fail")
  const error = exit.cause.reasons.find(Cause.isFailReason)?.error
  assert.ok(error instanceof PlatformError, `not a PlatformError: ${Cause.pretty(exit.cause)}`)
  assert.equal(error.platform, platform.id)
  assert.equal(error.retryable, retryable.has(error.reason) && error.final !== true)
  assert.ok(error.message !== "" && !/[\r\n]/.test(error.message), "the message is one line")
  assert.ok((error.excerpt?.length ?? 0) <= 500, "the excerpt has at most 500 characters")
  if (secret !== null) {
    for (const shown of [JSON.stringify(error), String(error), error.stack ?? "", Cause.pretty(exit.cause)]) {
      assert.ok(!shown.includes(secret), "the API key shows")
    }
  }
  return error
}

/** Defines the suite. Each test creates its own platform in its own scope. */
export const answerPlatformContract = (name: string, scenarios: AnswerPlatformScenarios, runner: TestRunner): void => {
  const { describe, it } = runner
  type Test = (made: PlatformUnderTest) => Effect.Effect<unknown>
  const when = (scenario: Make | undefined, title: string, test: Test) => {
    if (scenario !== undefined) it(title, () => run(Effect.flatMap(scenario, test)))
  }

  const failsAtDeadline = Effect.fnUntraced(function*(made: PlatformUnderTest) {
    const call = yield* Effect.forkChild(Effect.exit(made.platform.ask(prompt)))
    yield* made.asked
    yield* TestClock.adjust(Duration.subtract(made.platform.timeout, Duration.millis(1)))
    assert.equal(call.pollUnsafe(), undefined, "the call ended before its deadline")
    yield* TestClock.adjust(Duration.millis(1))
    assert.equal(
      failureOf(made, yield* soon(Fiber.join(call), "the call goes on after its deadline")).reason,
      "timeout"
    )
    yield* soon(made.aborted, "the server still holds the call")
  })

  describe(`AnswerPlatform: ${name}`, () => {
    when(
      scenarios.answers,
      "answers in the documented shape",
      (made) =>
        Effect.map(Effect.orDie(made.platform.ask(prompt)), (answer) => {
          assert.ok(isAnswerShape(answer), `not the shape of an answer: ${JSON.stringify(answer)}`)
          assert.equal(answer.simulated, made.platform.simulated)
          assert.ok(answer.payload.length > 0)
          answer.citations.reduce((last, { position }) => {
            assert.ok(position > last, "positions are 1-based and rise")
            return position
          }, 0)
        })
    )

    for (const [i, text] of exactTexts.entries()) {
      when(
        scenarios.says?.(text),
        `keeps the text exactly as received (${i + 1})`,
        (made) => Effect.map(Effect.orDie(made.platform.ask(prompt)), (answer) => assert.equal(answer.text, text))
      )
    }

    for (const [reason, scenario] of Object.entries(scenarios.fails)) {
      when(
        scenario,
        `fails with reason ${reason}`,
        (made) =>
          Effect.map(Effect.exit(made.platform.ask(prompt)), (exit) => {
            const error = failureOf(made, exit)
            assert.equal(error.reason, reason)
            if (reason === "throttled") assert.equal(error.retryAfterMs, 7000)
          })
      )
    }

    when(scenarios.silent, "gives up at the deadline and lets the call go", failsAtDeadline)
    when(scenarios.drips, "has one total deadline, body included", failsAtDeadline)

    when(scenarios.silent, "lets the call go when interrupted", (made) =>
      Effect.gen(function*() {
        const call = yield* Effect.forkChild(made.platform.ask(prompt))
        yield* made.asked
        yield* Fiber.interrupt(call)
        yield* soon(made.aborted, "the server still holds the call")
      }))

    when(scenarios.oversized, "stops reading an answer over its limit", (made) =>
      Effect.gen(function*() {
        assert.equal(failureOf(made, yield* Effect.exit(made.platform.ask(prompt))).reason, "too_large")
        yield* soon(made.aborted, "the server still holds the call")
      }))

    when(
      scenarios.echoesSecret,
      "never shows the API key",
      (made) =>
        Effect.map(Effect.exit(made.platform.ask(prompt)), (exit) => {
          assert.notEqual(made.secret, null, "the scenario needs a key")
          assert.match(failureOf(made, exit).excerpt ?? "", /\[redacted\]/)
        })
    )

    when(
      scenarios.answersSecret,
      "keeps the API key out of an answer that repeats it",
      (made) =>
        Effect.map(Effect.orDie(made.platform.ask(prompt)), ({ payload, ...answer }) => {
          assert.notEqual(made.secret, null, "the scenario needs a key")
          assert.match(answer.text, /\[redacted\]/)
          const shown = JSON.stringify(answer) + new TextDecoder().decode(payload)
          const inJson = JSON.stringify(made.secret).slice(1, -1)
          for (const spelling of [made.secret!, inJson]) assert.ok(!shown.includes(spelling), "the API key shows")
        })
    )
  })
}
