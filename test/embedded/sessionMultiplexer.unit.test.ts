import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type OpenDatabase, openPglite } from "../../packages/core/src/adapters/embedded/openPglite.ts"
import { SessionMultiplexer } from "../../packages/core/src/adapters/embedded/SessionMultiplexer.ts"
import { query, RawClient, startup, terminate } from "./support/RawClient.ts"

let database: OpenDatabase
let hub: SessionMultiplexer
let fatal: Array<Error>

beforeAll(async () => {
  database = await openPglite({ dataDir: undefined, onFatal: () => {} })
})
afterAll(() => database.close())

beforeEach(async () => {
  fatal = []
  hub = new SessionMultiplexer(database.engine, { idleInTransactionMs: 150, onFatal: (error) => fatal.push(error) })
  await database.engine.exec("drop table if exists t; create table t (i int); unlisten *")
})

const open = () => RawClient.open(hub.connect())
const rows = async () =>
  (await database.engine.query<{ i: number }>("select i from t order by i")).rows.map(({ i }) => i)

test("a transaction is never interleaved, because other clients wait until it ends", async () => {
  const [a, b] = [await open(), await open()]
  const order: Array<string> = []
  await a.ask("begin")
  await a.ask("insert into t values (1)")
  const waiting = b.ask("insert into t select count(*) + 100 from t").then(() => order.push("b"))
  await new Promise((resolve) => setTimeout(resolve, 30))
  await a.ask("insert into t values (2)")
  await a.ask("commit").then(() => order.push("a"))
  await waiting
  expect(order).toEqual(["a", "b"])
  expect(await rows()).toEqual([1, 2, 102])
})

test("an idle transaction is rolled back and its client disconnected", async () => {
  const [a, b] = [await open(), await open()]
  await a.ask("begin")
  await a.ask("insert into t values (1)")
  const started = performance.now()
  await b.ask("insert into t values (2)")
  const waited = performance.now() - started
  expect(waited).toBeGreaterThan(100)
  await a.until(() => a.ended)
  expect(a.frames.at(-1)?.text).toContain("25P03")
  expect(await rows()).toEqual([2])
})

test("a transaction that stays active may exceed the idle limit", async () => {
  const a = await open()
  await a.ask("begin")
  for (let i = 0; i < 6; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    await a.ask(`insert into t values (${i})`)
  }
  expect(await a.ask("commit")).toContain("COMMIT")
  expect(await rows()).toEqual([0, 1, 2, 3, 4, 5])
})

test("a client that disconnects inside a transaction leaves nothing behind", async () => {
  const [a, b] = [await open(), await open()]
  await a.ask("begin")
  await a.ask("insert into t values (1)")
  a.wire.destroy()
  expect(await b.ask("insert into t values (2)")).toContain("INSERT 0 1")
  expect(await rows()).toEqual([2])
})

test("a client that disconnects in a failed transaction, or between Parse and Sync, frees the session", async () => {
  const [a, b, c] = [await open(), await open(), await open()]
  await a.ask("begin")
  await a.ask("select 1/0")
  a.wire.destroy()
  const parse = Buffer.from("P\0\0\0\u0010\0select 1\0\0\0", "latin1")
  b.wire.write(parse)
  await new Promise((resolve) => setTimeout(resolve, 20))
  b.wire.destroy()
  expect(await c.ask("select 42")).toContain("42")
})

test("UNLISTEN by one client does not affect others, and UNLISTEN by the last client reaches the session", async () => {
  const [a, b, c] = [await open(), await open(), await open()]
  await a.ask("listen Ch")
  await b.ask("listen \"ch\"")
  await b.ask("unlisten ch")
  await c.ask("notify ch, 'news'")
  await a.until(() => a.frames.some(({ type }) => type === "A"))
  expect(a.frames.find(({ type }) => type === "A")?.text).toContain("ch news")
  expect(b.frames.some(({ type }) => type === "A")).toBe(false)
  expect(c.frames.some(({ type }) => type === "A")).toBe(false)
  await a.ask("unlisten *")
  expect(await c.ask("select count(*) as n from pg_listening_channels()")).toContain("|D: 0|")
})

