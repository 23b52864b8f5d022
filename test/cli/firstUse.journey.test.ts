// Only in `npm run test:all`: thirty runs of the command
/** What people type in their first hour, and what they mistake. */
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launcher, sourceLauncher, sov, sovJson, startSov, until, workspace } from "../support/sov.ts"

const questions = ["best anvil?", "which anvil for a beginner?", "anvil or block?"]

describe("an archive of two simulated scans", () => {
  let cwd: string
  /** Runs a command as in a checkout, where nothing is bundled. */
  const sovFromSources = async <A>(...args: ReadonlyArray<string>): Promise<A> => {
    const ran = await startSov(cwd, [...args, "--json"], { launcher: sourceLauncher })
    expect(ran).toMatchObject({ code: 0 })
    return JSON.parse(ran.stdout) as A
  }
  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), "sov-test-"))
    await sovFromSources("init", "--no-input", "--brand", "Acme", "--competitor", "Globex")
    const platform = { adapter: "simulated", seed: 1, brand: "Acme", competitors: ["Globex"] }
    const platforms = { assistant_a: platform, assistant_b: platform }
    writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms, scan: { samples: 1 } }))
  })

  afterAll(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

  it("keyword add - tracks the lines of standard input, and asks before it takes a file name as a keyword", async () => {
    const input = `${questions.join("\n")}\r\n\n  ${questions[0]}  \n`
    const added = await sov(cwd, ["keyword", "add", "-"], { input })
    expect(added).toMatchObject({
      code: 0,
      stdout: questions.map((one) => `Tracking: ${one}\n`).join("")
    })
    expect(await sov(cwd, ["keyword", "add", "-"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no keyword on standard input")
    })
    writeFileSync(join(cwd, "questions.txt"), "one?\n")
    expect(await sov(cwd, ["keyword", "add", "questions.txt"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/questions\.txt is a file: `sov keyword add - < questions\.txt`.*\n.*--yes/)
    })
    expect(await sovJson<ReadonlyArray<unknown>>(cwd, ["keyword", "list"])).toHaveLength(3)
    await sovJson(cwd, ["scan"])
    await sovFromSources("scan")
  })

  it("archive show latest works, and archive list filters by scan and by named brand", async () => {
    interface Page {
      readonly data: ReadonlyArray<{ readonly id: string; readonly scan_id: string; readonly brand_mentioned: boolean }>
    }
    const { scans } = await sovJson<{ scans: ReadonlyArray<{ id: string }> }>(cwd, ["scan", "list"])
    const all = (await sovJson<Page>(cwd, ["archive", "list"])).data
    expect(all).toHaveLength(12)
    expect(await sovJson(cwd, ["archive", "show", "latest"])).toMatchObject({ id: all[0]!.id })
    const list = async (...args: ReadonlyArray<string>) =>
      (await sovJson<Page>(cwd, ["archive", "list", ...args])).data.map(({ id }) => id)
    const ids = (keep: (row: Page["data"][number]) => boolean) => all.filter(keep).map(({ id }) => id)
    expect(await list("--scan", "latest")).toEqual(ids((row) => row.scan_id === scans[0]!.id))
    expect(await list("--named")).toEqual(ids((row) => row.brand_mentioned))
    expect(await list("--scan", scans[1]!.id, "--not-named")).toEqual(
      ids((row) => row.scan_id === scans[1]!.id && !row.brand_mentioned)
    )
    expect(await sov(cwd, ["archive", "list", "--named", "--not-named"])).toMatchObject({ code: 2 })
  })

  it("an unknown tag causes an empty list, but an error in figures, files and scans", async () => {
    expect(await sovJson(cwd, ["keyword", "list", "--tag", "nosuch"])).toEqual([])
    expect(await sovJson(cwd, ["archive", "list", "--tag", "nosuch"])).toMatchObject({ data: [], meta: { count: 0 } })
    for (const args of [["score"], ["sources"], ["keyword", "export"], ["archive", "export", "--out", "-"], ["scan"]]) {
      expect([args, await sov(cwd, [...args, "--tag", "nosuch"])]).toMatchObject([args, { code: 3, stdout: "" }])
    }
    expect(await sov(cwd, ["score", "--tag", "branded"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "No answer in the 2 newest scans is to a keyword with the tag \"branded\".\n"
    })
  })

  it("score -o csv has one row per scan, platform and name, and scan list includes the share", async () => {
    const score = await sovFromSources<{ avg_sov: number; scan_id: string }>("score")
    const { stdout } = await sov(cwd, ["score", "-o", "csv"])
    const [header = "", ...lines] = stdout.trimEnd().split("\n")
    const rows = lines.map((line) => {
      const cells = line.split(",")
      return Object.fromEntries(header.split(",").map((name, i) => [name, cells[i]!]))
    })
    // Two scans, all platforms and each of two, brand, competitor and nobody
    expect(rows).toHaveLength(2 * 3 * 3)
    for (const group of Map.groupBy(rows, (row) => `${row["scan_id"]} ${row["platform"]}`).values()) {
      expect(group.reduce((total, row) => total + Number(row["sov"]), 0)).toBeCloseTo(100, 0)
    }
    const headline = rows.find((row) =>
      row["scan_id"] === score.scan_id && row["platform"] === "all" && row["entity"] === "brand"
    )!
    expect(Math.abs(Number(headline["sov"]) - score.avg_sov)).toBeLessThanOrEqual(0.5)
    const { scans } = await sovJson<{ scans: ReadonlyArray<object> }>(cwd, ["scan", "list"])
    expect(scans[0]).toMatchObject({ id: score.scan_id, avg_sov: score.avg_sov, simulated: true })
  })

  it("keyword history shows each scan, and for programs also each platform", async () => {
    const rows = await sovJson<ReadonlyArray<object>>(cwd, ["keyword", "history", questions[1]!])
    expect(rows).toHaveLength(6)
    expect(rows[0]).toMatchObject({ platform: "all", results_count: 2, failed_count: 0, simulated: true })
    const { stdout } = await sov(cwd, ["keyword", "history", questions[1]!])
    expect(stdout.trimEnd().split("\n")).toHaveLength(2)
  })

  it("platform set changes only the given fields, platform remove asks first, and both keep the rest", async () => {
    const config = join(cwd, "own.json")
    const given = { adapter: "openai-responses", model: "gpt-5", apiKeyEnv: "OPENAI_API_KEY", timeout: "9 seconds" }
    writeFileSync(config, JSON.stringify({ platforms: { assistant_a: given }, scan: { samples: 2 } }))
    const run = (...args: ReadonlyArray<string>) => sov(cwd, ["platform", ...args, "--config", "own.json"])
    const inFile = () => JSON.parse(readFileSync(config, "utf8")) as unknown
    expect(await run("set", "assistant_a", "--model", "gpt-6", "--concurrency", "3")).toMatchObject({
      code: 0,
      stdout: "Changed assistant_a in own.json: model, concurrency\n"
    })
    const changed = { platforms: { assistant_a: { ...given, model: "gpt-6", concurrency: 3 } }, scan: { samples: 2 } }
    expect(inFile()).toEqual(changed)
    expect(await run("set", "assistant_a", "--concurrency", "many")).toMatchObject({ code: 2 })
    expect(await run("set", "assistant_b", "--model", "x")).toMatchObject({ code: 3 })
    expect(await run("set", "assistant_a")).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing to") })
    expect(await run("remove", "assistant_a")).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") })
    expect(inFile()).toEqual(changed)
    expect(await run("remove", "assistant_a", "--yes")).toMatchObject({ code: 0 })
    expect(inFile()).toEqual({ platforms: {}, scan: { samples: 2 } })
  })

  it.each([["\u0003", "Ctrl-C"], ["\u0004", "Ctrl-D"]])(
    "%j (%s) at a prompt ends the command quietly with exit code 130",
    async (key) => {
      const child = spawn("script", ["-qefc", `'${launcher}' keyword remove 'best anvil?'`, "/dev/null"], { cwd })
      let printed = ""
      child.stdout.on("data", (chunk: Buffer) => printed += chunk.toString())
      await until(() => printed.includes("[y/N]"), 30_000, "the prompt")
      child.stdin.write(key)
      expect(await new Promise((resolve) => child.once("close", resolve))).toBe(130)
      expect(printed).not.toContain("error")
    }
  )
})

it.each([
  [["--name", ""], "--name"],
  [["--competitor", "ACME"], "\"acme\" is registered for two entities"]
])("names are checked before a database is created: %j", async (names, said) => {
  const cwd = workspace()
  const ran = await sov(cwd, ["init", "--no-input", ...names, "--brand", "Acme", "--keyword", "best anvil?"])
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
  expect(existsSync(join(cwd, ".sov"))).toBe(false)
})

it("a data directory that the kernel cannot create is refused at once", async () => {
  const ran = await sov(workspace(), ["init", "--brand", "Acme", "--keyword", "x?", "--data-dir", "/proc/foo"])
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("/proc/foo cannot be read and written") })
})

it.runIf(process.getuid?.() === 0)("the error for a data directory of another user names that user", async () => {
  const cwd = workspace()
  const dataDir = join(cwd, "data")
  mkdirSync(join(dataDir, "db"), { recursive: true })
  chmodSync(dataDir, 0o700)
  chmodSync(cwd, 0o755)
  const command = `'${launcher}' score --data-dir ${dataDir}`
  const child = spawn("setpriv", ["--reuid", "65534", "--clear-groups", "sh", "-c", command], { cwd: "/" })
  let errors = ""
  child.stderr.on("data", (chunk: Buffer) => errors += chunk.toString())
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(2)
  expect(errors).toContain("it belongs to root, user 0")
})
