/**
 * Compares the REST API with plain servers that run the same statements on the same data: node:http with postgres.js,
 * and Fastify with pg. Rounds are interleaved. Prints throughput, and CPU per request of the server and (on Linux) of
 * its Postgres sessions, as ratios, and latency at 16 connections. Then a long run checks memory and connections. Needs
 * a Postgres server. Settings: SOV_BENCH_ROWS (20,000; the full run 200,000), SOV_BENCH_ROUNDS (5), SOV_BENCH_SECONDS
 * (1.5) of one round, SOV_BENCH_SOAK (20,000; the full run 200,000) requests, SOV_BENCH_ONLY: a part of the operation's
 * name, SOV_BENCH_PROFILE: a folder for CPU profiles of sov. SOV_BENCH_BEFORE: another checkout of sov, whose server is
 * measured as well.
 */
import { createApiKey, initialize, type OrganizationId, OrganizationStore, ScanStore, ScoreStore } from "@sov/core"
import { layerServer, layerStores } from "@sov/core/postgres"
import { addScan, at, scoreOf } from "@sov/core/testing"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { postgresUrl } from "../support/homes.ts"
import { seedArchive } from "../support/seedArchive.ts"
import { freshDatabase } from "../support/storage.ts"
import { load, type Round } from "./rest/load.ts"
import { configured } from "./rest/operations.ts"

const setting = (name: string, preset: number): number => Number(process.env[`SOV_BENCH_${name}`] ?? preset)
const rows = setting("ROWS", 20_000)
const rounds = setting("ROUNDS", 5)
const roundMs = setting("SECONDS", 1.5) * 1000
const soak = setting("SOAK", 20_000)
const only = process.env["SOV_BENCH_ONLY"] ?? ""
const profiles = process.env["SOV_BENCH_PROFILE"]
const connections = 16
const keywordCount = 40
/** Requests and time to warm up, until the engine has compiled the code that runs often. */
const warm = (requests: number, ms: number): boolean => requests > 5_000 || ms > 4 * roundMs

const before = process.env["SOV_BENCH_BEFORE"]
const kinds = ["sov", "fastify", "raw", ...before === undefined ? [] : ["before" as const]] as const
type Kind = typeof kinds[number]
/** Number of organizations whose scores are requested. */
const organizations = 200
const modes = ["uncached", "cached"] as const
type Mode = typeof modes[number]

/** The requests of an operation. */
interface Asking {
  readonly connections: number
  /** Maximum number of requests in a round. */
  readonly most: number
  readonly modes: ReadonlyArray<Mode>
}
const reading: Asking = { connections, most: Infinity, modes }
/** Scans to start, by the number of cells; they leave rows in the database until the end of a round. */
const starts: ReadonlyArray<{ cells: number; keywords: number; platforms: number; asking: Asking }> = [
  { cells: 4, keywords: 2, platforms: 2, asking: { connections, most: 10_000, modes } },
  { cells: 40, keywords: 8, platforms: 5, asking: { connections, most: 2_000, modes } },
  // Sixteen of these for one organization may take longer than sov lets a request wait
  { cells: 10_000, keywords: 2_000, platforms: 5, asking: { connections: 2, most: 16, modes: ["cached"] } }
]

interface Usage {
  readonly cpuMicros: number
  readonly rss: number
  /** CPU time of the Postgres sessions by process id; empty if the system does not report it. */
  readonly postgres: ReadonlyMap<number, number>
}

const microsPerTick = 10_000

/** CPU time that the Postgres sessions with this application name have used, in microseconds. */
const sessionMicros = (url: string, name: string): Promise<ReadonlyMap<number, number>> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly pid: number }>`select pid from pg_stat_activity where application_name = ${name}`
    return new Map(rows.flatMap(({ pid }) => {
      const file = `/proc/${pid}/stat`
      if (!existsSync(file)) return []
      const [utime, stime] = readFileSync(file, "utf8").replace(/^.*\) /, "").split(" ").slice(11, 13)
      return [[pid, (Number(utime) + Number(stime)) * microsPerTick]]
    }))
  }).pipe(Effect.provide(layerServer({ url: Redacted.make(url), maxConnections: 1 })), Effect.runPromise)

