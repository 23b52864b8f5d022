import * as fc from "fast-check"
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest"
import type { StatementLimits } from "../../packages/core/src/adapters/embedded/KeptStatements.ts"
import { type OpenDatabase, openPglite } from "../../packages/core/src/adapters/embedded/openPglite.ts"
import { SessionMultiplexer } from "../../packages/core/src/adapters/embedded/SessionMultiplexer.ts"
import { extended, query, RawClient, statement } from "./support/RawClient.ts"

let database: OpenDatabase
const noStatements = { maxStatementBytes: 0 }

const makeHub = (statementLimits: Partial<StatementLimits>): SessionMultiplexer =>
  new SessionMultiplexer(database.engine, { idleInTransactionMs: 5_000, onFatal: () => {}, statementLimits })

/** An engine that has told its parameters, which it does once, behind the first statement of all. */
const openEngine = async (): Promise<OpenDatabase> => {
  const opened = await openPglite({ dataDir: undefined, onFatal: () => {} })
  const hub = new SessionMultiplexer(opened.engine, { idleInTransactionMs: 5_000, onFatal: () => {} })
  expect(await (await open(hub)).ask("delete from pg_enum where false")).toContain("S:TimeZone")
  return opened
}

beforeAll(async () => {
  database = await openEngine()
})
afterAll(() => database.close())

beforeEach(async () => {
  await database.engine.exec(
    "rollback; deallocate all; drop table if exists t; create table t (i int); insert into t values (1)"
  )
})

const open = (hub: SessionMultiplexer) => RawClient.open(hub.connect())

/** What the session has prepared under the hub's names. */
const listPrepared = async () => {
  const { rows } = await database.engine.query<{ name: string; statement: string; uses: number }>(
    `select name, statement, (generic_plans + custom_plans)::int as uses from pg_prepared_statements
    where name like 'sov\\_%' order by statement`
  )
  return rows
}

test("a statement of several clients is prepared once, and each is answered as without that", async () => {
  const hub = makeHub({})
  const [a, b, plain] = [await open(hub), await open(hub), await open(makeHub(noStatements))]
  const send = (client: RawClient, value: string) => client.ask(statement("select i + $1::int as n from t", value))
  const expected = await send(plain, "1")
  expect(expected).toMatch(/^1:\|2:\|T: n .*\|D: .*2\|C:SELECT 1 \|Z:I$/)
  expect([await send(a, "1"), await send(a, "1"), await send(b, "1")]).toEqual([expected, expected, expected])
  expect(await send(b, "41")).toContain("42")
  expect(await listPrepared()).toEqual([{
    name: expect.any(String),
    statement: "select i + $1::int as n from t",
    uses: 4
  }])
})

test("in whatever pieces a statement arrives, it is the one that is prepared", async () => {
  const client = await open(makeHub({}))
  const bytes = statement("select i from t where i = $1::int", "1")
  for (let at = 1; at < bytes.length; at += 7) {
    const answer = client.ask(bytes.subarray(0, at))
    await new Promise(setImmediate)
    client.wire.write(bytes.subarray(at))
    expect(await answer).toContain("SELECT 1")
  }
  expect(await listPrepared()).toHaveLength(1)
})

test("the session keeps the last used statements prepared, up to its limit", async () => {
  const client = await open(makeHub({ maxStatements: 3 }))
  for (const n of [1, 2, 3, 1, 4, 5]) await client.ask(statement(`select ${n} from t`))
  expect((await listPrepared()).map(({ statement }) => statement)).toEqual([
    "select 1 from t",
    "select 4 from t",
    "select 5 from t"
  ])
})

test.each([
  ["an old one", { maxAgeMs: -1 }],
  ["one that took long", { slowCpuMs: -1 }]
])("%s is planned again, under another name", async (_name, limits) => {
  const client = await open(makeHub(limits))
  for (let i = 0; i < 8; i++) expect(await client.ask(statement("select i from t"))).toContain("SELECT 1")
  expect(await listPrepared()).toEqual([{ name: expect.stringMatching(/_8$/), statement: "select i from t", uses: 1 }])
})

test("after a change of the schema nothing is left, and nothing is kept until its transaction has ended", async () => {
  const client = await open(makeHub({}))
  const read = () => client.ask(statement("select * from t"))
  const number = await read()
  expect(await read()).toBe(number)
  await client.ask("alter table t alter column i type text using i || 'x'")
  const text = await read()
  expect(text).toContain("D: 1x|C:SELECT 1")
  expect(await listPrepared()).toHaveLength(1)
  await client.ask("begin")
  await client.ask("alter table t add column more int")
  const [before] = await listPrepared()
  expect(await read()).toContain("more")
  expect(await listPrepared()).toEqual([before])
  await client.ask("rollback")
  expect(await read()).toBe(text)
  expect((await listPrepared()).map(({ name }) => name)).not.toContain(before?.name)
})

