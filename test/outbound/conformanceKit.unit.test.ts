/** The conformance kit rejects adapters that violate what the port requires. */
import { type AnswerPlatform, PlatformError } from "@sov/core"
import { answerPlatformContract, type AnswerPlatformScenarios } from "@sov/core/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { scriptedAnswer, scriptedPlatform } from "../support/scriptedPlatforms.ts"

const secret = "bad-8f14e45fceea167a5a36dedd4bea2543"
const error = (fields: object) =>
  new PlatformError({
    platform: "assistant_a",
    reason: "unavailable",
    message: "down",
    status: 503,
    retryAfterMs: null,
    excerpt: "[redacted]",
    ...fields
  })

/** Which of the kit's tests with these names fail for a platform with this `ask`. */
const failedOf = async (names: ReadonlyArray<string>, ask: AnswerPlatform["ask"]) => {
  const made = Effect.succeed({
    platform: scriptedPlatform("assistant_a", ask),
    secret,
    asked: Effect.void,
    aborted: Effect.void
  })
  const scenarios: AnswerPlatformScenarios = {
    answers: made,
    silent: made,
    says: () => made,
    drips: made,
    oversized: made,
    echoesSecret: made,
    answersSecret: made,
    fails: { throttled: made, rejected: made }
  }
  const tests = new Map<string, () => Promise<void>>()
  answerPlatformContract("bad", scenarios, {
    describe: (_, body) => body(),
    it: (name, test) => void tests.set(name, test)
  })
  const failed: Array<string> = []
  for (const name of names) await tests.get(name)!().catch(() => failed.push(name))
  return failed
}

describe("an adapter", () => {
  const exact = [1, 2, 3, 4].map((n) => `keeps the text exactly as received (${n})`)
  const page = { url: "https://a.example/", title: null, position: 0 }

  it.each<readonly [string, AnswerPlatform["ask"], ReadonlyArray<string>]>([
    ["changes texts", () => Effect.succeed(scriptedAnswer("Acme leads.")), exact],
    ["has no payload", () => Effect.succeed({ ...scriptedAnswer("Acme."), payload: Buffer.from("") }), [
      "answers in the documented shape"
    ]],
    ["counts sources from 0", () => Effect.succeed({ ...scriptedAnswer("Acme."), citations: [page] }), [
      "answers in the documented shape"
    ]],
    ["takes everything for an outage", () => Effect.fail(error({})), [
      "fails with reason throttled",
      "fails with reason rejected"
    ]],
    ["reads no Retry-After", () => Effect.fail(error({ reason: "throttled" })), ["fails with reason throttled"]],
    ["shows its key", () => Effect.fail(error({ message: `bad key ${secret}` })), ["never shows the API key"]],
    ["archives its key", () => Effect.succeed(scriptedAnswer(`Your key: ${secret} [redacted]`)), [
      "keeps the API key out of an answer that repeats it"
    ]],
    ["reads what is too large", () => Effect.succeed(scriptedAnswer("x")), ["stops reading an answer over its limit"]],
    ["forgets its deadline", () => Effect.never, ["has one total deadline, body included"]]
  ])("an adapter that %s fails the kit", async (_, ask, expected) => {
    expect(await failedOf(expected, ask)).toEqual(expected)
  })
})
