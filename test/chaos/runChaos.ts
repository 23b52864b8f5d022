/**
 * Runs many scans with several workers while faults happen: workers are killed, frozen, stopped and started, clocks
 * jump, the database restarts or fails over to a standby, and connections are dropped, reset, delayed and swallowed,
 * also while a worker joins. The seed determines the faults, but not their exact timing relative to the work.
 */
import { initialize, type OrganizationId, startScan, verifyArchive } from "@sov/core"
import { decodePlatformConfig, layerPlatforms } from "@sov/core/outbound"
import { applyRoles, layerConnection, layerServer, layerStores, migrateServer } from "@sov/core/postgres"
import { Effect, Layer, ManagedRuntime, Redacted, Result, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { ownerPid } from "../support/concurrentCommands.ts"
import { type FaultProxy, faultProxy } from "../support/faultProxy.ts"
import { canJump, jumpClock, withJumpingClock } from "../support/jumpingClock.ts"
import { seededRandom } from "../support/seededRandom.ts"
import { roleUrl, testRoles } from "../support/serverTemplate.ts"
import { type Running, startSov } from "../support/sov.ts"
import { testRole } from "../support/storage.ts"
import type { TestPostgres } from "../support/TestPostgres.ts"
import type { History, ScanFacts } from "./checkHistory.ts"
import { startRecorder } from "./recorder.ts"

/** How much happens in one run. */
export interface ChaosSize {
  readonly workers: number
  readonly scans: number
  readonly keywords: number
  readonly faults: number
  /** Time in which all scans start and all faults happen, in milliseconds. */
  readonly ms: number
  /** How long all scans may take afterwards, in milliseconds. */
  readonly timeoutMs: number
}

/** What happened in a run, and the history for the checker. */
export interface ChaosReport {
  readonly log: ReadonlyArray<string>
  readonly history: History
  /** Unexpected exits of workers: they exited on their own, or with another code than 0 when asked to stop. */
  readonly exits: ReadonlyArray<string>
}

const platforms = ["assistant_a", "assistant_b", "assistant_c"]
const limit = 3
const frozenMs = 11_000

/** Possible jumps of the clock of a worker's machine. */
const jumps = ["+0", "+1d", "-1d", "+30d", "-30d", "+1h", "-10"]

const kinds = {
  // Twice as likely as other faults
  postgres: [
    "kill",
    "kill",
    "stop",
    "restart",
    "crash",
    "failover",
    "drop",
    "reset",
    "join",
    "stall",
    "swallow",
    "freeze",
    ...canJump ? ["clock", "clock"] as const : []
  ],
  embedded: ["kill", "stop", "owner"]
} as const
type Kind = (typeof kinds)["postgres" | "embedded"][number]

const readScans = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const [usage] = yield* sql<{ readonly used: number }>`select coalesce(sum(used), 0)::int as used from quota_usage`
  const scans = yield* sql<ScanFacts>`
    select id, status, cell_count as cells,
      (select count(*)::int from answer where scan_id = scan.id) as answers,
      (select count(*)::int from (select 1 from answer where scan_id = scan.id
        group by keyword_id, platform, sample having count(*) > 1) many) as doubles,
      (select count(*)::int from seal where scan_id = scan.id) as seals,
      (select count(*)::int from event where event = 'scan.completed'
        and position(scan.id::text in convert_from(body, 'UTF8')) > 0) as events
    from scan order by id`
  const archiveProblems: Array<string> = []
  yield* verifyArchive(organizationId, {
    onProblem: ({ detail, id, problem, what }) =>
      Effect.sync(() => void archiveProblems.push(`${what} ${id} is ${problem}: ${detail}`)),
    onAnswers: () => {}
  })
  return { quotaUsed: usage!.used, scans, archiveProblems }
})

const countRunning = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly running: number }>`
    select count(*)::int as running from scan where status = 'running'`
  return row!.running
})

/**
 * Creates the roles of the database, and returns the URLs for processes that start scans and for workers:
 * SOV_TEST_ROLE.
 */
const prepareRoles = async (
  url: string,
  prefix: string
): Promise<{ readonly api: string; readonly worker: string }> => {
  if (testRole === "superuser") return { api: url, worker: url }
  const names = testRoles(prefix)
  await Effect.runPromise(
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* migrateServer
      yield* applyRoles(names, false)
      for (const name of [names.api, names.worker]) yield* sql.unsafe(`alter role ${name} password '${name}'`)
    }).pipe(Effect.provide(layerServer({ url: Redacted.make(url) })))
  )
  return { api: roleUrl(url, prefix, "api"), worker: roleUrl(url, prefix, testRole) }
}

