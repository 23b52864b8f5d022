/** Three of a server's database sessions are stopped: starts are answered, their scans end, and nothing is doubled. */
// Only in `npm run test:all`: sessions that are stopped for real seconds
import { layerServer } from "@sov/core/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished, vi } from "vitest"
import { ask } from "../support/apiServer.ts"
import { freshDatabaseUrl, ownerUrl } from "../support/databases.ts"
import { postgresUrl } from "../support/homes.ts"
import { sov, sovInit, sovJson, until, workspace } from "../support/sov.ts"

vi.setConfig({ testTimeout: 180_000 })

it.skipIf(postgresUrl === null)("starts are answered while three sessions of the server are stopped", async () => {
  const cwd = workspace()
  const url = await freshDatabaseUrl()
  const env = { SOV_DATABASE_URL: url, SOV_REST_RATE: "0", SOV_PUBLIC_URL: "" }
  const platform = { adapter: "simulated", brand: "Acme", latency: "0 millis" }
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: { assistant_a: platform } }))
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"], env)
  const { key } = await sovJson<{ key: string }>(cwd, ["key", "create", "--name", "test"], env)
  const server = sov(cwd, ["serve", "--port", "0", "--json"], { env })
  onTestFinished(() => void server.child.kill("SIGKILL"))
  let said = ""
  server.child.stdout!.on("data", (chunk: string) => said += chunk)
  await until(() => said.includes("\n"), 60_000, "the server says its address")
  const { url: base } = JSON.parse(said) as { readonly url: string }
  const start = () => ask(base, "/api/v1/scans", { method: "POST", key })
  // So that its pool has several sessions
  for (const { status } of await Promise.all(Array.from({ length: 8 }, start))) expect(status).toBe(202)
  await until(async () => !(await running()), 60_000, "the first scans end")

  const pids = await Effect.runPromise(
    SqlClient.SqlClient.use((sql) =>
      sql<{ readonly pid: number }>`
        select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state = 'idle' and query not ilike '%listen%'
          and query not ilike '%advisory%' and query not like '%sov_cluster%'
        order by state_change desc limit 3
      `
    ).pipe(
      Effect.map((rows) => rows.map(({ pid }) => pid)),
      Effect.provide(layerServer({ url: Redacted.make(ownerUrl(url)) }))
    )
  )
  expect(pids).toHaveLength(3)
  const stopped = new Set(pids)
  const release = () => {
    for (const pid of stopped) process.kill(pid, "SIGCONT")
    stopped.clear()
  }
  onTestFinished(release)
  for (const pid of pids) process.kill(pid, "SIGSTOP")
  for (let n = 0; n < 12; n++) expect((await start()).status).toBe(202)
  await until(async () => !(await running()), 20_000, "their scans end")
  release()
  expect(await sovJson(cwd, ["archive", "verify"], env)).toMatchObject({ valid: true })
  expect(await sovJson(cwd, ["quota", "show"], env)).toMatchObject({ used: 20 })

  async function running(): Promise<boolean> {
    const { stdout } = await sov(cwd, ["scan", "list", "--json"], { env })
    return stdout.includes("\"running\"")
  }
})
