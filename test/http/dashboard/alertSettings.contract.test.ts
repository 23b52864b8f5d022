/**
 * Alert settings over HTTP: a rule can be tried on recent scans before it is set, and two people who edit do not
 * overwrite each other's changes.
 */
import {
  EmailAddress,
  listAlerts,
  Mailer,
  type MailSender,
  makeFormId,
  MeasurementStore,
  type OrganizationId,
  previewAlertRule,
  readAlertRule,
  readAuditLog,
  readRecipients,
  setAlertRule,
  setRecipients,
  wholeHistory
} from "@sov/core"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { formatDate } from "../../../packages/http/src/dashboard/charts/numbers.ts"
import { named } from "../../support/alertRules.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { readForm } from "../../support/pageForms.ts"
import { layerHome } from "../../support/storage.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: string
let owner: Awaited<ReturnType<TestDashboard["signIn"]>>
let other: typeof owner

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
afterAll(() => server.close())

/** Seconds between scans that are two days apart. */
const days = (n: number) => n * 172_800
const course = [8, 3, 3, 9, 2, 8, 0]

const addScans = () =>
  server.run(Effect.forEach(course, (cells, n) => scanWith(organizationId, days(n), named(cells)), { discard: true }))

beforeEach(async () => {
  organizationId = await server.run(seed)
  home = await server.run(pathOf(organizationId))
  owner = await server.signIn(organizationId, "owner")
  other = await server.signIn(organizationId, "owner")
})

const rulePath = () => `${home}/settings/alerts/sov_drop`
const openRule = async (who = owner) => readForm((await who.get(rulePath())).text, rulePath())
const rule = () => server.run(readAlertRule(organizationId, "sov_drop"))

describe("a rule", () => {
  it("the preview lists the same past scans as previewAlertRule", async () => {
    await addScans()
    const form = { ...await openRule(), enabled: "on", threshold: "50", sensitivity: "immediate", step: "preview" }
    const page = await owner.post(rulePath(), form)
    const { scans } = await server.run(previewAlertRule(organizationId, wholeHistory, {
      rule: "sov_drop",
      threshold: 50
    }))
    const dates = scans.filter(({ alerts }) => alerts.length > 0).map(({ scan }) => formatDate(scan.completedAt!))
    expect([page.status, dates.length]).toEqual([200, 3])
    for (const date of new Set(dates)) expect(wordsOf(page.text)).toContain(date)
    expect(wordsOf(page.text)).toContain("With this rule, your last 7 scans would have alerted on")
    expect(readForm(page.text, rulePath())).toMatchObject({ enabled: "on", threshold: "50", sensitivity: "immediate" })
    expect((await rule()).enabled).toBe(false)
    expect(await server.run(listAlerts(organizationId, wholeHistory, { limit: 9 }))).toEqual([])
  })

  it("a rule is saved as it was previewed, and the audit log contains its previous value", async () => {
    const form = { ...await openRule(), enabled: "on", threshold: "50", sensitivity: "confirmed", step: "save" }
    const saved = await owner.post(rulePath(), form)
    expect([saved.status, saved.headers["location"]]).toEqual([303, `${home}/settings/alerts?done=alert-rule-on`])
    expect(await rule()).toEqual({ rule: "sov_drop", enabled: true, threshold: 50, sensitivity: "confirmed" })
    const { entries } = await server.run(readAuditLog(organizationId, wholeHistory, {}, { limit: 1 }))
    expect(entries[0]).toMatchObject({
      action: "alert_rule.changed",
      actor: { kind: "person", name: owner.person.name },
      detail: { enabled: true, threshold: 50, before: { enabled: false, threshold: null, sensitivity: "immediate" } }
    })
    expect(wordsOf((await owner.get(`${home}/settings/alerts`)).text)).toContain("50 %")
  })

  it("if two people edit a rule, the second sees what the first has saved, and the form keeps the typed values", async () => {
    const [mine, theirs] = [await openRule(), await openRule(other)]
    await owner.post(rulePath(), { ...mine, enabled: "on", threshold: "40", step: "save" })
    const late = await other.post(rulePath(), { ...theirs, enabled: "on", threshold: "30", step: "save" })
    expect(late.status).toBe(409)
    expect(wordsOf(late.text)).toContain("Someone else changed this in the meantime")
    expect(wordsOf(late.text)).toContain("It is now: on, below 40 %, immediate.")
    const shown = readForm(late.text, rulePath())
    expect(shown).toMatchObject({ threshold: "30" })
    expect((await rule()).threshold).toBe(40)
    await other.post(rulePath(), { ...shown, step: "save" })
    expect((await rule()).threshold).toBe(30)
  })

  it("a rule is reported as changed if somebody else saved it between opening and preview", async () => {
    const form = await openRule()
    await server.run(setAlertRule(organizationId, { rule: "sov_drop", enabled: true, threshold: 40 }))
    const page = await owner.post(rulePath(), { ...form, enabled: "on", threshold: "50", step: "preview" })
    expect(wordsOf(page.text)).toContain("It is now: on, below 40 %")
  })

  it("a threshold outside 0 to 100 is refused, and the field keeps what was typed", async () => {
    const form = await openRule()
    for (const threshold of ["", "0", "101", "-1", "1e1", "abc", "٤٠"]) {
      const page = await owner.post(rulePath(), { ...form, enabled: "on", threshold, step: "save" })
      expect(page.status, threshold).toBe(422)
      expect(wordsOf(page.text)).toContain("Enter a number above 0 and at most 100")
      expect(readForm(page.text, rulePath())["threshold"]).toBe(threshold)
    }
    expect((await rule()).enabled).toBe(false)
  })

  it("a threshold may have a decimal comma", async () => {
    await owner.post(rulePath(), { ...await openRule(), enabled: "on", threshold: "25,5", step: "save" })
    expect((await rule()).threshold).toBe(25.5)
  })

  it("a rule whose preview took too long is shown without it, with the typed values", async () => {
    await addScans()
    const page = await owner.post(rulePath(), { ...await openRule(), enabled: "on", threshold: "50", step: "stop" })
    expect(wordsOf(page.text)).toContain("The preview was stopped.")
    expect(readForm(page.text, rulePath())).toMatchObject({ threshold: "50" })
  })

  it("a rule that does not exist has no page", async () => {
    expect((await owner.get(`${home}/settings/alerts/no_rule`)).status).toBe(404)
    expect((await owner.post(`${home}/settings/alerts/__proto__`)).status).toBe(404)
  })
})

