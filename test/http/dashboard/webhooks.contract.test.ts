/** Outbound webhooks over HTTP: adding, testing, replaying, rotating, disabling; and two owners who edit at once. */
import {
  type AuditAction,
  type DeliveryId,
  DeliveryStore,
  disableEndpoint,
  type Endpoint,
  eventNames,
  listEndpoints,
  makeFormId,
  type OrganizationId,
  readAuditLog,
  setEndpointEvents,
  wholeHistory
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { signBody } from "@sov/core/webhook"
import { Effect } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { fingerprint } from "../../../packages/http/src/dashboard/pages/forms.ts"
import { failOneDelivery, seedEndpoint } from "../../contracts/webhookSeeds.ts"
import { formBody, type FormValues, freshForm } from "../../support/dashboardForms.ts"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { readForm } from "../../support/pageForms.ts"
import { startReceiver } from "../../support/Receiver.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: string
let owner: Awaited<ReturnType<TestDashboard["signIn"]>>

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
beforeEach(async () => {
  organizationId = (await server.run(seedOrganization({ plan: "starter" }))).id
  home = await server.run(pathOf(organizationId))
  owner = await server.signIn(organizationId, "owner")
})
afterAll(() => server.close())

const page = () => `${home}/settings/webhooks`
const endpoints = () => server.run(listEndpoints(organizationId))
const secretIn = (text: string) => /<code id="secret">(whsec_[^<]+)<\/code>/.exec(text)?.[1]
const send = (path: string, values: FormValues) =>
  owner.ask(path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
    body: formBody(values)
  })
const post = async (path: string, values: FormValues = {}) => send(path, await freshForm(server, values))
const add = (url: string, event: ReadonlyArray<string> = ["scan.completed"]) => post(page(), { url, event })
const countActs = async (action: AuditAction) =>
  (await server.run(readAuditLog(organizationId, wholeHistory, { action }, { limit: 99 }))).entries.length

/** Adds an endpoint to the organization, and reads its page. */
const added = async (url = "https://hooks.example/a") => {
  await add(url)
  const endpoint = (await endpoints()).at(-1)!
  return { endpoint, path: `${page()}/${endpoint.id}` }
}

/** The hash of the secrets that the page of an endpoint sends, or the page that asks before they are rotated. */
const seenOn = (text: string, verb: "rotate" | "promote") =>
  new RegExp(`/${verb}"><input[^>]*><input type="hidden" name="seen" value="(\\w+)"`).exec(text)?.[1] ?? ""
const rotate = async (path: string, rotation: string, seen?: string) =>
  post(`${path}/rotate`, { rotation, seen: seen ?? seenOn((await owner.get(`${path}/rotate`)).text, "rotate") })
const promote = async (path: string, seen?: string) =>
  post(`${path}/promote`, { seen: seen ?? seenOn((await owner.get(path)).text, "promote") })

/** A delivery to the endpoint that has failed permanently. */
const failOne = (endpoint: Endpoint) =>
  server.run(failOneDelivery(organizationId, endpoint, { message: "<b>no</b>", response: "<script>alert(1)</script>" }))
const readDelivery = (id: DeliveryId) =>
  server.run(Effect.flatMap(DeliveryStore, (store) => store.find(organizationId, id)))

