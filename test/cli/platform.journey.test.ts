// Only in `npm run test:all`: twenty runs of the command
/** Platforms at the terminal: adding one, how they do, what they cost. */
import { platformIds } from "@sov/core"
import { spawn } from "node:child_process"
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { startReplay } from "../support/ReplayServer.ts"
import { launcher, sov, sovInit, sovJson, startSov, workspace } from "../support/sov.ts"

const noKeys = { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "", GEMINI_API_KEY: "", PERPLEXITY_API_KEY: "" }
const real = { adapter: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1", model: "m" }

const inFile = (cwd: string) =>
  JSON.parse(readFileSync(join(cwd, "sov.config.json"), "utf8")) as Record<string, unknown>
const configured = (json: unknown) => {
  const cwd = workspace()
  writeFileSync(join(cwd, "sov.config.json"), typeof json === "string" ? json : JSON.stringify(json))
  return cwd
}

describe("sov platform add", () => {
  it("the command creates the file, fills in the provider's example, and names the next step", async () => {
    const cwd = workspace()
    const ran = await sov(cwd, ["platform", "add", "--adapter", "gemini", "--web-search"], { env: noKeys })
    expect(ran).toMatchObject({
      code: 0,
      stdout: "Added assistant_a to sov.config.json: gemini, gemini-3.8-flash, with web search\n",
      stderr: "Next: set GEMINI_API_KEY (environment or .env), then sov platform test assistant_a\n"
    })
    const gemini = { adapter: "gemini", model: "gemini-3.8-flash", webSearch: true, apiKeyEnv: "GEMINI_API_KEY" }
    expect(inFile(cwd)).toEqual({ platforms: { assistant_a: gemini }, scan: { samples: 1 } })
    const next = await sovJson(cwd, ["platform", "add", "--adapter", "perplexity", "--model", "low"], noKeys)
    expect(next).toEqual({
      id: "assistant_b",
      adapter: "perplexity",
      model: "low",
      apiKeyEnv: "PERPLEXITY_API_KEY",
      config: join(cwd, "sov.config.json")
    })
  })

  it("a simulated platform uses the tracked names, and never runs beside real platforms", async () => {
    const cwd = workspace()
    const add = (...args: ReadonlyArray<string>) => sov(cwd, ["platform", "add", "--adapter", "simulated", ...args])
    const elsewhere = ["--config", "simulated.json"]
    const early = await add(...elsewhere)
    expect(early).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/there is no database that names it\n.*sov init/)
    })
    expect(readdirSync(cwd)).toEqual([])
    await sovInit(cwd, ["--brand", "Acme", "--competitor", "Globex", "--keyword", "best anvil?"], noKeys)
    expect(await add(...elsewhere)).toMatchObject({
      code: 0,
      stdout: "Added assistant_a to simulated.json: simulated, answers about Acme are made up\n",
      stderr: "Next: sov platform test assistant_a --config simulated.json\n"
    })
    expect(await sovJson(cwd, ["scan", ...elsewhere])).toMatchObject({ status: "completed", simulated: true })
    expect(await add()).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be mixed with real ones") })
  })

  it("everything else in the file stays the same: fields, order, indentation, permissions and a link", async () => {
    const cwd = workspace()
    const text = JSON.stringify(
      { scan: { samples: 3 }, platforms: { assistant_b: { ...real, timeout: "9 seconds" } } },
      null,
      4
    )
    writeFileSync(join(cwd, "shared.json"), `\uFEFF${text}\n`)
    chmodSync(join(cwd, "shared.json"), 0o640)
    symlinkSync("shared.json", join(cwd, "sov.config.json"))
    const args = ["--id", "assistant_a", "--adapter", "openai-compatible", "--base-url", "http://127.0.0.1:9/v1"]
    const ran = await sov(cwd, ["platform", "add", ...args, "--model", "m", "--concurrency", "2"])
    expect(ran).toMatchObject({ code: 0, stderr: "Next: sov platform test assistant_a\n" })
    const now = readFileSync(join(cwd, "shared.json"), "utf8")
    const added = JSON.stringify({ ...real, adapter: undefined }, null, 4)
    expect(added).toContain("baseUrl")
    expect(now.startsWith(`\uFEFF{\n    "scan": {\n        "samples": 3`)).toBe(true)
    expect(JSON.parse(now.slice(1))).toEqual({
      scan: { samples: 3 },
      platforms: {
        assistant_b: { ...real, timeout: "9 seconds" },
        assistant_a: { ...real, concurrency: 2 }
      }
    })
    expect(statSync(join(cwd, "shared.json")).mode & 0o777).toBe(0o640)
    expect(readdirSync(cwd).toSorted()).toEqual(["shared.json", "sov.config.json"])
  })

  it.each([
    ["no adapter", {}, [], 2, /which provider\?.*\n.*gemini/],
    ["an unknown adapter", {}, ["--adapter", "claude"], 2, /Allowed choices/],
    ["a missing address", {}, ["--adapter", "openai-compatible", "--model", "m"], 2, /assistant_a\.baseUrl is missing/],
    [
      "a number that is a letter",
      {},
      ["--adapter", "gemini", "--concurrency", "x"],
      2,
      /concurrency must be an integer/
    ],
    [
      "an option of another adapter",
      {},
      ["--adapter", "openai-compatible", "--model", "m", "--base-url", "http://x.example/v1", "--web-search"],
      2,
      /webSearch is no option of openai-compatible/
    ],
    [
      "a key in place of a name",
      {},
      ["--adapter", "gemini", "--api-key-env", "sk-canary0123"],
      2,
      /not the key itself/
    ],
    [
      "a platform that is bound",
      { platforms: { assistant_a: real } },
      ["--id", "assistant_a", "--adapter", "gemini"],
      8,
      /assistant_a is configured already \(openai-compatible\)\nhint: assistant_b, .* are free/
    ],
    [
      "a sixth one",
      { platforms: Object.fromEntries(platformIds.map((id) => [id, real])) },
      ["--adapter", "gemini"],
      8,
      /all five platforms are configured/
    ],
    [
      "a real one beside simulated ones",
      { platforms: { assistant_a: { adapter: "simulated", brand: "A" } } },
      ["--adapter", "gemini"],
      2,
      /cannot be mixed/
    ],
    [
      "a model that has ended, with the line to write",
      {},
      ["--adapter", "perplexity", "--model", "sonar-pro"],
      2,
      /"sonar-pro" ended with Perplexity's Sonar API on 2026-09-27.*\nhint: Write "model": "low"/
    ],
    ["a file that is broken", "{ oops", ["--adapter", "gemini"], 2, /not valid JSON/]
  ])("the command refuses %s, and changes nothing", async (_, json, args, code, says) => {
    const cwd = configured(json)
    const before = readFileSync(join(cwd, "sov.config.json"), "utf8")
    const ran = await sov(cwd, ["platform", "add", ...args], { env: noKeys })
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: "" })
    expect(ran.stderr).toMatch(says)
    expect(ran.stderr).not.toContain("canary")
    expect(readFileSync(join(cwd, "sov.config.json"), "utf8")).toBe(before)
    expect(readdirSync(cwd)).toEqual(["sov.config.json"])
  })

  /** Answers each question after it has come; the last answer may be Ctrl-D. */
  const atTerminal = (cwd: string, answers: ReadonlyArray<readonly [question: string, answer: string]>) =>
    new Promise<string>((resolve, reject) => {
      const child = spawn("script", ["-qec", `'${launcher}' platform add`, "/dev/null"], {
        cwd,
        env: { ...process.env, ...noKeys },
        stdio: ["pipe", "pipe", "inherit"]
      })
      let [said, asked] = ["", 0]
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        said += chunk
        if (asked < answers.length && said.includes(answers[asked]![0])) child.stdin.write(answers[asked++]![1])
      })
      child.once("error", reject).once("close", () => resolve(said))
    })

  it.each([
    ["xai", [], { adapter: "openai-responses", baseUrl: "https://api.x.ai/v1", apiKeyEnv: "XAI_API_KEY" }],
    ["deepseek", [], { adapter: "anthropic-messages", apiKeyEnv: "DEEPSEEK_API_KEY", label: "DeepSeek" }],
    ["mistral", ["--no-web-search"], { adapter: "mistral", apiKeyEnv: "MISTRAL_API_KEY", webSearch: false }],
    ["openrouter", [], { model: "openai/gpt-6.1-terra", searchEngine: "auto" }],
    ["openrouter", ["--model", "openai/m", "--no-web-search"], { webSearch: false }],
    ["azure", ["--model", "mine", "--base-url", "https://acme.openai.azure.com/openai/v1"], { keyHeader: "api-key" }]
  ])("%s is configured by its name", async (provider, args, expected) => {
    const cwd = workspace()
    expect(await sovJson(cwd, ["platform", "add", provider, ...args], noKeys)).toMatchObject(expected)
    expect(inFile(cwd)).toMatchObject({ platforms: { assistant_a: expected } })
  })

  it.each(["xai", "openrouter"])(
    "a budget of %s needs no prices, because each reply states its cost",
    async (provider) => {
      const cwd = workspace()
      await sovJson(cwd, ["platform", "add", provider], noKeys)
      const file = join(cwd, "sov.config.json")
      const { platforms } = inFile(cwd) as { readonly platforms: { readonly assistant_a: object } }
      writeFileSync(
        file,
        JSON.stringify({ platforms: { assistant_a: { ...platforms.assistant_a, monthlyBudgetUsd: 20 } } })
      )
      expect(await sov(cwd, ["platform", "list"], { env: noKeys })).toMatchObject({ code: 0 })
    }
  )

  it("the three apps of dataforseo can be configured together, each with its own label", async () => {
    const cwd = workspace()
    for (const model of ["chatgpt", "google-ai-mode", "google-ai-overview"]) {
      expect(await sov(cwd, ["platform", "add", "dataforseo", "--model", model], { env: noKeys })).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/scrapes apps whose terms forbid that/)
      })
    }
    const { platforms } = inFile(cwd) as { readonly platforms: Readonly<Record<string, { readonly label: string }>> }
    expect(Object.values(platforms).map(({ label }) => label)).toEqual(["ChatGPT app", "AI Mode", "AI Overview"])
  })

  it.each([
    [["azure", "--base-url", "https://acme.openai.azure.com/openai/v1"], /which deployment\?[^]*--model/],
    [["azure", "--model", "m"], /which Azure resource\?[^]*--base-url https:/],
    [["xai", "--adapter", "gemini"], /--adapter is not for a provider/],
    [["copilot"], /openrouter/]
  ])("the arguments %j are refused, and the error names the missing one", async (args, says) => {
    const cwd = workspace()
    const ran = await sov(cwd, ["platform", "add", ...args], { env: noKeys })
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(says)
    expect(readdirSync(cwd)).toEqual([])
  })

  it("the command asks for missing values on a terminal", async () => {
    const cwd = workspace()
    const said = await atTerminal(cwd, [
      ["or adapter (openai-responses, ", "openai-compatible\r"],
      ["Base URL", "http://127.0.0.1:9/v1\r"],
      ["Model:", "llama3.2\r"],
      ["not the key:", "\r"]
    ])
    expect(said).toContain("Added assistant_a")
    expect(inFile(cwd)).toEqual({ platforms: { assistant_a: { ...real, model: "llama3.2" } }, scan: { samples: 1 } })
    const again = await atTerminal(cwd, [
      ["or adapter (openai-responses, ", "gemini\r"],
      ["Model [gemini-3.8-flash]:", "\r"],
      ["not the key [GEMINI_API_KEY]:", "\r"],
      ["(y/n) [y]:", "n\r"]
    ])
    expect(again).toContain("Next: set GEMINI_API_KEY")
    expect(inFile(cwd)).toMatchObject({
      platforms: { assistant_b: { adapter: "gemini", apiKeyEnv: "GEMINI_API_KEY", webSearch: false } }
    })
  })

  it.each(["\u0003", "\u0004"])("the command changes nothing when it is interrupted with %j", async (key) => {
    const cwd = workspace()
    expect(await atTerminal(cwd, [["or adapter (openai-responses, ", key]])).not.toContain("error")
    expect(readdirSync(cwd)).toEqual([])
  })
})

