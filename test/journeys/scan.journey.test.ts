/** The main job, as its users meet it: set up, scan, stop, go on, export. Embedded home and Postgres server. */
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, inject, it } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { openDirectConnection } from "../support/directConnection.ts"
import { homes, journeyHomes, oneHome, oneHomeOrAll } from "../support/homes.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { type Running, sov, sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

interface Summary {
  readonly scan_id: string
  readonly status: string
  readonly avg_sov: number
  readonly platform_breakdown: Record<string, number>
  readonly results_count: number
  readonly failed_count: number
  readonly mentioned_count: number
  readonly simulated: boolean
}

/** Shown by quicker tests as well. */
const long = process.env["SOV_LONG_TESTS"] !== undefined

const keywords = Array.from({ length: 10 }, (_, n) => `best anvil for workshop ${n}?`)
const tracking = JSON.stringify({
  brand: { name: "Acme Forge", aliases: ["AcmeForge"], domains: ["acmeforge.example"] },
  competitors: [{ name: "Globex Tools" }],
  keywords: keywords.map((text) => ({ text }))
})
/** Hostile to anything that trims, normalises or re-encodes. */
const answer = (platform: string, prompt: string) =>
  `  \r\n${prompt} (${platform})\n\n1. **Acme Forge** – “sturdy” 🛠️ e\u0301\n2. Globex Tools\u200b\n\t<script>alert(1)</script>\n`

const setUp = async (home: string, replay: { config: (count: number) => string }, platforms = 2) => {
  const cwd = workspace()
  writeFileSync(join(cwd, "tracking.json"), tracking)
  writeFileSync(join(cwd, "sov.config.json"), replay.config(platforms))
  const env: Record<string, string> = home === "postgres" ? { SOV_DATABASE_URL: await freshDatabaseUrl() } : {}
  await sovInit(cwd, ["--from", "tracking.json", "--name", "Acme", "--plan", "pro"], env)
  return { cwd, env }
}

const scans = async (cwd: string, env: Readonly<Record<string, string>>) =>
  (await sovJson<{ scans: ReadonlyArray<{ id: string }> }>(cwd, ["scan", "list"], env)).scans

/** Sends the signal and waits until the command says that it has it. */
const signalled = async (scan: Running, signal: NodeJS.Signals) => {
  const before = scan.errors().length
  scan.child.kill(signal)
  await until(() => scan.errors().length > before, 60_000, `a line about ${signal}`)
}

const exported = (file: string) =>
  readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>)

