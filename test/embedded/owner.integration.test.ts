// Only in `npm run test:all`: kills and many owner processes
import { Effect, type Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { type EmbeddedOptions, layer, tryKernelLock } from "../../packages/core/src/adapters/embedded/index.ts"
import { OwnerClient } from "../../packages/core/src/adapters/embedded/OwnerClient.ts"
import { locateSocket } from "../../packages/core/src/adapters/embedded/ownerProtocol.ts"
import { readOwnerSettings, writeOwnerSettings } from "../../packages/core/src/adapters/embedded/ownerSettings.ts"
import { alive, freshDataDir, ownersOf, rememberOwners, until } from "./support/directories.ts"

const clientFile = fileURLToPath(new URL("./support/client.ts", import.meta.url))

const use = <A, E>(options: EmbeddedOptions, effect: Effect.Effect<A, E, SqlClient | Scope.Scope>) =>
  Effect.runPromise(Effect.scoped(Effect.provide(effect, layer({ lingerMs: 200, waitMs: 20_000, ...options }))))

const sql = Effect.fnUntraced(function*(statement: string) {
  return yield* (yield* SqlClient).unsafe<{ readonly i: number }>(statement)
})

const prepared = (lingerMs: number): string => {
  const dataDir = freshDataDir()
  fs.mkdirSync(dataDir)
  writeOwnerSettings(dataDir, { ownerLingerMs: lingerMs })
  return dataDir
}

const owner = (dataDir: string): number => ownersOf(dataDir).at(-1) ?? 0
/** Longer than `gone` waits: an owner that ends does so for another reason. */
const longLingerMs = 60_000
const gone = (dataDir: string) => until(() => ownersOf(dataDir).every((pid) => !alive(pid)), 30_000)
const readLog = (dataDir: string): string => fs.readFileSync(path.join(dataDir, "owner.log"), "utf8")

const client = (dataDir: string, ...args: ReadonlyArray<string>) => {
  const child: ChildProcess = spawn(process.execPath, [clientFile, dataDir, ...args], {
    stdio: ["ignore", "pipe", "pipe"]
  })
  let out = ""
  let err = ""
  child.stdout?.on("data", (chunk) => out += String(chunk))
  child.stderr?.on("data", (chunk) => err += String(chunk))
  const ended = new Promise<{ readonly code: number | null; readonly lines: Array<string>; readonly err: string }>((
    resolve
  ) => child.on("close", (code) => resolve({ code, lines: out.split("\n").filter((line) => line !== ""), err })))
  return { child, ended, lines: () => out.split("\n").slice(0, -1) }
}

test("the first client starts the owner, the second shares it, and the owner ends after its last client", async () => {
  const dataDir = freshDataDir()
  await use(
    { dataDir },
    Effect.gen(function*() {
      yield* sql("create table t (i int)")
      yield* sql("insert into t values (1)")
      const first = owner(dataDir)
      expect(alive(first)).toBe(true)
      expect(first).not.toBe(process.pid)
      const other = yield* Effect.promise(() => use({ dataDir }, sql("select i from t")))
      expect(other).toEqual([{ i: 1 }])
      expect(ownersOf(dataDir)).toEqual([first])
      yield* sql("insert into t values (2)")
    })
  )
  await gone(dataDir)
  expect(fs.existsSync(path.join(dataDir, "s"))).toBe(false)
  expect(await use({ dataDir }, sql("select i from t order by i"))).toEqual([{ i: 1 }, { i: 2 }])
  expect(ownersOf(dataDir)).toHaveLength(2)
})

/** The most memory that a process has had in use, in MiB. */
const peakMemory = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

test.runIf(process.platform === "linux")("the owner of a small database takes no more than 250 MiB", async () => {
  const dataDir = prepared(200)
  const work = sql("select count(*)::int as i from pg_class c, generate_series(1, 100)")
  await use({ dataDir }, work)
  await gone(dataDir)
  await use(
    { dataDir },
    Effect.tap(work, () => Effect.sync(() => expect(peakMemory(owner(dataDir))).toBeLessThan(250)))
  )
})

test("the owner stays for 5 s after its last client by default", async () => {
  const dataDir = freshDataDir()
  let left = Infinity
  const last = Effect.tap(sql("select 1 as i"), () => Effect.sync(() => left = performance.now()))
  await Effect.runPromise(Effect.provide(last, layer({ dataDir })))
  expect(readOwnerSettings(dataDir).ownerLingerMs).toBe(5_000)
  await gone(dataDir)
  // A timer of Node may run up to 1 ms early
  expect(performance.now() - left).toBeGreaterThanOrEqual(4_998)
  expect(readLog(dataDir)).toContain("end: no clients")
})

test("only its user can read the data directory, and version control ignores it", async () => {
  const dataDir = freshDataDir()
  await use(
    { dataDir },
    Effect.gen(function*() {
      yield* sql("select 1 as i")
      expect(fs.statSync(dataDir).mode & 0o777).toBe(0o700)
      for (const name of fs.readdirSync(dataDir)) {
        expect([name, fs.statSync(path.join(dataDir, name)).mode & 0o077]).toEqual([name, 0])
      }
      expect(fs.statSync(path.join(dataDir, "owner.log")).mode & 0o777).toBe(0o600)
      expect(fs.readFileSync(path.join(dataDir, ".gitignore"), "utf8")).toBe("*\n")
    })
  )
})

test("acknowledged rows survive kill -9 of the owner, and the next query works", async () => {
  const dataDir = freshDataDir()
  await use(
    { dataDir },
    Effect.gen(function*() {
      yield* sql("create table t (i int primary key)")
      for (let round = 0; round < 2; round++) {
        yield* sql(`insert into t values (${round})`)
        const killed = owner(dataDir)
        process.kill(killed, "SIGKILL")
        yield* Effect.promise(() => until(() => !alive(killed), 30_000))
        // A pool may hand out one dead connection each: those fail, typed, and are replaced
        const rows = yield* sql("select i from t order by i").pipe(Effect.retry({ times: 4 }))
        expect(rows.map(({ i }) => i)).toEqual(Array.from({ length: round + 1 }, (_, i) => i))
        expect(owner(dataDir)).not.toBe(killed)
      }
    })
  )
})

test("an engine that fails ends its owner at once, and the next owner has the acknowledged rows", async () => {
  const dataDir = freshDataDir()
  await use(
    { dataDir },
    Effect.gen(function*() {
      yield* sql("create table t (i int)")
      yield* sql("insert into t values (7)")
      const failing = owner(dataDir)
      // FATAL in PGlite, which by itself would loop for ever and fill the log
      const error = yield* Effect.flip(sql("copy t from stdin"))
      expect(error.reason._tag).toBe("ConnectionError")
      yield* Effect.promise(() => until(() => !alive(failing), 30_000))
      expect(fs.statSync(path.join(dataDir, "owner.log")).size).toBeLessThan(10_000)
      expect(yield* sql("select i from t").pipe(Effect.retry({ times: 4 }))).toEqual([{ i: 7 }])
    })
  )
})

test("every acknowledged row survives kill -9 under four writing processes", async () => {
  const dataDir = prepared(200)
  const writers = Array.from({ length: 4 }, () => client(dataDir, "insert", "10000", "5"))
  await until(() => writers.every((writer) => writer.lines().length >= 10), 60_000)
  process.kill(owner(dataDir), "SIGKILL")
  const ended = await Promise.all(writers.map((writer) => writer.ended))
  for (const { code, err } of ended) {
    expect(code).not.toBe(0)
    expect(err).toMatch(/owner went away|Connection/)
  }
  const acknowledged = ended.flatMap(({ lines }) => lines)
  expect(acknowledged.length).toBeGreaterThanOrEqual(40)
  const rows = await use({ dataDir }, Effect.flatMap(SqlClient, (sql) => sql<{ id: string }>`select id from row`))
  const present = new Set(rows.map(({ id }) => id))
  expect(acknowledged.filter((id) => !present.has(id))).toEqual([])
  expect(present.size - acknowledged.length).toBeLessThanOrEqual(4) // at most the statement in flight of each
})

test("clients that arrive while the owner ends are served by the next owner", async () => {
  const dataDir = freshDataDir()
  const pause = 60
  for (let i = 0; i < 6; i++) {
    expect(await use({ dataDir, lingerMs: pause }, sql(`select ${i}::int as i`))).toEqual([{ i }])
    await new Promise((resolve) => setTimeout(resolve, pause - 12 + 8 * i))
  }
  expect(ownersOf(dataDir).length).toBeGreaterThan(1)
})

test("the owner still serves its clients after SIGTERM, and ends with the last one", async () => {
  const dataDir = freshDataDir()
  await use(
    { dataDir, lingerMs: longLingerMs },
    Effect.gen(function*() {
      yield* sql("select 1 as i")
      process.kill(owner(dataDir), "SIGTERM")
      yield* Effect.promise(() => until(() => readLog(dataDir).includes("SIGTERM with "), 30_000))
      expect(yield* sql("select 2 as i")).toEqual([{ i: 2 }])
      expect(ownersOf(dataDir)).toHaveLength(1)
    })
  )
  await gone(dataDir)
  // Neither the time after its last client, nor what it may serve on after SIGTERM, had to pass
  expect(readLog(dataDir)).toContain("end: no clients")
})

test("SIGTERM under load interrupts no client, and the owner ends with its last client", async () => {
  const dataDir = prepared(longLingerMs)
  const writers = Array.from({ length: 3 }, () => client(dataDir, "insert", "60", "10"))
  await until(() => writers.every((writer) => writer.lines().length >= 5), 60_000)
  const first = owner(dataDir)
  process.kill(first, "SIGTERM")
  const late = client(dataDir, "insert", "5", "5")
  const ended = await Promise.all([...writers, late].map((writer) => writer.ended))
  expect(ended.map(({ code, err, lines }) => [code, err, lines.length])).toEqual([
    [0, "", 60],
    [0, "", 60],
    [0, "", 60],
    [0, "", 5]
  ])
  await until(() => !alive(first), 30_000)
  const rows = await use({ dataDir }, Effect.flatMap(SqlClient, (sql) => sql<{ id: string }>`select id from row`))
  expect(rows).toHaveLength(185)
  process.kill(owner(dataDir), "SIGTERM")
})

test("after SIGTERM, the owner waits no longer than its limit", async () => {
  const dataDir = prepared(longLingerMs)
  writeOwnerSettings(dataDir, { ownerTermMs: 300 })
  await use(
    { dataDir, lingerMs: longLingerMs },
    Effect.gen(function*() {
      yield* sql("create table t (i int)")
      yield* sql("insert into t values (5)")
      const first = owner(dataDir)
      process.kill(first, "SIGTERM")
      yield* Effect.promise(() => until(() => !alive(first), 30_000))
      expect(yield* sql("select i from t").pipe(Effect.retry({ times: 4 }))).toEqual([{ i: 5 }])
      process.kill(owner(dataDir), "SIGTERM")
    })
  )
  await gone(dataDir)
})

test("the owner keeps no pipe of the process that started it open: $(…) returns while the owner lingers", () => {
  // The end of the substitution waits for all three: standard output's cat, descriptor 63, and standard error
  const script = "out=$(\"$0\" \"$@\" 63>&1 2>&1 > >(cat)); echo \"got $out\""
  const dataDir = prepared(longLingerMs)
  const out = execFileSync("bash", ["-c", script, process.execPath, clientFile, dataDir, "once"], {
    encoding: "utf8",
    timeout: longLingerMs / 2
  })
  expect(out).toBe("got 1\n")
  expect(alive(owner(dataDir))).toBe(true)
})

test("the lock is held for the whole life of the owner", async () => {
  const dataDir = freshDataDir()
  await use(
    { dataDir },
    Effect.gen(function*() {
      const isHeld = () => {
        const lock = tryKernelLock(path.join(dataDir, "lock"))
        lock?.release()
        return lock === undefined
      }
      yield* sql("create table t as select i from generate_series(1, 1000) i")
      yield* sql("checkpoint")
      writeOwnerSettings(dataDir, { ownerLingerMs: 150 })
      yield* Effect.promise(() => use({ dataDir }, sql("select 1 as i")))
      yield* Effect.sleep(1_200) // the owner looks after its files once a second
      expect(isHeld()).toBe(true)
    })
  )
  await gone(dataDir)
  expect(tryKernelLock(path.join(dataDir, "lock"))?.release()).toBeUndefined()
})

test("a socket that was deleted is published again", async () => {
  const dataDir = freshDataDir()
  await use(
    { dataDir },
    Effect.gen(function*() {
      yield* sql("select 1 as i")
      const first = owner(dataDir)
      fs.rmSync(path.join(dataDir, "s"))
      yield* Effect.promise(() => until(() => fs.existsSync(path.join(dataDir, "s")), 30_000))
      expect(yield* Effect.promise(() => use({ dataDir }, sql("select 2 as i")))).toEqual([{ i: 2 }])
      expect(owner(dataDir)).toBe(first)
    })
  )
})

test("two owners never have the database open at once, even after rm .sov/*", async () => {
  const dataDir = freshDataDir()
  await use(
    { dataDir, lingerMs: longLingerMs },
    Effect.gen(function*() {
      yield* sql("create table t (i int)")
      yield* sql("insert into t values (1)")
      const old = owner(dataDir)
      fs.rmSync(path.join(dataDir, "lock"))
      fs.rmSync(path.join(dataDir, "s"))
      const rival = client(dataDir, "once")
      yield* Effect.promise(() => rival.ended)
      expect(alive(old)).toBe(false)
      expect(rival.lines()).toEqual(["1"])
      const log = fs.readFileSync(path.join(dataDir, "owner.log"), "utf8").split("\n")
      const at = (pattern: RegExp) => log.findIndex((line) => pattern.test(line))
      expect(at(new RegExp(` ${old} fatal: .*lock file`))).toBeGreaterThan(0)
      expect(at(new RegExp(` ${owner(dataDir)} ready`))).toBeGreaterThan(at(new RegExp(` ${old} fatal`)))
      expect(yield* sql("select i from t").pipe(Effect.retry({ times: 4 }))).toEqual([{ i: 1 }])
      process.kill(owner(dataDir), "SIGTERM")
    })
  )
  await gone(dataDir)
})

test("the old owner of a directory that was recreated ends without writing into the new directory", async () => {
  const dataDir = freshDataDir()
  await use(
    { dataDir, lingerMs: longLingerMs },
    Effect.gen(function*() {
      yield* sql("create table t (i int)")
      const old = owner(dataDir)
      rememberOwners(dataDir)
      fs.rmSync(dataDir, { recursive: true })
      yield* Effect.promise(() =>
        use({ dataDir }, Effect.andThen(sql("create table t (i int)"), sql("insert into t values (9)")))
      )
      yield* Effect.promise(() => until(() => !alive(old), 30_000))
      expect(fs.existsSync(path.join(dataDir, "s"))).toBe(alive(owner(dataDir)))
    })
  )
  await gone(dataDir)
  expect(await use({ dataDir }, sql("select i from t"))).toEqual([{ i: 9 }])
})

test("a path too long for a socket works through the temporary directory", async () => {
  const dataDir = freshDataDir("d".repeat(60), "e".repeat(60))
  await use(
    { dataDir },
    Effect.gen(function*() {
      yield* sql("select 1 as i")
      expect(locateSocket(fs.realpathSync(dataDir)).startsWith(os.tmpdir())).toBe(true)
      expect(fs.readdirSync(dataDir)).not.toContain("s")
      yield* Effect.promise(() => use({ dataDir }, sql("select 2 as i")))
      expect(ownersOf(dataDir)).toHaveLength(1)
    })
  )
  await gone(dataDir)
  expect(fs.existsSync(locateSocket(fs.realpathSync(dataDir)))).toBe(false)
})

test("a client without open connections keeps the owner alive, and uses a new owner after a kill", async () => {
  const dataDir = prepared(100)
  const idle = new OwnerClient(dataDir, 20_000)
  await idle.hold()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const first = owner(dataDir)
  expect(alive(first)).toBe(true)
  process.kill(first, "SIGKILL")
  await until(() => !alive(first), 30_000)
  await until(() => {
    void idle.hold()
    return owner(dataDir) !== first
  }, 60_000)
  await idle.hold()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(alive(owner(dataDir))).toBe(true)
  idle.close()
  await gone(dataDir)
})

test("the owner uses the settings of the data directory, not the environment of the first client", async () => {
  const dataDir = prepared(150)
  fs.writeFileSync(path.join(dataDir, "settings.json"), "{\"ownerLingerMs\": 150, \"other\": [1]}")
  const env = { ...process.env, SOV_OWNER_LINGER_MS: String(longLingerMs), NODE_OPTIONS: "--title=inherited" }
  const first = spawn(process.execPath, [clientFile, dataDir, "insert", "1000000"], { env, stdio: "ignore" })
  await until(() => ownersOf(dataDir).length > 0, 60_000)
  expect(fs.readFileSync(`/proc/${owner(dataDir)}/environ`, "utf8")).not.toContain("NODE_OPTIONS")
  first.kill("SIGKILL")
  await gone(dataDir)
})