/** Runs chaos on the embedded home in `cwd`, or on a separate database on the server. */
export const runChaos = async (
  { cwd, only, seed, server, size }: {
    readonly cwd: string
    readonly seed: number
    readonly server: TestPostgres | null
    readonly size: ChaosSize
    /** The kinds of faults that may happen; empty = all. */
    readonly only: ReadonlyArray<string>
  }
): Promise<ChaosReport> => {
  const random = seededRandom(seed)
  const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(random() * from.length)]!
  const all: ReadonlyArray<Kind> = kinds[server === null ? "embedded" : "postgres"]
  const possible = only.length === 0 ? all : all.filter((kind) => only.includes(kind))
  const log: Array<string> = []
  const begun = Date.now()
  const sinceBegun = () => Date.now() - begun
  const note = (text: string) => void log.push(`${(sinceBegun() / 1000).toFixed(1)} ${text}`)

  const latency = seededRandom(seed + 1)
  // Some answers take as long as other workers need to take over
  const latencyMs = () => latency() < 0.03 ? 4_000 : 100 + latency() * 500
  const recorder = await startRecorder({ platforms, limit, latencyMs, sinceBegun })
  writeFileSync(join(cwd, "sov.config.json"), recorder.config)

  const url = server === null ? null : new URL(server.url)
  if (server !== null) {
    url!.pathname = `/chaos_${seed}_${process.pid}`
    await Effect.runPromise(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`create database ${url!.pathname.slice(1)}`)).pipe(
        Effect.provide(layerServer({ url: Redacted.make(server.url), maxConnections: 1 }))
      )
    )
  } else mkdirSync(join(cwd, ".sov"), { mode: 0o700, recursive: true })
  const roles = url === null ? null : await prepareRoles(url.href, `chaos_${seed}_${process.pid}`)
  const connection = layerConnection(
    roles === null ? { dataDir: join(cwd, ".sov") } : { url: Redacted.make(roles.api) }
  )
  const config = Result.getOrThrow(decodePlatformConfig(JSON.parse(recorder.config), "chaos"))
  const runtime = ManagedRuntime.make(Layer.mergeAll(
    layerStores.pipe(Layer.provideMerge(connection)),
    layerPlatforms(config, { CHAOS_WORKER: "nobody" }),
    SecureRandom.layerWebCrypto
  ))
  type Services = ManagedRuntime.ManagedRuntime.Services<typeof runtime>
  /** Retries until the effect succeeds, as a client does. */
  const retryUntilDone = <A, E>(effect: Effect.Effect<A, E, Services>) =>
    runtime.runPromise(Effect.retry(effect, { schedule: Schedule.spaced("200 millis"), times: 150 }))

  const kills: Array<History["kills"][number]> = []
  const stops: Array<History["stops"][number]> = []
  const outages: Array<History["outages"][number]> = []
  const exits: Array<string> = []
  const slots: Array<{ name: string; running: Running; proxy: FaultProxy | null }> = []
  let over = false

  const clockOf = (slot: number) => join(cwd, `clock-${slot}`)
  const startWorker = async (slot: number, nth: number, proxy: FaultProxy | null): Promise<void> => {
    const name = `w${slot}.${nth}`
    const through = roles === null ? null : Object.assign(new URL(roles.worker), { port: String(proxy!.port) }).href
    const running = startSov(cwd, ["worker", "--json"], {
      env: {
        CHAOS_WORKER: name,
        ...through === null ? {} : { SOV_DATABASE_URL: through, ...withJumpingClock(clockOf(slot)) }
      }
    })
    slots[slot] = { name, running, proxy }
    const { code, signal, stderr } = await running
    note(`${name} ended: ${code ?? signal}`)
    if (over) return
    if (code !== 0 && code !== 9 && signal === null) {
      exits.push(`${name} exited with ${code}: ${stderr.slice(-500)}`)
    }
    // Restarts the worker as a supervisor would
    await sleep(300)
    if (!over) void startWorker(slot, nth + 1, proxy)
  }

  const outage = async (worker: string | null, trouble: () => Promise<void>) => {
    const from = sinceBegun()
    await trouble()
    outages.push({ worker, from, to: sinceBegun() })
    note(`${worker ?? "all"}: over`)
  }

  /**
   * Closes the connections and refuses new ones for 1–3 s, because a client would otherwise reconnect before anything
   * fails.
   */
  const disconnect = (slot: number, how: "dropConnections" | "reset", ms: number) => {
    const { name, proxy } = slots[slot]!
    return outage(name, async () => {
      proxy!.refuse = true
      proxy![how]()
      await sleep(1_000 + ms / 3)
      proxy!.refuse = false
    })
  }

  const stop = ({ name, running }: typeof slots[number]) => {
    stops.push({ worker: name, at: sinceBegun() })
    running.child.kill("SIGTERM")
  }

  /** Resolves when the worker of that slot has stopped and the next one has joined. */
  const startReplacement = async (slot: number) => {
    const before = slots[slot]!
    stop(before)
    while (slots[slot] === before) await sleep(20)
    const { running } = slots[slot]!
    await Promise.race([once(running.child.stdout!, "data"), running])
  }

  const fault = async (kind: Kind, slot: number, ms: number): Promise<void> => {
    const { name, proxy, running } = slots[slot]!
    note(`${kind} ${name} ${Math.round(ms)} ms`)
    switch (kind) {
      case "kill":
        kills.push({ worker: name, at: sinceBegun() })
        return void running.child.kill("SIGKILL")
      case "stop":
        return stop(slots[slot]!)
      case "freeze":
        // Longer than other workers need to take over
        return outage(name, async () => {
          running.child.kill("SIGSTOP")
          await sleep(frozenMs + ms)
          running.child.kill("SIGCONT")
        })
      case "clock":
        return jumpClock(clockOf(slot), jumps[Math.floor(ms) % jumps.length]!)
      case "failover":
        return outage(null, () => server!.failover(ms))
      case "restart":
        return outage(null, () => server!.restart("SIGINT", ms))
      case "crash":
        return outage(null, () => server!.restart("SIGQUIT", ms))
      case "owner":
        return outage(null, async () => {
          process.kill(ownerPid(join(cwd, ".sov")), "SIGKILL")
          await retryUntilDone(countRunning)
        })
      case "drop":
      case "reset":
        return disconnect(slot, kind === "drop" ? "dropConnections" : "reset", ms)
      case "join":
        // The worker ends before it can hand over its work: its locks are released while its calls are still in flight
        await startReplacement((slot + 1) % size.workers)
        return disconnect(slot, "dropConnections", ms)
      case "stall":
        return outage(name, async () => {
          proxy!.stall(true)
          await sleep(ms)
          proxy!.stall(false)
        })
      case "swallow":
        return outage(name, async () => {
          proxy!.blackhole = true
          await sleep(ms)
          proxy!.blackhole = false
          proxy!.dropConnections()
        })
    }
  }

  try {
    const texts = Array.from({ length: size.scans * size.keywords }, (_, n) => `question ${n}?`)
    const keywords = texts.map((text) => ({ text }))
    const made = await retryUntilDone(
      initialize({ name: "Chaos", plan: "enterprise", tracking: { brand: { name: "Acme Forge" }, keywords } })
    )
    const organizationId = made.organization.id
    const ids = made.keywords.map(({ id }) => id)
    for (let slot = 0; slot < size.workers; slot++) {
      void startWorker(slot, 0, url === null ? null : await faultProxy("127.0.0.1", Number(url.port)))
    }
    await Promise.all(slots.map(({ running }) => once(running.child.stdout!, "data")))
    note("the workers are there")
    const accepted: Array<string> = []
    const starting = Array.from({ length: size.scans }, async (_, n) => {
      const keywordIds = ids.slice(n * size.keywords, (n + 1) * size.keywords)
      const request = { scanType: "manual", usesQuota: true, samples: 1, keywordIds } as const
      await sleep(random() * size.ms)
      const { id } = await retryUntilDone(startScan(organizationId, request, `start ${n}`))
      accepted.push(id)
    })
    const pauses = Array.from({ length: size.faults }, () => 1_000 + random() * (size.ms - 1_000)).toSorted((a, b) =>
      a - b
    )
    const plan = pauses.map((at) => ({
      at,
      kind: pick(possible),
      slot: Math.floor(random() * size.workers),
      ms: random() ** 2 * 6_000
    }))
    let [serverFree, nobodyJoins] = [Promise.resolve(), Promise.resolve()]
    const troubles = plan.map(async ({ at, kind, ms, slot }) => {
      await sleep(at)
      // Only one restart at a time, and only one worker joins at a time
      if (kind === "join") return nobodyJoins = nobodyJoins.then(() => fault(kind, slot, ms))
      if (!["restart", "crash", "failover", "owner"].includes(kind)) return fault(kind, slot, ms)
      return serverFree = serverFree.then(() => fault(kind, slot, ms / 3))
    })
    await Promise.all([...starting, ...troubles])
    note("all is started, all has happened")

    const end = Date.now() + size.timeoutMs
    while (await retryUntilDone(countRunning) > 0 && Date.now() < end) await sleep(100)
    note("no scan runs")
    over = true
    const codes = await Promise.all(slots.map(async ({ name, running }) => {
      running.child.kill("SIGTERM")
      return [name, (await running).code] as const
    }))
    // A worker that was just disconnected may be exiting on its own
    const back = (name: string) => outages.some(({ to, worker }) => worker === name && sinceBegun() - to < 10_000)
    for (const [name, code] of codes) {
      if (code !== 0 && code !== null && !(code === 9 && back(name))) exits.push(`${name} ended with ${code}`)
    }
    const found = await retryUntilDone(readScans(organizationId))
    return { log, exits, history: { ...found, limit, accepted, calls: recorder.calls, kills, stops, outages } }
  } finally {
    over = true
    for (const { proxy, running } of slots) {
      running.child.kill("SIGKILL")
      await proxy?.close()
    }
    recorder.close()
    await runtime.dispose()
  }
}