describe("adding an endpoint", () => {
  it("the secret of a new endpoint is shown once, with programs that verify signatures, and signs the test event", async () => {
    const receiver = await startReceiver()
    const answer = await add(receiver.url, ["scan.completed", "sov.dropped"])
    expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "private, no-store"])
    const secret = secretIn(answer.text)!
    expect([...answer.text.matchAll(/<summary>([^<]+)<\/summary><p|<summary>([^<]+)<\/summary><pre/g)].length).toBe(7)
    const [endpoint] = await endpoints()
    expect([endpoint!.url, endpoint!.events]).toEqual([receiver.url, ["scan.completed", "sov.dropped"]])
    const path = `${page()}/${endpoint!.id}`
    expect((await owner.get(path)).text).not.toContain(secret)
    const tested = await post(`${path}/test`, { event: "sov.dropped" })
    expect(tested.headers["location"]).toMatch(/\/deliveries\/[0-9a-f-]{36}\?done=delivery-delivered$/)
    const [got] = receiver.received
    expect(got!.headers["x-service-signature"]).toBe(signBody(got!.body, secret))
    const shown = wordsOf((await owner.get(tested.headers["location"]!)).text)
    expect(shown).toContain("Delivered.")
    expect(shown).toContain("&quot;test&quot;:true")
    expect(await countActs("endpoint.tested")).toBe(1)
  })

  it("a chat endpoint has neither secret nor signatures, and its secret cannot be revealed or rotated", async () => {
    const receiver = await startReceiver()
    const answer = await post(page(), { url: receiver.url, event: "scan.completed", format: "slack" })
    const path = `${page()}/${(await endpoints())[0]!.id}`
    expect([answer.status, answer.headers["location"]]).toEqual([303, `${path}?done=webhook-added`])
    const shown = (await owner.get(path)).text
    expect(wordsOf(shown)).toContain("message for Slack")
    expect(shown).not.toMatch(/whsec_|\/rotate|\/reveal|webhook-signature|Verify requests/)
    expect([(await post(`${path}/reveal`)).status, (await rotate(path, "immediate", "one")).status]).toEqual([409, 409])
    await post(`${path}/test`, { event: "sov.dropped" })
    expect(JSON.parse(receiver.received[0]!.body.toString())).toMatchObject({
      blocks: [{ type: "header" }, {}, {}, {}]
    })
  })

  it("a form that is sent again adds no second endpoint, and the page says what to do without the secret", async () => {
    const values = await freshForm(server, { url: "https://hooks.example/a", event: "sov.dropped" })
    expect((await send(page(), values)).status).toBe(200)
    const again = await send(page(), values)
    expect([again.status, again.headers["location"]]).toEqual([303, `${page()}?done=webhook-added-before`])
    expect(await endpoints()).toHaveLength(1)
  })

  it.each([
    ["url", { url: "", event: "sov.dropped" }],
    ["url", { url: "ftp://hooks.example/", event: "sov.dropped" }],
    ["url", { url: "https://169.254.169.254/latest", event: "sov.dropped" }],
    ["url", { url: `https://hooks.example/${"x".repeat(2001)}`, event: "sov.dropped" }],
    ["url", { url: "https://me:secret@hooks.example/", event: "sov.dropped" }],
    ["url", { url: "\"><script>alert(1)</script>", event: "sov.dropped" }],
    ["event", { url: "https://hooks.example/b", event: [] }],
    ["event", { url: "https://hooks.example/b", event: ["scan.completed", "all"] }]
  ])("the field %s has an error for %j, and no endpoint is added", async (field, values) => {
    const answer = await post(page(), values)
    expect(answer.status).toBe(422)
    expect(answer.text).toMatch(new RegExp(`id="${field}-fault">[^<]{10,}`))
    expect(answer.text).not.toContain("<script>alert")
    if (field === "event") expect(answer.text).toContain("value=\"https://hooks.example/b\"")
    expect(await endpoints()).toEqual([])
  })

  it("no endpoint is added for a URL that already has one", async () => {
    await added("https://hooks.example/a")
    const answer = await add("https://HOOKS.example/a")
    expect([answer.status, wordsOf(answer.text).includes("An endpoint with this URL already exists.")])
      .toEqual([422, true])
    expect(await endpoints()).toHaveLength(1)
  })
})

