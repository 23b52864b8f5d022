/**
 * Every form of the settings × every field × any text: the server never fails, what was typed never becomes markup, and
 * what is refused has changed nothing. Sent twice it acts once.
 */
import { AuditLog, type OrganizationId, StoreError } from "@sov/core"
import { hostileTexts, seedOrganization } from "@sov/core/testing"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { type DefaultTreeAdapterTypes, parse } from "parse5"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fingerprint } from "../../../packages/http/src/dashboard/pages/forms.ts"
import { dashboardForms, formBody, type FormValues, freshForm } from "../../support/dashboardForms.ts"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"
import { readOrganizationRows } from "../../support/organizationRows.ts"
import { layerHome } from "../../support/storage.ts"
import { trackingForms } from "../../support/trackingForms.ts"

const runs = process.env["SOV_LONG_TESTS"] === undefined ? 8 : 200

let server: TestDashboard
let organizationId: OrganizationId
let home: string
let owner: Awaited<ReturnType<TestDashboard["signIn"]>>

/** While it is away no act can be recorded, which is the last statement of each. */
const database = { away: false }
const layerAway = Layer.effect(
  AuditLog,
  Effect.map(AuditLog, (log) => ({
    ...log,
    record: (...entries: Parameters<typeof log.record>) =>
      Effect.suspend(() =>
        database.away
          ? Effect.fail(new StoreError({ reason: "unavailable", message: "the connection was lost" }))
          : log.record(...entries)
      )
  }))
)

beforeAll(async () => {
  server = await openDashboard(Layer.provideMerge(layerAway, layerHome("embedded")))
})
afterAll(() => server.close())

type Node = DefaultTreeAdapterTypes.ChildNode
const elementsOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<DefaultTreeAdapterTypes.Element> =>
  nodes.flatMap((node) => "tagName" in node ? [node, ...elementsOf(node.childNodes)] : [])

/** What no page of ours has: elements and attributes that run or load something. */
const findForeign = (text: string): ReadonlyArray<string> =>
  elementsOf(parse(text).childNodes as ReadonlyArray<Node>).flatMap(({ attrs, tagName }) => [
    .../^(?:img|iframe|object|embed|base|style|b)$/.test(tagName) ? [tagName] : [],
    ...attrs.filter(({ name }) => /^on|^style$|^srcdoc$/.test(name)).map(({ name }) => `${tagName} ${name}`),
    ...attrs.filter(({ name, value }) =>
      /^(?:href|src|action|formaction)$/.test(name) && !/^(?:\/(?!\/)|#|https?:)/.test(value)
    )
      .map(({ name, value }) => `${tagName} ${name}=${value}`),
    ...tagName === "script" && !attrs.some(({ name, value }) => name === "src" && value.startsWith("/assets/"))
      ? ["script"]
      : []
  ])

/** The body that the form of the page with this action sends. */
const fieldsOf = (text: string, action: string): string => {
  const all = elementsOf(parse(text).childNodes as ReadonlyArray<Node>)
  const valueOf = ({ attrs }: (typeof all)[number], name: string) => attrs.find((one) => one.name === name)?.value ?? ""
  const form = all.find((one) => one.tagName === "form" && valueOf(one, "action") === action)
  return new URLSearchParams(
    elementsOf(form?.childNodes ?? []).filter(({ tagName }) => tagName === "input")
      .map((input): [string, string] => [valueOf(input, "name"), valueOf(input, "value")])
  ).toString()
}

const send = (path: string, values: FormValues) =>
  owner.ask(home + path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
    body: formBody(values)
  })

/** All that the database holds of the organization, without what the passing of time changes. */
const readRows = async () => JSON.stringify(await server.run(readOrganizationRows(organizationId)))

const anyText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "x".repeat(5_000),
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "\u0000",
    "a\r\nset-cookie: stolen=1",
    "\u202Etxet",
    "-1",
    "1e999",
    "0001-01-01",
    "__proto__",
    ...hostileTexts
  ),
  fc.string({ unit: "binary" }),
  fc.webUrl()
)

const check = async (path: string, values: FormValues) => {
  const before = await readRows()
  const answer = await send(path, values)
  expect(answer.status).toBeLessThan(500)
  expect(findForeign(answer.text)).toEqual([])
  expect(answer.headers["set-cookie"]?.toString() ?? "").not.toContain("stolen")
  expect(answer.headers["location"] ?? "/").toMatch(/^\/(?!\/)[!-~]*$/)
  if (answer.status >= 400) expect(await readRows()).toBe(before)
  return answer
}

it("knows what is foreign", () => {
  expect(findForeign("<p><b>x</b><a href='javascript:1' onclick=x>y</a><script>z</script>")).toEqual([
    "b",
    "a onclick",
    "a href=javascript:1",
    "script"
  ])
})

describe.each([...dashboardForms, ...trackingForms])("$name", ({ entries = 1, fields: own, prepare, shows }) => {
  const fields = shows === undefined ? own : { ...own, seen: fingerprint(shows) }

  beforeAll(async () => {
    organizationId = (await server.run(seedOrganization({ plan: "enterprise" }))).id
    home = await server.run(pathOf(organizationId))
    owner = await server.signIn(organizationId, "owner")
  })

  it("takes what it should take, and acts once however often it is sent", async () => {
    const path = await server.run(prepare(organizationId))
    const values = await freshForm(server, fields)
    const before = await readRows()
    const first = await send(path, values)
    expect(first.status).toBeLessThan(400)
    const after = await readRows()
    expect(after).not.toBe(before)
    expect(findForeign(first.text)).toEqual([])
    expect((await send(path, values)).status).toBeLessThan(500)
    expect(await readRows()).toBe(after)
  })

  it("sent while the database is away keeps what was typed, changes nothing, and acts once when it is back", async () => {
    const path = await server.run(prepare(organizationId))
    const values = await freshForm(server, fields)
    const before = await readRows()
    database.away = true
    const refused = await send(path, values).finally(() => {
      database.away = false
    })
    expect([refused.status, refused.headers["retry-after"], findForeign(refused.text)]).toEqual([503, "2", []])
    expect(await readRows()).toBe(before)
    const kept = fieldsOf(refused.text, home + path)
    expect(kept).toBe(formBody(values))
    const again = () =>
      owner.ask(home + path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
        body: kept
      })
    expect((await again()).status).toBeLessThan(400)
    const after = await readRows()
    expect(after).not.toBe(before)
    expect((await again()).status).toBeLessThan(400)
    expect(await readRows()).toBe(after)
  })

  it("two at the same moment act once", async () => {
    const path = await server.run(prepare(organizationId))
    const values = await freshForm(server, fields)
    const count = async () => (await server.run(readOrganizationRows(organizationId))).tables["audit_entry"]!.length
    const before = await count()
    const answers = await Promise.all([send(path, values), send(path, values)])
    for (const { status } of answers) expect(status).toBeLessThan(500)
    expect(await count()).toBe(before + entries)
  })

  it.each(["form_id", ...Object.keys(fields)])("any text as %s", async (field) => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const path = await server.run(prepare(organizationId))
        const values = await freshForm(server, fields)
        await check(path, { ...values, [field]: text })
      }),
      { numRuns: runs }
    )
    const path = await server.run(prepare(organizationId))
    const { [field]: _, ...without } = await freshForm(server, fields)
    await check(path, without)
  })
})
