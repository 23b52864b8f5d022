/**
 * API access over HTTP: a key is shown once and works, a form creates one key, and plans below Pro cannot create keys.
 */
import {
  listApiKeys,
  makeFormId,
  mcpClients,
  type OrganizationId,
  type PlanId,
  readAuditLog,
  setPlan,
  wholeHistory
} from "@sov/core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { tenant } from "../../support/apiServer.ts"
import { formBody, type FormValues, freshForm } from "../../support/dashboardForms.ts"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: string
let owner: Awaited<ReturnType<TestDashboard["signIn"]>>

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
beforeEach(async () => {
  ;({ organizationId } = await server.run(tenant({ plan: "pro" })))
  home = await server.run(pathOf(organizationId))
  owner = await server.signIn(organizationId, "owner")
})
afterAll(() => server.close())

const page = () => `${home}/settings/api`
const keys = () => server.run(listApiKeys(organizationId))
const secretIn = (text: string) => /<code id="key">(sov_live_\w+)<\/code>/.exec(text)?.[1]
const changePlan = (plan: PlanId) => server.run(setPlan(organizationId, plan))
const post = (path: string, values: FormValues, headers: Readonly<Record<string, string>> = {}) =>
  owner.ask(path, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      ...headers
    },
    body: formBody(values)
  })
const create = async (values: FormValues = {}, headers: Readonly<Record<string, string>> = {}) =>
  post(page(), await freshForm(server, { name: "ci", scope: ["read", "scan"], expires: "", ...values }), headers)
const zipped = { "accept-encoding": "gzip" }

it("in the form for a new key, only the right to read is selected", async () => {
  const { text } = await owner.get(page())
  expect([...text.matchAll(/name="scope" value="(\w+)"( checked)?/g)].map(([, scope, checked]) => [scope, checked]))
    .toEqual([["read", " checked"], ["scan", undefined]])
})

describe("creating a key", () => {
  it("a new key is shown once, uncompressed and uncached, and works at once", async () => {
    const answer = await create({ name: "<b>Reports", scope: "read", expires: "2999-01-31" }, zipped)
    expect([answer.status, answer.headers["content-encoding"], answer.headers["cache-control"]])
      .toEqual([200, undefined, "private, no-store"])
    const secret = secretIn(answer.text)!
    expect((await server.ask("/api/v1/scans", { key: secret })).status).toBe(200)
    expect((await server.ask("/api/v1/scans", { key: secret, method: "POST" })).status).toBe(403)
    const after = await owner.get(page())
    expect(after.text).not.toContain(secret)
    expect(after.text).not.toContain("<b>Reports")
    expect(wordsOf(after.text)).toContain(
      `&lt;b&gt;Reports ${secret.slice(0, 13)}…${secret.slice(-4)} read active until 31 Jan 2999`
    )
    expect(wordsOf(after.text)).toContain("by Ada Example")
    const { entries: [entry] } = await server.run(
      readAuditLog(organizationId, wholeHistory, { action: "key.created" }, { limit: 1 })
    )
    expect(entry!.actor.personId).toBe(owner.person.id)
    expect(JSON.stringify(entry)).not.toContain(secret)
  })

  it("a reload creates no second key, and the page says what to do if the first was not noted", async () => {
    const values = await freshForm(server, { name: "ci", scope: "read", expires: "" })
    expect(secretIn((await post(page(), values)).text)).toBeDefined()
    const before = await keys()
    const again = await post(page(), values)
    expect([again.status, again.headers["location"]]).toEqual([303, `${page()}?done=key-made-before`])
    expect(wordsOf((await owner.get(again.headers["location"]!)).text)).toContain("roll or revoke it")
    expect(await keys()).toEqual(before)
  })

  it.each([
    ["name", { name: " " }],
    ["name", { name: "x".repeat(201) }],
    ["name", { name: "a\u0001b" }],
    ["scope", { scope: [] }],
    ["scope", { scope: ["read", "all"] }],
    ["expires", { expires: "soon" }],
    ["expires", { expires: "2020-01-01" }]
  ])(
    "if %s is %j, the error is beside the field, the form keeps what was typed, and no key is created",
    async (field, values) => {
      const before = await keys()
      const form = await freshForm(server, { name: "<i>ci", scope: ["read"], expires: "2999-01-31", ...values })
      const answer = await post(page(), form)
      expect(answer.status).toBe(422)
      expect(answer.text).toMatch(new RegExp(`id="${field}-fault">[^<]{10,}`))
      if (field !== "name") expect(answer.text).toContain("value=\"&lt;i&gt;ci\"")
      if (field !== "expires") expect(answer.text).toContain("value=\"2999-01-31\"")
      expect(answer.text).toContain(`name="form_id" value="${String(form["form_id"])}"`)
      expect(await keys()).toEqual(before)
    }
  )

  it("no key is created by a form without its id", async () => {
    const before = await keys()
    for (const form_id of ["", "x"]) {
      expect((await post(page(), { name: "ci", scope: "read", form_id })).status).toBe(400)
    }
    expect(await keys()).toEqual(before)
  })
})

