/**
 * The cost of row-level security: two servers on copies of one database, one of them with row-level security, asked
 * alternately. Prints the ratio of the CPU time of the server and of its Postgres sessions per request: with one
 * organization, and with two that are asked alternately. Needs a Postgres server on Linux. Settings: SOV_BENCH_ROWS
 * (4,000 for each organization), SOV_BENCH_ROUNDS (21), SOV_BENCH_REQUESTS (400) of one round.
 */
import { createApiKey, initialize, type OrganizationId } from "@sov/core"
import { applyRoles, layerServer, layerStores } from "@sov/core/postgres"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { inject, it } from "vitest"
import { postgresUrl } from "../support/homes.ts"
import { seedArchive } from "../support/seedArchive.ts"
import { roleUrl, testRoles } from "../support/serverTemplate.ts"
import { emptyDatabase, freshDatabase } from "../support/storage.ts"
import { load } from "./rest/load.ts"

const setting = (name: string, preset: number): number => Number(process.env[`SOV_BENCH_${name}`] ?? preset)
const rows = setting("ROWS", 4_000)
const rounds = setting("ROUNDS", 21)
const requests = setting("REQUESTS", 400)
const connections = 4
const keywordCount = 40

const template = inject("serverTemplate")
const connectTo = (url: string) => layerServer({ url: Redacted.make(url), maxConnections: 1 })
const storage = (url: string) =>
  layerStores.pipe(Layer.provideMerge(connectTo(url)), Layer.provideMerge(SecureRandom.layerWebCrypto))

/** Creates two organizations of the same size, each with a key. */
const prepare = Effect.gen(function*() {
  return yield* Effect.forEach(["One", "Other"], (name) =>
    Effect.gen(function*() {
      const { organization } = yield* initialize({
        name,
        plan: "pro",
        tracking: {
          brand: { name: "Acme" },
          keywords: Array.from({ length: keywordCount }, (_, n) => ({ text: `best anvil, number ${n}?` }))
        }
      })
      const { secret } = yield* createApiKey(organization.id, "bench")
      return { id: organization.id, key: secret }
    }))
})

const seed = Effect.fnUntraced(function*(organization: OrganizationId) {
  yield* seedArchive({ organization, keywords: keywordCount, scans: Math.ceil(rows / (keywordCount * 5)) })
  const sql = yield* SqlClient.SqlClient
  yield* sql`analyze`
})

/** Starts a server with the API's role, and returns the CPU time that it and its sessions have used. */
const startSubject = async (url: string) => {
  const child = fork(fileURLToPath(new URL("./rest/subject.ts", import.meta.url)), [
    "sov",
    roleUrl(url, template, "api"),
    "cached"
  ])
  const [{ port }] = await once(child, "message") as [{ readonly port: number }]
  const database = new URL(url).pathname.slice(1)
  const sessions = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<{ readonly pid: number }>`
      select pid from pg_stat_activity where datname = ${database} and pid <> pg_backend_pid()`
  }).pipe(Effect.provide(connectTo(postgresUrl!)))
  const cpuMicros = async (): Promise<number> => {
    child.send("usage")
    const [own] = await once(child, "message") as [{ readonly cpuMicros: number }]
    const pids = await Effect.runPromise(sessions)
    return pids.reduce((sum, { pid }) => {
      const [, user, system] = /^.*\) (?:\S+ ){11}(\d+) (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))!
      return sum + (Number(user) + Number(system)) * 10_000
    }, own.cpuMicros)
  }
  const stop = async () => {
    const gone = once(child, "exit")
    child.disconnect()
    await gone
  }
  return { port, cpuMicros, stop }
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

it.skipIf(postgresUrl === null)(
  "the CPU time per request is compared with and without row-level security",
  () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { name, url } = yield* freshDatabase
      const prepared = yield* Effect.scoped(Effect.provide(prepare, storage(url)))
      for (const { id } of prepared) yield* Effect.scoped(Effect.provide(seed(id), storage(url)))
      const keys = prepared.map(({ key }) => key)
      const copy = yield* emptyDatabase(`template ${name}`)
      yield* Effect.scoped(Effect.provide(applyRoles(testRoles(template), false, false), connectTo(copy.url)))
      const [on, off] = yield* Effect.promise(() => Promise.all([startSubject(url), startSubject(copy.url)]))
      console.log(
        `${rows} rows for each organization, ${rounds} rounds of ${requests} requests, ${connections} connections`
      )

      for (const path of ["/api/v1/sov", "/api/v1/archive?limit=50"]) {
        for (const [tenants, asked] of [["one organization", keys.slice(0, 1)], ["two in turn", keys]] as const) {
          let sent = 0
          const next = () =>
            `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${asked[sent++ % asked.length]}\r\n\r\n`
          const run = (port: number) => load(port, next, 200, connections, (count) => count >= requests)
          const taken = { on: [] as Array<number>, off: [] as Array<number> }
          for (let round = -3; round < rounds; round++) {
            const pair = [["on", on], ["off", off]] as const
            for (const [kind, subject] of round % 2 === 0 ? pair : pair.toReversed()) {
              yield* Effect.promise(async () => {
                const before = await subject.cpuMicros()
                const measured = await run(subject.port)
                // The first rounds do not count, because the engine compiles hot code during them
                if (round >= 0) taken[kind].push((await subject.cpuMicros() - before) / measured.requests)
              })
            }
          }
          const ratios = taken.on.map((micros, round) => micros / taken.off[round]!)
          console.log(
            `GET ${path}, ${tenants}: ${(median(taken.on) / median(taken.off)).toFixed(2)} × the CPU ` +
              `(median of the rounds' ratios ${median(ratios).toFixed(2)}; ${median(taken.off).toFixed(0)} µs without)`
          )
        }
      }
      yield* Effect.promise(async () => {
        await on.stop()
        await off.stop()
      })
    }))),
  3_600_000
)
