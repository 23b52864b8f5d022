// Only in `npm run test:all`: a new database for each kind of damage
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { expect, test } from "vitest"
import { requireNode, toSystemRefusal } from "../../packages/core/src/adapters/embedded/dataDirectory.ts"
import { EmbeddedError, layer, layerInProcess } from "../../packages/core/src/adapters/embedded/index.ts"
import { embeddedReasons, Refusal } from "../../packages/core/src/adapters/embedded/refusal.ts"
import { freshDataDir, ownersOf } from "./support/directories.ts"

const select = Effect.flatMap(SqlClient, (sql) => sql<{ n: number }>`select 1 as n`)

const openIn = (dataDir: string) => Effect.runPromise(Effect.provide(select, layerInProcess({ dataDir })))

/** Why the directory cannot be opened; the message is one line that names it. */
const refused = async (dataDir: string, through = layerInProcess({ dataDir })) => {
  const error = await Effect.runPromise(Effect.flip(Effect.provide(select, through)))
  expect(error).toBeInstanceOf(EmbeddedError)
  expect(error.message).toContain(dataDir)
  expect(error.message).not.toContain("\n")
  return error as EmbeddedError
}

const withCluster = async (): Promise<string> => {
  const dataDir = freshDataDir()
  await openIn(dataDir)
  return dataDir
}

test("a path to a file is refused as a data directory", async () => {
  const dataDir = freshDataDir()
  fs.writeFileSync(dataDir, "")
  expect(await refused(dataDir)).toMatchObject({
    reason: "not_a_directory",
    message: expect.stringContaining("--data-dir")
  })
  const under = path.join(dataDir, "deeper")
  expect(await refused(under)).toMatchObject({ reason: "not_a_directory" })
})

test("a database of another Postgres version is refused, and every client learns both versions and the remedy", async () => {
  const dataDir = freshDataDir()
  fs.mkdirSync(path.join(dataDir, "db"), { recursive: true })
  fs.writeFileSync(path.join(dataDir, "db", "PG_VERSION"), "17\n")
  const errors = await Promise.all([
    refused(dataDir, layer({ dataDir, waitMs: 20_000 })),
    refused(dataDir, layer({ dataDir, waitMs: 20_000 }))
  ])
  for (const error of errors) {
    expect(error.reason).toBe("wrong_version")
    expect(error.message).toMatch(/Postgres 17.*Postgres 18.*export/)
  }
  expect(fs.readdirSync(path.join(dataDir, "db"))).toEqual(["PG_VERSION"])
})

test("a directory that another program uses is not initialised", async () => {
  const dataDir = freshDataDir()
  fs.mkdirSync(path.join(dataDir, "db"), { recursive: true })
  fs.writeFileSync(path.join(dataDir, "db", "holiday.jpg"), "")
  expect(await refused(dataDir)).toMatchObject({
    reason: "foreign_files",
    message: expect.stringContaining("holiday.jpg")
  })
  expect(fs.readdirSync(path.join(dataDir, "db"))).toEqual(["holiday.jpg"])
})

test("a file in place of the database is refused", async () => {
  const dataDir = freshDataDir()
  fs.mkdirSync(dataDir)
  fs.writeFileSync(path.join(dataDir, "db"), "mine")
  expect(await refused(dataDir)).toMatchObject({ reason: "foreign_files" })
  expect(fs.readFileSync(path.join(dataDir, "db"), "utf8")).toBe("mine")
})

test("the remains of a killed first start are removed", async () => {
  const dataDir = freshDataDir()
  fs.mkdirSync(path.join(dataDir, "db.tmp", "base"), { recursive: true })
  fs.writeFileSync(path.join(dataDir, "db.tmp", "PG_VERSION"), "18\n")
  expect(await openIn(dataDir)).toEqual([{ n: 1 }])
  expect(fs.readdirSync(dataDir)).not.toContain("db.tmp")
})

test.each<[string, (cluster: string) => void, RegExp]>([
  ["an empty control file", (db) => fs.truncateSync(path.join(db, "global", "pg_control")), /pg_control/],
  ["a log of garbage", (db) => {
    const wal = path.join(db, "pg_wal")
    const segment = fs.readdirSync(wal).find((name) => /^[0-9A-F]{24}$/.test(name)) ?? ""
    fs.writeFileSync(path.join(wal, segment), Buffer.alloc(16 * 1024 * 1024, 0xab))
  }, /checkpoint record/],
  ["a missing database directory", (db) => fs.rmSync(path.join(db, "base", "5"), { recursive: true }), /base\/5/],
  ["only PG_VERSION", (db) => {
    fs.rmSync(db, { recursive: true })
    fs.mkdirSync(db)
    fs.writeFileSync(path.join(db, "PG_VERSION"), "18\n")
  }, /configuration file/],
  ["a PG_VERSION that is no number", (db) => fs.writeFileSync(path.join(db, "PG_VERSION"), "\0\0"), /not a number/]
])("%s is recognised, and reported with the message of Postgres", async (_name, damage, said) => {
  const dataDir = await withCluster()
  damage(path.join(dataDir, "db"))
  const error = await refused(dataDir)
  expect(error.reason).toBe("damaged")
  expect(error.message).toMatch(said)
  expect(error.message).toContain("backup")
  expect(error.message.length).toBeLessThan(500)
})

