/** Two markets and a persona on three adapters: what is sent, archived, sealed, exported, scored and refused. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { codeBlocks, readPage } from "../support/docsPage.ts"
import { sov, sovInit, sovJson } from "../support/sov.ts"

const questions = ["best anvil for a forge?", "which bellows are quiet?", "who sells hammers online?"]
const wording = "Welcher Amboss ist der beste?"
const context = "I run a bakery with five people."

interface Sent {
  readonly path: string
  readonly body: Record<string, unknown>
}

/** The text of an answer: from Germany and from the bakery other names than elsewhere. */
const textFor = (body: string): string =>
  body.includes("bakery") ? "Acme and Globex." : /"DE"|"de"|Welcher/.test(body) ? "Globex." : "Acme."

const replyFor = (path: string, text: string): object =>
  path.endsWith("/messages")
    ? {
      model: "claude-x",
      stop_reason: "end_turn",
      content: [{ type: "text", text }],
      usage: { input_tokens: 1, output_tokens: 1 }
    }
    : path.includes(":generateContent")
    ? {
      modelVersion: "gemini-x",
      candidates: [{ finishReason: "STOP", content: { role: "model", parts: [{ text }] } }]
    }
    : {
      model: "gpt-x",
      status: "completed",
      output: [{ type: "message", content: [{ type: "output_text", text, annotations: [] }] }],
      usage: { input_tokens: 1, output_tokens: 1 }
    }

