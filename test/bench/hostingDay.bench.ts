/**
 * The cost of hosting: a day of many organizations, run at full speed by `sov serve` on a separate Postgres server.
 * Each organization's daily schedule becomes due, its scan asks five platforms on loopback, answers of recorded lengths
 * are archived, measured and scored, and webhooks are posted. Then each organization reads a little over REST and in
 * the dashboard, and then the server idles for a while.
 *
 * Prints CPU seconds of sov and of Postgres, bytes, statements per answer, the statements that take most of Postgres'
 * time, and, by multiplication, what share of two cores a day of 1,000 organizations with 100 keywords would need.
 * Needs Linux and Postgres with pg_stat_statements. Settings: SOV_BENCH_ORGANIZATIONS (20; the full day 1,000),
 * SOV_BENCH_KEYWORDS (20; 100), SOV_BENCH_DAYS (1) one after the other, SOV_BENCH_SPREAD (0) seconds over which
 * schedules fall due, SOV_BENCH_IDLE (20) seconds at the end, SOV_BENCH_LATENCY (5) milliseconds of a platform,
 * SOV_BENCH_CONCURRENCY (8) calls at once on each platform.
 */
import { layerServer } from "@sov/core/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { fork } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { loadavg } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { startSov, until, workspace } from "../support/sov.ts"
import { findServer, startPostgres } from "../support/TestPostgres.ts"
import { testKey } from "../support/webhooks.ts"
import {
  cpuOf,
  cpuOfTree,
  forgetStatements,
  type PostgresUse,
  prepareObserver,
  readPostgresUse
} from "./hosting/postgresUse.ts"
import { type Prepared, prepareOrganizations } from "./hosting/prepareOrganizations.ts"

const setting = (name: string, preset: number): number => Number(process.env[`SOV_BENCH_${name}`] ?? preset)
const organizations = setting("ORGANIZATIONS", 20)
const keywords = setting("KEYWORDS", 20)
const days = setting("DAYS", 1)
const spread = setting("SPREAD", 0)
const idleSeconds = setting("IDLE", 20)
const platforms = ["assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"]
const answersADay = organizations * keywords * platforms.length
const full = { organizations: 1_000, answers: 500_000 }
const coreSecondsOfDay = 2 * 86_400
/** How often an organization reads each resource in a day. */
const reads = { sov: 24, archive: 4, overview: 2, answers: 2 }

const startOutside = async () => {
  const child = fork(fileURLToPath(new URL("./hosting/outside.ts", import.meta.url)), [String(setting("LATENCY", 5))])
  onTestFinished(() => child.disconnect())
  const [{ port }] = await once(child, "message") as [{ readonly port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    seen: async () => {
      child.send("seen")
      const [seen] = await once(child, "message")
      return seen as { readonly asked: number; readonly delivered: number }
    }
  }
}

/** Starts `sov serve` as published, with a worker in the same process. */
const startServer = async (databaseUrl: string, platformsUrl: string) => {
  const cwd = workspace()
  const bindings = platforms.map((id) => [id, {
    adapter: "openai-compatible",
    baseUrl: `${platformsUrl}/${id}/v1`,
    model: "replay",
    concurrency: setting("CONCURRENCY", 8)
  }])
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: Object.fromEntries(bindings) }))
  const server = startSov(cwd, ["serve", "--port", "0", "--json"], {
    env: {
      SOV_DATABASE_URL: databaseUrl,
      SOV_ENCRYPTION_KEYS: `k1:${testKey.bytes.toString("base64")}`,
      SOV_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      SOV_WEBHOOK_ALLOW_HTTP: "1",
      SOV_REST_RATE: "0"
    }
  })
  onTestFinished(() => void server.child.kill("SIGKILL"))
  let said = ""
  server.child.stdout!.on("data", (chunk: string) => said += chunk)
  await until(() => said.includes("\n"), 60_000, "the server says its address")
  return { pid: server.child.pid!, url: (JSON.parse(said) as { readonly url: string }).url }
}