/** CPU time that the sessions used between two measurements. */
const postgresBetween = (from: Usage, to: Usage): number =>
  [...to.postgres].reduce((sum, [pid, micros]) => sum + micros - (from.postgres.get(pid) ?? 0), 0)

const subject = async (kind: Kind, url: string, mode: Mode) => {
  const file = kind === "before"
    ? join(before!, "test/bench/rest/subject.ts")
    : fileURLToPath(new URL("./rest/subject.ts", import.meta.url))
  const profile = kind === "sov" && profiles !== undefined ? ["--cpu-prof", "--cpu-prof-dir", profiles] : []
  const child: ChildProcess = fork(
    file,
    [kind === "before" ? "sov" : kind, `${url}?application_name=bench_${kind}`, mode],
    { execArgv: profile }
  )
  const [{ port }] = await once(child, "message") as [{ readonly port: number }]
  const usage = async (): Promise<Usage> => {
    child.send("usage")
    const [own] = await once(child, "message") as [Usage]
    return { ...own, postgres: await sessionMicros(url, `bench_${kind}`) }
  }
  const stop = async () => {
    const gone = once(child, "exit")
    child.disconnect()
    await gone
  }
  return { kind, port, usage, stop }
}

/** Creates an organization with an archive and one that starts scans, each with a key. */
const prepare = Effect.gen(function*() {
  const archive = yield* initialize({
    name: "Archive",
    plan: "pro",
    tracking: {
      brand: { name: "Acme" },
      keywords: Array.from({ length: keywordCount }, (_, n) => ({ text: `best anvil, number ${n}?` }))
    }
  })
  yield* seedArchive({ keywords: keywordCount, scans: Math.ceil(rows / (keywordCount * 5)) })
  const sql = yield* SqlClient.SqlClient
  const key = (id: OrganizationId) => Effect.map(createApiKey(id, "bench"), ({ secret }) => secret)
  const starters = yield* Effect.forEach(
    starts,
    Effect.fnUntraced(function*({ asking, cells, keywords, platforms }) {
      const starter = yield* initialize({
        name: `Starter of ${cells}`,
        plan: "enterprise",
        tracking: {
          brand: { name: "Acme" },
          keywords: Array.from({ length: keywords }, (_, n) => ({ text: `which forge, number ${n}?` }))
        }
      })
      yield* (yield* OrganizationStore).setScanQuota(starter.organization.id, 2_000_000_000)
      return {
        asking,
        cells,
        organizationId: starter.organization.id,
        key: yield* key(starter.organization.id),
        // At most 500 keywords may be listed; a request without keywords asks all of them
        body: JSON.stringify({
          ...keywords > 500 ? {} : { keyword_ids: starter.keywords.map(({ id }) => id) },
          platforms: configured.slice(0, platforms)
        })
      }
    })
  )
  const manyKeys = yield* Effect.forEach(
    Array.from({ length: organizations }, (_, n) => n),
    Effect.fnUntraced(function*(n) {
      const { keywords, organization } = yield* initialize({
        name: `Organization ${n}`,
        plan: "pro",
        tracking: { brand: { name: "Acme" }, keywords: [{ text: "best anvil?" }, { text: "which forge?" }] }
      })
      const { scan } = yield* addScan(organization.id, keywords)
      yield* (yield* ScoreStore).insert(organization.id, scoreOf(scan.id, { uncertainty: null }), at(30))
      yield* (yield* ScanStore).end(organization.id, scan.id, "completed", at(31))
      return yield* key(organization.id)
    })
  )
  yield* sql`analyze`
  return { manyKeys, starters, archiveKey: yield* key(archive.organization.id) }
})

type Prepared = Effect.Success<typeof prepare>