describe("a delivery", () => {
  it("a failing delivery shows each attempt with its response as text, and arrives when it is sent again", async () => {
    const receiver = await startReceiver()
    const { endpoint, path } = await added(receiver.url)
    const id = await failOne(endpoint)
    const shown = (await owner.get(`${path}/deliveries/${id}`)).text
    expect(shown).not.toContain("<script>alert")
    expect(wordsOf(shown)).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
    expect(wordsOf((await owner.get(`${path}?state=failed`)).text)).toContain("UTC scan.completed failed &lt;b&gt;no")
    expect(wordsOf((await owner.get(`${path}?state=pending`)).text)).toContain("None with this state.")
    const values = await freshForm(server, {})
    const answer = await send(`${path}/deliveries/${id}/replay`, values)
    expect(answer.headers["location"]).toBe(`${path}/deliveries/${id}?done=delivery-delivered`)
    expect((await send(`${path}/deliveries/${id}/replay`, values)).status).toBe(303)
    expect(receiver.received).toHaveLength(1)
    expect((await readDelivery(id))!.delivery.state).toBe("delivered")
    expect(await countActs("delivery.replayed")).toBe(1)
  })

  it("a page waits for a silent receiver only as long as a page may take, and the delivery is recorded", async () => {
    const receiver = await startReceiver(() => {})
    const { endpoint, path } = await added(receiver.url)
    const answer = await post(`${path}/test`, { event: "scan.completed" })
    expect(answer.headers["location"]).toBe(`${path}?done=delivery-on-its-way`)
    const [delivery] = await server.run(
      Effect.flatMap(DeliveryStore, (store) => store.list(organizationId, { limit: 1, endpointId: endpoint.id }))
    )
    expect(delivery!.state).toBe("pending")
  })

  it("a delivery of another endpoint or organization, or older than the plan's history, is not found", async () => {
    const one = await added("https://hooks.example/a")
    const other = await added("https://hooks.example/b")
    const id = await failOne(one.endpoint)
    expect((await owner.get(`${one.path}/deliveries/${id}`)).status).toBe(200)
    expect((await owner.get(`${other.path}/deliveries/${id}`)).status).toBe(404)
    const foreign = (await server.run(seedOrganization())).id
    const theirs = await server.run(seedEndpoint(foreign))
    for (const rest of ["", "/rotate", "/disable", "/remove", "/deliveries.csv"]) {
      expect((await owner.get(`${page()}/${theirs.id}${rest}`)).status, rest).toBe(404)
    }
    for (const verb of ["enable", "disable", "remove", "promote", "test", "rotate", "reveal", "events"]) {
      const answer = await post(`${page()}/${theirs.id}/${verb}`, { event: "sov.dropped", rotation: "staged" })
      expect([404, 409], verb).toContain(answer.status)
    }
    expect(await server.run(listEndpoints(foreign))).toEqual([theirs])
  })

  it("on the Free plan, no list and no CSV shows a delivery older than seven days", async () => {
    organizationId = (await server.run(seedOrganization({ plan: "free" }))).id
    home = await server.run(pathOf(organizationId))
    owner = await server.signIn(organizationId, "owner")
    const { endpoint, path } = await added()
    const id = await failOne(endpoint)
    server.clock.ms += 8 * 86_400_000
    owner = await server.signIn(organizationId, "owner")
    expect((await owner.get(`${path}/deliveries/${id}`)).status).toBe(404)
    expect((await owner.get(path)).text).not.toContain(id)
    expect((await owner.get(`${path}/deliveries.csv`)).text.trimEnd().split("\r\n")).toHaveLength(1)
    expect(wordsOf((await owner.get(`${path}/replay?since=2020-01-01`)).text)).toContain("without tests: 0 deliveries")
    server.clock.ms -= 8 * 86_400_000
  })

  it("all deliveries that failed since a day are retried once, and their number is recorded", async () => {
    const { endpoint, path } = await added()
    const ids = [await failOne(endpoint), await failOne(endpoint)]
    const day = new Date().toISOString().slice(0, 10)
    expect(wordsOf((await owner.get(`${path}/replay?since=${day}`)).text)).toContain("without tests: 2 deliveries.")
    const values = await freshForm(server, { since: day })
    for (const _ of [1, 2]) {
      expect((await send(`${path}/replay`, values)).headers["location"]).toBe(`${path}?done=deliveries-queued`)
    }
    for (const id of ids) expect((await readDelivery(id))!.delivery.state).toBe("pending")
    const { entries } = await server.run(
      readAuditLog(organizationId, wholeHistory, { action: "endpoint.deliveries_replayed" }, { limit: 9 })
    )
    expect(entries.map(({ detail }) => detail["deliveries"])).toEqual([2])
    const none = (await post(`${path}/replay`, { since: day })).headers["location"]
    expect(none).toBe(`${path}?done=deliveries-none`)
    expect(wordsOf((await owner.get(none!)).text)).toContain(
      "No delivery has failed since then, so there is nothing to send again."
    )
    for (const since of ["", "soon"]) expect((await owner.get(`${path}/replay?since=${since}`)).status).toBe(400)
  })

  it("the log of deliveries has pages, and can be downloaded as CSV", async () => {
    const { endpoint, path } = await added()
    for (let n = 0; n < 26; n++) await failOne(endpoint)
    const { text } = await owner.get(`${path}?state=failed`)
    const older = /<a class="button" href="([^"]+)" rel="next">Older/.exec(text)![1]!.replaceAll("&amp;", "&")
    expect((await owner.get(older)).text.match(/deliveries\/[0-9a-f-]{36}"/g)).toHaveLength(1)
    const lines = (await owner.get(`${path}/deliveries.csv?state=failed`)).text.trimEnd().split("\r\n")
    expect([lines.length, lines[1]!.includes(",scan.completed,failed,1,")]).toEqual([27, true])
    expect((await owner.get(`${page()}.csv`)).text).toContain("https://hooks.example/a,scan.completed,enabled,")
    expect((await owner.get(`${path}?state=lost`)).status).toBe(400)
    expect((await owner.get(`${path}?cursor=x`)).status).toBe(400)
    expect((await owner.get(`${path}?state=`)).headers["location"]).toBe(path)
  })
})