test("a listener on one channel gets no notifications of another", async () => {
  const [a, b] = [await open(), await open()]
  await a.ask("listen one")
  await b.ask("listen two")
  await b.ask("notify one, 'x'")
  await a.until(() => a.frames.some(({ type }) => type === "A"))
  expect(b.frames.some(({ type }) => type === "A")).toBe(false)
})

test("Terminate disconnects its client after earlier messages are processed, and never ends the engine", async () => {
  const [a, b] = [await open(), await open()]
  a.wire.write(Buffer.concat([query("insert into t values (1)"), terminate(), query("insert into t values (2)")]))
  await a.until(() => a.ended)
  expect(await b.ask("select 1")).toContain("SELECT 1")
  expect(await rows()).toEqual([1])
})

test.each([
  ["an unknown message type", Buffer.from([0x5a, 0, 0, 0, 4])],
  ["a length shorter than itself", Buffer.from([0x51, 0, 0, 0, 1])]
])("%s disconnects only the client that sent it", async (_name, bytes) => {
  const [a, b] = [await open(), await open()]
  a.wire.write(bytes)
  await a.until(() => a.ended)
  expect(a.frames.at(-1)?.text).toContain("08P01")
  expect(await b.ask("select 1")).toContain("SELECT 1")
  expect(fatal).toEqual([])
})

test.each([
  ["TLS", Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])],
  ["HTTP", Buffer.from("GET / HTTP/1.1\r\n\r\n")]
])("a first packet of %s is refused", async (_name, bytes) => {
  const a = new RawClient(hub.connect())
  a.wire.write(bytes)
  await a.until(() => a.ended)
  expect(a.frames.at(-1)?.text).toContain("FATAL")
  expect(await (await open()).ask("select 1")).toContain("SELECT 1")
})

test("invalid messages in the chunk of a startup packet disconnect only their client", async () => {
  const [a, b] = [new RawClient(hub.connect()), await open()]
  a.wire.write(Buffer.concat([startup(), Buffer.from("GET / HTTP/1.1\r\n\r\n")]))
  await a.until(() => a.ended)
  expect(a.frames.at(-1)?.text).toContain("08P01")
  expect(await b.ask("select 1")).toContain("SELECT 1")
  expect(fatal).toEqual([])
})

test("an engine that fails disconnects every client once, and accepts no more", async () => {
  const failing: Array<Error> = []
  const own = await openPglite({ dataDir: undefined, onFatal: () => {} })
  const hub = new SessionMultiplexer(own.engine, { idleInTransactionMs: 150, onFatal: (error) => failing.push(error) })
  const [a, b] = [await RawClient.open(hub.connect()), await RawClient.open(hub.connect())]
  await a.ask("create table c (i int)")
  await a.ask("copy c from stdin") // PGlite cannot: Postgres says FATAL and PGlite itself would loop for ever
  const after = b.ask("insert into c values (1)")
  await b.until(() => b.ended)
  expect(await after).toBe("")
  expect(a.error?.message ?? b.error?.message).toBeDefined()
  expect(failing).toHaveLength(1)
  const late = new RawClient(hub.connect())
  late.wire.write(startup())
  await late.until(() => late.ended)
  expect(late.frames).toEqual([])
  await own.close()
})

test("a client that does not read is sent nothing more, does not delay others, and gets everything once it reads", async () => {
  const [slow, other] = [await open(), await open()]
  slow.wire.pause()
  const asked = 200
  for (let i = 0; i < asked; i++) slow.wire.write(query(`select ${i}, repeat('x', 100000)`))
  expect(await other.ask("select 42")).toContain("42")
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(slow.wire.readableLength).toBeLessThan(600_000)
  expect(await other.ask("select 43")).toContain("43")
  slow.wire.resume()
  await slow.until(() => slow.frames.filter(({ type }) => type === "D").length === asked)
  expect(await slow.ask("select 44")).toContain("44")
})