describe("cost and health", () => {
  it("cost is estimated before a scan, summed after it, limited by the budget, and listed", async () => {
    const cwd = workspace()
    const replay = await startReplay({
      answer: () => "Acme makes the best anvil.",
      usage: { prompt_tokens: 1_000, completion_tokens: 2_000 }
    })
    const { platforms } = JSON.parse(replay.config(2, 1)) as { platforms: Record<string, object> }
    const prices = { inputPerMillion: 10, outputPerMillion: 20 }
    writeFileSync(
      join(cwd, "sov.config.json"),
      JSON.stringify({
        platforms: {
          assistant_a: { ...platforms["assistant_a"], prices },
          assistant_b: { ...platforms["assistant_b"], prices, monthlyBudgetUsd: 0.12 }
        }
      })
    )
    const nothing = await sovJson<ReadonlyArray<object>>(cwd, ["platform", "list"])
    expect(nothing[0]).toMatchObject({ last_answer_at: null, error_rate: null, breaker: null, spent_usd: null })
    expect(existsSync(join(cwd, ".sov"))).toBe(false)
    const keywords = Array.from({ length: 4 }, (_, n) => ["--keyword", `best anvil ${n}?`]).flat()
    await sovInit(cwd, ["--brand", "Acme", ...keywords])

    // 100 tokens in and 1,000 out are assumed: 4 × 0.021
    const assumed = await sov(cwd, ["scan", "--dry-run"])
    expect(assumed.stdout).toContain("about $0.0840, assuming 100 tokens in and 1,000 out")
    expect(assumed.stdout).toContain("$0.00 of this month's $0.12 spent")
    expect(assumed.stdout).toContain("Estimated cost: $0.17.")

    // 0.05 an answer: the third one passes 0.12
    const scan = await sov(cwd, ["scan"])
    expect(scan.code).toBe(6)
    expect(scan.stdout).toContain("Spent $0.35: assistant_a $0.20, assistant_b $0.15")
    expect(scan.stderr).toContain("assistant_b: 1 failed, budget: the monthly budget is reached; it resets at ")
    expect(scan.stderr).toMatch(/\(\$0\.15 of \$0\.12 spent in \d{4}-\d\d\)/)
    expect(scan.stderr).toContain("raise monthlyBudgetUsd")
    expect(replay.stats.requests).toBe(7)
    const shown = await sovJson<{ spent: object }>(cwd, ["scan", "show", "latest"])
    const each = { input_tokens: 1_000, output_tokens: 2_000 }
    expect(shown.spent).toEqual({
      cost_usd: expect.closeTo(0.35, 9),
      unpriced: 0,
      platforms: {
        assistant_a: {
          answers: 4,
          charges: 0,
          input_tokens: 4 * each.input_tokens,
          output_tokens: 4 * each.output_tokens,
          searches: 0,
          cost_usd: expect.closeTo(0.2, 9),
          unpriced: 0
        },
        assistant_b: expect.objectContaining({ answers: 3, cost_usd: expect.closeTo(0.15, 9) })
      }
    })

    const known = await sov(cwd, ["scan", "--dry-run"])
    expect(known.stdout).toContain("about $0.20, from the last 4 answers of assistant_a")
    expect(known.stdout).toContain("$0.15 of this month's $0.12 spent: it would not be asked, its questions would fail")
    const [a, b] = await sovJson<ReadonlyArray<object>>(cwd, ["platform", "list"])
    expect(a).toMatchObject({
      answered_by: ["replay"],
      last_answer_at: expect.stringMatching(/^\d{4}-/),
      calls: 4,
      error_rate: 0,
      latency_p50_ms: expect.any(Number),
      latency_p95_ms: expect.any(Number),
      breaker: "closed",
      last_failure: null,
      spent_usd: expect.closeTo(0.2, 9)
    })
    expect(b).toMatchObject({ monthly_budget_usd: 0.12, spent_usd: expect.closeTo(0.15, 9) })
    const tested = await sov(cwd, ["platform", "test", "assistant_a"])
    expect(tested.stdout).toMatch(/^assistant_a answered in \d+ ms \(replay, 1000 \+ 2000 tokens, \$0\.0500\)\n/)
  })

  it("people see labels and programs see identifiers; an unknown cost is shown as –", async () => {
    const cwd = workspace()
    const replay = await startReplay({ answer: () => "Acme makes the best anvil." })
    const { platforms } = JSON.parse(replay.config(2, 1)) as { platforms: Record<string, object> }
    writeFileSync(
      join(cwd, "sov.config.json"),
      JSON.stringify({ platforms: { ...platforms, assistant_a: { ...platforms["assistant_a"], label: "ChatGPT" } } })
    )
    await sovJson(cwd, ["init", "--brand", "Acme", "--keyword", "best anvil?"])
    const planned = await sov(cwd, ["scan", "--dry-run"])
    expect(planned.stdout).toContain("  ChatGPT (assistant_a)  openai-compatible, replay")
    expect(planned.stdout).toContain("No price known for replay: set prices in sov.config.json")
    expect(planned.stdout).toMatch(/One more view would make \d+ more calls? a scan, at no known price\./)
    const scan = await sov(cwd, ["scan"])
    expect(scan.stdout).toContain("ChatGPT (assistant_a)")
    for (const args of [["scan", "show", "latest"], ["score"], ["archive", "list"], ["archive", "stats"]]) {
      const people = await sov(cwd, args)
      expect(people.stdout).toContain("ChatGPT (assistant_a)")
      expect(people.stdout).toMatch(/(?<!\()assistant_b/)
      const programs = await sov(cwd, [...args, "--json"])
      expect(programs.stdout).toContain("\"assistant_a\"")
      expect(programs.stdout).not.toContain("ChatGPT")
    }
    const listed = await sov(cwd, ["platform", "list"])
    expect(listed.stdout.split("\n").filter((line) => line !== "").map((line) => line.split("\t"))).toEqual([
      ["ChatGPT (assistant_a)", "replay", expect.stringMatching(/ ago$/), "0 %", expect.stringMatching(/ s$/), "–"],
      ["assistant_b", "replay", expect.stringMatching(/ ago$/), "0 %", expect.stringMatching(/ s$/), "–"]
    ])
    const rows = await sovJson<ReadonlyArray<object>>(cwd, ["platform", "list"])
    expect(rows).toHaveLength(5)
    expect(rows[0]).toMatchObject({ id: "assistant_a", label: "ChatGPT", configured: true })
    expect(rows[1]).toMatchObject({ id: "assistant_b", label: null, configured: true })
  })

  it("an open breaker is shown with its reason", async () => {
    const cwd = configured({ platforms: { assistant_a: real } })
    const keywords = Array.from({ length: 9 }, (_, n) => ["--keyword", `best anvil ${n}?`]).flat()
    await sovInit(cwd, ["--brand", "Acme", ...keywords])
    const scan = startSov(cwd, ["scan"])
    const tripped = await new Promise<string>((resolve, reject) => {
      const timer = setInterval(() => {
        if (!scan.errors().includes("no calls for")) return
        clearInterval(timer)
        resolve(scan.errors())
      }, 50)
      void scan.then(() => reject(new Error("the scan ended")))
    })
    expect(tripped).toMatch(
      /warning: assistant_a: could not reach .*ECONNREFUSED.*; 5 calls failed in a row: no calls for 5s/
    )
    scan.child.kill("SIGINT")
    expect((await scan).code).toBe(130)
    const listed = await sov(cwd, ["platform", "list", "--json"])
    const [row] = JSON.parse(listed.stdout) as ReadonlyArray<
      { breaker: string; error_rate: number; last_failure: object }
    >
    expect(row).toMatchObject({ error_rate: 1, last_failure: { reason: "unavailable" } })
    expect(["open", "half-open"]).toContain(row!.breaker)
    expect(listed.stderr).toMatch(/^assistant_a: failed last at .*: could not reach/)
    // What stands behind the name now has done nothing yet
    writeFileSync(
      join(cwd, "sov.config.json"),
      JSON.stringify({ platforms: { assistant_a: { ...real, model: "another" } } })
    )
    const [rebound] = await sovJson<ReadonlyArray<object>>(cwd, ["platform", "list"])
    expect(rebound).toMatchObject({ breaker: null, error_rate: null, calls: 0, last_failure: null })
  })
})
