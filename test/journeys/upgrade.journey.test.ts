/**
 * An upgrade as its operator sees it, in place: the command of this checkout on the database of a released version, killed in
 * the middle of the migration, and what an older sov says afterwards. `SOV_KILLS=10` kills as often (default 2).
 */
// Only in `npm run test:all`: kills of migrations
import { layerInProcess, layerServer } from "@sov/core/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { makeDatabaseOf, releasedVersions } from "../support/databaseFixtures.ts"
import { emptyDatabaseUrl } from "../support/databases.ts"
import { type Home, homes } from "../support/homes.ts"
import { sov, sovJson, workspace } from "../support/sov.ts"

vi.setConfig({ testTimeout: 300_000 })

const kills = Number(process.env["SOV_KILLS"] ?? 2)

interface Status {
  readonly schema_version: number
  readonly pending: ReadonlyArray<{ readonly id: number }>
}

const onHome = async <A, E>(
  cwd: string,
  env: Record<string, string>,
  work: Effect.Effect<A, E, SqlClient.SqlClient>
) => {
  const url = env["SOV_DATABASE_URL"]
  if (url === undefined) await Effect.runPromise(Effect.provide(work, layerInProcess({ dataDir: join(cwd, ".sov") })))
  else await Effect.runPromise(Effect.provide(work, layerServer({ url: Redacted.make(url) })))
}

/** A directory with the database of a version, as that version left it. */
const older = async (home: Home, version: string) => {
  const cwd = workspace()
  const env: Record<string, string> = home === "postgres" ? { SOV_DATABASE_URL: await emptyDatabaseUrl() } : {}
  await onHome(cwd, env, makeDatabaseOf(version))
  const platform = { adapter: "simulated", brand: "Acme", latency: "0 millis", concurrency: 1 }
  writeFileSync(
    join(cwd, "sov.config.json"),
    JSON.stringify({ platforms: { assistant_a: platform, assistant_b: platform } })
  )
  return { cwd, env, status: () => sovJson<Status>(cwd, ["db", "status"], env) }
}

/** Kills the command, and with it whoever has its embedded database open. */
const killAll = (cwd: string, command: number): void => {
  const owner = (): number | undefined => {
    try {
      return (JSON.parse(readFileSync(join(cwd, ".sov/owner.json"), "utf8")) as { readonly pid: number }).pid
    } catch {
      return undefined
    }
  }
  for (const pid of [owner(), command]) {
    try {
      if (pid !== undefined) process.kill(pid, "SIGKILL")
    } catch {
      // It has ended
    }
  }
}

describe.each(homes)("on the %s home", (home) => {
  it.each(releasedVersions)("a database of %s: dry run, kills in the middle, then whole", async (version) => {
    const { cwd, env, status } = await older(home, version)
    const before = await status()
    const wouldRun = await sovJson<ReadonlyArray<unknown>>(cwd, ["db", "migrate", "--dry-run"], env)
    expect(wouldRun).toEqual(before.pending)
    expect(await status()).toEqual(before)

    // Over the time that one migration takes, from its first statement to its last
    const probe = await older(home, version)
    const begun = performance.now()
    await sovJson(probe.cwd, ["db", "migrate"], probe.env)
    const whole = performance.now() - begun
    let [killed, done] = [0, before.pending.length === 0]
    for (let n = 0; n < kills && !done; n++) {
      const running = sov(cwd, ["db", "migrate"], { env })
      await new Promise((resolve) => setTimeout(resolve, whole * (0.3 + 0.65 * (n + Math.random()) / kills)))
      killAll(cwd, running.child.pid!)
      if ((await running).signal === "SIGKILL") killed++
      const { pending } = await status()
      // All or nothing: never some of them
      expect([0, before.pending.length]).toContain(pending.length)
      done = pending.length === 0
    }
    console.log(`${home}, ${version}: ${killed} kills within ${Math.round(whole)} ms, migrated after them: ${done}`)

    const ran = await sovJson<ReadonlyArray<unknown>>(cwd, ["db", "migrate"], env)
    expect(ran).toEqual(done ? [] : before.pending)
    expect(await sovJson(cwd, ["archive", "verify"], env)).toMatchObject({ valid: true })
    const [scan] = await sovJson<ReadonlyArray<{ readonly scan_id: string }>>(
      cwd,
      ["scan", "list", "--status", "running"],
      env
    )
    const resumed = await sovJson(cwd, ["scan", "resume", scan!.scan_id], env)
    expect(resumed).toMatchObject({ status: "completed", results_count: 12, failed_count: 0 })
    expect(await sovJson(cwd, ["archive", "verify"], env)).toMatchObject({ valid: true })
  })

  it("an older sov refuses the database of a newer one with one line and a hint, and changes nothing", async () => {
    const { cwd, env } = await older(home, releasedVersions.at(-1)!)
    const newer = Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into sov_migrations (migration_id, name) values (9999, 'of_a_newer_version')`
    })
    await onHome(cwd, env, newer)
    for (const command of [["quota", "show"], ["db", "migrate"], ["db", "migrate", "--dry-run"]]) {
      const { code, stderr, stdout } = await sov(cwd, command, { env })
      expect({ code, stdout }).toEqual({ code: 8, stdout: "" })
      expect(stderr).toMatch(
        /^error: the database has schema version 9999; this sov knows versions up to \d+\nhint: go on with the newer sov, or restore the backup .*\n$/
      )
    }
  })
})
