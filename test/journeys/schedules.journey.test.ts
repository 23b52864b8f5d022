/**
 * A schedule under two workers, one of which is killed -9: each scheduled time has one scan. `SOV_LONG_TESTS=1` has it
 * for five minutes of a schedule that runs every minute, on both homes.
 */
// Only with SOV_LONG_TESTS: waits for real minutes; usecases/schedules shows each rule
import { layerConnection } from "@sov/core/postgres"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { type Home, homes, oneHome } from "../support/homes.ts"
import { type Running, sov, sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

const long = process.env["SOV_LONG_TESTS"] === "1"

interface Run {
  readonly at: Date
  readonly status: string | null
}

/** An organization with a schedule, and two workers that take part. */
const setUp = async (home: Home, cron: string) => {
  const cwd = workspace()
  const url = home === "postgres" ? await freshDatabaseUrl() : null
  const env: Record<string, string> = url === null ? {} : { SOV_DATABASE_URL: url }
  const platforms = { assistant_a: { adapter: "simulated", brand: "Acme", latency: "50 millis" } }
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms }))
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"], env)
  const workers: Array<Running> = [1, 2].map(() => startSov(cwd, ["worker"], { env }))
  onTestFinished(async () => {
    for (const { child } of workers) child.kill("SIGKILL")
    await Promise.all(workers)
  })
  const runtime = ManagedRuntime.make(
    layerConnection(url === null ? { dataDir: join(cwd, ".sov") } : { url: Redacted.make(url) })
  )
  onTestFinished(() => runtime.dispose())
  const query = <A extends object>(statement: string) =>
    runtime.runPromise(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A>(statement)))
  const doing = async (what: string) =>
    (await query<{ readonly pid: number }>(`select pid from worker where '${what}' = any(doing)`)).map(({ pid }) => pid)
  await until(
    async () => (await query("select from worker")).length === 2 && (await doing("schedule")).length === 1,
    60_000,
    "both take part"
  )
  const elsewhere = await sov(cwd, ["schedule", "set", cron, "--platform", "assistant_e"], { env })
  expect([elsewhere.code, elsewhere.stderr]).toEqual([0, expect.stringMatching(/^Not in .*: assistant_e\./)])
  const set = await sovJson(cwd, ["schedule", "set", cron], env)
  expect(set).toMatchObject({ attended: true, last_run: null, next_runs: { length: 3 } })
  return {
    cwd,
    env,
    query,
    /** Runs in order; the status of a scan that has none is null. */
    runs: () =>
      query<Run>(`
        select scheduled_at as at, scan.status from schedule_run left join scan on scan.id = scan_id order by scheduled_at
      `),
    scans: () => query("select from scan where scan_type = 'scheduled'"),
    /** The scheduled time is now, or in this many milliseconds. */
    due: async (ms: number) => {
      await query(`update schedule set next_at = clock_timestamp() + interval '${ms} ms'`)
      await query("select pg_notify('sov_work', '')")
    },
    /** Kills the worker that runs schedules. */
    kill: async () => {
      const [pid] = await doing("schedule")
      const worker = workers.find(({ child }) => child.pid === pid)!
      worker.child.kill("SIGKILL")
      expect((await worker).signal).toBe("SIGKILL")
    }
  }
}

const completed = (runs: ReadonlyArray<Run>) => runs.filter(({ status }) => status === "completed").length

describe.each(long ? homes : oneHome)("on the %s home", (home) => {
  it("each scheduled time has exactly one scan, even the time at which the worker was killed", async () => {
    // Runs by itself in no year in which this test does
    const { cwd, due, env, kill, runs, scans } = await setUp(home, "0 0 29 2 *")
    for (const ended of [1, 2]) {
      await due(100)
      await until(async () => completed(await runs()) === ended, 60_000, `scan ${ended} completes`)
    }
    await due(20)
    await kill()
    await until(async () => completed(await runs()) === 3, 60_000, "the other worker takes over")
    await due(100)
    await until(async () => completed(await runs()) === 4, 60_000, "it goes on")
    expect(await runs()).toHaveLength(4)
    expect(await scans()).toHaveLength(4)
    const shown = await sovJson(cwd, ["schedule", "show"], env)
    expect(shown).toMatchObject({ overdue: false, last_run: { outcome: "started", scan_status: "completed" } })
  })

  it.runIf(long)(
    "a schedule of one run per minute makes five scans in five minutes, although one worker is killed",
    async () => {
      const { kill, runs, scans } = await setUp(home, "* * * * *")
      const begin = Date.now()
      await until(async () => completed(await runs()) >= 2, 180_000, "two scans")
      await kill()
      await until(async () => completed(await runs()) >= 5, 300_000, "five scans")
      const made = await runs()
      expect(made.map(({ at }) => at.getTime() - made[0]!.at.getTime())).toEqual([0, 1, 2, 3, 4].map((n) => n * 60_000))
      expect(await scans()).toHaveLength(5)
      expect(Date.now() - begin).toBeLessThan(5.5 * 60_000)
    },
    600_000
  )
})