test("damage that the owner finds is reported to the client, and no owner process remains", async () => {
  const dataDir = await withCluster()
  fs.truncateSync(path.join(dataDir, "db", "global", "pg_control"))
  const error = await refused(dataDir, layer({ dataDir, waitMs: 20_000 }))
  expect(error).toMatchObject({ reason: "damaged", message: expect.stringContaining("pg_control") })
  expect(ownersOf(dataDir)).toHaveLength(1)
})

test("a directory that this user may not write is refused", () => {
  const dataDir = freshDataDir()
  fs.mkdirSync(dataDir)
  fs.writeFileSync(path.join(dataDir, "notes"), "")
  fs.chmodSync(path.dirname(dataDir), 0o755)
  fs.chmodSync(dataDir, 0o555)
  // Root may write anything, so this runs as somebody else
  const script = `
    const { prepareDataDirectory } = await import(process.argv[1])
    if (process.getuid() === 0) process.setuid(65534)
    try { prepareDataDirectory(process.argv[2]); console.log("{}") }
    catch ({ reason, message }) { console.log(JSON.stringify({ reason, message })) }`
  const module = new URL("../../packages/core/src/adapters/embedded/dataDirectory.ts", import.meta.url).href
  const run = (directory: string) =>
    JSON.parse(
      execFileSync(process.execPath, ["--input-type=module", "-e", script, module, directory], { encoding: "utf8" })
    ) as object
  for (const directory of [dataDir, path.join(dataDir, "new")]) {
    expect(run(directory)).toMatchObject({ reason: "not_writable", message: expect.stringContaining(directory) })
  }
})

test("a database that another program locks exclusively is refused, and the error names the process", async () => {
  const dataDir = freshDataDir()
  const inner = Effect.gen(function*() {
    yield* select
    const second = yield* Effect.promise(() => refused(dataDir))
    const shared = yield* Effect.promise(() => refused(dataDir, layer({ dataDir, waitMs: 20_000 })))
    const still = yield* select
    return { second, shared, still }
  })
  const { second, shared, still } = await Effect.runPromise(Effect.provide(inner, layerInProcess({ dataDir })))
  for (const error of [second, shared]) {
    expect(error).toMatchObject({ reason: "busy", message: expect.stringContaining(`process ${process.pid}`) })
  }
  expect(still).toEqual([{ n: 1 }])
})

test("a full disk and every other known cause has a specific error", () => {
  const thrown = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })
  const error = EmbeddedError.from("/tmp", thrown)
  expect(error.reason).toBe("disk_full")
  expect(error.message).toMatch(/\/tmp \(\d+ MB left; /)
  expect(toSystemRefusal("/tmp", new Error("other"))).toBeUndefined()
  for (const reason of embeddedReasons) {
    expect(EmbeddedError.from("/d", new Refusal(reason, "two\nlines"))).toMatchObject({ reason, message: "two lines" })
  }
})

test("an old Node.js gets a clear error", () => {
  expect(() => requireNode("22.18.9")).toThrow(/Node\.js 22\.19.*22\.18\.9/)
  expect(() => requireNode("20.20.2")).toThrow(Refusal)
  expect(requireNode("22.19.0")).toBeUndefined()
  expect(requireNode("24.0.0")).toBeUndefined()
})

test.runIf(process.getuid?.() === 0)(
  "a disk too full for Postgres's log ends the process at once, and the next process has all acknowledged rows",
  async () => {
    const dataDir = freshDataDir()
    fs.mkdirSync(dataDir)
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=100m", "none", dataDir])
    try {
      const inner = Effect.gen(function*() {
        const sql = yield* SqlClient
        yield* sql`create table t as select -1 as n` // one page, so that only the log has to grow
        const { bavail, bsize } = fs.statfsSync(dataDir)
        const filler = path.join(dataDir, "filler")
        fs.writeFileSync(filler, Buffer.alloc(bavail * bsize))
        let acknowledged = 0
        const error = yield* Effect.flip(Effect.gen(function*() {
          while (acknowledged < 100) {
            yield* sql`with log as (select pg_logical_emit_message(true, 'fill', repeat('x', 1000000)))
              insert into t select ${acknowledged}::int from log`
            acknowledged++
          }
        }))
        expect([error.reason._tag, String(error.reason.cause)]).toEqual([
          "ConnectionError",
          "Error: The database owner went away"
        ])
        const still = yield* Effect.promise(() => refused(dataDir, layer({ dataDir, waitMs: 20_000 })))
        expect(still).toMatchObject({
          reason: "disk_full",
          message: expect.stringMatching(/\(\d+ MB left.*16.*free some/)
        })
        fs.rmSync(filler)
        // A refused start stays half a second, so that all who wait read the reason
        const rows = yield* sql<{ n: number }>`select n from t where n >= 0 order by n`.pipe(
          Effect.retry({ times: 300, schedule: Schedule.spaced("200 millis") })
        )
        expect(rows.map(({ n }) => n).slice(0, acknowledged)).toEqual(Array.from({ length: acknowledged }, (_, n) => n))
        expect(rows.length - acknowledged).toBeOneOf([0, 1])
      })
      await Effect.runPromise(Effect.provide(inner, layer({ dataDir, lingerMs: 50 })))
      expect(fs.readFileSync(path.join(dataDir, "owner.log"), "utf8")).toMatch(/ fatal: .*PANIC: .*No space left/)
    } finally {
      execFileSync("/bin/umount", ["--lazy", dataDir])
    }
  }
)
