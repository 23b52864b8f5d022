/**
 * Real input: recorded answers of real engines, replayed over HTTP. Runs where `SOV_RECORDED_ANSWERS` names a folder
 * with `data/` and `replay/serve.mjs`; the answers themselves are not part of this project.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { createInterface } from "node:readline"
import { gunzipSync } from "node:zlib"
import { describe, expect, it, onTestFinished } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { homes, oneHome } from "../support/homes.ts"
import { sov, sovJson, workspace } from "../support/sov.ts"

const recorded = process.env["SOV_RECORDED_ANSWERS"] ?? ""

interface Recording {
  readonly platform: string
  readonly prompt: string
  readonly answer: string
}

const recordings = (name: string): ReadonlyArray<Recording> =>
  gunzipSync(readFileSync(join(recorded, `data/answers/${name}.jsonl.gz`))).toString("utf8").trimEnd().split("\n")
    .map((line) => JSON.parse(line) as Recording)

/** Starts the replay server on a free port and returns its base URL. */
const replay = async (data: string, ...options: ReadonlyArray<string>): Promise<string> => {
  const child = spawn(process.execPath, [join(recorded, "replay/serve.mjs"), "--data", data, "--port", "0", ...options])
  onTestFinished(async () => {
    child.kill()
    await once(child, "exit")
  })
  for await (const line of createInterface({ input: child.stdout })) return /http:\S+/.exec(line)![0]
  throw new Error("the replay server did not start")
}

const configure = (cwd: string, url: string, platforms: ReadonlyArray<string>) =>
  writeFileSync(
    join(cwd, "sov.config.json"),
    JSON.stringify({
      platforms: Object.fromEntries(
        platforms.map((id) => [id, { adapter: "openai-compatible", baseUrl: `${url}/${id}/v1`, model: "recorded" }])
      )
    })
  )

const environment = async (home: string): Promise<Record<string, string>> =>
  home === "postgres" ? { SOV_DATABASE_URL: await freshDatabaseUrl() } : {}

interface Row {
  readonly platform: string
  readonly prompt_used: string
  readonly raw_response: string
}

/** Exports the organization's archive and checks that every row is a recorded answer to its prompt, byte for byte. */
const checkExport = async (cwd: string, env: Record<string, string>, org: string, data: ReadonlyArray<Recording>) => {
  const ran = await sov(cwd, ["archive", "export", "--format", "ndjson", "--out", "-", "--org", org], { env })
  expect(ran.code).toBe(0)
  const known = new Set(data.map((one) => JSON.stringify([one.platform, one.prompt.trim(), one.answer])))
  const rows = ran.stdout.trimEnd().split("\n").map((line) => JSON.parse(line) as Row)
  for (const row of rows) {
    expect(known.has(JSON.stringify([row.platform, row.prompt_used.trim(), row.raw_response]))).toBe(true)
  }
  return rows.length
}

describe.skipIf(recorded === "").each(oneHome)("tracking sets on the %s home", (home) => {
  it("each of the four tracking sets is scanned into 8 rows, each a recorded answer", async () => {
    const cwd = workspace()
    const env = await environment(home)
    configure(cwd, await replay("markets"), ["assistant_a", "assistant_b"])
    const data = recordings("markets")
    const files = readdirSync(join(recorded, "data/tracking"))
    expect(files).toHaveLength(4)
    for (const file of files) {
      const org = basename(file, ".json")
      await sovJson(cwd, [
        "init",
        "--from",
        join(recorded, "data/tracking", file),
        "--name",
        org,
        "--plan",
        "pro",
        "--no-input",
        "--yes"
      ], env)
      const summary = await sovJson(cwd, ["scan", "--org", org], env)
      expect(summary).toMatchObject({ status: "completed", results_count: 8, failed_count: 0, simulated: false })
      expect(await checkExport(cwd, env, org, data)).toBe(8)
    }
  })
})

describe.skipIf(recorded === "").each(homes.slice(-1))("recorded answers on the %s home", (home) => {
  it("five platforms answer 166 questions in 830 rows despite failures and throttling, and none fails", async () => {
    const cwd = workspace()
    const env = await environment(home)
    const data = recordings("five-engines")
    const platforms = [...new Set(data.map((one) => one.platform))].sort()
    configure(cwd, await replay("five-engines", "--fail-rate", "0.05", "--throttle-rate", "0.02"), platforms)
    const prompts = [...new Set(data.map((one) => one.prompt))]
    writeFileSync(
      join(cwd, "tracking.json"),
      JSON.stringify({
        brand: { name: "Wikipedia" },
        competitors: [{ name: "Reddit" }],
        keywords: prompts.map((text) => ({ text }))
      })
    )
    await sovJson(cwd, ["init", "--from", "tracking.json", "--name", "Five", "--no-input"], env)
    const summary = await sovJson(cwd, ["scan"], env)
    expect(summary).toMatchObject({ status: "completed", results_count: 830, failed_count: 0 })
    expect(await checkExport(cwd, env, "five", data)).toBe(830)
  })
})
