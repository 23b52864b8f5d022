/** Access to the MCP server, over a real socket. */
import { createApiKey, type OrganizationId, revokeApiKey, setPlan, tagKeywords } from "@sov/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, tenant } from "../support/apiServer.ts"
import { oneHome } from "../support/homes.ts"
import { message, openMcp, post, revisions, type TestMcp, toolNames, visibleTenant } from "../support/mcpServer.ts"

type Tenant = Effect.Success<ReturnType<typeof tenant>>
type Visible = Effect.Success<ReturnType<typeof visibleTenant>>

const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "0" } }
const asks = [
  ["initialize", initialize],
  ["tools/list", {}],
  ["tools/call", { name: "get_visibility_summary", arguments: {} }]
] as const

/** Asserts that a refusal is a JSON-RPC error and reveals nothing internal. */
const expectRefused = (answer: Answer, status: number, about: RegExp) => {
  expect([answer.status, answer.headers["content-type"]], answer.text).toEqual([status, "application/json"])
  expect(answer.json).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: { code: expect.any(Number), message: expect.stringMatching(about) }
  })
  expect(answer.text).not.toMatch(/sov_live_|select |\.ts:/)
}

describe("access", () => {
  let mcp: TestMcp
  let pro: Visible
  let other: Visible
  beforeAll(async () => {
    mcp = await openMcp(oneHome[0]!)
    await mcp.run(Effect.gen(function*() {
      pro = yield* visibleTenant()
      other = yield* visibleTenant()
    }))
  })
  afterAll(() => mcp.close())

  const below = async (plan: "free" | "starter"): Promise<Tenant> => {
    const made = await mcp.run(tenant())
    await mcp.run(setPlan(made.organizationId, plan))
    return made
  }

  describe.each(asks)("%s", (method, params) => {
    const refused: ReadonlyArray<readonly [string, () => Promise<string | undefined>, RegExp, string]> = [
      ["no key", async () => undefined, /missing; an API key is made with `sov key create/, "Bearer realm=\"sov\""],
      ["a bad key", async () => pro.key.replace(/.$/, "!"), /not valid/, ", error=\"invalid_token\""],
      [
        "a revoked key",
        async () => {
          const made = await mcp.run(tenant())
          await mcp.run(revokeApiKey(made.organizationId, made.keyId))
          return made.key
        },
        /not valid/,
        ", error=\"invalid_token\""
      ],
      ["plan free", async () => (await below("free")).key, /plan free .*Pro and above/, ", error=\"invalid_token\""],
      ["plan starter", async () => (await below("starter")).key, /plan starter .*Pro and above/, "invalid_token"]
    ]
    it.each(refused)("a request with %s gets 401", async (_, key, about, challenge) => {
      const answer = await mcp.rpc(await key(), method, params)
      expectRefused(answer, 401, about)
      expect(answer.headers["www-authenticate"]).toContain(challenge)
      expect(answer.headers["www-authenticate"]).not.toContain("resource_metadata")
    })

    it("a request on plan pro is allowed", async () => {
      const answer = await mcp.rpc(pro.key, method, params)
      expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"])
      expect(answer.json).toMatchObject({ jsonrpc: "2.0", id: expect.any(Number), result: expect.any(Object) })
    })
  })

  it.each(asks)("a request of %s with a key that lacks the scope `read` gets 403", async (method, params) => {
    const made = await mcp.run(tenant())
    const { secret } = await mcp.run(createApiKey(made.organizationId, "scans", { scopes: ["scan"] }))
    const answer = await mcp.rpc(secret, method, params)
    expectRefused(answer, 403, /does not have the scope read/)
    expect(answer.headers["www-authenticate"]).toBe(
      "Bearer realm=\"sov\", error=\"insufficient_scope\", scope=\"read\""
    )
    const { secret: reading } = await mcp.run(createApiKey(made.organizationId, "reads", { scopes: ["read"] }))
    expect((await mcp.rpc(reading, method, params)).status).toBe(200)
  })

  it("ids of another organization get the same response as unknown ids", async () => {
    const nobody = "0190a000-0000-7000-8000-000000000000"
    const answers = (id: string) =>
      Promise.all([
        mcp.call(other.key, "get_scan_results", { scan_id: id }),
        mcp.call(other.key, "get_scan_results", { keyword_id: id }),
        mcp.call(other.key, "get_answer_archive", { keyword_id: id }),
        mcp.rpc(other.key, "resources/read", { uri: `sov://scans/${id}` }),
        mcp.rpc(other.key, "resources/read", { uri: `sov://archive/${id}` })
      ])
    const bodies = (all: Awaited<ReturnType<typeof answers>>, id: string) =>
      all.map((one) => JSON.stringify("json" in one ? { ...one.json as object, id: 0 } : one).replaceAll(id, "ID"))
    const missing = await answers(nobody)
    const archive = await mcp.call(pro.key, "get_answer_archive", { limit: 1 })
    const ids = [pro.scans.latest.id, pro.keywords[0]!.id, archive.structuredContent.data[0].id as string]
    for (const id of ids) {
      expect(bodies(await answers(id), id)).toEqual(bodies(missing, nobody))
    }
    expect(missing[0]).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("not found") }] })
    expect(missing[3].json).toMatchObject({ error: { code: -32_602, data: { uri: `sov://scans/${nobody}` } } })
  })

  it("a cursor of another organization is refused", async () => {
    const page = await mcp.call(pro.key, "get_answer_archive", { limit: 1 })
    const cursor = page.structuredContent.meta.next_cursor as string
    const own = await mcp.call(pro.key, "get_answer_archive", { limit: 1, cursor })
    expect(own.structuredContent.data).toHaveLength(1)
    const foreign = await mcp.call(other.key, "get_answer_archive", { limit: 1, cursor })
    expect(foreign).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("without cursor") }] })
  })

  it("the first request after a key was revoked is refused", async () => {
    const made = await mcp.run(tenant())
    for (const [method, params] of asks) expect((await mcp.rpc(made.key, method, params)).status).toBe(200)
    await mcp.run(revokeApiKey(made.organizationId as OrganizationId, made.keyId))
    expectRefused(await mcp.rpc(made.key, ...asks[2]), 401, /not valid/)
  })

  it("all revisions of the protocol are answered at the same address, without sessions", async () => {
    for (const revision of revisions) {
      if (revision !== "2026-07-28") {
        const begun = await mcp.rpc(pro.key, "initialize", { ...initialize, protocolVersion: revision }, revision)
        expect(begun.json).toMatchObject({
          result: { protocolVersion: revision, serverInfo: { name: "sov", version: "1.2.3" } }
        })
        expect(begun.headers["mcp-session-id"]).toBeUndefined()
      } else {
        const found = await mcp.result<object>(pro.key, "server/discover", {}, revision)
        expect(found).toMatchObject({ supportedVersions: expect.arrayContaining([revision]) })
      }
      const { tools } = await mcp.result<{ tools: ReadonlyArray<{ name: string }> }>(
        pro.key,
        "tools/list",
        {},
        revision
      )
      expect(tools.map(({ name }) => name)).toEqual(toolNames)
      const summary = await mcp.call(pro.key, "get_visibility_summary", {}, revision)
      expect(JSON.parse(summary.content[0]!.text!)).toMatchObject({ status: "ok", avg_sov: 33 })
    }
    // An unknown revision is answered with the newest revision that has a handshake
    const unknown = await mcp.rpc(pro.key, "initialize", { ...initialize, protocolVersion: "2099-01-01" })
    expect(unknown.json).toMatchObject({ result: { protocolVersion: "2025-11-25" } })
    const stale = message("tools/list")
    expect((await mcp.ask("/api/mcp", post(pro.key, stale.body, { ...stale.headers, "mcp-session-id": "x" }))).status)
      .toBe(200)
  })

  it("foreign origins, foreign hosts, other methods and malformed bodies are refused", async () => {
    const list = message("tools/list")
    const from = (origin: string) => mcp.ask("/api/mcp", post(pro.key, list.body, { ...list.headers, origin }))
    expectRefused(await from("https://evil.example"), 403, /origin/)
    expectRefused(await from("null"), 403, /origin/)
    expectRefused(await from("http://203.0.113.5"), 403, /origin/)
    expectRefused(await from("chrome-extension://localhost"), 403, /origin/)
    expect((await from("http://localhost:6274")).status).toBe(200)
    const host = await mcp.ask("/api/mcp", post(pro.key, list.body, { ...list.headers, host: "evil.example" }))
    expect(host.status).toBe(421)
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await mcp.ask("/api/mcp", { method, key: pro.key })
      expect([answer.status, answer.headers["allow"]]).toEqual([405, "OPTIONS, POST"])
    }
    const body = (text: string, headers = {}) => mcp.ask("/api/mcp", post(pro.key, text, headers))
    expectRefused(await body("{"), 400, /not JSON/)
    expectRefused(await body("[]"), 400, /1 to 20/)
    expectRefused(await body(JSON.stringify(Array.from({ length: 21 }, () => list.body))), 400, /1 to 20/)
    expect((await body("{\"jsonrpc\":\"2.0\"}")).status).toBe(400)
    expect((await body(JSON.stringify(list.body), { "content-type": "text/plain" })).status).toBe(415)
    expect((await body(`"${"x".repeat(70_000)}"`)).status).toBe(413)
    expectRefused(await body(JSON.stringify(list.body), { "content-encoding": "gzip" }), 415, /Content-Encoding/)
    const plainAccept = await body(JSON.stringify(list.body), { accept: "*/*" })
    expect([plainAccept.status, plainAccept.headers["content-type"]]).toEqual([200, "application/json"])
    const batch = await body(JSON.stringify([list.body, { ...list.body, id: "b" }]))
    expect((batch.json as ReadonlyArray<{ id: unknown }>).map(({ id }) => id)).toEqual([list.body.id, "b"])
    const alone = await body(JSON.stringify([list.body]))
    expect(alone.json).toMatchObject([{ id: list.body.id, result: {} }])
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"]) {
      expect((await mcp.ask(path)).status).toBe(404)
    }
  })

  it("a tag limits keywords and results within the organization, and keywords list their tags", async () => {
    interface Row {
      readonly id: string
      readonly tags: ReadonlyArray<string>
      readonly keyword_id: string
    }
    const [anvil, forge] = pro.keywords.map(({ id }) => id)
    await mcp.run(tagKeywords(pro.organizationId, [anvil!], ["Pricing", "b2b"]))
    await mcp.run(tagKeywords(other.organizationId, other.keywords.map(({ id }) => id), ["pricing", "theirs"]))
    const said = async (name: string, args = {}) => (await mcp.call(pro.key, name, args)).structuredContent
    expect((await said("list_keywords")).keywords.map((row: Row) => [row.id, row.tags])).toEqual([
      [anvil, ["b2b", "Pricing"]],
      [forge, []]
    ])
    const found = async (tag: string) => [
      (await said("list_keywords", { tag })).keywords.map((row: Row) => row.id),
      [...new Set((await said("get_scan_results", { tag })).results.map((row: Row) => row.keyword_id))]
    ]
    expect(await found("PRICING")).toEqual([[anvil], [anvil]])
    expect(await found("unbranded")).toEqual([[anvil, forge], [anvil, forge]])
    expect(await found("theirs")).toEqual([[], []])
    const args = { scan_id: pro.scans.earlier.id, tag: "pricing", limit: 1 }
    const { next_cursor: cursor } = (await said("get_scan_results", args)).meta
    expect((await said("get_scan_results", { ...args, cursor })).results).toMatchObject([{ keyword_id: anvil }])
    const refused = await mcp.call(pro.key, "get_scan_results", { ...args, tag: "b2b", cursor })
    expect([refused.isError, refused.content[0]!.text]).toMatchObject([true, expect.stringMatching(/cursor/)])
  })
})
