/**
 * The dashboard's first page on an archive of 100,000 answers to 500 keywords. Measures what a browser downloads; the
 * overview's reads, in a new process and in one that has read it before, both compared with plain statements over the
 * same rows; and the time to the page for 20 viewers compared with one. Settings: SOV_BENCH_ANSWERS (100,000; a
 * multiple of 2,500), SOV_BENCH_ROUNDS (15), SOV_BENCH_SECONDS (2; duration of a round of viewers), SOV_BENCH_HOMES
 * (embedded; or embedded,postgres).
 */
import { initialize } from "@sov/core"
import { layerMigrated } from "@sov/core/postgres"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { it, onTestFinished } from "vitest"
import { ask } from "../support/apiServer.ts"
import { pathOf } from "../support/dashboardServer.ts"
import { freshDatabaseUrl } from "../support/databases.ts"
import { loadPage, sumSent } from "../support/pageWeight.ts"
import { seedLink, seedMember } from "../support/people.ts"
import { scoreArchive, seedArchive } from "../support/seedArchive.ts"
import type { Question } from "./dashboard/subject.ts"
import { load, type Round } from "./rest/load.ts"

const setting = (name: string, preset: number): number => Number(process.env[`SOV_BENCH_${name}`] ?? preset)
const keywordCount = 500
const scans = setting("ANSWERS", 100_000) / (keywordCount * 5)
const rounds = setting("ROUNDS", 15)
const roundMs = setting("SECONDS", 2) * 1000
const coldStarts = 5
const viewers = 20
/** How long the owner process of an embedded database continues after its last client. */
const lingerMs = 5_000

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
const ratio = (values: ReadonlyArray<number>, others: ReadonlyArray<number>): string =>
  median(values.map((value, n) => value / others[n]!)).toFixed(2)
const p95 = ({ latencies }: Round): number => latencies[Math.floor(latencies.length * 0.95)]!

/** Creates the archive, and a link that signs a viewer in. */
const prepare = Effect.gen(function*() {
  const { competitors, organization } = yield* initialize({
    name: "Acme",
    plan: "pro",
    tracking: {
      brand: { name: "Acme" },
      competitors: ["Globex", "Hooli", "Initech", "Umbrella"].map((name) => ({ name })),
      keywords: Array.from({ length: keywordCount }, (_, n) => ({ text: `best anvil for workshop ${n}?` }))
    }
  })
  yield* seedArchive({ keywords: keywordCount, scans, length: 2_000, named: competitors.map(({ id }) => id) })
  yield* scoreArchive(organization.id)
  const viewer = yield* seedMember(organization.id, "viewer")
  const dates = { createdAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) }
  return { path: yield* pathOf(organization.id), token: (yield* seedLink(viewer.id, dates)).token }
})

const start = async (home: string) => {
  const child = fork(fileURLToPath(new URL("./dashboard/subject.ts", import.meta.url)), [home])
  const [{ port }] = await once(child, "message") as [{ readonly port: number }]
  const time = async (question: Question): Promise<number> => {
    child.send(question)
    return (await once(child, "message") as [{ readonly ms: number }])[0].ms
  }
  const stop = async () => {
    const gone = once(child, "exit")
    child.disconnect()
    await gone
  }
  return { port, time, stop }
}

/** Only the newest scan, and all scans that the page's numbers are based on. */
const [newest, behind] = [{ kind: "plain", scans: 1 }, { kind: "plain", scans: 5 }] as const

