/** Real processes that place the same background tasks among them; they start, stop, freeze and are killed. */
// Only in `npm run test:all`: kills and takeovers in real time
import { Placement } from "@sov/core"
import { layerLockPlacement, layerPlacement, layerServer } from "@sov/core/postgres"
import { Deferred, Effect, Layer, Logger, Redacted, References } from "effect"
import { SqlClient } from "effect/sql"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { freshDatabaseUrl, ownerUrl } from "../support/databases.ts"
import { postgresUrl } from "../support/homes.ts"
import { until, workspace } from "../support/sov.ts"
import { TaskLog, taskNames } from "../support/TaskLog.ts"

const holdersOf = (log: TaskLog) => [...new Set(log.holders().values())]

describe("on the embedded home", () => {
  /** The process that does all the work. */
  const runningProcess = (log: TaskLog, processes: ReadonlyArray<ChildProcess>) => {
    const [pid, ...others] = holdersOf(log)
    expect(others).toEqual([])
    return processes.find((process) => process.pid === pid)!
  }

  test("one process runs all tasks, and another process takes over when the first is killed or ends", async () => {
    const dataDir = join(workspace(), ".sov")
    const log = new TaskLog(dataDir)
    const processes = await Promise.all([log.start(300), log.start(300), log.start(300)])
    await log.waitUntilAllRun()

    log.signal(runningProcess(log, processes), "SIGKILL")
    await log.waitUntilAllRun()

    const leaving = runningProcess(log, processes)
    log.signal(leaving, "SIGTERM")
    await once(leaving, "exit")
    await log.waitUntilAllRun()

    const last = runningProcess(log, processes)
    log.signal(last, "SIGTERM")
    await once(last, "exit")
    expect(log.overlaps()).toEqual([])
    expect(log.holders().size).toBe(0)
    expect(log.output).toBe("kept\n".repeat(3))
  })

  test("a process whose lock file is removed ends its tasks, and another process starts them", async () => {
    const dataDir = workspace()
    const log = new TaskLog(dataDir)
    await Promise.all([log.start(), log.start(), log.start()])
    await log.waitUntilAllRun()
    const starts = () => log.lines().filter(({ what }) => what === "start").length
    // Whether a waiting process tries the lock before its holder checks it is chance
    for (let times = 2; times <= 6; times++) {
      rmSync(join(dataDir, "worker.lock"))
      await until(() => starts() === times * taskNames.length, 30_000, "all tasks run again")
    }
    // A machine that stalls the former holder lets it end late; the leases in the database guard the work meanwhile
    const endsSoon = ({ at, name, other }: ReturnType<typeof log.overlaps>[number]) =>
      log.lines().some((line) =>
        line.what === "stop" && line.name === name && line.pid === other && line.at >= at && line.at < at + 5000
      )
    await until(() => log.overlaps().every(endsSoon), 5000, "each former holder ends its work")
    expect(holdersOf(log)).toHaveLength(1)
  })

  test("an unusable directory is reported immediately", async () => {
    const runIn = (dataDir: string) =>
      Effect.runPromise(
        Effect.flatMap(Placement, ({ run }) => run({ sweeper: Effect.never })).pipe(
          Effect.scoped,
          Effect.flip,
          Effect.provide(layerLockPlacement(dataDir))
        )
      )
    const file = join(workspace(), "file")
    writeFileSync(file, "")
    expect(await runIn(file)).toMatchObject({ reason: "denied", message: expect.stringContaining(file) })
    const taken = workspace()
    mkdirSync(join(taken, "worker.lock"))
    expect(await runIn(taken)).toMatchObject({ reason: "unavailable", message: expect.stringContaining(taken) })
  })
})

