/** The operator's operations over a real socket, and who may call which operation of the contract. */
import {
  createApiKey,
  createOperatorKey,
  formatOperatorKey,
  OrganizationStore,
  readAuditLog,
  readOperatorLog,
  revokeOperatorKey,
  wholeHistory
} from "@sov/core"
import { parseTrustedProxies } from "@sov/http"
import * as Contract from "@sov/http/contract"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exactly, expectProblem, json, paths } from "../support/apiAnswers.ts"
import { type Ask, openApi, tenant, type TestApi } from "../support/apiServer.ts"
import { homes } from "../support/homes.ts"
import { readOrganizationRows, uuidsIn } from "../support/organizationRows.ts"
import { unzipped } from "../support/unzipped.ts"

const operations = Object.entries(Contract.makeOpenApiDocument("1").paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, one]) => {
    const { requestBody, tags } = one as unknown as {
      readonly tags: readonly ["v1" | "operator"]
      readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } }
    }
    const example = requestBody?.content["application/json"].example
    return { method: method.toUpperCase(), path, group: tags[0], body: example }
  })
)

const send = (method: "POST" | "PATCH", key: string, body: unknown, headers: Ask["headers"] = {}): Ask => ({
  method,
  key,
  body: JSON.stringify(body),
  headers: { ...json, ...headers }
})

let n = 0
const named = () => ({ name: `Tenant ${++n}` })