const measure = async (home: string, prepared: Effect.Success<typeof prepare>) => {
  for (const kind of home.startsWith("postgres") ? ["server"] as const : ["server and database", "server"] as const) {
    const keeper = kind === "server" ? await start(home) : null
    await keeper?.time({ kind: "overview" })
    const cold = { overview: [] as Array<number>, plain: [] as Array<number> }
    for (let n = 0; n < coldStarts; n++) {
      for (const [name, question] of [["overview", { kind: "overview" }], ["plain", newest]] as const) {
        if (keeper === null) await setTimeout(lingerMs + 2_000)
        const server = await start(home)
        cold[name].push(await server.time(question))
        await server.stop()
      }
    }
    await keeper?.stop()
    console.log(
      `overview's reads, ${kind} just started: ${ratio(cold.overview, cold.plain)} × the plain rows of one scan ` +
        `(${median(cold.overview).toFixed(0)} and ${median(cold.plain).toFixed(0)} ms)`
    )
  }

  const server = await start(home)
  const warm = { overview: [] as Array<number>, newest: [] as Array<number>, behind: [] as Array<number> }
  for (let round = -3; round < rounds; round++) {
    for (
      const [name, question] of [["overview", { kind: "overview" }], ["newest", newest], ["behind", behind]] as const
    ) {
      const ms = await server.time(question)
      if (round >= 0) warm[name].push(ms)
    }
  }
  console.log(
    `overview's reads, warm: ${ratio(warm.overview, warm.newest)} × the plain rows of one scan, ` +
      `${ratio(warm.overview, warm.behind)} × those of five (${median(warm.overview).toFixed(0)}, ` +
      `${median(warm.newest).toFixed(0)} and ${median(warm.behind).toFixed(0)} ms)`
  )

  const base = `http://127.0.0.1:${server.port}`
  const { headers } = await ask(base, `/login/link/${prepared.token}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" }
  })
  const cookie = [headers["set-cookie"] ?? []].flat().map((line) => line.split(";", 1)[0]!).join("; ")
  const loaded = await loadPage(base, prepared.path, cookie)
  console.log(
    `first page: ${loaded.length} requests, ${(sumSent(loaded) / 1000).toFixed(1)} kB: ${
      loaded.map(({ path, sent }) => `${path.replace(/\.[^.]+(?=\.)/, "")} ${(sent / 1000).toFixed(1)}`).join(", ")
    }`
  )

  const request =
    `GET ${prepared.path} HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\naccept-encoding: gzip\r\ncookie: ${cookie}\r\n\r\n`
  const of = (connections: number) => load(server.port, request, 200, connections, (_, ms) => ms > roundMs)
  await of(viewers)
  const taken = { one: [] as Array<Round>, many: [] as Array<Round> }
  for (let round = 0; round < rounds; round++) {
    for (const kind of round % 2 === 0 ? ["one", "many"] as const : ["many", "one"] as const) {
      taken[kind].push(await of(kind === "one" ? 1 : viewers))
    }
  }
  const rates = (kind: keyof typeof taken) => taken[kind].map(({ requests, seconds }) => requests / seconds)
  console.log(
    `the page for ${viewers} viewers at once: p95 ${ratio(taken.many.map(p95), taken.one.map(p95))} × one viewer's ` +
      `(${median(taken.many.map(p95)).toFixed(0)} and ${median(taken.one.map(p95)).toFixed(0)} ms), ` +
      `${ratio(rates("many"), rates("one"))} × as many pages a second`
  )
  await server.stop()
}

it.each((process.env["SOV_BENCH_HOMES"] ?? "embedded").split(","))(
  "the first page is measured on the %s home",
  async (kind) => {
    const dataDir = mkdtempSync(join(tmpdir(), "sov-bench-"))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const url = kind === "postgres" ? await freshDatabaseUrl() : null
    const storage = ManagedRuntime.make(
      layerMigrated(url === null ? { dataDir } : { url: Redacted.make(url) }).pipe(
        Layer.provideMerge(SecureRandom.layerWebCrypto)
      )
    )
    const prepared = await storage.runPromise(prepare)
    if (url !== null) await storage.runPromise(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`vacuum analyze`))
    await storage.dispose()
    console.log(`${kind}: ${scans * keywordCount * 5} questions in ${scans} scans; load ${loadavg()[0]!.toFixed(1)}`)
    await measure(url ?? dataDir, prepared)
    console.log(`load ${loadavg()[0]!.toFixed(1)}`)
  },
  3_600_000
)