describe("a disabled endpoint", () => {
  it("a disabled endpoint says why and what to do, can be enabled, and replays nothing on its own", async () => {
    const { endpoint, path } = await added()
    const id = await failOne(endpoint)
    expect(wordsOf((await owner.get(`${path}/disable`)).text)).toContain("Nothing more is sent to it.")
    const disabled = await owner.press(`${path}/disable`, `${path}/disable`)
    expect(disabled.headers["location"]).toBe(`${path}?done=webhook-disabled`)
    expect(wordsOf((await owner.get(path)).text)).toContain("Disabled here")
    expect((await post(`${path}/deliveries/${id}/replay`)).status).toBe(409)
    expect((await post(`${path}/replay`, { since: "2020-01-01" })).status).toBe(409)
    expect((await owner.press(path, `${path}/enable`)).headers["location"]).toBe(`${path}?done=webhook-enabled`)
    expect((await endpoints())[0]!.disabledReason).toBe(null)
  })

  it.each([
    ["gone", "The receiver answered 410 Gone"],
    ["failing", "Every attempt has failed for five days."]
  ])("the page of an endpoint that is %s says so", async (reason, words) => {
    const endpoint = await server.run(
      seedEndpoint(organizationId, { disabledReason: reason as "gone", disabledAt: new Date() })
    )
    expect(wordsOf((await owner.get(`${page()}/${endpoint.id}`)).text)).toContain(words)
  })
})

describe("rotating a secret", () => {
  it("rotating shows the new secret once; both secrets sign until only the new one does", async () => {
    const receiver = await startReceiver()
    const first = secretIn((await add(receiver.url)).text)!
    const path = `${page()}/${(await endpoints())[0]!.id}`
    const refused = await rotate(path, "later")
    expect([refused.status, refused.text.includes("rotation-fault")]).toEqual([422, true])
    const second = secretIn((await rotate(path, "staged")).text)!
    await post(`${path}/test`, { event: "scan.completed" })
    expect((await promote(path)).headers["location"]).toBe(`${path}?done=webhook-promoted`)
    await post(`${path}/test`, { event: "scan.completed" })
    const [both, last] = receiver.received
    expect([both!.headers["x-service-signature"], both!.headers["x-service-signature-next"]])
      .toEqual([signBody(both!.body, first), signBody(both!.body, second)])
    expect([last!.headers["x-service-signature"], last!.headers["x-service-signature-next"]])
      .toEqual([signBody(last!.body, second), undefined])
    const third = secretIn((await rotate(path, "immediate")).text)!
    await post(`${path}/test`, { event: "scan.completed" })
    expect(receiver.received[2]!.headers["x-service-signature"]).toBe(signBody(receiver.received[2]!.body, third))
  })
})