describe("the form of a rule whose preview does not end", () => {
  it("the form appears and can be saved while the preview runs, and the preview ends when the reader leaves", async () => {
    const begun = Promise.withResolvers<void>()
    const interrupted = Promise.withResolvers<void>()
    const layerStuck = Layer.effect(
      MeasurementStore,
      Effect.map(MeasurementStore, (store) =>
        MeasurementStore.of({
          ...store,
          newMentions: () =>
            Effect.andThen(Effect.sync(begun.resolve), Effect.never).pipe(
              Effect.onInterrupt(() => Effect.sync(interrupted.resolve))
            )
        }))
    )
    const stuck = await openDashboard(Layer.provideMerge(layerStuck, layerHome(oneHome[0]!)))
    const id = await stuck.run(seed)
    await stuck.run(Effect.forEach(course, (cells, n) => scanWith(id, days(n), named(cells)), { discard: true }))
    const member = await stuck.signIn(id, "member")
    const path = `${await stuck.run(pathOf(id))}/settings/alerts/new_mention`
    const leave = new AbortController()
    const response = await fetch(`${stuck.base}${path}`, {
      headers: { cookie: [...member.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      signal: leave.signal
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    while (!text.includes("Trying this rule")) text += (await reader.read()).value ?? ""
    await begun.promise
    const saved = await member.post(path, { ...readForm(text, path), enabled: "on", step: "save" })
    expect(saved.headers["location"]).toContain("done=alert-rule-on")
    leave.abort()
    await interrupted.promise
    await stuck.close()
  })
})

describe("a server that cannot send e-mail", () => {
  const warning = "This server cannot send e-mail yet: its operator needs to set SOV_SMTP_URL and SOV_MAIL_FROM."
  const settings = () => `${home}/settings/alerts`
  const panel = (text: string, id: string) =>
    wordsOf(text.slice(text.indexOf(`aria-labelledby="${id}"`)).split("</section>")[0]!)

  it("it says so in the panels of e-mails and digests, and after either was saved", async () => {
    const { text } = await owner.get(settings())
    for (const id of ["mail", "digest"]) expect(panel(text, id), id).toContain(warning)
    const saved = async (form: string, fields: Record<string, string>) => {
      const path = `${settings()}/${form}`
      const { headers } = await owner.post(path, { ...readForm((await owner.get(settings())).text, path), ...fields })
      return wordsOf((await owner.get(headers["location"] as string)).text)
    }
    expect(await saved("digest", { state: "on" })).toContain(`The weekly digest is on. ${warning}`)
    expect(await saved("digest", { state: "off" })).not.toContain(`off. ${warning}`)
    expect(await saved("recipients", { addresses: "ops@acme.example" })).toContain(`Recipients saved. ${warning}`)
    expect(await saved("recipients", { addresses: "" })).not.toContain(`saved. ${warning}`)
  })
})

describe("the recipients", () => {
  const path = () => `${home}/settings/alerts/recipients`
  const open = async (who = owner) => readForm((await who.get(`${home}/settings/alerts`)).text, path())
  const addresses = async () => (await server.run(readRecipients(organizationId))).map(({ address }) => address)

  it("recipients are saved one per line, without duplicates", async () => {
    const lines = "ops@acme.example\r\n\r\n ceo@acme.example \nops@acme.example"
    await owner.post(path(), { ...await open(), addresses: lines })
    expect((await addresses()).toSorted()).toEqual(["ceo@acme.example", "ops@acme.example"])
  })
  it("recipients are refused if a line is not an address, and the error names the line", async () => {
    const page = await owner.post(path(), { ...await open(), addresses: "ops@acme.example\nnobody <b>" })
    expect([page.status, await addresses()]).toEqual([422, []])
    expect(page.text).toContain("“nobody &lt;b&gt;” is not an e-mail address.")
    expect(readForm(page.text, path())["addresses"]).toBe("ops@acme.example\nnobody <b>")
  })
  it("recipients are refused if there are too many", async () => {
    const lines = Array.from({ length: 21 }, (_, n) => `a${n}@acme.example`).join("\n")
    const page = await owner.post(path(), { ...await open(), addresses: lines })
    expect([page.status, await addresses()]).toEqual([422, []])
    expect(wordsOf(page.text)).toContain("There can be at most 20 recipients.")
  })
  it("recipients are not overwritten by a form that showed an older list", async () => {
    const form = await open()
    await server.run(setRecipients(organizationId, [EmailAddress.make("new@acme.example")]))
    const page = await owner.post(path(), { ...form, addresses: "late@acme.example" })
    expect([page.status, await addresses()]).toEqual([409, ["new@acme.example"]])
    expect(wordsOf(page.text)).toContain("It is now: new@acme.example.")
  })
  it("recipients are shown only to owners", async () => {
    await server.run(setRecipients(organizationId, [EmailAddress.make("ops@acme.example")]))
    const member = await server.signIn(organizationId, "member")
    const { text } = await member.get(`${home}/settings/alerts`)
    expect(wordsOf(text)).toContain("1 recipient")
    expect(text).not.toContain("ops@acme.example")
  })
})

describe("a test e-mail", () => {
  it("a test e-mail is neither offered nor accepted without a mail server", async () => {
    await server.run(setRecipients(organizationId, [EmailAddress.make("ops@acme.example")]))
    expect((await owner.get(`${home}/settings/alerts`)).text).not.toContain("/settings/alerts/test")
    const refused = await owner.post(`${home}/settings/alerts/test`, {
      rule: "sov_drop",
      form_id: await server.run(makeFormId)
    })
    expect([refused.status, wordsOf(refused.text).includes("no mail server is configured")]).toEqual([422, true])
  })

  it("a test e-mail is sent only once, however often its form is submitted", async () => {
    const sent: Array<string> = []
    const sender: MailSender = { send: ({ to }) => Effect.sync(() => void sent.push(to)) }
    const mailing = await openDashboard(oneHome[0]!, {}, {}, Layer.succeed(Mailer, sender))
    try {
      const id = await mailing.run(seed)
      await mailing.run(setRecipients(id, [EmailAddress.make("ops@acme.example")]))
      const [somebody, settings] = [await mailing.signIn(id), `${await mailing.run(pathOf(id))}/settings/alerts`]
      const form = { ...readForm((await somebody.get(settings)).text, `${settings}/test`), rule: "sov_drop" }
      const send = () => somebody.post(`${settings}/test`, form)
      const twice = await Promise.all([send(), send()])
      expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 303])
      expect((await send()).headers["location"]).toBe(`${settings}?done=test-sent-before`)
      expect(sent).toEqual(["ops@acme.example"])
    } finally {
      await mailing.close()
    }
  })
})

it("a viewer sees the rules without buttons to change them", async () => {
  const viewer = await server.signIn(organizationId, "viewer")
  const { status, text } = await viewer.get(`${home}/settings/alerts`)
  expect([status, text.includes("/settings/alerts/sov_drop"), wordsOf(text).includes("SOV Drop")])
    .toEqual([200, false, true])
})
