/**
 * Every page of the dashboard on a heavy organization (300 questions, 40 competitors, 60 scans, 36,000 answers), and
 * then for a person with 200 organizations: the time to the whole page, including a preview that follows its form, at
 * the first request and later (median and 95th percentile), the time to the form (95th percentile), the processor time
 * of the server per request, and the bytes of the response as sent. Settings: SOV_BENCH_ROUNDS (20),
 * SOV_BENCH_ORGANIZATIONS (200), SOV_BENCH_HOMES (embedded,postgres), SOV_BENCH_PAGES (parts of addresses, separated by
 * commas; all pages), SOV_BENCH_SHOWN (number of pages in the table, 20).
 */
import { initialize, PersonStore } from "@sov/core"
import { layerMigrated } from "@sov/core/postgres"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { it, onTestFinished } from "vitest"
import { routes } from "../../../packages/http/src/dashboard/routes.ts"
import { ask } from "../../support/apiServer.ts"
import { listScreens, plainCast, seedScreens } from "../../support/dashboardScreens.ts"
import { freshDatabaseUrl } from "../../support/databases.ts"
import { load } from "../../support/pageWeight.ts"
import { seedLink, seedMember } from "../../support/people.ts"
import { scoreArchive, sealArchive, seedArchive } from "../../support/seedArchive.ts"

const setting = (name: string, preset: number): number => Number(process.env[`SOV_BENCH_${name}`] ?? preset)
const rounds = setting("ROUNDS", 20)
const organizations = setting("ORGANIZATIONS", 200)
const [keywords, scans, platforms] = [300, 60, 2]
const dayMs = 86_400_000
const pages = process.env["SOV_BENCH_PAGES"]?.split(",")
const isWanted = (address: string): boolean => pages?.some((part) => address.includes(part)) ?? true

/** The processor time that a process and its threads have used, in ms. */
const readCpu = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ")
  // utime and stime, in ticks of 10 ms
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** The day before the first of 60 scans, which end before those of `seedScreens`. */
const since = new Date(Date.now() - (scans + 22) * dayMs).toISOString().slice(0, 10)

const prepare = Effect.gen(function*() {
  const screens = yield* seedScreens({
    ...plainCast,
    competitors: Array.from({ length: 40 }, (_, n) => `Globex ${n}`),
    keywords: Array.from(
      { length: keywords },
      (_, n) => `which anvil would you recommend for workshop number ${n}, with little room and a wooden floor?`
    )
  })
  const { organizationId } = screens
  const sql = yield* SqlClient.SqlClient
  const rivals = yield* sql<{ readonly id: never }>`select (jsonb_array_elements(competitors)->>'id')::uuid as id
    from tracked_set where organization_id = ${organizationId} and version = 1`
  yield* seedArchive({
    organization: organizationId,
    keywords,
    scans,
    platforms,
    since,
    length: 2_000,
    named: rivals.map(({ id }) => id)
  })
  yield* scoreArchive(organizationId)
  yield* sealArchive(organizationId)
  const owner = yield* seedMember(organizationId)
  for (let n = 1; n < organizations; n++) {
    const { competitors, organization: { id } } = yield* initialize({
      name: `Client ${n}`,
      plan: "pro",
      tracking: {
        brand: { name: "Acme" },
        competitors: ["Globex", "Hooli"].map((name) => ({ name })),
        keywords: Array.from({ length: 4 }, (_, k) => ({ text: `best anvil for workshop ${k}?` }))
      }
    })
    yield* seedArchive({
      organization: id,
      keywords: 4,
      scans: 12,
      platforms,
      since,
      length: 200,
      named: competitors.map((one) => one.id)
    })
    yield* scoreArchive(id)
    yield* (yield* PersonStore).addMember(id, owner.id, "owner", new Date())
  }
  const dates = { createdAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) }
  return { addresses: yield* listScreens(screens, routes), token: (yield* seedLink(owner.id, dates)).token }
})

interface Times {
  readonly address: string
  readonly first: number
  readonly p50: number
  readonly p95: number
  readonly form: number
  readonly cpu: number
  readonly bytes: number
  readonly status: number
}

const at = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

const line = ({ address, bytes, cpu, first, form, p50, p95, status }: Times): string =>
  `${[first, p50, p95, form, cpu].map((ms) => ms.toFixed(0).padStart(6)).join("")} ${
    (bytes / 1000).toFixed(1).padStart(6)
  } kB ${status === 200 ? "" : `${status} `}${address.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…")}`

const measure = async (home: string, { addresses, token }: Effect.Success<typeof prepare>) => {
  const child = fork(fileURLToPath(new URL("../../bench/dashboard/subject.ts", import.meta.url)), [home])
  const [{ port }] = await once(child, "message") as [{ readonly port: number }]
  const base = `http://127.0.0.1:${port}`
  const { headers } = await ask(base, `/login/link/${token}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" }
  })
  const cookie = [headers["set-cookie"] ?? []].flat().map((one) => one.split(";", 1)[0]!).join("; ")
  const timed = async (address: string) => {
    const begun = performance.now()
    const { begunAt, packed, status } = await load(base, address, cookie)
    return { ms: performance.now() - begun, form: begunAt - begun, bytes: packed.length, status }
  }
  const all: Array<Times> = []
  const portfolios = ["name&page=5", "-alerts", "-spent", "next"].map((sort) => `/portfolio?sort=${sort}`)
  for (const address of [...portfolios, ...addresses].filter(isWanted)) {
    const { bytes, ms: first, status } = await timed(address)
    const before = readCpu(child.pid!)
    const warm: Array<Awaited<ReturnType<typeof timed>>> = []
    for (let round = 0; round < rounds; round++) warm.push(await timed(address))
    const cpu = (readCpu(child.pid!) - before) / rounds
    const [whole, forms] = [warm.map(({ ms }) => ms), warm.map(({ form }) => form)].map((one) =>
      one.toSorted((a, b) => a - b)
    )
    all.push({
      address,
      first,
      p50: at(whole!, 0.5),
      p95: at(whole!, 0.95),
      form: at(forms!, 0.95),
      cpu,
      bytes,
      status
    })
  }
  const gone = once(child, "exit")
  child.disconnect()
  await gone
  const by = (value: (one: Times) => number, count: number) =>
    all.toSorted((a, b) => value(b) - value(a)).slice(0, count).map(line).join("\n")
  const p95s = all.map(({ p95 }) => p95).toSorted((a, b) => a - b)
  console.log(
    `${all.length} pages: median of the p95 ${at(p95s, 0.5).toFixed(0)} ms; over 300 ms ${
      all.filter(({ p95 }) => p95 > 300).length
    }, over 60 kB ${all.filter(({ bytes }) => bytes > 60_000).length}\n first   p50   p95  form   cpu\n${
      by(({ p95 }) => p95, setting("SHOWN", 20))
    }\nheaviest\n${by(({ bytes }) => bytes, 6)}\nslowest at first\n${by(({ first }) => first, 6)}`
  )
}

const homes = (process.env["SOV_BENCH_HOMES"] ?? "embedded,postgres").split(",")

it.each(homes)("every page on the %s home", async (kind) => {
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
  console.log(`${kind}: load ${loadavg()[0]!.toFixed(1)}`)
  await measure(url ?? dataDir, prepared)
  console.log(`load ${loadavg()[0]!.toFixed(1)}`)
}, 3_600_000)