/** The resources that sov and Postgres have used until now. */
const look = async (sovPid: number, postgresPid: number, databaseUrl: string) => ({
  at: performance.now(),
  sov: cpuOf(sovPid),
  postgres: cpuOfTree(postgresPid),
  use: await readPostgresUse(databaseUrl)
})
type Look = Awaited<ReturnType<typeof look>>

const between = (from: Look, to: Look) => ({
  seconds: (to.at - from.at) / 1000,
  sov: to.sov - from.sov,
  postgres: to.postgres - from.postgres,
  statements: to.use.statements - from.use.statements,
  walBytes: to.use.walBytes - from.use.walBytes,
  databaseBytes: to.use.databaseBytes - from.use.databaseBytes
})
type Used = ReturnType<typeof between>

const onDatabase = <A>(url: string, work: Effect.Effect<A, unknown, SqlClient.SqlClient>): Promise<A> =>
  Effect.runPromise(Effect.provide(work, layerServer({ url: Redacted.make(url), maxConnections: 1 })))

/** Makes every schedule due, the first one now. */
const beginDay = (url: string) =>
  onDatabase(
    url,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        update schedule set next_at = date_trunc('milliseconds', now()) + ${spread}::float8 * interval '1 second' * due.share
        from (
          select organization_id, (row_number() over (order by organization_id) - 1)::float8 / count(*) over () as share from schedule
        ) due where due.organization_id = schedule.organization_id
      `
      yield* sql`select pg_notify('sov_work', '')`
    })
  )

/** How many scans must still start on this day, and how many scans and deliveries must still end. */
const readProgress = (url: string, day: number) =>
  onDatabase(
    url,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ readonly toStart: number; readonly toEnd: number }>`
        select (${organizations}::int * ${day}::int - count(*))::int as "toStart",
          (${organizations}::int * ${day}::int - count(*) filter (where status = 'completed') +
            (select count(*) from webhook_delivery where state = 'pending'))::int as "toEnd"
        from scan
      `
      return row!
    })
  )

/** Signs in and returns the session cookie. */
const signIn = async (url: string, token: string): Promise<string> => {
  const answer = await fetch(`${url}/login/link/${token}`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", origin: url }
  })
  const [cookie] = answer.headers.getSetCookie()
  if (cookie === undefined) throw new Error(`signing in answered ${answer.status}`)
  return cookie.split(";", 1)[0]!
}

const readOne = async (url: string, { key, slug, token }: Prepared) => {
  const cookie = await signIn(url, token)
  const ask = async (count: number, path: string, headers: Readonly<Record<string, string>>) => {
    for (let n = 0; n < count; n++) {
      const answer = await fetch(`${url}${path}`, { headers })
      await answer.arrayBuffer()
      expect(answer.status, path).toBe(200)
    }
  }
  const bearer = { authorization: `Bearer ${key}` }
  await ask(reads.sov, "/api/v1/sov", bearer)
  await ask(reads.archive, "/api/v1/archive?limit=50", bearer)
  await ask(reads.overview, `/o/${slug}`, { cookie, accept: "text/html" })
  await ask(reads.answers, `/o/${slug}/answers`, { cookie, accept: "text/html" })
}

const ms = (seconds: number, count: number) => `${(seconds / count * 1000).toFixed(2)} ms`

const describeDay = (name: string, used: Used): string =>
  `${name}: ${answersADay} answers in ${used.seconds.toFixed(1)} s (${
    (answersADay / used.seconds).toFixed(0)
  } a second); an answer ` +
  `${ms(used.sov + used.postgres, answersADay)} CPU (sov ${ms(used.sov, answersADay)}, Postgres ${
    ms(used.postgres, answersADay)
  }), ${(used.statements / answersADay).toFixed(2)} statements, ${
    (used.walBytes / answersADay / 1000).toFixed(1)
  } kB of WAL, ${(used.databaseBytes / answersADay / 1000).toFixed(1)} kB on disk`

const describeStatements = ({ slowest }: PostgresUse): string => {
  const all = slowest.reduce((sum, one) => sum + one.ms, 0)
  const rows = slowest.slice(0, 14).map(({ calls, ms: taken, plans, query }) =>
    [
      `${(100 * taken / all).toFixed(1)} %`.padStart(7),
      `${(calls / answersADay).toFixed(3)} an answer`,
      `${(1000 * taken / calls).toFixed(0)} µs`,
      `${(plans / calls).toFixed(2)} plans a call`,
      query.replaceAll(/\s+/g, " ").slice(0, 110)
    ].join(" | ")
  )
  return ["  share of Postgres' time in statements, of the last day:", ...rows.map((row) => `  ${row}`)].join("\n")
}

const describeFull = (day: Used, read: Used, idle: Used): string => {
  const cpu = (used: Used) => used.sov + used.postgres
  const working = cpu(day) / answersADay * full.answers
  const reading = cpu(read) / organizations * full.organizations
  const waiting = cpu(idle) / idle.seconds * 86_400
  const share = (seconds: number) => `${seconds.toFixed(0)} CPU s (${(100 * seconds / coreSecondsOfDay).toFixed(2)} %)`
  const gigabytes = (bytes: number) => `${(bytes / answersADay * full.answers / 1e9).toFixed(1)} GB`
  return `by multiplication, the day of ${full.organizations} organizations and ${full.answers} answers needs of two cores: scans ` +
    `${share(working)}, reads ${share(reading)}, waiting ${share(waiting)}; ${gigabytes(day.databaseBytes)} on disk, ` +
    `${gigabytes(day.walBytes)} of WAL; all at once they take ${
      (day.seconds / answersADay * full.answers / 60).toFixed(0)
    } minutes`
}

it(`a day of ${organizations} organizations with ${keywords} keywords on five platforms is measured`, async () => {
  const bin = findServer()
  if (bin === undefined) throw new Error("no Postgres server of version 15 or newer on this machine")
  const postgres = await startPostgres(bin, {
    shared_preload_libraries: "pg_stat_statements",
    "pg_stat_statements.track_planning": "on",
    full_page_writes: "on"
  })
  onTestFinished(() => postgres.stop())
  const outside = await startOutside()
  const prepared = await prepareOrganizations(postgres.url, organizations, keywords, `${outside.url}/webhook`)
  const { pid, url } = await startServer(postgres.url, outside.url)
  const observed = await prepareObserver(postgres.url)
  await sleep(3_000)
  const lookNow = () => look(pid, postgres.pid, observed)
  console.log(`load ${loadavg().map((one) => one.toFixed(1)).join(" ")} at the begin`)

  let [before, after] = [await lookNow(), await lookNow()]
  for (let day = 1; day <= days; day++) {
    const asked = (await outside.seen()).asked
    await forgetStatements(observed)
    before = await lookNow()
    await beginDay(observed)
    let startedMs = 0
    for (;;) {
      const { toEnd, toStart } = await readProgress(observed, day)
      if (toStart === 0 && startedMs === 0) startedMs = performance.now() - before.at
      if (toEnd === 0) break
      await sleep(500)
    }
    after = await lookNow()
    expect((await outside.seen()).asked - asked).toBe(answersADay)
    console.log(
      `${describeDay(`day ${day}`, between(before, after))}; all scans were started after ${
        (startedMs / 1000).toFixed(1)
      } s`
    )
  }
  console.log(describeStatements(after.use))

  const beforeReads = await lookNow()
  for (const one of prepared) await readOne(url, one)
  const afterReads = await lookNow()
  const read = between(beforeReads, afterReads)
  const { delivered } = await outside.seen()
  console.log(
    `reads: ${ms(read.sov, organizations)} of sov and ${
      ms(read.postgres, organizations)
    } of Postgres an organization ` +
      `(${JSON.stringify(reads)}); ${delivered} webhooks posted`
  )

  await sleep(idleSeconds * 1000)
  const idle = between(afterReads, await lookNow())
  console.log(
    `waiting: ${(1000 * idle.sov / idle.seconds).toFixed(1)} ms of sov and ${
      (1000 * idle.postgres / idle.seconds).toFixed(1)
    } ms of Postgres a second, ${(idle.statements / idle.seconds).toFixed(1)} statements a second`
  )
  console.log(describeFull(between(before, after), read, idle))
  console.log(`load ${loadavg().map((one) => one.toFixed(1)).join(" ")} at the end`)
}, 14_400_000)
