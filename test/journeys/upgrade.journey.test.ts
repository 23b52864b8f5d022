/**
 * An upgrade as its operator sees it, in place: the command of this checkout on the database of a released version,
 * killed in the middle of the migration, and what an older sov says afterwards. With `SOV_LONG_TESTS` it is killed;
 * `SOV_KILLS=10` kills as often (default 2).
 */
// Only in `npm run test:all`: kills of migrations
import { layerInProcess, layerServer } from "@sov/core/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it, vi } from "vitest"
import { makeDatabaseOf, releasedVersions } from "../support/databaseFixtures.ts"
import { emptyDatabaseUrl } from "../support/databases.ts"
import { type Home, homes } from "../support/homes.ts"
import { sov, sovJson, startSov, workspace } from "../support/sov.ts"

vi.setConfig({ testTimeout: 600_000 })

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

/** Kills the command, and with it the owner of its embedded database. */
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
      // This process made the database, and its id stands there until an owner has begun
      if (pid !== undefined && pid !== process.pid) process.kill(pid, "SIGKILL")
    } catch {
      // It has ended
    }
  }
}

/**
 * Waits for a moment in which a migration runs: on the server, a transaction of its process; on the embedded home,
 * where nobody can ask meanwhile, some time within the `whole` milliseconds that one takes.
 */
const moment = async (home: Home, env: Record<string, string>, whole: number): Promise<void> => {
  if (home === "embedded") return new Promise((resolve) => setTimeout(resolve, whole * (0.3 + 0.6 * Math.random())))
  await onHome(
    "",
    env,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const end = performance.now() + 10 * whole
      while (performance.now() < end) {
        const [open] = yield* sql`
        select from pg_locks join pg_class on pg_class.oid = relation
        where relname = 'sov_migrations' and mode = 'AccessExclusiveLock' or mode = 'RowExclusiveLock' and relname = 'sov_migrations'
      `
        if (open !== undefined) break
      }
      yield* Effect.sleep(Math.random() * 60)
    })
  )
}

describe.each(homes)("on the %s home", (home) => {
  it.skipIf(process.env["SOV_LONG_TESTS"] === undefined).each(releasedVersions)(
    "a database of %s survives a dry run and kills, and is then upgraded completely",
    async (version) => {
      const first = await older(home, version)
      const before = await first.status()
      const wouldRun = await sovJson<ReadonlyArray<unknown>>(first.cwd, ["db", "migrate", "--dry-run"], first.env)
      expect(wouldRun).toEqual(before.pending)
      expect(await first.status()).toEqual(before)

      // Over the time that one migration takes, from the start of its process to its end
      const probe = await older(home, version)
      const begun = performance.now()
      await sovJson(probe.cwd, ["db", "migrate"], probe.env)
      const whole = performance.now() - begun
      const tally = { killed: 0, rolledBack: 0, some: 0, done: 0 }
      let at = first
      for (let n = 0; n < kills; n++) {
        if ((await at.status()).pending.length === 0) at = await older(home, version)
        const running = startSov(at.cwd, ["db", "migrate"], { env: at.env })
        await moment(home, at.env, whole)
        killAll(at.cwd, running.child.pid!)
        if ((await running).signal === "SIGKILL") tally.killed++
        const { pending } = await at.status()
        // In order; on the embedded home all or nothing
        expect(pending).toEqual(pending.length === 0 ? [] : before.pending.slice(-pending.length))
        if (home === "embedded") expect([0, before.pending.length]).toContain(pending.length)
        tally[pending.length === 0 ? "done" : pending.length === before.pending.length ? "rolledBack" : "some"]++
      }
      console.log(`${home}, ${version}: ${JSON.stringify(tally)} of ${kills}, one takes ${Math.round(whole)} ms`)
      const { cwd, env } = at
      const left = (await at.status()).pending

      const ran = await sovJson<ReadonlyArray<unknown>>(cwd, ["db", "migrate"], env)
      expect(ran).toEqual(left)
      expect(await sovJson(cwd, ["archive", "verify"], env)).toMatchObject({ valid: true })
      const resumed = await sovJson(cwd, ["scan", "resume", "latest"], env)
      expect(resumed).toMatchObject({ status: "completed", results_count: 12, failed_count: 0 })
      expect(await sovJson(cwd, ["archive", "verify"], env)).toMatchObject({ valid: true })
    }
  )

  it.runIf(home === "postgres")(
    "a command refuses a server with data of an older sov, which can be backed up; serve migrates it on request",
    async () => {
      const { cwd, env, status } = await older(home, releasedVersions.at(-1)!)
      const before = await status()
      for (const command of [["score"], ["quota", "show"], ["keyword", "list"], ["worker"], ["serve", "--port", "0"]]) {
        const { code, stderr, stdout } = await sov(cwd, command, { env })
        expect({ command, code, stdout }).toEqual({ command, code: 8, stdout: "" })
        expect(stderr).toMatch(
          /^error: the database has schema version \d+, this sov needs \d+\nhint: sov db backup FILE .*sov db migrate/
        )
      }
      expect(await sovJson(cwd, ["db", "backup", "before.ndjson.gz"], env)).toMatchObject({
        schema_version: before.schema_version
      })
      expect(await status()).toEqual(before)
      const serving = startSov(cwd, ["serve", "--port", "0", "--migrate", "--no-worker"], { env })
      while ((await status()).pending.length > 0) await sleep(50)
      serving.child.kill("SIGTERM")
      expect(await serving).toMatchObject({ code: 0 })
      expect((await sov(cwd, ["quota", "show"], { env })).code).toBe(0)
    }
  )

  it("an older sov refuses the database of a newer sov with one line and a hint, and changes nothing", async () => {
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