describe.each(journeyHomes)("scan on the %s home", (home) => {
  it("a scan archives every answer byte for byte and scores it", async () => {
    const replay = await startReplay({ answer })
    const { cwd, env } = await setUp(home, replay)
    const summary = await sovJson<Summary>(cwd, ["scan"], env)
    expect(summary).toMatchObject({
      status: "completed",
      results_count: 20,
      failed_count: 0,
      mentioned_count: 20,
      avg_sov: 50
    })
    expect(summary.platform_breakdown).toEqual({ assistant_a: 50, assistant_b: 50 })
    expect(summary.simulated).toBe(false)
    expect((await sov(cwd, ["archive", "export", "--format", "ndjson", "--out", "all.ndjson"], { env })).code).toBe(0)
    const rows = exported(join(cwd, "all.ndjson"))
    const expected = ["assistant_a", "assistant_b"].flatMap((id) => keywords.map((text) => answer(id, text)))
    expect(rows).toHaveLength(expected.length)
    expect(new Set(rows.map((row) => row["raw_response"]))).toEqual(new Set(expected))
    expect(Object.keys(rows[0]!)).toEqual([
      "id",
      "scan_id",
      "platform",
      "keyword_id",
      "prompt_used",
      "raw_response",
      "brand_mentioned",
      "mention_count",
      "mention_position",
      "sentiment",
      "sov_score",
      "created_at",
      "surface",
      "view",
      "market",
      "leaf_version",
      "model",
      "search",
      "payload_sha256",
      "source_version",
      "sources_status",
      "sources_cut",
      "sources",
      "queries"
    ])
  })

  it.runIf(oneHomeOrAll.includes(home))(
    "a scan finishes calls in flight after Ctrl-C, and is resumed with one row per cell",
    async () => {
      const replay = await startReplay({ answer, holdAfter: 2 })
      const { cwd, env } = await setUp(home, { config: (count) => replay.config(count) }, 1)
      writeFileSync(join(cwd, "sov.config.json"), replay.config(1, 2))
      const scan = startSov(cwd, ["scan"], { env })
      await until(() => replay.stats.inFlight === 2 && replay.stats.answered === 2, 60_000, "two calls in flight")
      await signalled(scan, "SIGINT")
      replay.release()
      const ran = await scan
      expect(ran.code).toBe(130)
      expect(ran.stderr).toMatch(/resume: sov scan resume [0-9a-f-]{36}/)
      expect(replay.stats.aborted).toBe(0)
      expect(replay.stats.answered).toBe(4)
      const resumed = await sovJson<Summary>(cwd, ["scan", "resume", "latest"], env)
      expect(resumed).toMatchObject({ status: "completed", results_count: 10, failed_count: 0 })
      expect(replay.stats.answered).toBe(10)
      const quota = await sovJson<{ used: number }>(cwd, ["quota", "show"], env)
      expect(quota.used).toBe(1)
    }
  )

  // journeys/kills and contracts/placement kill workers, too
  it.runIf(long && home === homes[0])(
    "two commands work on two scans at once, and one finishes both scans if the other is killed",
    async () => {
      const replay = await startReplay({ answer, latencyMs: 500 })
      const { cwd, env } = await setUp(home, replay, 2)
      writeFileSync(join(cwd, "sov.config.json"), replay.config(2, 2))
      const first = startSov(cwd, ["scan", "--json"], { env })
      await until(() => replay.stats.answered >= 4, 60_000, "answers")
      const second = startSov(cwd, ["scan", "--json"], { env })
      await until(() => second.errors().includes("answers asked for"), 60_000, "the second scan")
      first.child.kill("SIGKILL")
      await first
      const ran = await second
      expect(ran.code).toBe(0)
      expect(JSON.parse(ran.stdout)).toMatchObject({ status: "completed", results_count: 20 })
      const resumed = await sovJson<Summary>(cwd, ["scan", "resume", (await scans(cwd, env))[1]!.id], env)
      expect(resumed).toMatchObject({ status: "completed", results_count: 20 })
      // 4 were in flight at the kill
      expect(replay.stats.requests).toBeLessThanOrEqual(44)
    }
  )

  it.runIf(home === homes.at(-1))(
    "a scan with other platforms than those of a running worker is refused and starts nothing",
    async () => {
      const replay = await startReplay({ answer, holdAfter: 0 })
      const { cwd, env } = await setUp(home, replay)
      const scan = startSov(cwd, ["scan", "--json"], { env })
      await until(() => replay.stats.requests > 0, 60_000, "the first scan")
      writeFileSync(join(cwd, "other.json"), replay.config(2, 3))
      const refused = await sov(cwd, ["scan", "--config", "other.json"], { env })
      expect(refused.code).toBe(8)
      expect(refused.stderr).toContain(String(scan.child.pid))
      expect(await scans(cwd, env)).toHaveLength(1)
      scan.child.kill("SIGKILL")
      await scan
    }
  )

  it.runIf(oneHomeOrAll.includes(home))("other commands work beside a running scan", async () => {
    const replay = await startReplay({ answer, holdAfter: 2 })
    const { cwd, env } = await setUp(home, replay)
    writeFileSync(join(cwd, "sov.config.json"), replay.config(2, 1))
    const scan = startSov(cwd, ["scan", "--json"], { env })
    await until(() => replay.stats.answered >= 2, 60_000, "two answers")
    const added = await sovJson<{ text: string; status: string }>(cwd, ["keyword", "add", "a later question?"], env)
    expect(added).toMatchObject({ text: "a later question?", status: "active" })
    // What the platform has answered arrives in the archive a moment later
    await until(
      async () => (await sovJson<{ meta: { count: number } }>(cwd, ["archive", "list"], env)).meta.count >= 2,
      60_000,
      "two answers in the archive"
    )
    const listed = await sovJson<{ scans: ReadonlyArray<{ status: string }> }>(cwd, ["scan", "list"], env)
    expect(listed.scans[0]).toMatchObject({ status: "running" })
    replay.release()
    const ran = await scan
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: "completed", results_count: 20 })
  })
})

