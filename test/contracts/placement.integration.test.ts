/** Real processes that take part in the same standing work, and come, go, freeze and are killed. */
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
import { freshDatabaseUrl } from "../support/databases.ts"
import { Diary, names } from "../support/Diary.ts"
import { postgresUrl } from "../support/homes.ts"
import { until, workspace } from "../support/sov.ts"

const holdersOf = (diary: Diary) => [...new Set(diary.holders().values())]

describe("on the embedded home", () => {
  /** The member that does all the work. */
  const holderAmong = (diary: Diary, members: ReadonlyArray<ChildProcess>) => {
    const [pid, ...others] = holdersOf(diary)
    expect(others).toEqual([])
    return members.find((member) => member.pid === pid)!
  }

  test("one process does it all; another takes over when it is killed or ends", async () => {
    const dataDir = join(workspace(), ".sov")
    const diary = new Diary(dataDir)
    const members = await Promise.all([diary.start(300), diary.start(300), diary.start(300)])
    await diary.placed(5000)

    const killed = diary.signal(holderAmong(diary, members), "SIGKILL")
    expect(await diary.placed(5000) - killed).toBeLessThan(1000)

    const leaving = holderAmong(diary, members)
    const asked = diary.signal(leaving, "SIGTERM")
    await once(leaving, "exit")
    expect(await diary.placed(5000) - asked).toBeLessThan(2000)

    const last = holderAmong(diary, members)
    diary.signal(last, "SIGTERM")
    await once(last, "exit")
    expect(diary.overlaps()).toEqual([])
    expect(diary.holders().size).toBe(0)
    expect(diary.said).toBe("kept\n".repeat(3))
  })

  test("a holder whose lock file is removed ends its work before it is begun under a new one", async () => {
    const dataDir = workspace()
    const diary = new Diary(dataDir)
    await Promise.all([diary.start(), diary.start(), diary.start()])
    await diary.placed(5000)
    const starts = () => diary.lines().filter(({ what }) => what === "start").length
    // Whether a waiting process tries the lock before its holder checks it is chance
    for (let times = 2; times <= 6; times++) {
      rmSync(join(dataDir, "worker.lock"))
      await until(() => starts() === times * names.length, 5000, "all tasks run again")
    }
    expect(diary.overlaps()).toEqual([])
  })

  test("a directory that cannot be used is named at once", async () => {
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
  test("processes share the tasks, and those that stay take over; nothing runs twice", async () => {
    const url = await freshDatabaseUrl()
    const diary = new Diary(url)
    // At once on an empty database: they race to make the tables
    const members = await Promise.all([diary.start(300), diary.start(300), diary.start(300)])
    await until(() => holdersOf(diary).length >= 2, 8000, "they share")
    await diary.placed(5000)
    // Which of them has how much is chance
    const [one, two] = holdersOf(diary).map((holder) => members.find(({ pid }) => pid === holder)!)
    const three = members.find((member) => member !== one && member !== two)!
    if (one === undefined || two === undefined) throw new Error("no two holders")

    // Both have the same time to send a heartbeat
    const killed = diary.signal(one, "SIGKILL")
    diary.signal(two, "SIGSTOP")
    expect(await diary.placed(15_000, three) - killed).toBeLessThan(11_500)

    const woken = diary.signal(two, "SIGCONT")
    const stopped = () => diary.lines().filter(({ at, pid, what }) => pid === two.pid && what === "stop" && at >= woken)
    await until(() => stopped().length > 0, 4000, "the frozen process stops its work when it wakes")
    await until(() => holdersOf(diary).length === 2, 8000, "it takes part again")
    await diary.placed(5000)

    // Joining and leaving while others work
    const four = await diary.start(300)
    await sleep(2500)
    await diary.placed(5000)
    const asked = diary.signal(four, "SIGTERM")
    await once(four, "exit")
    expect(await diary.placed(5000) - asked).toBeLessThan(3000)

    // The server ends all sessions, and the locks with them. While tasks move as well, a process could take one that
    // another has not noticed yet it lost
    await sleep(2500)
    const ended = Date.now()
    await Effect.runPromise(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`).pipe(
          Effect.provide(layerServer({ url: Redacted.make(url), maxConnections: 1 }))
        )
    )
    const restarted = () => diary.lines().filter(({ at, what }) => what === "start" && at > ended)
    await until(() => restarted().length >= names.length, 60_000, "all tasks run again")
    await diary.placed(5000)

    for (const member of [two, three]) {
      diary.signal(member, "SIGTERM")
      await once(member, "exit")
    }
    expect(diary.overlaps()).toEqual([])
    expect(diary.holders().size).toBe(0)
    expect(diary.said).toBe("kept\n".repeat(4))
  })

  const workerOn = (url: string) => {
    const server = layerServer({ url: Redacted.make(url), maxConnections: 2 })
    const said: Array<string> = []
    const run = <E>(work: Effect.Effect<void>, then: Effect.Effect<void, E>) =>
      Effect.flatMap(Placement, ({ run }) => run({ sweeper: Effect.andThen(work, Effect.never) })).pipe(
        Effect.andThen(then),
        Effect.scoped,
        Effect.provide(Layer.mergeAll(
          layerPlacement({ url: Redacted.make(url) }).pipe(Layer.provide(server)),
          Logger.layer([Logger.make(({ message }) => void said.push(String(message)))])
        ))
      )
    return { run, said }
  }

  test("the cluster speaks to those who want to hear everything, the work as it always does", async () => {
    const { run, said } = workerOn(await freshDatabaseUrl())
    const speaking = Effect.gen(function*() {
      const spoken = yield* Deferred.make<void>()
      const speak = Effect.logInfo("from the work").pipe(Effect.andThen(Deferred.succeed(spoken, undefined)))
      yield* run(Effect.asVoid(speak), Deferred.await(spoken))
    })
    await Effect.runPromise(speaking)
    expect(said.splice(0)).toEqual(["from the work"])
    await Effect.runPromise(Effect.provideService(speaking, References.MinimumLogLevel, "Debug"))
    expect(said).toContain("from the work")
    expect(said.filter((line) => line.includes("Starting singleton"))).not.toEqual([])
  })

  test("a role that may make no tables is told so at once", async () => {
    const url = new URL(await freshDatabaseUrl())
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