const storage = (url: string) =>
  layerStores.pipe(
    Layer.provideMerge(layerServer({ url: Redacted.make(url), maxConnections: 2 })),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  )

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
const spread = (values: ReadonlyArray<number>): string =>
  `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)})`
const quantile = ({ latencies }: Round, q: number): number => latencies[Math.floor(latencies.length * q)]!

interface Request {
  readonly name: string
  readonly status: number
  readonly text: string | (() => string)
  readonly asking: Asking
}

const requestsOf = ({ archiveKey, manyKeys, starters }: Prepared): ReadonlyArray<Request> => {
  const head = (line: string, key: string) => `${line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n`
  let turn = 0
  const byMany = manyKeys.map((key) => `${head("GET /api/v1/sov", key)}\r\n`)
  const read = (name: string, text: Request["text"]) => ({ name, status: 200, text, asking: reading })
  return [
    read(`GET /sov of ${organizations}`, () => byMany[turn++ % organizations]!),
    read("GET /sov", `${head("GET /api/v1/sov", archiveKey)}\r\n`),
    read("GET /archive", `${head("GET /api/v1/archive?limit=50", archiveKey)}\r\n`),
    ...starters.map(({ asking, body, cells, key }) => ({
      name: `POST /scans of ${cells}`,
      status: 202,
      text: `${head("POST /api/v1/scans", key)}content-type: application/json\r\ncontent-length: ${
        Buffer.byteLength(body)
      }\r\n\r\n${body}`,
      asking
    }))
  ]
}

/**
 * Asserts that all servers respond with the same score, and that sov's page of the archive has every member of the
 * plain servers' with the same value, except for the cursor.
 */
const expectAlike = async (subjects: ReadonlyArray<Awaited<ReturnType<typeof subject>>>, key: string) => {
  const get = (path: string) =>
    Promise.all(subjects.map(async ({ port }) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        headers: { authorization: `Bearer ${key}` }
      })
      return await response.json() as { readonly meta?: object }
    }))
  const [sov, ...others] = await get("/sov")
  for (const other of others) expect(other).toEqual(sov)
  const [page, ...pages] = await get("/archive?limit=50")
  // Cursors differ: only sov signs its own
  for (const { meta, ...other } of pages) {
    expect(page).toMatchObject({ ...other, meta: { ...meta, next_cursor: expect.any(String) } })
  }
}

/** Checks that each started scan has all of its cells, then deletes the scans. */
const sweep = (url: string, { starters }: Prepared) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    for (const { cells, organizationId } of starters) {
      const wrong = yield* sql`
        select scan.id, count(cell.id) from scan
        left join cell on cell.organization_id = scan.organization_id and cell.scan_id = scan.id
        where scan.organization_id = ${organizationId} group by scan.id having count(cell.id) <> ${cells} limit 1
      `
      expect(wrong, `scans without ${cells} cells`).toEqual([])
      yield* sql`delete from cell where organization_id = ${organizationId}`
      yield* sql`delete from scan where organization_id = ${organizationId}`
    }
    yield* sql`vacuum cell, scan`
  }).pipe(Effect.provide(storage(url)), Effect.runPromise)