describe.skipIf(postgresUrl === null)("on a Postgres server", () => {
  test("processes share the tasks, the remaining processes take over, and no task runs twice", async () => {
    const url = await freshDatabaseUrl()
    const log = new TaskLog(url)
    // At once on an empty database: they race to make the tables
    const processes = await Promise.all([log.start(300), log.start(300), log.start(300)])
    await until(() => holdersOf(log).length >= 2, 8000, "they share")
    await log.waitUntilAllRun()
    // Which of them has how much is chance
    const [one, two] = holdersOf(log).map((holder) => processes.find(({ pid }) => pid === holder)!)
    const three = processes.find((process) => process !== one && process !== two)!
    if (one === undefined || two === undefined) throw new Error("no two holders")

    // Both have the same time to send a heartbeat
    log.signal(one, "SIGKILL")
    log.signal(two, "SIGSTOP")
    await log.waitUntilAllRun(three)

    const woken = log.signal(two, "SIGCONT")
    const stopped = () => log.lines().filter(({ at, pid, what }) => pid === two.pid && what === "stop" && at >= woken)
    await until(() => stopped().length > 0, 4000, "the frozen process stops its work when it wakes")
    await until(() => holdersOf(log).length === 2, 8000, "it takes part again")
    await log.waitUntilAllRun()

    // Joining and leaving while others work
    const four = await log.start(300)
    await sleep(2500)
    await log.waitUntilAllRun()
    log.signal(four, "SIGTERM")
    await once(four, "exit")
    await log.waitUntilAllRun()

    // The server ends all sessions, and the locks with them. A process may take a task whose holder has not noticed yet
    // that it lost its lock; that holder notices and stops
    await sleep(2500)
    const ended = Date.now()
    await Effect.runPromise(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`).pipe(
          Effect.provide(layerServer({ url: Redacted.make(ownerUrl(url)), maxConnections: 1 }))
        )
    )
    const restarted = () => log.lines().filter(({ at, what }) => what === "start" && at > ended)
    await until(() => restarted().length >= taskNames.length, 60_000, "all tasks run again")
    await log.waitUntilAllRun()
    await until(() => log.runningCount() === taskNames.length, 15_000, "no task runs in two processes")
    const settled = Date.now()

    for (const process of [two, three]) {
      log.signal(process, "SIGTERM")
      await once(process, "exit")
    }
    expect(log.overlaps().filter(({ at }) => at < ended || at > settled)).toEqual([])
    expect(log.holders().size).toBe(0)
    expect(log.output).toBe("kept\n".repeat(4))
  })

  const workerOn = (url: string) => {
    const server = layerServer({ url: Redacted.make(url), maxConnections: 2 })
    const logged: Array<string> = []
    const run = <E>(work: Effect.Effect<void>, then: Effect.Effect<void, E>) =>
      Effect.flatMap(Placement, ({ run }) => run({ sweeper: Effect.andThen(work, Effect.never) })).pipe(
        Effect.andThen(then),
        Effect.scoped,
        Effect.provide(Layer.mergeAll(
          layerPlacement({ url: Redacted.make(url) }).pipe(Layer.provide(server)),
          Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])
        ))
      )
    return { run, logged }
  }

  test("logs of the cluster appear only at level Debug, while logs of a task always appear", async () => {
    const { run, logged } = workerOn(await freshDatabaseUrl())
    const runTask = Effect.gen(function*() {
      const logDone = yield* Deferred.make<void>()
      const logOnce = Effect.logInfo("from the work").pipe(Effect.andThen(Deferred.succeed(logDone, undefined)))
      yield* run(Effect.asVoid(logOnce), Deferred.await(logDone))
    })
    await Effect.runPromise(runTask)
    expect(logged.splice(0)).toEqual(["from the work"])
    await Effect.runPromise(Effect.provideService(runTask, References.MinimumLogLevel, "Debug"))
    expect(logged).toContain("from the work")
    expect(logged.filter((line) => line.includes("Starting singleton"))).not.toEqual([])
  })

  test("a role that may not create tables is refused immediately", async () => {
    const url = new URL(await freshDatabaseUrl("superuser"))
    const role = `poor_${url.pathname.slice(5)}`
    const admin = (statement: string) =>
      Effect.runPromise(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
          Effect.provide(layerServer({ url: Redacted.make(url.href), maxConnections: 1 }))
        )
      )
    await admin(`create role ${role} login password 'poor'`)
    const poor = Object.assign(new URL(url), { username: role, password: "poor" })
    const error = await Effect.runPromise(Effect.flip(workerOn(poor.href).run(Effect.void, Effect.never)))
    await admin(`drop role ${role}`)
    expect(error).toMatchObject({ reason: "denied", message: expect.stringContaining("permission denied") })
  })
})
