/** Nothing waits for one: sessions that are stopped, locks that are held, a worker that is stopped while it completes. */
// Only in `npm run test:all`: sessions and processes that are stopped for real seconds
import { layerServer } from "@sov/core/postgres"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished, vi } from "vitest"
import { ask } from "../support/apiServer.ts"
import { freshDatabaseUrl, ownerUrl } from "../support/databases.ts"
import { postgresUrl } from "../support/homes.ts"
import { sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

vi.setConfig({ testTimeout: 300_000 })

interface Scans {
  readonly scans: ReadonlyArray<{ readonly status: string }>
}

/** As many organizations as these brands, each with a key; `start` tells `sov` as an application of the database. */
const installed = async (brands: ReadonlyArray<string>) => {
  const cwd = workspace()
  const url = await freshDatabaseUrl()
  const env = { SOV_DATABASE_URL: url, SOV_REST_RATE: "0", SOV_PUBLIC_URL: "" }
  const platform = { adapter: "simulated", brand: "Acme", latency: "0 millis" }
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: { assistant_a: platform } }))
  const tenants = []
  for (const brand of brands) {
    await sovInit(cwd, ["--brand", brand, "--keyword", "best anvil?", "--yes"], env)
    const of = ["--org", brand.toLowerCase()]
    const { key } = await sovJson<{ key: string }>(cwd, ["key", "create", "--name", "test", ...of], env)
    tenants.push({ key, of })
  }
  const database = ManagedRuntime.make(layerServer({ url: Redacted.make(ownerUrl(url)) }))
  onTestFinished(() => database.dispose())
  const start = async (name: string, args: ReadonlyArray<string>) => {
    const named = Object.assign(new URL(url), { search: `?application_name=${name}` }).href
    const running = startSov(cwd, [...args, "--json"], { env: { ...env, SOV_DATABASE_URL: named } })
    onTestFinished(() => void running.child.kill("SIGKILL"))
    let said = ""
    running.child.stdout!.on("data", (chunk: string) => said += chunk)
    await until(() => said.includes("\n"), 60_000, `${name} says that it runs`)
    return { ...JSON.parse(said) as { readonly url: string; readonly worker_id: string }, running }
  }
  return {
    tenants,
    start,
    json: <A>(args: ReadonlyArray<string>) => sovJson<A>(cwd, args, env),
    query: <A>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
      database.runPromise(SqlClient.SqlClient.use(use))
  }
}

/** Stops processes, until the test ends or the result is called. */
const stop = (pids: ReadonlyArray<number>) => {
  const stopped = new Set(pids)
  const release = () => {
    for (const pid of stopped) process.kill(pid, "SIGCONT")
    stopped.clear()
  }
  onTestFinished(release)
  for (const pid of pids) process.kill(pid, "SIGSTOP")
  return release
}

