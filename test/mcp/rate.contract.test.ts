/** The rate limit of the MCP server, shared by two servers of one database. */
import { setOrganizationLimits } from "@sov/core"
import { layerServer, layerStores } from "@sov/core/postgres"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { tenant } from "../support/apiServer.ts"
import { postgresUrl } from "../support/homes.ts"
import { message, openMcp, post, type TestMcp } from "../support/mcpServer.ts"
import { freshDatabase } from "../support/storage.ts"

describe.skipIf(postgresUrl === null)("60 requests a minute for each key", () => {
  const scope = Scope.makeUnsafe()
  let one: TestMcp
  let two: TestMcp
  let storage: () => Parameters<typeof openMcp>[0]
  beforeAll(async () => {
    const { url } = await Effect.runPromise(Scope.provide(freshDatabase, scope))
    storage = () =>
      layerStores.pipe(
        Layer.provideMerge(layerServer({ url: Redacted.make(url) })),
        Layer.provideMerge(SecureRandom.layerWebCrypto)
      )
    one = await openMcp(storage(), { rate: 60 })
    two = await openMcp(storage(), { rate: 60 })
  })
  afterAll(async () => {
    await Promise.all([one?.close(), two?.close()])
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
  const list = () => message("tools/list")
  const ask = (server: TestMcp, key: string, body: unknown = list().body) =>
    server.ask("/api/mcp", post(key, body, list().headers))
  /** Moves the log of every key into the past, as if this time had passed. */
  const pass = (seconds: number) =>
    one.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql`update request_log set times = array(select t - ${seconds}::int * interval '1 second' from unnest(times) t)`)
    )

  it("exactly 60 of 61 requests to both servers are accepted, and REST and other keys are not affected", async () => {
    const { key } = await one.run(tenant())
    const other = await one.run(tenant())
    const answers = await Promise.all(Array.from({ length: 61 }, (_, n) => ask(n % 2 === 0 ? one : two, key)))
    const refused = answers.filter(({ status }) => status === 429)
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([60, 1])
    const left = answers.map(({ headers }) => Number(/r=(\d+)/.exec(headers["ratelimit"]!)![1])).sort((a, b) => b - a)
    expect(left).toEqual([...Array.from({ length: 60 }, (_, n) => 59 - n), 0])
    const [{ headers, json }] = refused as [typeof refused[number]]
    expect(Number(headers["retry-after"])).toBeGreaterThan(50)
    expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60)
    expect(json).toMatchObject({
      id: expect.any(Number),
      error: { message: expect.stringMatching(/60 requests a minute/) }
    })
    expect((await one.ask("/api/v1/scans", { key })).status).toBe(200)
    expect((await ask(one, other.key)).status).toBe(200)
    // The notification of a handshake and an empty body are neither counted nor refused
    expect((await ask(one, key, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202)
    expect((await ask(one, key, "{")).status).toBe(400)
    expect((await ask(one, key)).status).toBe(429)
  })

  it("a request is counted once, even if this process reads the count late", async () => {
    const { key } = await one.run(tenant())
    await ask(one, key)
    const query = (text: string) => two.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text)))
    const waits = async (event: string) => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event ${event}`
      while ((await query(waiting)).length === 0);
    }
    // The row stays locked for a second, in which the request is sent; this process is busy when the request is counted
    const holding = query(`
      with held as materialized (select from request_log for update)
      select pg_sleep(1) from (select count(*) from held) locked
    `)
    await waits("= 'PgSleep'")
    const counted = ask(one, key)
    await waits("in ('transactionid', 'tuple')")
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    expect((await counted).headers["ratelimit"]).toContain("r=58;")
    expect((await ask(two, key)).headers["ratelimit"]).toContain("r=57;")
    await holding
  })

  it("the limit applies to the last 60 seconds, not to calendar minutes", async () => {
    const { key } = await one.run(tenant())
    const sixty = await Promise.all(Array.from({ length: 60 }, () => ask(two, key)))
    expect(new Set(sixty.map(({ status }) => status))).toEqual(new Set([200]))
    await pass(50)
    const refused = await ask(one, key)
    expect([refused.status, Number(refused.headers["retry-after"]) <= 10]).toEqual([429, true])
    await pass(11)
    const again = await Promise.all(Array.from({ length: 61 }, () => ask(two, key)))
    expect(again.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...sixty.map(() => 200), 429])
  })

  it("a batch is counted completely or not at all", async () => {
    const { key } = await one.run(tenant())
    const batch = (requests: number) => [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      ...Array.from({ length: requests }, (_, n) => ({ ...list().body, id: n }))
    ]
    expect((await ask(one, key, batch(19))).headers["ratelimit"]).toContain("r=41;")
    await Promise.all([ask(one, key, batch(19)), ask(two, key, batch(19))])
    const refused = await ask(one, key, batch(4))
    expect([refused.status, (refused.json as { id: unknown }).id]).toEqual([429, null])
    expect((await ask(one, key, batch(3))).status).toBe(200)
    expect((await ask(two, key)).status).toBe(429)
    // A batch that is larger than the limit is not told to try again
    const slow = await openMcp(storage(), { rate: 3, settings: { allowedHosts: ["*"] } })
    const { key: other } = await one.run(tenant())
    const never = await ask(slow, other, batch(4))
    expect([never.status, never.text, never.headers["retry-after"]]).toEqual([
      400,
      expect.stringContaining("at most 3 requests"),
      undefined
    ])
    expect((await ask(slow, other, batch(3))).status).toBe(200)
    // The same for a batch that is larger than the organization's limit
    const limited = await one.run(tenant())
    await one.run(setOrganizationLimits(limited.organizationId, { requestRate: 2 }))
    const tooMany = await ask(one, limited.key, batch(3))
    expect([tooMany.status, tooMany.text, tooMany.headers["retry-after"]]).toEqual([
      400,
      expect.stringContaining("at most 2 requests"),
      undefined
    ])
    expect((await ask(one, limited.key, batch(2))).status).toBe(200)
    expect((await ask(two, limited.key)).status).toBe(429)
    // A server that accepts all host names allows a page only on the host that it came from
    const from = (origin: string) =>
      slow.ask("/api/mcp", post(other, list().body, { ...list().headers, host: "app.example:8080", origin }))
    expect((await from("http://app.example:8080")).status).toBe(429)
    expect((await from("http://evil.example")).status).toBe(403)
    await slow.close()
  })
})
