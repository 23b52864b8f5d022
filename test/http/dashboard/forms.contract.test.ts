/**
 * Every form of the settings with any text in every field: the server never fails, typed text never becomes markup, and
 * a refused form changes nothing. A form that is sent twice acts only once.
 */
import {
  AuditLog,
  consoleIdentity,
  listOrganizations,
  listPlatforms,
  Mailer,
  type OrganizationId,
  PersonStore,
  ScanStore,
  StoreError
} from "@sov/core"
import { hostileTexts, seedOrganization } from "@sov/core/testing"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { type DefaultTreeAdapterTypes, parse } from "parse5"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { fingerprint } from "../../../packages/http/src/dashboard/pages/forms.ts"
import { routes } from "../../../packages/http/src/dashboard/routes.ts"
import { actForms } from "../../support/actForms.ts"
import { dashboardForms, formBody, type FormValues, freshForm } from "../../support/dashboardForms.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { readOrganizationRows } from "../../support/organizationRows.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { scriptedAnswer } from "../../support/scriptedPlatforms.ts"
import { layerHome } from "../../support/storage.ts"
import { trackingForms } from "../../support/trackingForms.ts"

const runs = propertyRuns(process.env["SOV_LONG_TESTS"] === undefined ? 3 : 200)

let server: TestDashboard
let organizationId: OrganizationId
let home: string
/** Owns each organization and operates the installation, because only operators may see platforms and the setup. */
let owner: TestBrowser
let operator: Awaited<ReturnType<TestDashboard["signIn"]>>["person"]

/**
 * While `away` is set, no act can be recorded in the audit log. Recording is the last statement of each form, or its
 * only one.
 */
const database = { away: false }
const unlessAway = <A, R>(effect: Effect.Effect<A, StoreError, R>) =>
  Effect.suspend(() =>
    database.away
      ? Effect.fail(new StoreError({ reason: "unavailable", message: "the connection was lost" }))
      : effect
  )
const layerAway = Layer.merge(
  Layer.effect(
    AuditLog,
    Effect.map(AuditLog, (log) => AuditLog.of({ ...log, record: (...entries) => unlessAway(log.record(...entries)) }))
  ),
  Layer.effect(
    ScanStore,
    Effect.map(ScanStore, (scans) => ScanStore.of({ ...scans, start: (...one) => unlessAway(scans.start(...one)) }))
  )
)

beforeAll(async () => {
  const mailer = Layer.succeed(Mailer, { send: () => Effect.void })
  server = await openDashboard(Layer.provideMerge(layerAway, layerHome(oneHome[0]!)), {}, {}, mailer)
  operator = (await server.signIn(null)).person
  await server.run(
    Effect.flatMap(PersonStore, (people) => people.addIdentity(operator.id, consoleIdentity, new Date()))
  )
  for (const platform of await server.run(listPlatforms())) {
    vi.spyOn(platform, "ask").mockReturnValue(Effect.succeed(scriptedAnswer("Acme is one.")))
  }
})
afterAll(() => server.close())

type Node = DefaultTreeAdapterTypes.ChildNode
const elementsOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<DefaultTreeAdapterTypes.Element> =>
  nodes.flatMap((node) => "tagName" in node ? [node, ...elementsOf(node.childNodes)] : [])

/** Bold elements that pages themselves contain: a share in a list of questions, and the heading of an explanation. */
const isOwnBold = ({ childNodes: [only], parentNode }: DefaultTreeAdapterTypes.Element) =>
  (only !== undefined && "value" in only && /^(?:–|[\d.]+ %)$/.test(only.value)) ||
  (parentNode !== null && "attrs" in parentNode && parentNode.attrs.some(({ value }) => value === "meaning"))

