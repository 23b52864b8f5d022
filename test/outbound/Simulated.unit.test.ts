import {
  type ActionRow,
  type AnswerId,
  type CompetitorId,
  findActions,
  type KeywordId,
  type PlatformId,
  platformIds,
  type ScanId
} from "@sov/core"
import { makeSimulated, mentionProbability, SimulatedBinding, simulateText } from "@sov/core/outbound"
import { answerPlatformContract } from "@sov/core/testing"
import { Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"

const bind = Schema.decodeSync(SimulatedBinding)
const binding = (fields: { readonly latency?: string; readonly seed?: number } = {}) =>
  bind({
    adapter: "simulated",
    brand: "Acmerion",
    competitors: ["Globexa", "Initechly", "Umbrellix", "Hoolivar"],
    ...fields
  })
const names = ["Acmerion", "Globexa", "Initechly", "Umbrellix", "Hoolivar"]
const question = {
  seed: 1,
  platform: "assistant_a" as PlatformId,
  prompt: "best crm for small teams",
  run: "1",
  brand: "Acmerion",
  competitors: names.slice(1),
  mentionRate: 0.5
}
const range = (n: number) => Array.from({ length: n }, (_, i) => i)
const sd = (values: ReadonlyArray<number>) => {
  const mean = values.reduce((a, b) => a + b, 0) / values.length
  return Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length - 1))
}

const under = (fields: { readonly latency?: string }) =>
  Effect.sync(() => ({
    platform: makeSimulated("assistant_b", binding(fields)),
    secret: null,
    asked: Effect.yieldNow,
    aborted: Effect.void
  }))
answerPlatformContract("simulated", { answers: under({}), silent: under({ latency: "5 minutes" }), fails: {} }, {
  describe,
  it
})

