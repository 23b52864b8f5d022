/** A backup as an operator makes it: from either home to the other, whole or refused, never half a file. */
// Only in `npm run test:all`: two commands a page on two homes; postgres/backup shows the same rows
import { layerEmbedded } from "@sov/core/postgres"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { setPriority, tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { type Home, homes } from "../support/homes.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { launcher, sov, sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

type Env = Readonly<Record<string, string>>
const atHome = async (home: Home, dataDir: string): Promise<Env> =>
  home === "postgres" ? { SOV_DATABASE_URL: await freshDatabaseUrl() } : { SOV_DATA_DIR: dataDir }

const hostile = "Acme \u001b[31m“Globex”\u2028 } \\ \" \u0001\r\n🛠️\u0000 end\n"

describe.each(homes)("from the %s home", (home) => {
  const other = homes.find((one) => one !== home) ?? home

  // The other way is the same statements: ports/backup goes both, and compares every row
  it.runIf(home === homes[0])(`a restore to the ${other} home shows people exactly the same output`, async () => {
    const cwd = workspace()
    const env = await atHome(home, "one")
    const replay = await startReplay({ answer: (platform, prompt) => `${platform} ${prompt} ${hostile}` })
    writeFileSync(join(cwd, "sov.config.json"), replay.config(3))
    const args = ["--brand", "Acme", "--competitor", "Globex", "--keyword", "best anvil?", "--keyword", "why?"]
    await sovInit(cwd, args, env)
    await sovJson(cwd, ["scan", "--samples", "2"], env)
    await sovJson(cwd, ["scan"], env)
    await sovJson(cwd, ["key", "create", "--name", "ci"], env)
    const list = ["archive", "list", "--limit", "3"]
    const { meta } = await sovJson<{ meta: { next_cursor: string } }>(cwd, list, env)
    const seen = async (e: Env, file: string) => ({
      archive: (await sovJson<{ sha256: string }>(cwd, ["archive", "export", "--out", file], e)).sha256,
      // In a process of its own, which has read nothing of the other database, whose ids are the same
      score: JSON.parse((await startSov(cwd, ["score", "--json"], { env: e })).stdout) as unknown,
      keys: await sovJson(cwd, ["key", "list"], e),
      // A cursor is signed with the installation's key
      page: await sovJson(cwd, [...list, "--cursor", meta.next_cursor], e)
    })
    const before = await seen(env, "before.ndjson")

    const made = await sovJson<Record<string, unknown>>(cwd, ["db", "backup", "b.gz"], env)
    const bytes = readFileSync(join(cwd, "b.gz"))
    expect(made).toEqual({
      file: join(cwd, "b.gz"),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      schema_version: expect.any(Number),
      rows: expect.objectContaining({ organization: 1, api_key: 1, scan: 2, cell: 18, answer: 18, seal: 2 }),
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex")
    })
    expect(statSync(join(cwd, "b.gz")).mode & 0o777).toBe(0o600)

    const target = await atHome(other, "two")
    const restored = await sovJson(cwd, ["db", "restore", "b.gz", "--yes"], target)
    expect(restored).toMatchObject({ rows: made["rows"], created_at: made["created_at"] })
    expect(await seen(target, "after.ndjson")).toEqual(before)
    expect(readFileSync(join(cwd, "after.ndjson"))).toEqual(readFileSync(join(cwd, "before.ndjson")))
    await sovJson(cwd, ["scan"], target)
    expect(await sovJson(cwd, ["quota", "show"], target)).toMatchObject({ used: 3 })

    const again = await sov(cwd, ["db", "restore", "b.gz", "--yes", "--json"], { env: target })
    expect(again).toMatchObject({ code: 8, stdout: "" })
    expect(again.stderr).toContain("database-not-empty")
  })

  it.runIf(home === homes.at(-1))(
    "a backup can run beside a scan, and the part of the scan that it contains can be finished after a restore",
    async () => {
      const cwd = workspace()
      const env = await atHome(home, "one")
      const replay = await startReplay({ answer: () => "Acme.", holdAfter: 20 })
      writeFileSync(join(cwd, "sov.config.json"), replay.config(5))
      const keywords = Array.from({ length: 5 }, (_, n) => ["--keyword", `best anvil ${n}?`]).flat()
      await sovInit(cwd, ["--brand", "Acme", ...keywords], env)
      const scan = startSov(cwd, ["scan", "--samples", "4", "--json"], { env })
      await until(() => replay.stats.answered === 20 && replay.stats.inFlight > 0, 60_000, "answers")
      const made = await sovJson<{ rows: { answer: number; cell: number; measurement: number } }>(
        cwd,
        ["db", "backup", "b.gz"],
        env
      )
      replay.release()
      expect(await scan).toMatchObject({ code: 0 })
      expect(made.rows.cell).toBe(100)
      expect(made.rows.answer).toBeGreaterThan(10)
      expect(made.rows.answer).toBeLessThanOrEqual(20)
      const lines = gunzipSync(readFileSync(join(cwd, "b.gz"))).toString("utf8").split("\n")
      const rows = <A>(table: string) =>
        lines.filter((line) => line.startsWith(`{"${table}":`)).map((line) =>
          (JSON.parse(line) as Record<string, A>)[table]!
        )
      const answered = rows<{ id: string; state: string }>("cell").filter(({ state }) => state === "answered")
      const archived = new Set(rows<{ cell_id: string }>("answer").map(({ cell_id }) => cell_id))
      expect(answered.filter(({ id }) => !archived.has(id))).toEqual([])
      const target = await atHome(home, "two")
      await sovJson(cwd, ["db", "restore", "b.gz", "--yes"], target)
      expect(await sovJson(cwd, ["scan", "resume", "latest"], target)).toMatchObject({
        status: "completed",
        results_count: 100,
        failed_count: 0
      })
    },
    120_000
  )
})

describe("a home with answers", () => {
  let cwd: string
  let good: Buffer
  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), "sov-backup-"))
    await sovJson(cwd, ["demo", "--weeks", "1"])
    await sovJson(cwd, ["db", "backup", "good.gz", "--data-dir", ".sov-demo"])
    good = readFileSync(join(cwd, "good.gz"))
  })
  afterAll(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))

  const changed = (change: (text: string) => string) => gzipSync(change(gunzipSync(good).toString("utf8")))
  const flipped = (at: number) => {
    const bytes = Buffer.from(good)
    bytes[at]! ^= 0x55
    return bytes
  }
  it.each<readonly [string, number, string, () => Buffer | null]>([
    ["a file that is not there", 3, "there is no file", () => null],
    ["another file", 2, "no backup of sov", () => Buffer.from("{}\n")],
    ["another gzip file", 2, "no backup of sov", () => gzipSync("hello\n")],
    ["an empty file", 7, "cut short", () => Buffer.alloc(0)],
    ["one cut in the middle", 7, "cut short", () => good.subarray(0, good.length >> 1)],
    ["one without its last byte", 7, "cut short", () => good.subarray(0, -1)],
    ["one with another byte", 7, "damaged", () => flipped(good.length >> 1)],
    [
      "one with another word",
      7,
      "rows of keyword were changed",
      () => changed((text) => text.replace("kitchen", "kitchan"))
    ],
    ["one without its last line", 7, "cut short", () => changed((text) => text.slice(0, text.lastIndexOf("{\"end\"")))],
    ["one of a newer sov", 8, "newer", () => changed((text) => text.replace("\"sov_backup\":1", "\"sov_backup\":7"))]
  ])("%s is refused with exit code %i, and nothing is created", async (_, code, says, bytes) => {
    const here = workspace()
    const data = bytes()
    if (data !== null) writeFileSync(join(here, "b.gz"), data)
    const ran = await sov(here, ["db", "restore", "b.gz", "--yes", "--data-dir", "new"])
    expect({ code: ran.code, stdout: ran.stdout, error: ran.stderr }).toEqual({
      code,
      stdout: "",
      error: expect.stringContaining(says)
    })
    expect(readdirSync(here).filter((name) => name !== "b.gz")).toEqual([])
  })

  it("a restore asks for confirmation, and requires --yes without a terminal", async () => {
    const here = workspace()
    copyFileSync(join(cwd, "good.gz"), join(here, "good.gz"))
    const ran = await sov(here, ["db", "restore", "good.gz", "--data-dir", "new"])
    expect(ran).toMatchObject({ code: 2, stdout: "" })
    expect(ran.stderr).toContain("--yes")
    expect(existsSync(join(here, "new"))).toBe(false)
  })

  it("a backup never overwrites a file without consent, and fails with a message if there is nothing to back up", async () => {
    const refused = await sov(cwd, ["db", "backup", "good.gz", "--data-dir", ".sov-demo"])
    expect(refused).toMatchObject({ code: 8, stdout: "" })
    expect(readFileSync(join(cwd, "good.gz"))).toEqual(good)
    const nothing = await sov(cwd, ["db", "backup", "x.gz", "--data-dir", "nothing"])
    expect(nothing).toMatchObject({ code: 3, stdout: "" })
    expect(readdirSync(cwd).filter((name) => name.startsWith("x.gz") || name === "nothing")).toEqual([])
  })

  it("only its owner may read the backup file, even if a killed run left a part file", async () => {
    writeFileSync(join(cwd, "p.gz.part"), "left behind")
    chmodSync(join(cwd, "p.gz.part"), 0o644)
    await sovJson(cwd, ["db", "backup", "p.gz", "--data-dir", ".sov-demo"])
    expect(statSync(join(cwd, "p.gz")).mode & 0o777).toBe(0o600)
    expect(existsSync(join(cwd, "p.gz.part"))).toBe(false)
  })

  describe("in the middle", () => {
    beforeAll(async () => {
      const grow = Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into cell select (jsonb_populate_record(null::cell, to_jsonb(c) ||
            jsonb_build_object('id', gen_random_uuid(), 'sample', n))).* from cell c, generate_series(2, 40) n
        `
        yield* sql`
          insert into answer select (jsonb_populate_record(null::answer, to_jsonb(a) || jsonb_build_object(
            'id', gen_random_uuid(), 'cell_id', c.id, 'sample', c.sample, 'raw_response', repeat(a.raw_response, 5)
          ))).*
          from answer a join cell c using (organization_id, scan_id, keyword_id, platform) where c.sample > 1
        `
      })
      await Effect.runPromise(
        grow.pipe(Effect.provide(layerEmbedded({ dataDir: join(cwd, ".sov-demo") })), Effect.scoped)
      )
    })

    let whole: string
    beforeAll(async () => {
      whole = join(cwd, "whole.gz")
      await sovJson(cwd, ["db", "backup", whole, "--data-dir", ".sov-demo"])
    })
    const begin = async (folder: string) => {
      const running = startSov(cwd, ["db", "backup", join(folder, "s.gz"), "--data-dir", ".sov-demo"])
      await until(() => existsSync(join(folder, "s.gz.part")), 60_000, "a part file")
      return { running }
    }

    it.each([["SIGINT", 130], ["SIGTERM", 143]] as const)(
      "a backup stopped by %s leaves no file",
      async (signal, code) => {
        const folder = workspace()
        const { running } = await begin(folder)
        running.child.kill(signal)
        expect(await running).toMatchObject({ code, stdout: "" })
        expect(readdirSync(folder)).toEqual([])
      }
    )

    it("kill -9 leaves a file that is recognised as incomplete, and the next run replaces it", async () => {
      const folder = workspace()
      const { running } = await begin(folder)
      running.child.kill("SIGKILL")
      await running
      expect(readdirSync(folder)).toEqual(["s.gz.part"])
      await sovJson(cwd, ["db", "backup", join(folder, "s.gz"), "--data-dir", ".sov-demo"])
      expect(readdirSync(folder)).toEqual(["s.gz"])
    })

    it("Ctrl-C while restoring leaves an empty database, which the next restore fills", async () => {
      const folder = workspace()
      copyFileSync(whole, join(folder, "s.gz"))
      const running = startSov(folder, ["db", "restore", "s.gz", "--data-dir", "new", "--yes"])
      await until(() => existsSync(join(folder, "new/db/PG_VERSION")), 60_000, "a database")
      running.child.kill("SIGINT")
      expect(await running).toMatchObject({ code: 130, stdout: "" })
      const { rows } = await sovJson<{ rows: { answer: number } }>(folder, [
        "db",
        "restore",
        "s.gz",
        "--data-dir",
        "new",
        "--yes"
      ])
      expect(rows.answer).toBeGreaterThan(2000)
    })

    it.runIf(existsSync("/proc/self/fd"))("Ctrl-C while the file is checked creates nothing", async () => {
      const folder = workspace()
      const file = join(folder, "s.gz")
      copyFileSync(whole, file)
      const running = startSov(folder, ["db", "restore", "s.gz", "--data-dir", "new", "--yes"])
      // Who looks comes first where both want the processor
      setPriority(running.child.pid!, 19)
      const descriptors = `/proc/${running.child.pid}/fd`
      const reads = () => {
        try {
          return readdirSync(descriptors).some((name) => readlinkSync(join(descriptors, name)) === file)
        } catch {
          return false // one of them was closed meanwhile
        }
      }
      while (running.child.exitCode === null && !reads()) await new Promise((resolve) => setTimeout(resolve, 1))
      running.child.kill("SIGINT")
      expect(await running).toMatchObject({ code: 130, stdout: "", stderr: "" })
      expect(readdirSync(folder)).toEqual(["s.gz"])
    })

    it("one line shows a person the progress and the rate", () => {
      const folder = workspace()
      const shown = execFileSync(
        "script",
        [
          "-qec",
          `env -u CI TERM=xterm '${launcher}' db backup '${join(folder, "t.gz")}' --data-dir .sov-demo`,
          "/dev/null"
        ],
        { cwd, encoding: "utf8" }
      )
      expect(shown).toMatch(/\r\u001b\[KBacking up: [\d,]+ of [\d,]+ rows \(\d+ %\), [\d,]+ rows\/s/)
      expect(shown).toMatch(/1 organization, \d+ scans, [\d,]+ answers in/)
    })
  })
})
