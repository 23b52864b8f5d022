/**
 * What goes where: data on stdout, the rest on stderr; closed pipes, colours, hostile answers, files that are whole.
 */
// Only in `npm run test:all`: a demo and sixty processes that read it
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startReplay } from "../support/ReplayServer.ts"
import { unlabelledLines } from "../support/simulatedLabels.ts"
import { launcher, type Ran, sov, sovInit, sovJson, workspace } from "../support/sov.ts"

interface Summary {
  readonly scan_id: string
  readonly status: string
  readonly avg_sov: number
  readonly results_count: number
  readonly simulated: boolean
  readonly organization: { readonly name: string; readonly slug: string }
}
interface Page {
  readonly data: ReadonlyArray<{ readonly id: string; readonly simulated?: boolean; readonly raw_response: string }>
  readonly meta: { readonly count: number; readonly next_cursor: string | null }
}

const demoDir = ".sov-demo"
const weeks = 2
const answersOfOneScan = 40
let cwd: string
let first: Ran

const demo = (...args: ReadonlyArray<string>) => sov(cwd, ["demo", "--weeks", String(weeks), ...args])
const inDemo = (...args: ReadonlyArray<string>) => [...args, "--data-dir", demoDir]
const shell = (command: string) =>
  spawnSync("bash", ["-c", `set -o pipefail; ${command}`], { cwd, encoding: "utf8", timeout: 240_000 })