describe("two owners who rotate a secret at once", () => {
  /** The secrets of the endpoint at `path`. */
  const revealed = async (path: string) => {
    const { text } = await post(`${path}/reveal`)
    return [secretIn(text), /<code id="next-secret">([^<]+)</.exec(text)?.[1]]
  }

  it.each(["staged", "immediate"])(
    "the second owner (%s) learns that a secret was staged in the meantime, and may then drop it",
    async (rotation) => {
      const present = secretIn((await add("https://hooks.example/two")).text)
      const path = `${page()}/${(await endpoints())[0]!.id}`
      const seen = seenOn((await owner.get(`${path}/rotate`)).text, "rotate")
      const staged = secretIn((await rotate(path, "staged", seen)).text)
      const late = await rotate(path, rotation, seen)
      expect([late.status, secretIn(late.text)]).toEqual([409, undefined])
      expect(wordsOf(late.text)).toMatch(/Nothing was changed: .* Now two sign: the next one was staged on \d/)
      expect(late.text).toMatch(new RegExp(`value="${rotation}" checked`))
      expect(await revealed(path)).toEqual([present, staged])
      expect(await countActs("endpoint.secret_rotated")).toBe(1)
      expect((await rotate(path, rotation, seenOn(late.text, "rotate"))).status).toBe(200)
      expect((await revealed(path)).includes(staged)).toBe(false)
    }
  )

  it("an owner who ends a secret learns that another owner has changed it at the same time", async () => {
    await add("https://hooks.example/two")
    const path = `${page()}/${(await endpoints())[0]!.id}`
    const seen = seenOn((await owner.get(`${path}/rotate`)).text, "rotate")
    const made = secretIn((await rotate(path, "immediate")).text)
    const late = await rotate(path, "immediate", seen)
    expect([late.status, secretIn(late.text)]).toEqual([409, undefined])
    expect(await revealed(path)).toEqual([made, undefined])
  })

  it("if no secret is staged, nothing is reported as promoted", async () => {
    await add("https://hooks.example/two")
    const path = `${page()}/${(await endpoints())[0]!.id}`
    const none = await promote(path, fingerprint("one"))
    expect(none.headers["location"]).toBe(`${path}?done=webhook-not-staged`)
    expect(wordsOf((await owner.get(none.headers["location"] as string)).text)).toContain("nothing was changed")
    expect(await countActs("endpoint.secret_promoted")).toBe(0)
  })

  it("only the staged secret that a page has shown can be promoted from it", async () => {
    const present = secretIn((await add("https://hooks.example/two")).text)
    const path = `${page()}/${(await endpoints())[0]!.id}`
    await rotate(path, "staged")
    const seen = seenOn((await owner.get(path)).text, "promote")
    const other = secretIn((await rotate(path, "staged")).text)
    const late = await promote(path, seen)
    expect([late.status, wordsOf(late.text).includes("Nothing was changed: the secrets have changed")])
      .toEqual([409, true])
    expect(await revealed(path)).toEqual([present, other])
    expect((await promote(path, seenOn(late.text, "promote"))).status).toBe(303)
    const none = await promote(path, seen)
    expect([none.status, wordsOf(none.text).includes("Now one secret signs, and no next one is staged.")])
      .toEqual([409, true])
    expect([await revealed(path), await countActs("endpoint.secret_promoted")]).toEqual([[other, undefined], 1])
  })
})