/** Stops three idle sessions of the application, the last to be used first. */
const stopSessions = async ({ query }: Pick<Awaited<ReturnType<typeof installed>>, "query">, application: string) => {
  const rows = await query((sql) =>
    sql<{ readonly pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and application_name = ${application} and state = 'idle'
        and query not ilike '%listen%' and query not ilike '%advisory%' and query not like '%sov_cluster%'
      order by state_change desc limit 3
    `
  )
  expect(rows).toHaveLength(3)
  return stop(rows.map(({ pid }) => pid))
}

it.skipIf(postgresUrl === null)("scans can be started while three sessions of the server are stopped", async () => {
  const made = await installed(["Acme"])
  const key = made.tenants[0]!.key
  const { url } = await made.start("server", ["serve", "--port", "0"])
  const start = () => ask(url, "/api/v1/scans", { method: "POST", key })
  const idle = async () => !JSON.stringify(await made.json(["scan", "list"])).includes("\"running\"")
  // So that its pool has several sessions
  for (const { status } of await Promise.all(Array.from({ length: 8 }, start))) expect(status).toBe(202)
  await until(idle, 60_000, "the first scans end")

  const release = await stopSessions(made, "server")
  for (let n = 0; n < 12; n++) expect((await start()).status).toBe(202)
  await until(idle, 60_000, "their scans end")
  release()
  expect(await made.json(["archive", "verify"])).toMatchObject({ valid: true })
  expect(await made.json(["quota", "show"])).toMatchObject({ used: 20 })
})

it.skipIf(postgresUrl === null)(
  "organizations are served while another's rows and the registry are locked and a worker stops as it completes a scan",
  async () => {
    const made = await installed(["Frozen", "Locked", "Acme", "Globex"])
    const [frozen, locked, ...others] = made.tenants
    const { url } = await made.start("api", ["serve", "--port", "0", "--no-worker"])
    let longest = 0
    const start = async ({ key }: { readonly key: string }) => {
      const begun = Date.now()
      const { status } = await ask(url, "/api/v1/scans", { method: "POST", key })
      longest = Math.max(longest, Date.now() - begun)
      return status
    }
    for (const status of await Promise.all(Array.from({ length: 6 }, () => start(locked!)))) expect(status).toBe(202)

    /** Holds what the statements lock until the result is called. */
    const hold = async (...statements: ReadonlyArray<string>) => {
      const [taken, released] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
      const holding = made.query((sql) =>
        sql.withTransaction(Effect.gen(function*() {
          for (const one of statements) yield* sql.unsafe(one)
          const [session] = yield* sql<{ readonly pid: number }>`select pg_backend_pid() as pid`
          taken.resolve(session!.pid)
          yield* Effect.promise(() => released.promise)
        }))
      )
      holding.catch(taken.reject)
      const release = async () => {
        released.resolve()
        // The server may have ended its session
        await holding.catch(() => {})
      }
      onTestFinished(release)
      return { pid: await taken.promise, release }
    }
    const lockedOnes = "organization_id = (select id from organization where slug = 'locked') for update"
    const workers = await Promise.all(["one", "two"].map((name) => made.start(name, ["worker"])))
    await until(
      async () => JSON.stringify(await made.json(["scan", "list", ...locked!.of])).includes("\"running\"") === false,
      60_000,
      "the first scans end"
    )
    const rows = await hold(
      "set local idle_in_transaction_session_timeout = 0",
      "select from organization where slug = 'locked' for update",
      ...["scan", "cell", "answer", "keyword", "quota_usage"].map((table) => `select from ${table} where ${lockedOnes}`)
    )

    // The completion takes this row after that of its scan
    const seal = await hold(
      "set local idle_in_transaction_session_timeout = 0",
      "select from organization where slug = 'frozen' for no key update"
    )
    expect(await start(frozen!)).toBe(202)
    let completing = ""
    await until(
      async () => {
        const found = await made.query((sql) =>
          sql<{ readonly name: string }>`
            select application_name as name from pg_stat_activity where ${seal.pid} = any(pg_blocking_pids(pid))
              and application_name in ('one', 'two')
          `
        )
        completing = found[0]?.name ?? ""
        return completing !== ""
      },
      60_000,
      "a worker waits in its completion transaction"
    )
    const [stopped, living] = completing === "one" ? workers : workers.toReversed()
    const goOn = stop([stopped!.running.child.pid!])
    await seal.release()
    const releaseSessions = await stopSessions(made, "api")
    // Another worker is stopped while it registers: the server ends its session as that of each sov
    const registering = await hold(
      "select pg_advisory_xact_lock(hashtextextended('sov workers ' || current_schema(), 0))"
    )

    const [before] = await made.query((sql) => sql<{ readonly at: Date }>`select clock_timestamp() as at`)
    const begun = Date.now()
    const ends = await Promise.all(others.map(async (tenant) => {
      for (let n = 0; n < 4; n++) expect(await start(tenant)).toBe(202)
      await until(
        async () => {
          const { scans } = await made.json<Scans>(["scan", "list", ...tenant.of])
          return scans.length === 4 && scans.every(({ status }) => status === "completed")
        },
        60_000,
        "the scans of the others complete"
      )
      return Date.now() - begun
    }))
    const [seen] = await made.query((sql) =>
      sql<{ readonly late: boolean }>`select seen_at > ${before!.at} as late from worker where id = ${
        living!.worker_id
      }`
    )
    expect(seen).toEqual({ late: true })
    await until(
      async () => JSON.stringify(await made.json(["scan", "list", ...frozen!.of])).includes("\"completed\""),
      60_000,
      "the other worker completes what the stopped one had begun"
    )
    const unstuck = Date.now() - begun
    expect(await made.query((sql) => sql`select from pg_stat_activity where pid = ${registering.pid}`)).toEqual([])
    console.log(
      `starts within ${longest} ms, others complete within ${Math.max(...ends)} ms, the stopped ${unstuck} ms`
    )

    // It is answered, with or without a scan
    expect([202, 503]).toContain(await start(locked!))

    releaseSessions()
    await rows.release()
    goOn()
    for (const tenant of made.tenants) {
      await until(
        async () => !JSON.stringify(await made.json(["scan", "list", ...tenant.of])).includes("\"running\""),
        60_000,
        "all scans end"
      )
      expect(await made.json(["archive", "verify", ...tenant.of])).toMatchObject({ valid: true })
    }
    const doubled = await made.query((sql) =>
      sql`
      select from answer group by organization_id, cell_id having count(*) > 1
      union all select from seal group by organization_id, scan_id having count(*) > 1
      union all select from event where event = 'scan.completed'
        group by organization_id, convert_from(body, 'UTF8')::jsonb->'data'->>'scan_id' having count(*) > 1
    `
    )
    expect(doubled).toEqual([])
    for (const { running } of workers) {
      running.child.kill("SIGTERM")
      expect([0, 9]).toContain((await running).code)
    }
  }
)