test("a client that never reads is disconnected, and its transaction rolled back", async () => {
  const hub = new SessionMultiplexer(database.engine, {
    idleInTransactionMs: 5_000,
    onFatal: () => {},
    limits: { stallMs: 100 }
  })
  const [slow, other] = [await RawClient.open(hub.connect()), await RawClient.open(hub.connect())]
  await slow.ask("begin; insert into t values (1)")
  slow.wire.pause()
  slow.wire.write(query("select repeat('x', 3000000)"))
  expect(await other.ask("insert into t values (2)")).toContain("INSERT 0 1")
  await slow.until(() => slow.ended)
  expect(slow.error?.message).toContain("did not read")
  expect(await rows()).toEqual([2])
})

test("a client that reads slowly stays connected", async () => {
  const hub = new SessionMultiplexer(database.engine, {
    idleInTransactionMs: 5_000,
    onFatal: () => {},
    limits: { stallMs: 60 }
  })
  const slow = hub.connect()
  slow.write(startup())
  slow.write(query("select repeat('x', 2000000)"))
  let got = 0
  while (got < 2_000_000) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    got += (slow.read(64 * 1024) as Buffer | null)?.length ?? (slow.read() as Buffer | null)?.length ?? 0
  }
  expect(slow.destroyed).toBe(false)
  slow.destroy()
})

test("an answer or a message that is too large disconnects only its client, with the reason", async () => {
  const limits = { maxAnswerBytes: 1_000_000, maxMessageBytes: 1_000_000 }
  const hub = new SessionMultiplexer(database.engine, {
    idleInTransactionMs: 5_000,
    onFatal: (error) => fatal.push(error),
    limits
  })
  const [greedy, chatty, other] = [
    await RawClient.open(hub.connect()),
    await RawClient.open(hub.connect()),
    await RawClient.open(hub.connect())
  ]
  await greedy.ask("begin; insert into t values (1)")
  expect(await greedy.ask("select repeat('x', 100000) from generate_series(1, 50)")).toMatch(/54000.*1 MiB.*in parts/)
  expect(await chatty.ask(query(`select '${"x".repeat(1_100_000)}'`).subarray(0, 1_050_000))).toMatch(/54000.*message/)
  expect(await other.ask("insert into t values (2)")).toContain("INSERT 0 1")
  expect(await rows()).toEqual([2])
  expect(fatal).toEqual([])
})

test.each([
  ["a trap of the engine in deep recursion", `select '${"[".repeat(200_000)}'::json`],
  ["a statement that Postgres ends with FATAL", "copy t from stdin"]
])("%s ends the engine at once, before anything runs in its broken session", async (_name, sql) => {
  const failing: Array<Error> = []
  const own = await openPglite({ dataDir: undefined, onFatal: (error) => hub.fail(error) })
  const hub = new SessionMultiplexer(own.engine, {
    idleInTransactionMs: 60_000,
    onFatal: (error) => failing.push(error)
  })
  const [a, b] = [await RawClient.open(hub.connect()), await RawClient.open(hub.connect())]
  await a.ask("create table t (i int)")
  const answered = a.ask(sql)
  const after = b.ask("insert into t values (1)")
  expect([await answered, await after]).toEqual(["", ""])
  expect(failing).toHaveLength(1)
  expect(failing[0]?.message).toMatch(/stopped: /)
  await own.close()
})

test("recursion that Postgres can detect causes an ordinary error", async () => {
  const a = await open()
  await a.ask("create function f(i int) returns int language plpgsql as $$ begin return f(i + 1); end $$")
  expect(await a.ask("select f(1)")).toContain("54001")
  expect(await a.ask("drop function f(int)")).toContain("DROP FUNCTION")
})
