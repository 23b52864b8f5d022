/**
 * A test round in which eight processes use one new data directory at the same time: random commands at random moments,
 * two scans on simulated platforms and, if requested, kill -9 of a random process, which may be the database's owner.
 * The seed determines what a round does, but not how its processes interleave.
 */
import { layerEmbedded } from "@sov/core/postgres"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { seededRandom } from "./seededRandom.ts"
import { type Ran, type Running, startSov, workspace } from "./sov.ts"

/** A command of a round, with its start and end in milliseconds. */
interface CommandRun extends Ran {
  readonly args: ReadonlyArray<string>
  readonly from: number
  readonly to: number
  readonly killed: boolean
}

interface ScanRow {
  readonly id: string
  readonly status: string
  readonly cellCount: number
  readonly cells: number
  readonly answers: number
}

/** What happened in a round, and what the database contained afterwards. */
export interface ConcurrentCommandsReport {
  readonly runs: ReadonlyArray<CommandRun>
  /** The process that was killed; undefined if no kill was requested, or if no process was left to kill. */
  readonly killed: string | undefined
  /** Milliseconds from the kill until a new client got an answer from the database. */
  readonly outage: number | undefined
  readonly rows: {
    readonly organizations: ReadonlyArray<string>
    readonly keywords: ReadonlyArray<string>
    readonly keys: ReadonlyArray<string>
    readonly scans: ReadonlyArray<ScanRow>
    /** Number of manual scans that count toward the quota. */
    readonly used: number
  }
  readonly dataDir: string
}

const org = ["--org", "acme"] as const
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const pick = <A>(random: () => number, from: ReadonlyArray<A>): A => from[Math.floor(random() * from.length)]!

/** A short command; every second one writes something that can be counted. */
const shortCommand = (random: () => number, name: string): ReadonlyArray<string> =>
  pick(
    random,
    random() < 0.5
      ? [["org", "create", name], ["keyword", "add", `${name}?`, ...org], ["key", "create", "--name", name, ...org]]
      : [
        ["keyword", "list", ...org],
        ["quota", "show", ...org],
        ["brand", "show", ...org],
        ["archive", "list", ...org],
        ["scan", "list", ...org],
        ["key", "list", ...org]
      ]
  )

const inDatabase = <A, E>(dataDir: string, effect: Effect.Effect<A, E, SqlClient>) =>
  Effect.runPromise(Effect.retry(Effect.provide(effect, layerEmbedded({ dataDir })), { times: 5 }))

const select1 = Effect.flatMap(SqlClient, (sql) => sql`select 1`)

const readRows = Effect.gen(function*() {
  const sql = yield* SqlClient
  const values = (query: string) =>
    Effect.map(sql.unsafe<{ readonly value: string }>(query), (rows) => rows.map(({ value }) => value))
  const [usage] = yield* sql<{ readonly used: number }>`select coalesce(sum(used), 0)::int as used from quota_usage`
  return {
    organizations: yield* values("select name as value from organization"),
    keywords: yield* values("select text as value from keyword"),
    keys: yield* values("select id::text as value from api_key"),
    scans: yield* sql<ScanRow>`
      select id, status, cell_count as "cellCount",
        (select count(*)::int from cell where scan_id = scan.id) as cells,
        (select count(*)::int from answer where scan_id = scan.id) as answers
      from scan order by id`,
    used: usage!.used
  }
})

/** Process id of the data directory's owner process, as recorded by the owner. */
export const ownerPid = (dataDir: string): number =>
  (JSON.parse(readFileSync(join(dataDir, "owner.json"), "utf8")) as { readonly pid: number }).pid

/** Runs a round: two commands race to create the database, then eight processes use it at the same time. */
export const runConcurrentCommands = async (seed: number, kill: boolean): Promise<ConcurrentCommandsReport> => {
  const random = seededRandom(seed)
  const cwd = workspace()
  const dataDir = join(cwd, ".sov")
  mkdirSync(dataDir, { mode: 0o700 })
  writeFileSync(join(dataDir, "settings.json"), JSON.stringify({ ownerLingerMs: pick(random, [20, 200, 1000]) }))
  const simulated = { adapter: "simulated", brand: "Acme", latency: `${Math.floor(random() * 300)} millis` }
  writeFileSync(
    join(cwd, "sov.config.json"),
    JSON.stringify({ platforms: { assistant_a: simulated, assistant_b: simulated } })
  )
  const runs: Array<CommandRun> = []
  const running = new Set<Running>()
  const killedRuns = new Set<Running>()
  const run = async (args: ReadonlyArray<string>): Promise<Ran> => {
    const from = performance.now()
    const child = startSov(cwd, [...args, "--json"])
    running.add(child)
    const ran = await child
    running.delete(child)
    runs.push({ ...ran, args, from, to: performance.now(), killed: killedRuns.has(child) })
    return ran
  }

  await Promise.all([
    run(["init", "--brand", "Acme", "--keyword", "first?", "--keyword", "second?", "--no-input", "--yes"]),
    run(["org", "create", "Rival"])
  ])
  const clients = Array.from({ length: 8 }, (_, client) => ({
    pause: random() * 1500,
    commands: client < 2
      ? [["scan", ...org]]
      : Array.from({ length: 1 + Math.floor(random() * 2) }, (_, i) => shortCommand(random, `client ${client} ${i}`))
  }))
  const killAt = 300 + random() * 2200
  const chosen = random()
  let killed: string | undefined
  let outage: number | undefined
  const killOne = async (): Promise<void> => {
    await sleep(killAt)
    const victim = chosen < 0.4 ? undefined : [...running][Math.floor(chosen * running.size)]
    const pid = victim?.child.pid ?? ownerPid(dataDir)
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      return // it had just ended
    }
    if (victim !== undefined) killedRuns.add(victim)
    killed = victim === undefined ? "owner" : victim.child.spawnargs.join(" ")
    const begun = performance.now()
    await inDatabase(dataDir, select1)
    outage = performance.now() - begun
  }
  await Promise.all([
    ...clients.map(async ({ commands, pause }) => {
      await sleep(pause)
      for (const args of commands) await run(args)
    }),
    ...kill ? [killOne()] : []
  ])
  // A scan whose process was killed continues when it is resumed
  for (const { id, status } of (await inDatabase(dataDir, readRows)).scans) {
    if (status === "running") await run(["scan", "resume", id, ...org])
  }
  return { runs, killed, outage, rows: await inDatabase(dataDir, readRows), dataDir }
}