describe.each(oneHome)("a scan's failures and signals, on the %s home", (home) => {
  // usecases/scanning/scan shows which failures are asked again
  it.runIf(long)("a scan asks again after failures and gets every answer", async () => {
    const replay = await startReplay({ answer, failEvery: 7 })
    const { cwd, env } = await setUp(home, replay)
    const summary = await sovJson<Summary>(cwd, ["scan"], env)
    expect(summary).toMatchObject({ status: "completed", results_count: 20, failed_count: 0 })
    expect(replay.stats.answered).toBe(20)
  })

  it.runIf(inject("testAll"))("a scan ends the same way on SIGTERM, with exit code 143", async () => {
    const replay = await startReplay({ answer, holdAfter: 2 })
    const { cwd, env } = await setUp(home, replay, 1)
    writeFileSync(join(cwd, "sov.config.json"), replay.config(1, 2))
    const scan = startSov(cwd, ["scan"], { env })
    await until(() => replay.stats.inFlight === 2 && replay.stats.answered === 2, 60_000, "two calls in flight")
    await signalled(scan, "SIGTERM")
    replay.release()
    const ran = await scan
    expect({ code: ran.code, cut: replay.stats.aborted }).toEqual({ code: 143, cut: 0 })
    const cancelled = await sovJson<Summary>(cwd, ["scan", "cancel", "latest", "--yes"], env)
    expect(cancelled).toMatchObject({ status: "cancelled", results_count: replay.stats.answered })
  })

  it("a scan whose last answer arrives during the stop completes", async () => {
    const replay = await startReplay({ answer, holdAfter: 0 })
    const { cwd, env } = await setUp(home, replay, 1)
    const chosen = ["scan", "--json", "--keyword", keywords[0]!]
    const scan = startSov(cwd, chosen, { env })
    await until(() => replay.stats.inFlight === 1, 60_000, "the last call")
    await signalled(scan, "SIGINT")
    replay.release()
    const ran = await scan
    expect(ran.code).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: "completed", results_count: 1 })
    expect(ran.stderr).toContain(
      `It asks only 1 of ${keywords.length} keywords: sov score goes on showing the newest scan that asked everything, if there is one`
    )
    const dry = await sov(cwd, [...chosen, "--dry-run"], { env })
    expect([dry.code, dry.stderr]).toEqual([0, expect.not.stringContaining("asks only")])
  })

  it("any worker may run a detached scan, and a command that follows the scan ends when the scan does", async () => {
    const replay = await startReplay({ answer, latencyMs: 300 })
    const { cwd, env } = await setUp(home, replay)
    const detached = await sov(cwd, ["scan", "--detach", "--json"], { env })
    const { scan_id: id } = JSON.parse(detached.stdout) as { scan_id: string }
    expect(detached.stderr).toContain(`sov scan resume ${id}`)
    expect(detached.stderr).not.toContain("asks only")
    expect(replay.stats.requests).toBe(0)
    const watch = startSov(cwd, ["scan", "watch", id, "-o", "ndjson"], { env })
    await until(() => watch.errors().includes("No worker is active"), 60_000, "the watch")
    const resumed = sovJson<Summary>(cwd, ["scan", "resume", id], env)
    const watched = await watch
    expect(watched.code).toBe(0)
    const events = watched.stdout.trim().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(events[0]).toMatchObject({ scan_id: id, status: "running", answered: 0, cells: 20 })
    expect(events.at(-1)).toMatchObject({ status: "completed", results_count: 20 })
    expect(await resumed).toMatchObject({ status: "completed", results_count: 20 })
    expect(replay.stats.requests).toBe(20)
  })
})

/** Whether a process has been sent a signal of this number that has not reached it. */
const isPending = (pid: number, signal: number) => {
  const pending = /^ShdPnd:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]!
  return (BigInt(`0x${pending}`) >> BigInt(signal - 1) & 1n) === 1n
}

describe.runIf(homes.includes("postgres"))("Ctrl-C while a scan is being started", () => {
  it("an interrupted command names the scan that already exists, and how to continue it", async () => {
    const replay = await startReplay({ answer })
    const { cwd, env } = await setUp("postgres", replay, 1)
    const database = openDirectConnection(cwd, env)
    const release = Deferred.makeUnsafe<void>()
    // Somebody keeps the start from being written
    const held = database.run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql.withTransaction(Effect.andThen(sql`lock table cell in exclusive mode`, Deferred.await(release)))
    }))
    const waiting = () =>
      database.run(Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        return (yield* sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database()`).length > 0
      }))
    const scan = startSov(cwd, ["scan"], { env })
    await until(waiting, 60_000, "the start")
    scan.child.kill("SIGINT")
    // The signal arrives before the start is written
    await until(() => !isPending(scan.child.pid!, 2), 60_000, "the signal")
    await new Promise((resolve) => setTimeout(resolve, 300))
    Deferred.doneUnsafe(release, Effect.void)
    await held
    await database.close()
    const ran = await scan
    const { id } = (await scans(cwd, env))[0]!
    expect(ran.code).toBe(130)
    expect(ran.stderr).toContain(`resume: sov scan resume ${id}`)
  })
})