test("one whose plan no longer fits fails once", async () => {
  const client = await open(makeHub({}))
  const read = () => client.ask(statement("select * from t"))
  await read()
  // Not seen by the hub
  await database.engine.exec("alter table t add column more int")
  expect(await read()).toContain("0A000")
  expect(await read()).toContain("more")
})

test("a failed statement is answered as one, in a transaction too, and works with other values", async () => {
  const answersOf = async (hub: SessionMultiplexer) => {
    const client = await open(hub)
    const answers: Array<string> = []
    for (
      const sent of [
        "1",
        "0",
        "1",
        "begin",
        "x",
        "1",
        "rollback",
        "1",
        "begin",
        "1",
        "rollback to s",
        "1",
        "rollback",
        "1"
      ]
    ) {
      const isValue = sent.length === 1
      answers.push(await client.ask(isValue ? statement("select 1 / $1::int as n", sent) : query(sent)))
    }
    return answers
  }
  const answers = await answersOf(makeHub({}))
  expect(answers.map((answer) => /E:SERROR VERROR C(\w+)/.exec(answer)?.[1])).toEqual(
    [
      undefined,
      "22012",
      undefined,
      undefined,
      "22P02",
      "25P02",
      undefined,
      undefined,
      undefined,
      undefined,
      "3B001",
      "25P02",
      undefined,
      undefined
    ]
  )
  expect(answers).toEqual(await answersOf(makeHub(noStatements)))
})

describe("left as they are", () => {
  const select = "select i from t"
  const unnamed = extended(select)
  const named = extended(select, [], { statement: "mine" })
  const portal = extended(select, [], { portal: "p" })
  test.each([
    ["a statement that its client names", Object.values(named)],
    ["a portal that its client names", Object.values(portal)],
    ["a statement that is not run", [unnamed.parse, unnamed.sync]],
    ["two statements before one Sync", [...Object.values(unnamed).slice(0, 4), ...Object.values(unnamed)]],
    ["commands that have no plan", [statement("lock table t")]],
    ["simple queries", [query(select)]]
  ])("%s", async (_name, messages) => {
    const [client, plain] = [await open(makeHub({})), await open(makeHub(noStatements))]
    const answer = await client.ask(Buffer.concat(messages))
    expect(await listPrepared()).toEqual([])
    await database.engine.exec("deallocate all")
    expect(answer).toBe(await plain.ask(Buffer.concat(messages)))
  })
})

test("whatever clients send in whatever order, each is answered as without prepared statements", async () => {
  const other = await openEngine()
  onTestFinished(() => other.close())
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...steps), fc.nat(1), fc.boolean()), { maxLength: 40 }),
      async (sent) => {
        const answers = []
        for (
          const [engine, statementLimits] of [[database.engine, { maxStatements: 3 }], [
            other.engine,
            noStatements
          ]] as const
        ) {
          await engine.exec("rollback; drop table if exists t; create table t (i int unique)")
          const hub = new SessionMultiplexer(engine, { idleInTransactionMs: 5_000, onFatal: () => {}, statementLimits })
          const clients = [await open(hub), await open(hub)]
          const own: Array<string> = []
          // One transaction at a time: the others would wait for its end
          let inTransaction: number | undefined
          for (const [sql, who, simple] of sent) {
            const client = inTransaction ?? who
            const answer = await clients[client]!.ask(simple ? query(sql) : statement(sql))
            inTransaction = answer.endsWith("Z:I") ? undefined : client
            own.push(answer)
          }
          for (const client of clients) client.wire.destroy()
          answers.push(own)
        }
        expect(answers[0]).toEqual(answers[1])
      }
    ),
    { numRuns: 40 }
  )
}, 60_000)

const steps = [
  "begin",
  "commit",
  "rollback",
  "select max(i) as i, count(*)::text as n from t",
  "with n as (select count(*)::int + 1 as n from t) insert into t select n from n returning i::text || '!' as i",
  "insert into t values (1)",
  "update t set i = i",
  "delete from t where i::text > '1'",
  "select 1 / 0",
  "alter table t alter column i type text",
  "alter table t alter column i type int using i::int",
  "savepoint s",
  "rollback to s",
  ""
]
