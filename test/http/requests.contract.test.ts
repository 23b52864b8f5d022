/** Responses of the API to valid and invalid requests, over a real socket on both homes. */
import {
  ApiKeyStore,
  type ArchiveRow,
  ArchiveStore,
  CellStore,
  MeasurementStore,
  OrganizationStore,
  QuotaLedger,
  quotaPeriod,
  revokeApiKey,
  ScanStore,
  ScoreStore,
  setPlan,
  sourceVersion
} from "@sov/core"
import { addScan, answerTo, at, captureOf, measurementOf, scoreOf, seedAnswers } from "@sov/core/testing"
import { ArchivePage, ScanList, StartedScan, Summary } from "@sov/http/contract"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exactly, expectProblem, paths, post, reading } from "../support/apiAnswers.ts"
import { type Answer, askRaw, openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { brandAlone } from "../support/brandAlone.ts"
import { homes } from "../support/homes.ts"
import { shareInterval } from "../support/shareInterval.ts"
import { until } from "../support/sov.ts"

type Tenant = Effect.Success<ReturnType<typeof tenant>>

const firstPage = (answer: Answer) => exactly(ArchivePage, answer.json)

const seen = { surface: null, view: null, surface_line: "API answers, web search on, market not recorded" }

describe.each(homes)("REST on the %s home", (home) => {
  let api: TestApi
  let pro: Tenant
  let other: Tenant
  let rows: ReadonlyArray<ArchiveRow>
  beforeAll(async () => {
    api = await openApi(home)
    await api.run(Effect.gen(function*() {
      pro = yield* tenant()
      other = yield* tenant()
      const made = yield* addScan(pro.organizationId, pro.keywords)
      yield* seedAnswers({ organizationId: pro.organizationId, cells: made.cells })
      yield* (yield* ScoreStore).insert(pro.organizationId, scoreOf(made.scan.id, { avgSov: 33.5 }), at(30))
      yield* (yield* ScanStore).end(pro.organizationId, made.scan.id, "completed", at(31))
      yield* addScan(pro.organizationId, pro.keywords, { startedAt: at(40) })
      rows = yield* (yield* ArchiveStore).page(pro.organizationId, {}, { limit: 9 })
    }))
  })
  afterAll(() => api.close())
  const used = (who: Tenant) =>
    api.run(Effect.flatMap(QuotaLedger, (ledger) => ledger.used(who.organizationId, quotaPeriod(new Date()))))

  it("every page of answers includes sources on request", async () => {
    const plain = firstPage(await api.ask("/api/v1/archive?limit=3", { key: pro.key }))
    expect(plain.data.some((row) => "sources" in row || "leaf_version" in row)).toBe(false)
    const answer = await api.ask("/api/v1/archive?limit=3&include=sources", { key: pro.key })
    const page = firstPage(answer)
    expect(page.data.map(({ id }) => id)).toEqual(plain.data.map(({ id }) => id))
    expect(page.data[0]).toEqual({
      ...plain.data[0],
      leaf_version: 2,
      model: "test-model",
      search: "offered",
      payload_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      source_version: sourceVersion,
      sources_status: "sealed",
      sources_cut: 0,
      sources: captureOf().found.sources.map(({ end, kind, start, title, url }) => ({ kind, url, title, start, end })),
      queries: captureOf().found.queries
    })
    const next = /^<(\?.*)>; rel="next"$/.exec(answer.headers["link"]!)![1]!
    expect(next).toContain("include=sources")
    const second = firstPage(await api.ask(`/api/v1/archive${next}`, { key: pro.key }))
    expect(second.data.every((row) => row.sources?.length === 2)).toBe(true)
    expectProblem(await api.ask("/api/v1/archive?include=all", { key: pro.key }), 400, "invalid-request")
  })

  it("responses have exactly the members that are documented", async () => {
    expect(exactly(Summary, (await api.ask("/api/v1/sov", { key: pro.key })).json)).toEqual({
      scan_id: rows[0]!.scanId,
      completed_at: at(31).toISOString(),
      avg_sov: 34,
      platform_breakdown: { assistant_a: 66.7, assistant_b: 0 },
      asked: { platforms: 2, configured_platforms: 2, keywords: 2, tracked_keywords: 2 },
      n: 3,
      ...shareInterval({ low: 14.3, high: 66.7 }, 5),
      ...brandAlone(33.5, { low: 14.3, high: 66.7 }, pro.keywords, rows[0]!.scanId, at(31)),
      ...seen
    })
    const scans = exactly(ScanList, (await api.ask("/api/v1/scans", { key: pro.key })).json)
    const ends = [["running", null], ["completed", at(31).toISOString()]]
    expect(scans.scans.map(({ completed_at, status }) => [status, completed_at])).toEqual(ends)
    const page = firstPage(await api.ask("/api/v1/archive", { key: pro.key }))
    expect(page.data.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    expect(page.meta).toEqual({
      count: 4,
      next_cursor: null,
      plan_window_applied: false,
      window_start: at(0).toISOString()
    })
    expect(scans.scans[1]).toMatchObject({ n: 3, asked: { keywords: 2 }, interval_95: { low: 14.3 } })
    const tagged = async (tag: string) =>
      firstPage(await api.ask(`/api/v1/archive?tag=${tag}`, { key: pro.key })).data.length
    expect([await tagged("UNBRANDED"), await tagged("branded"), await tagged("no+such")]).toEqual([4, 0, 0])
    const unknown = await api.ask("/api/v1/scans", { ...post(other.key), body: JSON.stringify({ tags: ["no such"] }) })
    expect(expectProblem(unknown, 422, "unknown-keyword")["detail"]).toBe("No active keyword has the tag \"no such\"")
    const started = await api.ask("/api/v1/scans", post(other.key))
    expect(started.status).toBe(202)
    expect(exactly(StartedScan, started.json)).toMatchObject({ status: "running", estimated_seconds: 2 })
    expect(await used(other)).toBe(1)
  })

  it("a missing, malformed, revoked or repeated key is refused before any other check", async () => {
    for (const path of reading) {
      expect(expectProblem(await api.ask(path), 401, "missing-key")["instance"]).toMatch(/^urn:uuid:/)
      for (const authorization of [`Basic ${Buffer.from("a:b").toString("base64")}`, "Bearer", "Bearer "]) {
        expectProblem(await api.ask(path, { headers: { authorization } }), 401, "missing-key")
      }
    }
    expect((await api.ask(`/api/v1/sov?api_key=${pro.key}`)).headers["www-authenticate"]).toBe("Bearer realm=\"sov\"")
    const wrong = pro.key.slice(0, 20) + (pro.key[20] === "A" ? "B" : "A") + pro.key.slice(21)
    const refused = await api.ask("/api/v1/sov", { key: wrong })
    expectProblem(refused, 401, "invalid-key")
    expect(refused.headers["www-authenticate"]).toBe("Bearer realm=\"sov\", error=\"invalid_token\"")
    const twice = await askRaw(api.port, [
      `GET /api/v1/sov HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${pro.key}\r\nAuthorization: Bearer ${pro.key}\r\nConnection: close\r\n\r\n`
    ])
    expect([twice.status, (twice.json as { errors: unknown }).errors]).toEqual([
      400,
      [{ path: ["header", "authorization"], message: "must be given once" }]
    ])
    expectProblem(await api.ask("/api/v1/scans?limit=x", post("sov_live_bad", "{bad")), 401, "invalid-key")
  })

  it("revoking a key and lowering a plan take effect from the next request on", async () => {
    const own = await api.run(tenant())
    const status = async () => (await api.ask("/api/v1/scans", { key: own.key })).status
    expect([await status(), await status()]).toEqual([200, 200])
    await api.run(setPlan(own.organizationId, "starter"))
    expectProblem(await api.ask("/api/v1/sov", { key: own.key }), 403, "plan-required")
    expectProblem(await api.ask("/api/v1/scans", post(own.key)), 403, "plan-required")
    await api.run(setPlan(own.organizationId, "business"))
    expect(await status()).toBe(200)
    await api.run(revokeApiKey(own.organizationId, own.keyId))
    expectProblem(await api.ask("/api/v1/scans", { key: own.key }), 401, "invalid-key")
  })

  it("the last use of a key is stored at intervals", async () => {
    const own = await api.run(tenant())
    const lastUse = async () =>
      (await api.run(Effect.flatMap(ApiKeyStore, (store) => store.list(own.organizationId))))[0]!.lastUsedAt
    expect(await lastUse()).toBeNull()
    const begun = Date.now()
    for (let n = 0; n < 5; n++) await api.ask("/api/v1/scans", { key: own.key })
    // The last use is stored in the background; the response does not wait for it
    await until(async () => await lastUse() !== null, 60_000, "the note of the use")
    expect((await lastUse())!.getTime()).toBeGreaterThanOrEqual(begun)
  })

  it("exactly the documented methods and paths are accepted", async () => {
    for (
      const [path, allow] of [
        ["/api/v1/archive", "GET, HEAD, OPTIONS"],
        ["/api/v1/scans", "GET, HEAD, OPTIONS, POST"],
        ["/healthz", "GET, HEAD, OPTIONS"]
      ] as const
    ) {
      for (const method of ["DELETE", "TRACE", "PROPFIND", "PATCH"]) {
        const answer = await api.ask(path, { method })
        expectProblem(answer, 405, "method-not-allowed")
        expect(answer.headers["allow"]).toBe(allow)
      }
      const options = await api.ask(path, { method: "OPTIONS", headers: { origin: "https://evil.example" } })
      expect([options.status, options.headers["allow"], options.text]).toEqual([204, allow, ""])
      expect(options.headers["access-control-allow-origin"]).toBeUndefined()
    }
    for (const path of reading) {
      const [get, head] = [await api.ask(path, { key: pro.key }), await api.ask(path, { key: pro.key, method: "HEAD" })]
      expect([head.status, head.text]).toEqual([200, ""])
      for (const name of ["content-length", "content-type", "etag"]) expect(head.headers[name]).toBe(get.headers[name])
    }
    for (
      const path of [
        "/api/v1/nope",
        "/api/v2/sov",
        "/api/v1/%ff",
        "/API/v1/sov",
        "/api/v1/SOV",
        "/api/v1/sov/",
        "//api/v1/sov",
        "/api//v1/sov",
        "/api/v1/sov;x=1",
        "/api/v1/s%6Fv",
        "/api/v1/%73cans",
        "/%2561pi/v1/sov",
        "/api/v1/../v1/sov",
        "/"
      ]
    ) {
      const [, method = "GET"] = path.split(" ")
      expectProblem(await api.ask(path, { key: pro.key, method }), 404, "not-found")
    }
  })

  it("parameters are parsed strictly, and all invalid ones are reported", async () => {
    const limits = ["0", "-1", "1e1", "0x10", "%2010", "10.0", "", "abc", "1".padEnd(31, "0"), "05", "5&limit=6"]
    for (const [path, over] of [["/api/v1/scans", "51"], ["/api/v1/archive", "101"]] as const) {
      for (const limit of [...limits, over]) {
        const problem = expectProblem(await api.ask(`${path}?limit=${limit}`, { key: pro.key }), 400, "invalid-request")
        expect(paths(problem), limit).toEqual(["query.limit"])
      }
    }
    const date = [
      "2026-02-30",
      "2026-13-01",
      "yesterday",
      "2026",
      "Nov%2021%202026",
      "2026-01-01T24:00:00Z",
      "2026-01-01T00:00:00"
    ]
    const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ...["assistant_z", "ASSISTANT_A", "%00", "", "assistant_a&platform=assistant_b"].map((one) =>
        [`platform=${one}`, ["platform"]] as const
      ),
      ...["1", "", "not-a-uuid", `${pro.keywords[0]!.id}x`].map((one) =>
        [`keyword_id=${one}`, ["keyword_id"]] as const
      ),
      ...date.map((one) => [`from=${one}&to=${one}`, ["from", "to"]] as const),
      ["from=2026-02-02&to=2026-02-01", ["from"]],
      ["limit=0&platform=x&from=x", ["platform", "from", "limit"]]
    ]
    for (const [query, wrong] of cases) {
      const problem = expectProblem(await api.ask(`/api/v1/archive?${query}`, { key: pro.key }), 400, "invalid-request")
      expect(paths(problem).toSorted(), query).toEqual(wrong.map((name) => `query.${name}`).toSorted())
    }
    expect((await api.ask("/api/v1/sov?limit=x&unknown=1", { key: pro.key, headers: { accept: "text/html" } })).status)
      .toBe(200)
  })

  it("filters apply, and data of other organizations is never returned", async () => {
    const page = async (query: string, who = pro) =>
      firstPage(await api.ask(`/api/v1/archive?${query}`, { key: who.key }))
    const ids = ({ data }: ReturnType<typeof firstPage>) => data.map(({ id }) => id)
    expect((await page(`keyword_id=${pro.keywords[0]!.id}`, other)).data).toEqual([])
    expect((await page("", other)).data).toEqual([])
    const upper = pro.keywords[0]!.id.toUpperCase()
    expect(ids(await page(`keyword_id=${upper}&platform=assistant_b`))).toEqual(
      rows.filter((row) => row.keywordId === pro.keywords[0]!.id && row.platform === "assistant_b").map(({ id }) => id)
    )
    // The rows are from 2026-02-01T00:00:18.123Z and later; this adds one in the last millisecond of a day
    const late = await api.run(Effect.gen(function*() {
      const { cells: [cell] } = yield* addScan(pro.organizationId, pro.keywords)
      const answer = yield* answerTo(cell!, { createdAt: new Date("2026-03-31T23:59:59.999Z") })
      yield* (yield* ArchiveStore).archive(pro.organizationId, answer, measurementOf(answer))
      return answer
    }))
    expect(ids(await page("from=2026-03-31&to=2026-03-31"))).toEqual([late.id])
    expect(ids(await page("from=2026-04-01T01:59:59.999%2B02:00"))).toEqual([late.id])
    expect(ids(await page("from=2026-04-01"))).toEqual([])
    expect((await page("from=2026-03-31")).meta.window_start).toBe("2026-03-31T00:00:00.000Z")
  })

  it("a cursor works only for the organization and filters that it was issued for", async () => {
    const first = await api.ask("/api/v1/archive?limit=1", { key: pro.key })
    const cursor = firstPage(first).meta.next_cursor!
    expect(first.headers["link"]).toBe(`<?limit=1&cursor=${cursor}>; rel="next"`)
    const next = firstPage(await api.ask(`/api/v1/archive?limit=1&cursor=${cursor}`, { key: pro.key }))
    expect(next.data[0]!.id).not.toBe(firstPage(first).data[0]!.id)
    const flipped = cursor.slice(0, 12) + (cursor[12] === "A" ? "B" : "A") + cursor.slice(13)
    for (
      const [query, who] of [
        ["cursor=garbage", pro],
        ["cursor=", pro],
        [`cursor=${flipped}`, pro],
        [`cursor=${cursor}`, other],
        [`cursor=${cursor}&platform=assistant_a`, pro],
        [`cursor=${cursor}&to=2026-03-01`, pro],
        [`cursor=${"A".repeat(9000)}`, pro]
      ] as const
    ) {
      const problem = expectProblem(await api.ask(`/api/v1/archive?${query}`, { key: who.key }), 400, "invalid-request")
      expect(paths(problem)).toEqual(["query.cursor"])
    }
  })

  it("while rows are added, paging returns each of 1,000 earlier rows exactly once", async () => {
    const own = await api.run(tenant())
    const { cells: [cell] } = await api.run(addScan(own.organizationId, own.keywords))
    const first = await api.run(Effect.gen(function*() {
      const answer = yield* answerTo(cell!, { createdAt: at(100) })
      yield* (yield* ArchiveStore).append(own.organizationId, answer)
      return answer.id
    }))
    let samples = 1
    /** Adds copies of the first row at `seconds`, with random ids. */
    const add = (count: number, seconds: number) =>
      api.run(Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const numbers = sql`generate_series(${samples + 1}::int, ${samples + count}::int) n`
        samples += count
        const id = sql`md5(${own.organizationId} || n)::uuid`
        yield* sql`insert into cell select (jsonb_populate_record(cell, jsonb_build_object('id', ${id}, 'sample', n))).*
          from cell, ${numbers} where id = ${cell!.id}::uuid`
        const rows = yield* sql<{ readonly id: string }>`
          insert into answer select (jsonb_populate_record(answer, jsonb_build_object(
            'id', ${id}, 'cell_id', ${id}, 'sample', n, 'created_at', ${at(seconds)}::timestamptz))).*
          from answer, ${numbers} where id = ${first}::uuid returning id`
        return rows.map(({ id: added }) => added)
      }))
    const before = [first, ...await add(899, 100), ...await add(100, 101)]
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.integer({ min: 1, max: 100 })),
        fc.array(fc.constantFrom(99, 100, 101, 102), { maxLength: 8 }),
        async (sizes, added) => {
          const earlier = [...before]
          const seen: Array<string> = []
          for (let cursor: string | null = ""; cursor !== null;) {
            const more: string = cursor === "" ? "" : `&cursor=${cursor}`
            const limit: number = sizes.next().value
            const page = firstPage(await api.ask(`/api/v1/archive?limit=${limit}${more}`, { key: own.key }))
            seen.push(...page.data.map(({ id }) => id))
            cursor = page.meta.next_cursor
            const time = added.pop()
            if (time !== undefined) before.push(...await add(3, time))
          }
          expect(new Set(seen).size).toBe(seen.length)
          const found = new Set(seen)
          expect(earlier.filter((id) => !found.has(id))).toEqual([])
        }
      ),
      { numRuns: 4 }
    )
  })

  it("the score is 404 before the first completed scan, and 304 if its ETag matches for the same organization", async () => {
    expectProblem(await api.ask("/api/v1/sov", { key: (await api.run(tenant())).key }), 404, "no-completed-scan")
    const first = await api.ask("/api/v1/sov", { key: pro.key })
    const etag = first.headers["etag"]!
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    for (const tags of [etag, `"x", W/${etag}`, "*"]) {
      const again = await api.ask("/api/v1/sov", { key: pro.key, headers: { "if-none-match": tags } })
      expect([again.status, again.text, again.headers["etag"], again.headers["vary"]]).toEqual([
        304,
        "",
        etag,
        "Authorization"
      ])
    }
    const [one, two] = [await api.run(tenant()), await api.run(tenant())]
    const empty = await api.ask("/api/v1/scans", { key: one.key })
    const theirs = await api.ask("/api/v1/scans", {
      key: two.key,
      headers: { "if-none-match": empty.headers["etag"]! }
    })
    expect([theirs.status, theirs.text]).toEqual([200, empty.text])
  })

  it("each page of the archive has its own ETag, which changes with a new measurement", async () => {
    const own = await api.run(tenant())
    const [answer] = await api.run(Effect.gen(function*() {
      const { cells } = yield* addScan(own.organizationId, own.keywords)
      return yield* seedAnswers({ organizationId: own.organizationId, cells })
    }))
    const read = (query: string, etag = "") =>
      api.ask(`/api/v1/archive${query}`, { key: own.key, headers: { "if-none-match": etag } })
    const queries = ["", "?limit=2", "?limit=1", "?include=sources"]
    const tags = await Promise.all(queries.map(async (query) => (await read(query)).headers["etag"]!))
    expect(new Set(tags).size).toBe(queries.length)
    expect((await read("", tags[0])).status).toBe(304)
    const measure = (measureVersion: number, sentiment: "neutral" | "negative") =>
      api.run(
        Effect.flatMap(MeasurementStore, ({ insert }) =>
          insert(own.organizationId, [measurementOf(answer!, { measureVersion, mentionCount: 7, sentiment })]))
      )
    await measure(9, "neutral")
    const again = await read("", tags[0])
    expect([again.status, firstPage(again).data.find(({ id }) => id === answer!.id)?.mention_count]).toEqual([200, 7])
    await measure(10, "negative")
    expect((await read("", again.headers["etag"])).status).toBe(200)
  })

  it("every response has a request id, and headers for browsers and caches", async () => {
    const answer = await api.ask("/api/v1/sov", {
      key: pro.key,
      headers: { "x-request-id": "mine_1", origin: "https://evil.example" }
    })
    expect(answer.headers).toMatchObject({
      "x-request-id": expect.stringMatching(
        /^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
      ),
      "x-client-request-id": "mine_1",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "private, no-cache",
      vary: "Authorization"
    })
    for (const name of ["server", "x-powered-by", "access-control-allow-origin", "strict-transport-security"]) {
      expect(answer.headers[name]).toBeUndefined()
    }
    const { headers: odd } = await api.ask("/api/v1/sov", { headers: { "x-request-id": "<b>" } })
    expect([odd["x-client-request-id"], odd["cache-control"]]).toEqual([undefined, "private, no-store"])
  })

  it("the server reports liveness and readiness", async () => {
    expect((await api.ask("/healthz")).json).toEqual({ status: "ok" })
    expect((await api.ask("/readyz")).json).toEqual({ status: "ready" })
    await api.run(Effect.gen(function*() {
      // The suite left no incomplete scan: each has all of its cells
      const [organization] = yield* (yield* OrganizationStore).list
      const scans = yield* (yield* ScanStore).list(organization!.id, { limit: 50 })
      for (const scan of scans) {
        expect((yield* (yield* CellStore).counts(organization!.id, scan.id)).length).toBeGreaterThan(0)
      }
    }))
  })
})
