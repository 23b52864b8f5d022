import { decodePlatformConfig, makePlatforms } from "@sov/core/outbound"
import { answerPlatformContract } from "@sov/core/testing"
import { Effect, Exit, Result } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"

const directory = mkdtempSync(join(tmpdir(), "sov-recorded-"))
afterAll(() => rmSync(directory, { recursive: true }))

const line = (prompt: string, answer: string, more: object = {}) =>
  JSON.stringify({ platform: "assistant_a", prompt, answer, ...more })
let files = 0
const made = (text: string | Uint8Array, fields: object = {}) => {
  const file = `answers-${files++}.jsonl`
  writeFileSync(join(directory, file), text)
  const binding = { adapter: "recorded", file, ...fields }
  const config = Result.getOrThrow(decodePlatformConfig({ platforms: { assistant_a: binding } }, "sov.config.json"))
  return Result.map(makePlatforms(config, {}, { directory }), ({ all }) => all.get("assistant_a")!)
}
const platform = (text: string, fields?: object) => Result.getOrThrow(made(text, fields))
const question = "What is the best CRM?"
const under = (text: string, fields?: object) =>
  Effect.sync(() => ({ platform: platform(text, fields), secret: null, asked: Effect.yieldNow, aborted: Effect.void }))

answerPlatformContract("recorded", {
  answers: under(line(question, "Acme.", { citations: [{ url: "https://example.org", title: null, position: 1 }] })),
  says: (text) => under(line(question, text)),
  silent: under(line(question, "Acme."), { latency: "5 minutes" }),
  fails: {
    rejected: under(line("another prompt", "Acme.")),
    empty: under(line(question, " ")),
    too_large: under(line(question, "x".repeat(200)), { maxAnswerBytes: 100 })
  }
}, { describe, it })

describe("Recorded", () => {
  const ask = (of: ReturnType<typeof platform>, prompt: string) => Effect.runPromise(of.ask(prompt))

  it("an answer says that it was recorded, and names its line in the file", async () => {
    const recorded = line(question, "Acme.", { model: "gpt-5", note: "kept" })
    const one = platform(`\uFEFF${recorded}\r\n\n`)
    expect(one).toMatchObject({ adapter: "recorded", model: "recorded", simulated: false })
    const answer = await ask(one, question)
    expect(answer).toMatchObject({ model: "recorded gpt-5", finish: "other", simulated: false })
    expect(JSON.parse(new TextDecoder().decode(answer.payload))).toEqual(JSON.parse(recorded))
  })

  it("several answers to one prompt are played in order, and only those of the platform itself", async () => {
    const other = JSON.stringify({ platform: "assistant_b", prompt: "a", answer: "b's" })
    const one = platform([line("a", "1"), other, line("b", "x"), line("a", "2")].join("\n"))
    const texts = []
    for (const prompt of ["a", "b", "a", "a"]) texts.push((await ask(one, prompt)).text)
    expect(texts).toEqual(["1", "x", "2", "1"])
  })

  it("a prompt without a recording is named in the error, which is not retried", async () => {
    const exit = await Effect.runPromiseExit(platform(line("a", "1")).ask("c"))
    expect(Exit.isFailure(exit) && JSON.stringify(exit)).toContain("has no answer to this prompt")
  })

  it.each([
    ["no JSON", `${line("a", "1")}\n{oops`, /answers-\d+\.jsonl, line 2 is no recorded answer/],
    ["a line without an answer", "{\"platform\":\"assistant_a\",\"prompt\":\"a\"}", /line 1 is no recorded answer/],
    ["a foreign platform name", "{\"platform\":\"gpt\",\"prompt\":\"a\",\"answer\":\"b\"}", /line 1/],
    ["nothing of the platform", line("a", "1").replace("assistant_a", "assistant_b"), /holds no answer of assistant_a/],
    ["no line at all", "", /holds no answer of assistant_a/]
  ])("a file with %s is refused", (_, text, message) => {
    expect(Result.getOrThrow(Result.flip(made(text))).message).toMatch(message)
  })

  it("the path of a missing file is relative to the configuration", () => {
    const config = Result.getOrThrow(
      decodePlatformConfig({ platforms: { assistant_a: { adapter: "recorded", file: "gone.jsonl" } } }, "c.json")
    )
    const fault = Result.getOrThrow(Result.flip(makePlatforms(config, {}, { directory })))
    expect(fault.message).toBe(`platforms.assistant_a.file: cannot read ${join(directory, "gone.jsonl")}: ENOENT`)
    expect(fault.hint).toContain("\"prompt\"")
  })
})