describe("a plan without API access", () => {
  it("a plan without API access says so, and allows revoking keys but not creating or rolling them", async () => {
    const [key] = await keys()
    await changePlan("starter")
    const { text } = await owner.get(page())
    expect(wordsOf(text)).toContain("The starter plan does not include API access; Pro and above do.")
    expect(text).not.toContain("Create key")
    expect(text).not.toContain("/roll")
    expect((await create()).status).toBe(403)
    const roll = `${page()}/${key!.id}/roll`
    expect((await owner.get(roll)).status).toBe(403)
    expect((await post(roll, await freshForm(server, { grace: "0" }))).status).toBe(403)
    expect(await keys()).toEqual([key])
    expect((await post(`${page()}/${key!.id}/revoke`, await freshForm(server, {}))).status).toBe(303)
    expect((await keys())[0]!.revokedAt).not.toBe(null)
  })
})

describe("rolling a key", () => {
  it("rolling asks for confirmation; both keys work during the grace period, then only the new one", async () => {
    const old = secretIn((await create()).text)!
    const [newest] = await keys()
    const path = `${page()}/${newest!.id}/roll`
    expect(wordsOf((await owner.get(path)).text)).toContain("keeps working for the time that you choose")
    const refused = await post(path, await freshForm(server, { grace: "99999999" }))
    expect([refused.status, /id="grace-fault"/.test(refused.text)]).toEqual([422, true])
    const answer = await post(path, await freshForm(server, { grace: "3600" }), zipped)
    const made = secretIn(answer.text)!
    expect([answer.status, answer.headers["content-encoding"]]).toEqual([200, undefined])
    const ask = async (key: string) => (await server.ask("/api/v1/scans", { key })).status
    expect([await ask(old), await ask(made)]).toEqual([200, 200])
    const again = await post(path, await freshForm(server, { grace: "3600" }))
    expect([again.status, wordsOf(again.text).includes("was already rolled")]).toEqual([409, true])
    server.clock.ms += 3_601_000
    expect([await ask(old), await ask(made)]).toEqual([401, 200])
    server.clock.ms -= 3_601_000
  })
})

describe("revoking a key", () => {
  it("revoking asks for confirmation, stops the key at once, and is recorded once", async () => {
    const secret = secretIn((await create()).text)!
    const [newest] = await keys()
    const path = `${page()}/${newest!.id}/revoke`
    expect(wordsOf((await owner.get(path)).text)).toContain("This cannot be undone")
    const values = await freshForm(server, {})
    for (const _ of [1, 2]) {
      expect((await post(path, values)).headers["location"]).toBe(`${page()}?done=key-revoked`)
    }
    expect((await server.ask("/api/v1/scans", { key: secret })).status).toBe(401)
    const { entries } = await server.run(
      readAuditLog(organizationId, wholeHistory, { action: "key.revoked" }, { limit: 9 })
    )
    expect(entries).toHaveLength(1)
  })

  it("the page of an unknown key, or of another organization's key, does not exist", async () => {
    const other = await server.run(tenant({ plan: "pro" }))
    const unknown = await server.run(makeFormId)
    for (const id of [other.keyId, unknown, "x"]) {
      for (const verb of ["roll", "revoke"]) {
        const path = `${page()}/${id}/${verb}`
        expect((await owner.get(path)).status, path).toBe(404)
        expect((await post(path, await freshForm(server, { grace: "0" }))).status, path).toBe(404)
      }
    }
    expect((await server.run(listApiKeys(other.organizationId)))[0]!.revokedAt).toBe(null)
  })
})

it("the snippets name this server, match sov mcp config, and contain no key", async () => {
  const { text } = await owner.get(page())
  const shown = [...text.matchAll(/<code id="([\w-]+)">([^<]*)<\/code>/g)].map(([, id, code]) => [
    id,
    code!.replaceAll("&quot;", "\"").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&#39;", "'")
  ])
  expect(shown).toEqual([
    ["curl", `curl -H "Authorization: Bearer $SOV_API_KEY" ${server.base}/api/v1/sov`],
    ...Object.entries(mcpClients).map(([name, client]) => [
      `mcp-${name}`,
      client.text({ url: `${server.base}/api/mcp` })
    ])
  ])
})

it("the snippets name the public address if it is configured", async () => {
  const behind = await openDashboard(oneHome[0]!, { publicUrl: "https://sov.example" })
  const { organizationId: id } = await behind.run(tenant({ plan: "pro" }))
  const path = await behind.run(pathOf(id))
  const somebody = await behind.signIn(id, "owner")
  const { text } = await somebody.get(`${path}/settings/api`, { headers: { host: "sov.example" } })
  expect(text).toContain("https://sov.example/api/mcp")
  await behind.close()
})

it("the list can be downloaded as CSV, in which no name is a formula", async () => {
  await create({ name: "=1+1" })
  const lines = (await owner.get(`${page()}.csv`)).text.trimEnd().split("\r\n")
  expect(lines[0]).toBe(
    "id,name,prefix,last_four,scopes,created_at,created_by,expires_at,last_used_at,revoked_at"
  )
  expect(lines[1]!.split(",").slice(1, 2)).toEqual(["'=1+1"])
  expect(lines[1]).toContain(",Ada Example,")
  expect(lines).toHaveLength(3)
})