/** Markup that no page contains: elements and attributes that run or load something, and other bold elements. */
const findForeign = (text: string): ReadonlyArray<string> =>
  elementsOf(parse(text).childNodes as ReadonlyArray<Node>).flatMap((element) => {
    const { attrs, tagName } = element
    return [
      .../^(?:img|iframe|object|embed|base|style|b)$/.test(tagName) && !isOwnBold(element) ? [tagName] : [],
      ...attrs.filter(({ name }) => /^on|^style$|^srcdoc$/.test(name)).map(({ name }) => `${tagName} ${name}`),
      ...attrs.filter(({ name, value }) =>
        /^(?:href|src|action|formaction)$/.test(name) && !/^(?:\/(?!\/)|#|https?:)/.test(value)
      )
        .map(({ name, value }) => `${tagName} ${name}=${value}`),
      ...tagName === "script" && !attrs.some(({ name, value }) => name === "src" && value.startsWith("/assets/"))
        ? ["script"]
        : []
    ]
  })

/** The body that the page's form with this action would send. */
const fieldsOf = (text: string, action: string): string => {
  const all = elementsOf(parse(text).childNodes as ReadonlyArray<Node>)
  const valueOf = ({ attrs }: (typeof all)[number], name: string) => attrs.find((one) => one.name === name)?.value ?? ""
  const form = all.find((one) => one.tagName === "form" && valueOf(one, "action") === action)
  return new URLSearchParams(
    elementsOf(form?.childNodes ?? []).filter(({ tagName }) => tagName === "input")
      .map((input): [string, string] => [valueOf(input, "name"), valueOf(input, "value")])
  ).toString()
}

/** The address of a form. */
const addressOf = (path: string) => /^\/(setup|organizations)\b/.test(path) ? path : home + path

const send = (path: string, values: FormValues) =>
  owner.ask(addressOf(path), {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
    body: formBody(values)
  })

/** All rows of the organization in the database, and the ids of all organizations. */
const readRows = async () =>
  JSON.stringify(await server.run(Effect.all([readOrganizationRows(organizationId), listOrganizations()])))

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

it("findForeign finds all markup that pages themselves do not contain", () => {
  expect(findForeign("<p><b>x</b><a href='javascript:1' onclick=x>y</a><script>z</script>")).toEqual([
    "b",
    "a onclick",
    "a href=javascript:1",
    "script"
  ])
})

const forms = [...dashboardForms, ...trackingForms, ...actForms]

describe.each(forms)("$name", ({ again: acts = false, entries = 1, fields: own, prepare, shows }) => {
  const fields = shows === undefined ? own : { ...own, seen: fingerprint(shows) }

  beforeAll(async () => {
    organizationId = (await server.run(seedOrganization({ plan: "enterprise" }))).id
    home = await server.run(pathOf(organizationId))
    const { token } = await server.run(Effect.gen(function*() {
      yield* (yield* PersonStore).addMember(organizationId, operator.id, "owner", new Date())
      return yield* server.makeLink(operator.id)
    }))
    owner = server.browser()
    await owner.post(`/login/link/${token}`)
  })

  it("the form accepts valid values, and acts only once however often it is submitted", async () => {
    const path = await server.run(prepare(organizationId))
    const values = await freshForm(server, fields, organizationId)
    const before = await readRows()
    const first = await send(path, values)
    expect(first.status).toBeLessThan(400)
    const after = await readRows()
    expect(after).not.toBe(before)
    expect(findForeign(first.text)).toEqual([])
    expect((await send(path, values)).status).toBeLessThan(500)
    if (!acts) expect(await readRows()).toBe(after)
  })

  it("the form keeps what was typed while the database is down, and acts once when it is up again", async () => {
    const path = await server.run(prepare(organizationId))
    const values = await freshForm(server, fields, organizationId)
    const before = await readRows()
    database.away = true
    const refused = await send(path, values).finally(() => {
      database.away = false
    })
    expect([refused.status, refused.headers["retry-after"], findForeign(refused.text)]).toEqual([503, "2", []])
    expect(await readRows()).toBe(before)
    const kept = fieldsOf(refused.text, addressOf(path))
    expect(kept).toBe(formBody(values))
    const again = () =>
      owner.ask(addressOf(path), {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
        body: kept
      })
    expect((await again()).status).toBeLessThan(400)
    const after = await readRows()
    expect(after).not.toBe(before)
    expect((await again()).status).toBeLessThan(400)
    if (!acts) expect(await readRows()).toBe(after)
  })

  it("the form acts only once if it is submitted twice at the same moment", async () => {
    const path = await server.run(prepare(organizationId))
    const values = await freshForm(server, fields, organizationId)
    const count = async () => (await server.run(readOrganizationRows(organizationId))).tables["audit_entry"]!.length
    const before = await count()
    const answers = await Promise.all([send(path, values), send(path, values)])
    for (const { status } of answers) expect(status).toBeLessThan(500)
    expect(await count()).toBe(before + entries)
  })

  it.each(["form_id", ...Object.keys(fields)])(
    "the form escapes any text as %s, and no text causes a server error",
    async (field) => {
      await fc.assert(
        fc.asyncProperty(anyText, async (text) => {
          const path = await server.run(prepare(organizationId))
          const values = await freshForm(server, fields, organizationId)
          await check(path, { ...values, [field]: text })
        }),
        { numRuns: runs }
      )
      const path = await server.run(prepare(organizationId))
      const { [field]: _, ...without } = await freshForm(server, fields, organizationId)
      await check(path, without)
    }
  )
})

/** Forms of the organization that are tested elsewhere, with the place of their tests. */
const elsewhere: { readonly [path: string]: string } = {
  "/o/:slug/traffic": "sends a file: traffic.contract.test.ts",
  "/o/:slug/settings/branding/logo": "sends a file: branding.contract.test.ts",
  "/o/:slug/surfaces/file": "sends a file: views.contract.test.ts",
  "/o/:slug/scans/compare": "stores what anybody's comparison computes, and no act: scans.contract.test.ts"
}

it("every form of an organization and of the setup is in the list of tested forms", async () => {
  const sent: Array<string> = []
  for (const { prepare } of forms) sent.push(addressOf(await server.run(prepare(organizationId))))
  const literals = (path: string) => path.split("/").filter((part) => !part.startsWith(":")).length
  const all = routes
    .filter(({ method, path }) => method === "POST" && /^\/(setup|organizations|o\/:slug)\b/.test(path))
    .toSorted((a, b) => literals(b.path) - literals(a.path))
  const shapes = all.map(({ path }) => ({ path, shape: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`) }))
  const found = sent.map((address) => shapes.find(({ shape }) => shape.test(address))?.path)
  expect(new Set([...found, ...Object.keys(elsewhere)])).toEqual(new Set(all.map(({ path }) => path)))
})