describe("simulateText", () => {
  it("the same question gets the same text; another run, seed, platform or prompt gets another text", () => {
    expect(simulateText(question)).toEqual(simulateText({ ...question }))
    const runs = new Set(range(50).map((run) => simulateText({ ...question, run: `${run}` }).text))
    expect(runs.size).toBeGreaterThan(45)
    for (const other of [{ seed: 2 }, { platform: "assistant_b" as const }, { prompt: "best crm for big teams" }]) {
      expect(simulateText({ ...question, ...other }).text).not.toBe(simulateText(question).text)
    }
  })

  it("the text names exactly the announced entities, in their order", () => {
    for (const run of range(500)) {
      const { mentioned, text } = simulateText({ ...question, run: `${run}` })
      expect(names.filter((name) => text.includes(name)).sort()).toEqual([...mentioned].sort())
      expect([...mentioned].sort((a, b) => text.indexOf(a) - text.indexOf(b))).toEqual(mentioned)
    }
  })

  it("in the long run, an entity is named as often as its probability says", () => {
    const runs = 3000
    for (const name of names) {
      const chance = mentionProbability(question, name)
      const hits = range(runs).filter((run) =>
        simulateText({ ...question, run: `${run}` }).mentioned.includes(name)
      ).length
      expect(Math.abs(hits / runs - chance)).toBeLessThan(4 * Math.sqrt(0.25 / runs))
    }
  })

  it("the probabilities of keywords vary around the mention rate", () => {
    for (const mentionRate of [0.2, 0.5, 0.8]) {
      const chances = range(2000).map((i) =>
        mentionProbability({ ...question, mentionRate, prompt: `keyword ${i}` }, "Acmerion")
      )
      expect(Math.abs(chances.reduce((a, b) => a + b, 0) / 2000 - mentionRate)).toBeLessThan(0.03)
      // A beta distribution with a + b = 3 has the variance m(1 − m)/4.
      expect(sd(chances)).toBeCloseTo(Math.sqrt((mentionRate * (1 - mentionRate)) / 4), 1)
    }
    const never = range(50).map((run) => simulateText({ ...question, mentionRate: 0, run: `${run}` }).mentioned)
    expect(never.flat()).not.toContain("Acmerion")
  })

  it("identical scans of 10 keywords on five platforms show the expected noise (SD about 3.4 points)", () => {
    const scan = (run: number) => {
      const rows = platformIds.flatMap((platform) =>
        range(10).map((i) => {
          const { mentioned } = simulateText({ ...question, platform, prompt: `keyword ${i}`, run: `${run}` })
          return mentioned.includes("Acmerion") ? 100 / mentioned.length : 0
        })
      )
      return rows.reduce((a, b) => a + b, 0) / rows.length
    }
    const noise = sd(range(200).map(scan))
    expect(noise).toBeGreaterThan(2)
    expect(noise).toBeLessThan(5)
  })

  it("nearly every answer to a prompt about the brand names it, without repeating the prompt", () => {
    const branded = { ...question, prompt: "Is ACMERION any good?" }
    const hits = range(300).filter((run) => simulateText({ ...branded, run: `${run}` }).mentioned.includes("Acmerion"))
    expect(hits.length).toBeGreaterThan(280)
    for (const prompt of [branded.prompt, "ACMERION alternatives"]) {
      for (const run of range(50)) {
        expect(simulateText({ ...branded, prompt, run: `${run}` }).text).not.toContain("ACMERION")
      }
    }
  })

  it("eight scans of the demo's size cite a page that does not name the brand, which becomes an action", () => {
    const scans = range(8).map((run) => `${run}` as ScanId)
    const page = "https://forum.example/recommendations"
    const rows = scans.flatMap((scanId) =>
      range(8).flatMap((n) =>
        platformIds.slice(0, 5).map((platform): ActionRow => {
          const { mentioned, sources } = simulateText({ ...question, platform, prompt: `keyword ${n}`, run: scanId })
          const cited = sources.filter(({ url }) => url === page)
          return {
            answerId: `${scanId} ${platform} ${n}` as AnswerId,
            createdAt: new Date(0),
            scanId,
            platform,
            keywordId: `${n}` as KeywordId,
            brandMentioned: mentioned.includes("Acmerion"),
            competitorsMentioned: mentioned.filter((name) => name !== "Acmerion").map((name) => name as CompetitorId),
            reports: true,
            unread: false,
            searched: true,
            cited: cited.map(() => ({ page, domain: "forum.example", owner: { kind: "third_party" } })),
            domains: new Set(),
            pages: new Set(),
            ownCited: false,
            read: null,
            written: null
          }
        })
      )
    )
    expect(findActions(rows, scans).actions.map(({ rule, subject }) => `${rule} ${subject}`)).toContain(
      `page_without_you ${page}`
    )
  })

  it("the texts contain numbered lists, bullets, tables, headings and plain sentences", () => {
    const texts = range(200).map((run) => simulateText({ ...question, mentionRate: 0.9, run: `${run}` }).text)
    for (const form of [/^1\. \*\*/m, /^- \*\*/m, /^\| --- \|/m, /^### /m, /^For crm for small teams, /m]) {
      expect(texts.some((text) => form.test(text))).toBe(true)
    }
  })

  it("any prompt and any name are accepted", () => {
    for (const prompt of ["", "\uD800", "\u0000", "最高のCRMは？", "x".repeat(100_000), "](javascript:alert(1))"]) {
      const { text } = simulateText({ ...question, prompt, brand: "$&|\\", competitors: ["$&|\\", "*B*"] })
      expect(text.trim()).not.toBe("")
    }
  })
})

describe("makeSimulated", () => {
  const ask = (platform: ReturnType<typeof makeSimulated>, prompt = "best crm") =>
    Effect.runPromise(platform.ask(prompt))

  it("every answer is labelled as simulated, also in its payload", async () => {
    const platform = makeSimulated("assistant_c", binding())
    const answer = await ask(platform)
    expect(answer).toMatchObject({ simulated: true, model: "simulated-assistant_c", finish: "stop" })
    expect(answer.usage).toEqual({ inputTokens: null, outputTokens: null, costUsd: null })
    expect(JSON.parse(new TextDecoder().decode(answer.payload))).toMatchObject({ simulated: true, text: answer.text })
  })

  it("the n-th call with a prompt gets the same answer, whatever else is asked in between", async () => {
    const [one, two] = [makeSimulated("assistant_c", binding()), makeSimulated("assistant_c", binding())]
    const first = [(await ask(one)).text, (await ask(one)).text, (await ask(one)).text]
    const second = [(await ask(two)).text, (await ask(two, "other") && await ask(two)).text, (await ask(two)).text]
    expect(second).toEqual(first)
    expect(new Set(first).size).toBeGreaterThan(1)
    expect((await ask(makeSimulated("assistant_c", binding(), "1"))).text).not.toBe(first[0])
    expect((await ask(makeSimulated("assistant_c", binding({ seed: 7 })))).text).not.toBe(first[0])
  })
})