it.skipIf(postgresUrl === null)(
  "throughput, CPU and latency are compared with plain servers, then memory is checked",
  async () => {
    await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const prepared = yield* Effect.provide(prepare, storage(url))
      const requests = requestsOf(prepared)
      console.log(`${rows} rows, ${connections} connections, ${rounds} rounds of ${roundMs / 1000} s`)
      for (const mode of modes) {
        yield* Effect.promise(async () => {
          const subjects = await Promise.all(kinds.map((kind) => subject(kind, url, mode)))
          await expectAlike(subjects.filter(({ kind }) => kind !== "before"), prepared.archiveKey)
          for (const { asking, name, status, text } of requests.filter((one) => one.name.includes(only))) {
            if (!asking.modes.includes(mode)) continue
            const ask = (port: number, enough: (count: number, ms: number) => boolean) =>
              load(port, text, status, asking.connections, (count, ms) => count >= asking.most || enough(count, ms))
            const taken = new Map(
              kinds.map((kind) => [kind, [] as Array<{ round: Round; cpu: number; postgres: number }>])
            )
            for (const { port } of subjects) await ask(port, warm)
            await sweep(url, prepared)
            for (let round = 0; round < rounds; round++) {
              // Each round begins with a different server
              const order = subjects.map((_, i) => subjects[(i + round) % subjects.length]!)
              for (const { kind, port, usage } of order) {
                const from = await usage()
                const measured = await ask(port, (_, ms) => ms > roundMs)
                const to = await usage()
                if (status === 202) await sweep(url, prepared)
                taken.get(kind)!.push({
                  round: measured,
                  cpu: (to.cpuMicros - from.cpuMicros) / measured.requests,
                  postgres: postgresBetween(from, to) / measured.requests
                })
              }
            }
            const rps = (kind: Kind) => taken.get(kind)!.map(({ round }) => round.requests / round.seconds)
            const cpu = (kind: Kind) => taken.get(kind)!.map((one) => one.cpu)
            const postgres = (kind: Kind) => taken.get(kind)!.map((one) => one.postgres)
            const both = (kind: Kind) => taken.get(kind)!.map((one) => one.cpu + one.postgres)
            const ratio = (kind: Kind, of: (kind: Kind) => ReadonlyArray<number>) =>
              (median(of("sov")) / median(of(kind))).toFixed(2)
            console.log(`${name}, keys ${mode}`)
            for (const kind of kinds) {
              const tail = median(taken.get(kind)!.map(({ round }) => quantile(round, 0.99) / quantile(round, 0.5)))
              console.log(
                `  ${kind.padEnd(8)} ${spread(rps(kind)).padEnd(20)} requests/s  ` +
                  `CPU ${spread(cpu(kind)).padEnd(18)} µs/request, Postgres ${spread(postgres(kind)).padEnd(16)} p99 ${
                    tail.toFixed(1)
                  } × p50`
              )
            }
            for (const kind of kinds.slice(1)) {
              console.log(
                `  sov is ${ratio(kind, rps)} × ${kind} in throughput, ${ratio(kind, cpu)} × in CPU per request, ` +
                  `${ratio(kind, both)} × with Postgres'`
              )
            }
          }
          for (const one of subjects) await one.stop()
        })
      }

      const clients = Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ readonly count: number }>`
        select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      `
        return row!.count
      }).pipe(Effect.provide(layerServer({ url: Redacted.make(url), maxConnections: 1 })))
      const server = yield* Effect.promise(() => subject("sov", url, "cached"))
      const memory: Array<number> = []
      const connectionsHeld: Array<number> = []
      const step = soak / 40
      for (let i = 0; i < 40; i++) {
        // One scan start for every nine reads
        const { status, text } = requests[i % 10 === 9 ? 3 : 1 + i % 2]!
        yield* Effect.promise(() => load(server.port, text, status, connections, (count) => count >= step))
        memory.push((yield* Effect.promise(server.usage)).rss)
        connectionsHeld.push(yield* clients)
      }
      const quarter = (n: number) => median(memory.slice(n * 10, (n + 1) * 10))
      console.log(
        `${soak} requests: resident memory of the last quarter ${
          (quarter(3) / quarter(1)).toFixed(3)
        } × the second's ` +
          `(${(quarter(3) / 2 ** 20).toFixed(0)} MiB), database connections ${Math.min(...connectionsHeld)}–${
            Math.max(...connectionsHeld)
          }`
      )
      yield* Effect.promise(server.stop)
      // The server notices a moment later that its client has disconnected
      yield* Effect.sleep("1 second")
      expect(yield* clients, "database connections after the server's end").toBe(0)
      console.log("no database connection is left after the server's end")
    })))
  },
  3_600_000
)