const answersOf = async (): Promise<number> =>
  (await sovJson<ReadonlyArray<{ answers: number }>>(cwd, inDemo("archive", "stats")))
    .reduce((sum, one) => sum + one.answers, 0)

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "sov-output-"))
  first = await demo()
})
afterAll(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

describe("the demo", () => {
  it("the demo shows a share of voice with bars, labels each number, and says what to try next", async () => {
    expect(first).toMatchObject({ code: 0 })
    expect(first.stderr.split("\n")[0]).toContain("SIMULATED")
    const numbers = first.stdout.split("\n").filter((line) => /\d/.test(line))
    expect(numbers.length).toBeGreaterThanOrEqual(12)
    expect(unlabelledLines(first.stdout)).toEqual([])
    for (const id of ["assistant_a", "assistant_e", "Brumella", "(no tracked brand)"]) {
      expect(first.stdout).toContain(id)
    }
    expect(first.stdout).toMatch(/[█#]{3}/)
    const steps = ["sov init", "sov platform test", "sov scan --dry-run", "sov scan\n"]
    const places = steps.map((step) => first.stderr.indexOf(step))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    expect(await answersOf()).toBe((weeks + 1) * answersOfOneScan)
  })

  it("a second demo adds one scan, and prints its summary for programs", async () => {
    const before = await answersOf()
    const summary = JSON.parse((await demo("--json")).stdout) as Summary
    expect(summary).toMatchObject({ status: "completed", results_count: answersOfOneScan, simulated: true })
    expect(summary.organization).toMatchObject({ name: "Demo", slug: "demo" })
    expect(await answersOf()).toBe(before + answersOfOneScan)
    const { scans } = await sovJson<
      { scans: ReadonlyArray<{ started_at: string; completed_at: string; simulated?: boolean }> }
    >(
      cwd,
      inDemo("scan", "list")
    )
    const ages = scans.map((scan) => Math.round((Date.now() - Date.parse(scan.started_at)) / 86_400_000))
    expect(ages).toEqual([0, 0, 7, 14])
    for (const scan of scans) {
      expect(scan.simulated).toBe(true)
      expect(Date.parse(scan.completed_at) - Date.parse(scan.started_at)).toBeLessThan(3_600_000)
    }
    expect(await sovJson(cwd, inDemo("quota", "show"))).toMatchObject({ used: 0 })
  })

  it("the demo refuses a home that contains real answers", async () => {
    const home = workspace()
    const replay = await startReplay({ answer: () => "Acme." })
    writeFileSync(join(home, "sov.config.json"), replay.config(1))
    await sovInit(home, ["--brand", "Acme", "--keyword", "best anvil?"])
    await sovJson(home, ["scan"])
    const refused = await sov(home, ["demo", "--data-dir", join(home, ".sov"), "--json"])
    expect(refused).toMatchObject({ code: 8, stdout: "" })
    expect(refused.stderr).toContain("real-answers")
    expect(await sovJson<ReadonlyArray<unknown>>(home, ["org", "list"])).toHaveLength(1)
  })

  it.each([["--weeks", "1.5"], ["--weeks", "-1"], ["--seed", "x"], ["--database-url-file", "nowhere"]])(
    "the demo refuses %s %s and creates nothing",
    async (flag, value) => {
      const home = workspace()
      expect(await sov(home, ["demo", flag, value])).toMatchObject({ code: 2, stdout: "" })
      expect(readdirSync(home)).toEqual([])
    }
  )
})

describe("streams", () => {
  const commands = [
    ["score"],
    ["score", "--by", "keyword"],
    ["scan", "list"],
    ["scan", "show", "latest"],
    ["scan", "compare", "previous", "latest"],
    ["archive", "list"],
    ["archive", "list", "--all"],
    ["archive", "stats"]
  ]

  it.each(commands.map((command) => [command.join(" "), command] as const))(
    "%s --json writes one JSON value to stdout and nothing to stderr",
    async (_, command) => {
      const { code, stderr, stdout } = await sov(cwd, [...inDemo(...command), "--json"])
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(typeof JSON.parse(stdout)).toBe("object")
    }
  )

  it("a question that is its own topic is listed, but need not be confirmed", async () => {
    const home = workspace()
    await sovInit(home, ["--brand", "Acme", "--keyword", "best anvil?"])
    expect(await sov(home, ["topic", "list", "--all"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 question, found by the program"),
      stderr: ""
    })
  })

  it("an error is one JSON object on stderr, and stdout stays empty", async () => {
    const { code, stderr, stdout } = await sov(cwd, [...inDemo("scan", "show", "nothing"), "--json"])
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "not-found", exit_code: 3 } })
  })

  it.each([
    "archive list --all",
    "archive list --all --json",
    "archive list --all -o csv",
    "archive export --out -",
    "archive export --format csv --out -",
    "scan list"
  ])("a closed pipe is not an error: %s | head -1", (command) => {
    const { status, stderr, stdout } = shell(`'${launcher}' ${command} --data-dir ${demoDir} | head -1`)
    // On a busy machine it may say that it waits for the database
    const errors = stderr.replaceAll(/^Waiting for the database process .*\n/gm, "")
    expect({ status, errors }).toEqual({ status: 0, errors: "" })
    expect(stdout.length).toBeGreaterThan(10)
  })

  it("all pages together contain each answer once, in every format", async () => {
    const count = await answersOf()
    const all = await sovJson<Page>(cwd, inDemo("archive", "list", "--all", "--limit", "7"))
    expect(all.meta).toMatchObject({ count, next_cursor: null })
    expect(new Set(all.data.map((row) => row.id)).size).toBe(count)
    const lines = async (...args: ReadonlyArray<string>) =>
      (await sov(cwd, inDemo("archive", "list", "--all", "--limit", "7", ...args))).stdout.trimEnd().split("\n")
    expect(await lines("-o", "ndjson")).toEqual(all.data.map((row) => JSON.stringify(row)))
    expect(await lines()).toHaveLength(count)
    expect((await lines("-o", "csv")).filter((line) => /^[0-9a-f-]{36},/.test(line))).toHaveLength(count)
    expect((await lines("-o", "csv")).filter((line) => line.startsWith("id,"))).toHaveLength(1)
  })

  it("colours appear only where they are supported and wanted", async () => {
    const coloured = async (args: ReadonlyArray<string>, env = {}) =>
      /\u001b\[/.test((await sov(cwd, inDemo("score", ...args), { env })).stdout)
    expect(await coloured([])).toBe(false)
    expect(await coloured(["--color", "always"])).toBe(true)
    expect(await coloured(["--color", "always"], { NO_COLOR: "1" })).toBe(true)
    const onTerminal = (env: string) =>
      execFileSync("script", ["-qec", `env -u CI ${env} '${launcher}' score --data-dir ${demoDir}`, "/dev/null"], {
        cwd,
        encoding: "utf8"
      })
    expect(onTerminal("TERM=xterm")).toContain("\u001b[")
    expect(onTerminal("TERM=xterm NO_COLOR=1")).not.toContain("\u001b[")
  })

  it.each(["score", "score --by keyword", "scan show latest", "scan compare previous latest"])(
    "%s marks every number that comes from simulated answers",
    async (command) => {
      const { stdout } = await sov(cwd, inDemo(...command.split(" ")))
      expect(unlabelledLines(stdout)).toEqual([])
    }
  )

  it("alert enable marks the simulated number that it compares with the threshold", async () => {
    const { stderr } = await sov(cwd, inDemo("alert", "enable", "sov_drop", "--threshold", "100"))
    expect(stderr).toMatch(/^SIMULATED: The share of voice is [\d.]+ now, below already/m)
  })

  it("plain characters replace blocks where blocks cannot be shown", async () => {
    const { stdout } = await sov(cwd, inDemo("score"), { env: { LC_ALL: "C" } })
    expect(stdout).toMatch(/#{3}/)
    expect(stdout).not.toMatch(/[▁-█]/)
  })
})

describe("export to a file", () => {
  it("an export is complete, described by its manifest, and never overwritten without consent", async () => {
    const file = join(cwd, "all.ndjson")
    const manifest = await sovJson<Record<string, unknown>>(cwd, inDemo("archive", "export", "--out", "all.ndjson"))
    const bytes = readFileSync(file)
    const rows = bytes.toString("utf8").trimEnd().split("\n").map((line) => JSON.parse(line) as Page["data"][number])
    expect(JSON.parse(readFileSync(`${file}.manifest.json`, "utf8"))).toMatchObject({
      format: "ndjson",
      rows: rows.length,
      simulated_rows: rows.length,
      first_id: rows[0]!.id,
      last_id: rows.at(-1)!.id,
      sha256: createHash("sha256").update(bytes).digest("hex")
    })
    expect(manifest).toMatchObject({ file, rows: await answersOf() })
    for (const row of rows) expect(row.simulated).toBe(true)

    writeFileSync(file, "mine")
    const refused = await sov(cwd, inDemo("archive", "export", "--out", "all.ndjson"))
    expect(refused).toMatchObject({ code: 8, stdout: "" })
    expect(readFileSync(file, "utf8")).toBe("mine")
    expect(await sov(cwd, [...inDemo("archive", "export", "--out", "all.ndjson"), "--yes"])).toMatchObject({ code: 0 })
    expect(readFileSync(file)).toEqual(bytes)
    expect(readdirSync(cwd).filter((name) => name.endsWith(".part"))).toEqual([])
  })

  it("an export contains only the rows that match its filters", async () => {
    const day = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)
    const args = inDemo(
      "archive",
      "export",
      "--out",
      "week.csv",
      "--format",
      "csv",
      "--platform",
      "assistant_b",
      "--from",
      day,
      "--to",
      day
    )
    expect(await sovJson(cwd, args)).toMatchObject({
      rows: answersOfOneScan / 5,
      platform: "assistant_b",
      from: `${day}T00:00:00.000Z`,
      to: `${day}T23:59:59.999Z`,
      csv_formula_guard: expect.stringContaining("apostrophe")
    })
  })

  it.runIf(process.getuid?.() !== 0)(
    "an export to a directory that cannot be written fails with a message, and leaves nothing",
    async () => {
      mkdirSync(join(cwd, "locked"))
      chmodSync(join(cwd, "locked"), 0o500)
      const { code, stderr } = await sov(cwd, inDemo("archive", "export", "--out", "locked/x.ndjson"))
      expect({ code, clear: stderr.includes("permission denied") }).toEqual({ code: 2, clear: true })
      expect(readdirSync(join(cwd, "locked"))).toEqual([])
    }
  )

  it("a failed export leaves no part file behind", async () => {
    mkdirSync(join(cwd, "blocked.ndjson.manifest.json.part"))
    const { code } = await sov(cwd, inDemo("archive", "export", "--out", "blocked.ndjson"))
    expect(code).toBe(2)
    expect(existsSync(join(cwd, "blocked.ndjson"))).toBe(false)
    expect(existsSync(join(cwd, "blocked.ndjson.part"))).toBe(false)
    mkdirSync(join(cwd, "taken.ndjson.manifest.json"))
    const taken = await sov(cwd, inDemo("archive", "export", "--out", "taken.ndjson"))
    expect([taken.code, taken.stderr]).toEqual([
      2,
      expect.stringContaining("taken.ndjson.manifest.json: it is a folder")
    ])
    expect(existsSync(join(cwd, "taken.ndjson"))).toBe(false)
  })
})

describe("hostile answers", () => {
  const hostile = "Buy \u001b]52;c;ZXZpbA==\u0007Acme\u001b[2J now\u009b31m\r\n=1+1\u0000 \u202eevil\t“Globex” » end\n"

  it("hostile answers cannot control the terminal, and leave the archive unchanged", async () => {
    const home = workspace()
    const replay = await startReplay({ answer: () => hostile })
    writeFileSync(join(home, "sov.config.json"), replay.config(1))
    await sovInit(home, ["--brand", "Acme", "--competitor", "Globex", "--keyword", "best anvil?"])
    await sovJson(home, ["scan"])
    const archived = hostile.replaceAll("\u0000", "\ufffd")
    const { data: [row] } = await sovJson<Page>(home, ["archive", "list"])
    expect(row!.raw_response).toBe(archived)

    const shown = (await sov(home, ["archive", "show", row!.id])).stdout
    expect(shown).toContain("»Acme«")
    expect(shown).toMatch(/^asked: openai-compatible, \S+$/m)
    expect(shown).toContain("›Globex‹")
    expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
    const raw = await sov(home, ["archive", "show", row!.id, "--raw"])
    expect(raw.stdout).toBe(archived)
    const onTerminal = execFileSync("script", ["-qec", `'${launcher}' archive show ${row!.id} --raw`, "/dev/null"], {
      cwd: home,
      encoding: "utf8"
    })
    expect(onTerminal).not.toMatch(/[\u001b\u0007\u009b]/)
    const table = (await sov(home, ["archive", "list"])).stdout
    expect(table).not.toMatch(/[\u001b\u0007\u009b]/)
  })
})