describe("revealing a secret", () => {
  it("the signing secrets are shown only in an uncached response, and each time is recorded", async () => {
    const secret = secretIn((await add("https://hooks.example/lost")).text)!
    const path = `${page()}/${(await endpoints())[0]!.id}`
    const entries = () =>
      server.run(Effect.map(
        readAuditLog(organizationId, wholeHistory, { action: "endpoint.secret_revealed" }, { limit: 9 }),
        ({ entries }) => entries
      ))
    const formId = await server.run(makeFormId)
    const answer = await owner.post(`${path}/reveal`, { form_id: formId })
    expect([answer.status, secretIn(answer.text)]).toEqual([200, secret])
    expect(answer.headers["cache-control"]).toContain("no-store")
    expect(answer.headers["content-encoding"]).toBeUndefined()
    expect((await owner.post(`${path}/reveal`, { form_id: formId })).headers["location"])
      .toBe(`${path}?done=webhook-revealed-before`)
    expect((await entries()).map(({ id }) => id)).toEqual([formId])
    const staged = secretIn((await rotate(path, "staged")).text)!
    const both = (await post(`${path}/reveal`)).text
    expect([secretIn(both), both.includes(`<code id="next-secret">${staged}</code>`)]).toEqual([secret, true])
    const kept = JSON.stringify(await entries())
    for (const one of ["", "/reveal", "/rotate", "/deliveries.csv"]) {
      const { text } = await owner.get(`${path}${one}`)
      for (const hidden of [secret, staged]) expect(text + kept).not.toContain(hidden)
    }
    expect((await owner.get(`${page()}.csv`)).text).not.toContain(secret)
    expect((await owner.get(`${path}/reveal`)).status).toBe(405)
    const member = await server.signIn(organizationId, "member")
    expect((await member.post(`${path}/reveal`, { form_id: await server.run(makeFormId) })).status).toBe(403)
  })
})

describe("two owners who edit the events at once", () => {
  it("the second owner sees what the first has set, keeps what was typed, and may then save", async () => {
    const { path } = await added()
    const shown = (await owner.get(path)).text
    const seen = /name="seen" value="(\w+)"/.exec(shown)![1]!
    expect((await post(`${path}/events`, { seen, event: "sov.dropped" })).headers["location"])
      .toBe(`${path}?done=webhook-events-set`)
    const late = await post(`${path}/events`, { seen, event: "mention.detected" })
    expect(late.status).toBe(409)
    expect(wordsOf(late.text)).toContain("It is now: sov.dropped.")
    const isChecked = (name: string) => new RegExp(`name="event" value="${name}" checked`).test(late.text)
    expect(eventNames.filter(isChecked)).toEqual(["mention.detected"])
    expect((await endpoints())[0]!.events).toEqual(["sov.dropped"])
    const now = /name="seen" value="(\w+)"/.exec(late.text)![1]!
    const saved = await post(`${path}/events`, { seen: now, event: "mention.detected" })
    expect(saved.status).toBe(303)
    expect((await endpoints())[0]!.events).toEqual(["mention.detected"])
    expect((await post(`${path}/events`, { seen: now, event: [] })).status).toBe(422)
  })
})

it.each(["disable", "enable", "remove"])(
  "a request to %s an endpoint is refused if another owner has changed its state or events since",
  async (verb) => {
    const { endpoint, path } = await added()
    if (verb === "enable") await server.run(disableEndpoint(organizationId, endpoint.id))
    const action = `${path}/${verb}`
    const stale = readForm((await owner.get(verb === "enable" ? path : action)).text, action)
    await server.run(setEndpointEvents(organizationId, endpoint.id, ["sov.dropped"]))
    const before = await endpoints()
    const late = await owner.post(action, stale)
    expect([late.status, wordsOf(late.text)]).toEqual([409, expect.stringMatching(/It is now: \w+: sov\.dropped\./)])
    expect(await endpoints()).toEqual(before)
  }
)

it("removing an endpoint asks for confirmation, and happens only once", async () => {
  const { path } = await added()
  expect(wordsOf((await owner.get(`${path}/remove`)).text)).toContain("This cannot be undone.")
  const values = readForm((await owner.get(`${path}/remove`)).text, `${path}/remove`)
  for (const _ of [1, 2]) {
    expect((await send(`${path}/remove`, values)).headers["location"]).toBe(`${page()}?done=webhook-removed`)
  }
  expect([await endpoints(), await countActs("endpoint.removed")]).toEqual([[], 1])
})