describe.each(homes)("the operator's operations on the %s home", (home) => {
  let api: TestApi
  let key: string
  beforeAll(async () => {
    // Each case of the matrix uses another address, because refused keys are counted per address
    api = await openApi(home, { trustedProxies: Result.getOrThrow(parseTrustedProxies("127.0.0.1/32")) })
    key = (await api.run(createOperatorKey("billing"))).secret
  })
  afterAll(() => api.close())

  const create = async (body: object = named(), headers: Ask["headers"] = {}) => {
    const answer = await api.ask("/api/v1/organizations", send("POST", key, body, headers))
    expect(answer.status, answer.text).toBe(201)
    return exactly(Contract.Organization, answer.json)
  }
  const get = async (path: string) => {
    const answer = await api.ask(`/api/v1${path}`, { key })
    expect(answer.status, answer.text).toBe(200)
    return answer
  }

  describe("access by kind of key", () => {
    type Who = "operator" | "tenant" | "foreign" | "none" | "revoked" | "expired" | "unknown"
    const keys: Partial<Record<Who, string>> = {}
    let own: { readonly organizationId: string; readonly slug: string }
    beforeAll(async () => {
      const [mine, theirs] = [await api.run(tenant()), await api.run(tenant())]
      const found = await api.run(Effect.flatMap(OrganizationStore, ({ find }) => find(mine.organizationId)))
      own = { organizationId: mine.organizationId, slug: found!.slug }
      const revoked = await api.run(createOperatorKey("revoked"))
      await api.run(revokeOperatorKey(revoked.key.id))
      const short = await api.run(createOperatorKey("short", new Date(Date.now() + 60_000)))
      await api.run(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`update operator_key set expires_at = now() - interval '1 second' where id = ${short.key.id}`
        )
      )
      Object.assign(keys, {
        operator: key,
        tenant: mine.key,
        foreign: theirs.key,
        revoked: revoked.secret,
        expired: short.secret,
        unknown: `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`
      })
    })

    const opens = { v1: ["tenant", "foreign"], operator: ["operator"] } as const
    const everybody: ReadonlyArray<Who> = ["operator", "tenant", "foreign", "none", "revoked", "expired", "unknown"]
    const cases = operations.flatMap((one) => everybody.map((who) => ({ ...one, who })))

    it("the table of operations contains those of organizations and those of the operator", () => {
      expect(new Set(operations.map(({ group }) => group))).toEqual(new Set(["v1", "operator"]))
      expect(operations.length).toBeGreaterThan(20)
    })

    it.each(cases)(
      "the response to $method $path with a key of kind $who is the expected one",
      async ({ body, group, method, path, who }) => {
        const filled = path.replace("{organization}", own.slug).replace(/\{(key|member)\}/, own.organizationId)
        const rows = api.run(readOrganizationRows(own.organizationId))
        const before = await rows
        const answer = await api.ask(filled, {
          method,
          ...keys[who] === undefined ? {} : { key: keys[who] },
          headers: { ...body === undefined ? {} : json, "x-forwarded-for": `10.0.${n % 256}.${++n >> 8}` },
          ...body === undefined ? {} : { body: JSON.stringify(body) }
        })
        if ((opens[group] as ReadonlyArray<Who>).includes(who)) {
          expect(answer.status, answer.text).toBeLessThan(500)
          expect([401, 403]).not.toContain(answer.status)
          if (who === "foreign") expect([...uuidsIn(answer.json ?? null)]).not.toContain(own.organizationId)
          return
        }
        const problem = expectProblem(answer, 401, who === "none" ? "missing-key" : "invalid-key")
        expect(answer.text).not.toMatch(/sov_(oper|live)_[0-9A-Za-z]{9}/)
        if (group === "operator" && who === "tenant") expect(problem["detail"]).toContain("sov key create --operator")
        if (group === "v1" && who === "operator") expect(problem["detail"]).toContain("a key of the organization")
        expect(await api.run(readOrganizationRows(own.organizationId))).toEqual(before)
      }
    )
  })

  it("one Idempotency-Key creates one organization, however often and quickly it is sent", async () => {
    const body = { plan: "business", brand: { name: `Brand ${++n}` }, keywords: [{ text: "which anvil?" }] }
    const headers = { "idempotency-key": `create ${n}` }
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => api.ask("/api/v1/organizations", send("POST", key, body, headers)))
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const ids = answers.map((answer) => exactly(Contract.Organization, answer.json).id)
    expect(new Set(ids).size).toBe(1)
    expect(answers.filter((one) => one.headers["idempotent-replayed"] === undefined)).toHaveLength(1)
    const other = await api.ask("/api/v1/organizations", send("POST", key, named(), headers))
    expectProblem(other, 422, "idempotency-mismatch")
    expectProblem(
      await api.ask("/api/v1/organizations", send("POST", key, { name: body.brand.name })),
      409,
      "name-taken"
    )
  })

  it("a new organization can be scanned at once, and its limits apply", async () => {
    const made = await create({
      brand: { name: `Forge ${++n}`, domains: ["forge.example"] },
      competitors: [{ name: "Globex" }],
      keywords: [{ text: "which forge?" }],
      limits: { scans_per_month: 1, requests_per_minute: 4, monthly_budget_usd: null }
    })
    expect(made).toMatchObject({ plan: "pro", suspended: null, deletion_due_at: null })
    expect(made.limits).toEqual({ scans_per_month: 1, requests_per_minute: 4, monthly_budget_usd: null })
    const keyOf = async (name: string) => {
      const answer = await api.ask(`/api/v1/organizations/${made.slug}/keys`, send("POST", key, { name }))
      expect(answer.status).toBe(201)
      return exactly(Contract.CreatedApiKey, answer.json).key
    }
    const [one, two] = [await keyOf("one"), await keyOf("two")]
    expect((await api.ask("/api/v1/scans", { method: "POST", key: one })).status).toBe(202)
    expectProblem(await api.ask("/api/v1/scans", { method: "POST", key: two }), 429, "scan-quota-exhausted")
    expect((await api.ask("/api/v1/scans", { key: one })).headers["ratelimit"]).toMatch(/"organization";r=1;t=60$/)
    expect((await api.ask("/api/v1/scans", { key: two })).status).toBe(200)
    const refused = expectProblem(await api.ask("/api/v1/scans", { key: one }), 429, "rate-limited")
    expect(refused["detail"]).toContain("4 requests a minute")
    // The other organizations have no limit of their own
    const free = await api.ask("/api/v1/scans", { key: (await api.run(tenant())).key })
    expect(free.headers["ratelimit"] ?? "").not.toContain("organization")
  })

  it("a suspended organization can read, and is told why it cannot start a scan", async () => {
    const own = await api.run(tenant())
    const path = `/api/v1/organizations/${own.organizationId}`
    const suspended = await api.ask(`${path}/suspend`, send("POST", key, { reason: "unpaid" }))
    expect(exactly(Contract.Organization, suspended.json).suspended?.reason).toBe("unpaid")
    const problem = expectProblem(
      await api.ask("/api/v1/scans", { method: "POST", key: own.key }),
      403,
      "organization-suspended"
    )
    expect(problem).toMatchObject({ reason: "unpaid", detail: expect.stringContaining("unpaid") as string })
    expect((await api.ask("/api/v1/scans", { key: own.key })).status).toBe(200)
    expect((await api.ask("/api/v1/archive", { key: own.key })).status).toBe(200)
    expect((await api.ask(`${path}/resume`, { method: "POST", key })).status).toBe(200)
    expect((await api.ask("/api/v1/scans", { method: "POST", key: own.key })).status).toBe(202)
  })

  it("changes of an organization are recorded in its own log and in the operator's", async () => {
    const { id, slug } = await create()
    const name = `Renamed ${++n}`
    const answer = await api.ask(
      `/api/v1/organizations/${slug}`,
      send("PATCH", key, {
        name,
        plan: "enterprise",
        time_zone: "europe/berlin",
        limits: { requests_per_minute: 60, scans_per_month: 7 }
      })
    )
    expect(exactly(Contract.Organization, answer.json)).toMatchObject({
      slug,
      name,
      plan: "enterprise",
      time_zone: "Europe/Berlin",
      limits: { scans_per_month: 7, requests_per_minute: 60, monthly_budget_usd: null }
    })
    const { entries } = await api.run(readAuditLog(id as never, wholeHistory, {}, { limit: 20 }))
    const acts = [
      "limits.changed",
      "quota.changed",
      "plan.changed",
      "organization.renamed",
      "organization.time_zone_changed",
      "organization.created"
    ]
    expect(entries.map(({ action }) => action)).toEqual(acts)
    expect(new Set(entries.map(({ actor }) => `${actor.kind} ${actor.name}`))).toEqual(new Set(["operator billing"]))
    const log = (await api.run(readOperatorLog({ limit: 50 }))).entries.filter((one) => one.subjectId === id)
    expect(log.map(({ action }) => action)).toEqual(acts)
    const refused = await api.ask(
      `/api/v1/organizations/${slug}`,
      send("PATCH", key, { name: "Lost", time_zone: "Mars/Olympus" })
    )
    expectProblem(refused, 400, "invalid-request")
    expect((await get(`/organizations/${slug}`)).json).toMatchObject({ name, time_zone: "Europe/Berlin" })
    // The log outlives the organization, so it must not contain its name
    expect(JSON.stringify(log)).not.toContain(name)
  })

  it("organizations are listed oldest first, in pages, each exactly once", async () => {
    const made = [await create(), await create(), await create()]
    const found: Array<string> = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? "" : `&cursor=${cursor}`
      const page = exactly(Contract.OrganizationList, (await get(`/organizations?limit=7${query}`)).json)
      expect(page.meta.count).toBe(page.data.length)
      found.push(...page.data.map(({ id }) => id))
      cursor = page.meta.next_cursor
    } while (cursor !== null)
    expect(new Set(found).size).toBe(found.length)
    expect(found.slice(-3)).toEqual(made.map(({ id }) => id))
    expectProblem(await api.ask("/api/v1/organizations?cursor=x", { key }), 400, "invalid-request")
    expectProblem(await api.ask("/api/v1/organizations/there-is-none", { key }), 404, "not-found")
  })

  it("a deletion can be requested, listed and cancelled, as with the command", async () => {
    const { id, slug } = await create()
    const requested = await api.ask(`/api/v1/organizations/${slug}`, { method: "DELETE", key })
    expect(requested.status).toBe(202)
    const { due_at: due } = exactly(Contract.RequestedDeletion, requested.json)
    expect(Date.parse(due) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    const { requests } = exactly(Contract.DeletionList, (await get("/deletions")).json)
    expect(requests.find((one) => one.organization_id === id)).toMatchObject({ requested_by: "billing", due_at: due })
    expect(exactly(Contract.Organization, (await get(`/organizations/${slug}`)).json).deletion_due_at).toBe(due)
    const cancel = () => api.ask(`/api/v1/organizations/${slug}/cancel-deletion`, { method: "POST", key })
    expect((await cancel()).json).toEqual({ organization_id: id, cancelled: true })
    expect((await cancel()).json).toEqual({ organization_id: id, cancelled: false })
  })

  it("keys and members of an organization can be managed, and those of another organization are not found", async () => {
    const [own, other] = [await create(), await create()]
    const at = `/api/v1/organizations/${own.slug}`
    const made = exactly(
      Contract.CreatedApiKey,
      (await api.ask(`${at}/keys`, send("POST", key, { name: "ci", scopes: ["read"] }))).json
    )
    expect((await api.ask("/api/v1/scans", { key: made.key })).status).toBe(200)
    expect((await get(`/organizations/${own.slug}/keys`)).text).not.toContain(made.key)
    const foreign = `/api/v1/organizations/${other.slug}/keys/${made.id}`
    expectProblem(await api.ask(foreign, { method: "DELETE", key }), 404, "not-found")
    expect((await api.ask(`${at}/keys/${made.id}`, { method: "DELETE", key })).status).toBe(200)
    expectProblem(await api.ask("/api/v1/scans", { key: made.key }), 401, "invalid-key")

    const email = `ann${n}@acme.example`
    const invite = (role: string, address = email) =>
      api.ask(`${at}/members`, send("POST", key, { email: address, role }))
    const ann = exactly(Contract.InvitedMember, (await invite("owner")).json)
    expect(ann).toMatchObject({ email, role: "owner", added: true, mailed: false })
    expect(ann.url).toMatch(/^http:\/\/.+\/login\/link\//)
    const ben = exactly(Contract.InvitedMember, (await invite("viewer", `ben${n}@acme.example`)).json)
    expect(exactly(Contract.MemberList, (await get(`/organizations/${own.slug}/members`)).json).data).toHaveLength(2)
    const set = await api.ask(`${at}/members/${ben.id}`, send("PATCH", key, { role: "member" }))
    expect(exactly(Contract.Member, set.json).role).toBe("member")
    const last = await api.ask(`${at}/members/${ann.id}`, { method: "DELETE", key })
    expectProblem(last, 400, "invalid-request")
    expect((await api.ask(`${at}/members/${ben.id}`, { method: "DELETE", key })).status).toBe(200)
    expectProblem(await api.ask(`${at}/members/${ben.id}`, { method: "DELETE", key }), 404, "not-found")
  })

  it("if several roles change at the same time, each request is answered and an owner remains", async () => {
    const { id } = await create()
    const at = `/api/v1/organizations/${id}/members`
    const members: Array<string> = []
    for (let count = 0; count < 4; count++) {
      const invited = await api.ask(at, send("POST", key, { email: `m${count}@${id}.example`, role: "owner" }))
      members.push(exactly(Contract.InvitedMember, invited.json).id)
    }
    const roles = ["owner", "viewer", "member"] as const
    const answers = await Promise.all(Array.from({ length: 40 }, (_, turn) => {
      const [n, role] = [turn % 4, roles[turn % 3]!]
      if (turn % 10 === 7) return api.ask(at, send("POST", key, { email: `m${n}@${id}.example`, role }))
      if (turn % 10 === 9) return api.ask(`${at}/${members[n]}`, { method: "DELETE", key })
      return api.ask(`${at}/${members[n]}`, send("PATCH", key, { role }))
    }))
    for (const { status, text } of answers) expect([200, 201, 400, 404], text).toContain(status)
    const left = exactly(Contract.MemberList, (await get(`/organizations/${id}/members`)).json).data
    expect(left.filter(({ role }) => role === "owner").length).toBeGreaterThan(0)
    for (let n = 0; n < 4; n++) await api.ask(at, send("POST", key, { email: `m${n}@${id}.example`, role: "owner" }))
    await Promise.all(members.map((member) => api.ask(`${at}/${member}`, send("PATCH", key, { role: "owner" }))))
    // All owners are demoted at once; one of them must remain
    const demoted = await Promise.all(
      members.map((member) => api.ask(`${at}/${member}`, send("PATCH", key, { role: "viewer" })))
    )
    expect(demoted.filter(({ status }) => status === 200)).toHaveLength(3)
  })

  it("an invalid body is refused with the field and the reason, and changes nothing", async () => {
    const { slug } = await create()
    const wrong: ReadonlyArray<
      readonly [path: string, method: "POST" | "PATCH", body: unknown, faults: ReadonlyArray<string>]
    > = [
      ["", "POST", {}, ["body.name"]],
      ["", "POST", { name: "x", plan: "gold" }, ["body.plan"]],
      ["", "POST", { name: "", plan: "pro" }, ["body.name"]],
      ["", "POST", { name: "x", keywords: [{ text: "y" }] }, ["body.brand"]],
      ["", "POST", { brand: { name: "x", domains: ["https://x"] } }, ["body.brand.domains.0"]],
      ["", "POST", { name: "x", limits: { requests_per_minute: 0 } }, ["body.limits.requests_per_minute"]],
      ["", "POST", { name: "x", limits: { monthly_budget_usd: -1 } }, ["body.limits.monthly_budget_usd"]],
      [`/${slug}`, "PATCH", { limits: { scans_per_month: 1.5 } }, ["body.limits.scans_per_month"]],
      [`/${slug}/suspend`, "POST", { reason: "x".repeat(501) }, ["body.reason"]],
      [`/${slug}/keys`, "POST", { name: "x", scopes: ["write"] }, ["body.scopes.0"]],
      [`/${slug}/keys`, "POST", { name: "x", expires_at: "2020-01-01T00:00:00Z" }, ["body.expires_at"]],
      [`/${slug}/keys`, "POST", { name: "x", expires_at: "2027-13-01T00:00:00Z" }, ["body.expires_at"]],
      [`/${slug}/members`, "POST", { email: "no address" }, ["body.email"]],
      [`/${slug}/members`, "POST", { email: "a@b.example", role: "king" }, ["body.role"]]
    ]
    for (const [path, method, body, faults] of wrong) {
      const answer = await api.ask(`/api/v1/organizations${path}`, send(method, key, body))
      expect(paths(expectProblem(answer, 400, "invalid-request")), JSON.stringify(body)).toEqual(faults)
    }
    expectProblem(await api.ask("/api/v1/usage?month=2026-13", { key }), 400, "invalid-request")
  })

  it("an operator key that was used from an address before still works after refused keys from it", async () => {
    const headers = { "x-forwarded-for": "10.9.9.9" }
    expect((await api.ask("/api/v1/organizations?limit=1", { key, headers })).status).toBe(200)
    const wrong = Array.from({ length: 70 }, (_, n) => formatOperatorKey(new Uint8Array(32).fill(n + 1)))
    const refused = await Promise.all(wrong.map((one) => api.ask("/api/v1/organizations", { key: one, headers })))
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401, 429]))
    expect((await api.ask("/api/v1/organizations?limit=1", { key, headers })).status).toBe(200)
    // A revoked key is refused from the next request on
    const { key: { id }, secret } = await api.run(createOperatorKey("short-lived"))
    const use = () => api.ask("/api/v1/organizations?limit=1", { key: secret })
    expect((await use()).status).toBe(200)
    await api.run(revokeOperatorKey(id))
    expectProblem(await use(), 401, "invalid-key")
  })

  it("an organization with an impossible name is not found", async () => {
    for (const name of ["%00", "a%00b", "%F0%9F%92%A9", "..%2F..", "%27%20or%201=1"]) {
      expectProblem(await api.ask(`/api/v1/organizations/${name}`, { key }), 404, "not-found")
      expectProblem(await api.ask(`/api/v1/usage?organization=${name}`, { key }), 404, "not-found")
    }
  })

  it("the export of an organization contains the same files as the command's, and is in its audit log", async () => {
    const own = await api.run(tenant())
    await api.run(createApiKey(own.organizationId, "secret"))
    const response = await fetch(`${api.base}/api/v1/organizations/${own.organizationId}/export`, {
      headers: { authorization: `Bearer ${key}` }
    })
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"])
    const files = unzipped(Buffer.from(await response.arrayBuffer()))
    expect([...files.keys()]).toEqual([
      "archive.ndjson",
      "archive.ndjson.context.ndjson",
      "archive.ndjson.manifest.json",
      "records.ndjson",
      "audit.ndjson",
      "export.json"
    ])
    const described = JSON.parse(files.get("export.json")!.toString()) as {
      readonly organization: { readonly id: string }
      readonly files: Record<string, { readonly rows: number; readonly sha256: string }>
    }
    expect(described.organization.id).toBe(own.organizationId)
    for (const [name, { rows, sha256 }] of Object.entries(described.files)) {
      const bytes = files.get(name)!
      expect(bytes.toString().split("\n").length - 1, name).toBe(rows)
      expect(Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex"), name).toBe(sha256)
    }
    expect(described.files["records.ndjson"]!.rows).toBeGreaterThan(3)
    expect(files.get("records.ndjson")!.toString()).not.toContain("\"hash\"")
    const { entries } = await api.run(readAuditLog(own.organizationId, wholeHistory, {}, { limit: 1 }))
    expect(entries[0]).toMatchObject({ action: "archive.exported", actor: { kind: "operator" } })
  })
})