describe("two markets and a persona on three adapters", () => {
  const cwd = mkdtempSync(join(tmpdir(), "sov-test-"))
  const sent: Array<Sent> = []
  const sealedBefore = { head: "", seals: "", score: {} }
  const rowsOf = (view: string) =>
    sovJson<{ readonly data: ReadonlyArray<Record<string, unknown>> }>(cwd, ["archive", "list", "--view", view], {})

  beforeAll(async () => {
    const server = createServer((request, response) => {
      let text = ""
      request.setEncoding("utf8").on("data", (part: string) => text += part).on("end", () => {
        sent.push({ path: request.url!, body: JSON.parse(text) })
        response.end(JSON.stringify(replyFor(request.url!, textFor(text))))
      })
    }).listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const platforms = {
      assistant_a: { adapter: "openai-responses", model: "gpt-x", baseUrl, webSearch: true },
      assistant_b: { adapter: "anthropic-messages", model: "claude-x", baseUrl, webSearch: true },
      assistant_c: { adapter: "gemini", model: "gemini-x", baseUrl, webSearch: true }
    }
    writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms }))
    const tracking = {
      brand: { name: "Acme" },
      competitors: [{ name: "Globex" }],
      keywords: questions.map((text) => ({ text }))
    }
    writeFileSync(join(cwd, "tracking.json"), JSON.stringify(tracking))
    await sovInit(cwd, ["--from", "tracking.json", "--name", "Acme", "--plan", "pro"], {})
    const first = await sov(cwd, ["scan", "--yes"], {})
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("Scan")])
    sealedBefore.head = (await sov(cwd, ["archive", "head"], {})).stdout
    sealedBefore.score = await sovJson(cwd, ["score"], {})
    sent.length = 0
    for (
      const args of [
        ["germany", "--country", "DE", "--language", "de"],
        ["france", "--country", "FR"],
        ["bakery", "--context", context]
      ]
    ) {
      const added = await sov(cwd, ["view", "add", ...args], {})
      expect([added.code, added.stderr]).toEqual([0, expect.any(String)])
    }
    await sov(cwd, ["view", "word", "germany", questions[0]!, wording], {})
    return () => {
      server.close()
      rmSync(cwd, { recursive: true, force: true, maxRetries: 3 })
    }
  }, 120_000)

  it("the estimate names the views, their calls and the quota before any question is asked", async () => {
    const plan = await sovJson<Record<string, unknown>>(cwd, ["scan", "--dry-run"], {})
    expect(plan).toMatchObject({ views: ["standard", "bakery", "france", "germany"], calls: 3 * 3 * 4 })
    expect(sent).toEqual([])
    // Nobody is asked whether a view that does not exist shall be removed
    expect(await sov(cwd, ["view", "remove", "nope"], {})).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("sov view list shows what there is")
    })
  })

  it("a scan asks question × view × platform, and sends each market as far as the platform supports it", async () => {
    const scanned = await sov(cwd, ["scan", "--yes", "--json"], {})
    expect([scanned.code, scanned.stderr]).toEqual([0, expect.any(String)])
    const started = JSON.parse(scanned.stdout)
    expect([started, ...started.views].map(({ results_count, surface, view }) => [view, surface, results_count]))
      .toEqual([[null, "api", 9], ["bakery", "api", 9], ["france", "api", 9], ["germany", "api", 9]])
    expect(sent).toHaveLength(36)
    const of = (path: RegExp, text: string) =>
      sent.filter((one) => path.test(one.path) && JSON.stringify(one.body).includes(text))
    const place = (country: string) => [expect.objectContaining({ user_location: { type: "approximate", country } })]
    expect(of(/responses/, wording)).toEqual([
      expect.objectContaining({ body: expect.objectContaining({ input: wording, tools: place("DE") }) })
    ])
    expect(of(/messages/, "\"FR\"").map(({ body }) => body["tools"])).toEqual(Array(3).fill(place("FR")))
    expect(of(/generateContent/, "\"languageCode\":\"de\"")).toHaveLength(3)
    expect(of(/responses/, "bakery").map(({ body }) => String(body["input"])).toSorted()).toEqual(
      questions.map((text) => `${context}\n\n${text}`).toSorted()
    )
    // Without a view nothing is said of a market
    expect(sent.filter(({ body }) => !/bakery|user_location|languageCode/.test(JSON.stringify(body)))).toHaveLength(
      9 + 3
    )
  }, 120_000)

  it(
    "each answer is sealed with the parts of the market that were sent and those that could not be expressed",
    async () => {
      const { data: german } = await rowsOf("germany")
      const markets = new Map(german.map(({ market, platform }) => [platform, market]))
      expect(markets).toEqual(
        new Map([
          ["assistant_a", { country: "DE", language: "not expressible" }],
          ["assistant_b", { country: "DE", language: "not expressible" }],
          ["assistant_c", { country: "not expressible", language: "de" }]
        ])
      )
      expect(german.every(({ surface, view }) => surface === "api" && view === "germany")).toBe(true)
      expect((await rowsOf("standard")).data).toHaveLength(18)
      expect((await rowsOf("bakery")).data.every(({ market }) => market === null)).toBe(true)
      const verified = await sov(cwd, ["archive", "verify", "--head", sealedBefore.head.trim()], {})
      expect([verified.code, verified.stderr]).toEqual([0, expect.any(String)])
      const proof = await sovJson<{ readonly answer: object }>(cwd, ["archive", "proof", String(german[0]!["id"])], {})
      expect(proof).toMatchObject({ sov_proof: 3, answer: { surface: "api", view: "germany" } })
      for (const [member, value] of [["surface", "app"], ["view", "france"], ["market", null]] as const) {
        const bent = join(cwd, "bent.json")
        writeFileSync(bent, JSON.stringify({ ...proof, answer: { ...proof.answer, [member]: value } }))
        expect((await sov(cwd, ["archive", "verify", "--proof", bent], {})).code, member).toBe(7)
      }
    },
    60_000
  )

  it("each view has its own score, and declared weights combine them into the weighted mean", async () => {
    const score = (...args: ReadonlyArray<string>) =>
      sovJson<{ readonly avg_sov: number; readonly view: string | null; readonly surface_line: string }>(
        cwd,
        ["score", ...args],
        {}
      )
    expect(await score()).toMatchObject({ avg_sov: 100, view: null })
    expect(await score("--view", "germany")).toMatchObject({
      avg_sov: 0,
      view: "germany",
      surface_line: "API answers, web search on, Germany/German where expressible, view \"germany\""
    })
    expect(await score("--view", "bakery")).toMatchObject({ avg_sov: 50 })
    const text = (await sov(cwd, ["score", "--view", "germany"], {})).stdout
    expect(text).toContain("API answers, web search on, Germany/German where expressible, view \"germany\".")
    expect((await sov(cwd, ["score"], {})).stdout).toContain("API answers, web search on, no market.")
    const shown = await sovJson<{ readonly view: string | null }>(cwd, ["scan", "show", "latest"], {})
    expect(shown.view).toBe(null)
    const report = join(cwd, "report.html")
    expect((await sov(cwd, ["report", "--out", report, "--with-answers", "--yes"], {})).code).toBe(0)
    expect((await sov(cwd, ["report", "verify", report], {})).code).toBe(0)
    const german = join(cwd, "germany.html")
    expect((await sov(cwd, ["report", "--view", "germany", "--out", german, "--with-answers"], {})).code).toBe(0)
    expect((await sov(cwd, ["report", "verify", german], {})).code).toBe(0)
    const page = readFileSync(german, "utf8")
    expect(page).toContain("API answers, web search on, Germany/German where expressible, view &quot;germany&quot;.")
    // A market that was not asked is found
    writeFileSync(german, page.replaceAll("Germany/German where expressible", "Germany/German"))
    expect((await sov(cwd, ["report", "verify", german], {})).code).toBe(7)
    const pooled = ["view", "list", "--weight", "standard=60", "--weight", "germany=30", "--weight", "bakery=10"]
    expect(await sovJson(cwd, pooled, {})).toMatchObject({ sov: (60 * 100 + 10 * 50) / 100 })
    const listed = await sovJson<ReadonlyArray<{ readonly name: string; readonly sov: number }>>(
      cwd,
      ["view", "list"],
      {}
    )
    expect(listed.map(({ name, sov }) => [name, sov])).toEqual([
      ["standard", 100],
      ["bakery", 50],
      ["france", 100],
      ["germany", 0]
    ])
    expect((await sov(cwd, ["view", "list", "--weight", "standard=1", "--weight", "mars=1"], {})).code).not.toBe(0)
  }, 180_000)

  it("comparing scans of two views is refused with a reason", async () => {
    const { scans } = await sovJson<{
      readonly scans: ReadonlyArray<{ readonly id: string; readonly view: string | null }>
    }>(cwd, ["scan", "list"], {})
    const [one, other] = ["germany", "france"].map((name) => scans.find(({ view }) => view === name)!.id)
    const compared = await sov(cwd, ["scan", "compare", one!, other!], {})
    expect(compared.code).not.toBe(0)
    expect(compared.stderr).toContain("only answers of one surface and one view are")
  }, 60_000)

  it("a view without content, with a taken name or with a context that names the brand is refused", async () => {
    for (
      const args of [
        ["empty"],
        ["standard", "--country", "DE"],
        ["germany", "--country", "AT"],
        ["wrong", "--country", "Germany"],
        ["fan", "--context", "I love Acme."]
      ]
    ) expect((await sov(cwd, ["view", "add", ...args], {})).code, args.join(" ")).not.toBe(0)
    await sov(cwd, ["view", "remove", "france", "--yes"], {})
    expect((await rowsOf("france")).data).toHaveLength(9)
    expect((await sov(cwd, ["scan", "--view", "france", "--yes"], {})).code).not.toBe(0)
  }, 60_000)

  it("views can be exported and imported, and every seal remains valid", async () => {
    const file = join(cwd, "archive.ndjson")
    await sov(cwd, ["archive", "export", "--out", file, "--view", "france"], {})
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(9)
    const whole = join(cwd, "whole.ndjson")
    await sov(cwd, ["archive", "export", "--out", whole], {})
    expect((await sov(cwd, ["archive", "verify", "--file", whole], {})).code).toBe(0)
    // The program of docs/archive.md agrees without sov, and finds another view
    writeFileSync(join(cwd, "check.mjs"), codeBlocks(readPage("docs/archive.md"), "js")[0]!)
    const check = () => spawnSync(process.execPath, ["check.mjs", whole], { cwd, encoding: "utf8" }).stdout
    expect(check()).toMatch(/^ok, 0 not sealed, head /)
    const rows = readFileSync(whole, "utf8")
    writeFileSync(whole, rows.replace("\"view\":\"germany\"", "\"view\":\"france\""))
    expect(check()).toMatch(/^answer \S+: changed\n$/)
    expect((await sov(cwd, ["archive", "verify", "--file", whole], {})).code).toBe(7)
    writeFileSync(whole, rows)
    await sov(cwd, ["org", "create", "Restored"], {})
    const imported = await sov(cwd, ["archive", "import", whole, "--org", "restored"], {})
    expect([imported.code, imported.stderr]).toEqual([0, expect.any(String)])
    expect((await sov(cwd, ["archive", "verify", "--org", "restored"], {})).code).toBe(0)
    const heads = await Promise.all(
      [["--org", "acme"], ["--org", "restored"]].map((org) => sov(cwd, ["archive", "head", ...org], {}))
    )
    expect(heads[1]!.stdout).toBe(heads[0]!.stdout)
  }, 120_000)
})
