/** Branding over HTTP: who may set it, which pictures are taken and how they are sent, and where readers see it. */
import {
  createShareLink,
  inviteMember,
  Mailer,
  type OrganizationId,
  readAuditLog,
  readBranding,
  setTimeZone,
  wholeHistory
} from "@sov/core"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { brandingMark } from "../../../packages/http/src/dashboard/pages/branding.ts"
import { fingerprint } from "../../../packages/http/src/dashboard/pages/forms.ts"
import { checkReportFile } from "../../../packages/http/src/dashboard/report/checkReportFile.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { freshForm } from "../../support/dashboardForms.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { png } from "../../support/logos.ts"
import { uploadForm } from "../../support/uploadForm.ts"

const mails: Array<{ readonly sender?: string; readonly text: string }> = []
let server: TestDashboard
let organizationId: OrganizationId
let home: string
let owner: TestBrowser

beforeAll(async () => {
  server = await openDashboard(
    oneHome[0]!,
    {},
    {},
    Layer.succeed(Mailer, { send: (mail) => Effect.sync(() => void mails.push(mail)) })
  )
  organizationId = await server.run(Effect.tap(seed, (id) => scanWith(id, 0, () => "Acme Forge and Globex.")))
  home = await server.run(pathOf(organizationId))
  owner = await server.signIn(organizationId, "owner")
})
afterAll(() => server.close())

const page = () => `${home}/settings/branding`
const stored = () => server.run(readBranding(organizationId))
const save = async (fields: Readonly<Record<string, string>>) =>
  owner.post(page(), {
    ...await freshForm(server, { seen: fingerprint(brandingMark(await stored())), ...fields }) as Record<string, string>
  })
const upload = (somebody: TestBrowser, file: Uint8Array | string, name = "logo.png") =>
  uploadForm(somebody, `${page()}/logo`, "logo", file, name)

describe("the branding", () => {
  it("a colour that is hard to read is refused with its ratio, and everything typed stays in the form", async () => {
    const answer = await save({ color: "E8A200", sender: "Nordlicht \"Digital\"", footer: "<b>x</b>" })
    expect(answer.status).toBe(422)
    const words = wordsOf(answer.text)
    expect(words).toContain("#e8a200 has a contrast of 2.1 : 1 on white, and lines and text need 4.5 : 1.")
    expect(answer.text).toContain("value=\"E8A200\"")
    expect(answer.text).toContain("value=\"&lt;b&gt;x&lt;/b&gt;\"")
    expect(await stored()).toMatchObject({ color: null, sender: null })
  })

  it("what is saved is in the report, in the report of a share link and in e-mails, and the report is valid", async () => {
    expect((await save({ title: "Our answers", color: "8F6300", sender: "Nordlicht", footer: "© Nordlicht" })).status)
      .toBe(303)
    expect((await upload(owner, png)).status).toBe(303)
    const { text } = await owner.get(`${home}/report.html`)
    const { token } = await server.run(createShareLink(organizationId, { name: "the board" }))
    const shared = (await server.browser().get(`/share/${token}`)).text
    for (const report of [text, shared]) {
      expect(checkReportFile(report).problems).toEqual([])
      expect(wordsOf(report)).toContain("Prepared by Nordlicht · © Nordlicht · ")
      expect(report).toContain("<h1>Our answers</h1>")
      expect(report).toContain("<img alt=\"\" src=\"data:image/png;base64,")
    }
    await server.run(inviteMember(organizationId, {
      email: "new@acme.example" as never,
      role: "viewer",
      origin: "http://x"
    }))
    expect(mails.at(-1)).toMatchObject({ sender: "Nordlicht", text: expect.stringMatching(/\n© Nordlicht\n$/) })
  })

  it("a share link shows numbers and dates in the language and time zone of the organization, to every reader", async () => {
    expect((await save({ title: "Our answers", locale: "de" })).status).toBe(303)
    await server.run(setTimeZone(organizationId, "Europe/Berlin"))
    const { token } = await server.run(createShareLink(organizationId, { name: "Berlin" }))
    for (const language of ["en-US", "ja"]) {
      const { text } = await server.browser().get(`/share/${token}`, { headers: { "accept-language": language } })
      expect(checkReportFile(text).problems).toEqual([])
      expect(wordsOf(text)).toMatch(/scan of \d+\. \p{L}+\.? \d{4}, \d\d:\d\d (?:CET|CEST) /u)
      expect(wordsOf(text)).toMatch(/\d,\d/)
    }
    expect(wordsOf((await owner.get(`${home}/report.html`)).text)).toMatch(/ CES?T /)
    expect([(await save({ title: "Our answers", locale: "klingonish" })).status, (await stored()).locale]).toEqual([
      422,
      "de"
    ])
  })

  it("the form offers each kind of English once, and says which language applies if none is set", async () => {
    const options = (await owner.get(page())).text.match(/(?<=<option[^>]*>)[^<]*English[^<]*/g)
    expect(options).toEqual([
      expect.stringMatching(/^Not set: English; a downloaded report in its reader.+s language$/),
      expect.stringMatching(/^English: /),
      expect.stringMatching(/^British English: /),
      expect.stringMatching(/^American English: /)
    ])
  })

  it("somebody who has not seen the latest branding does not overwrite it", async () => {
    const stale = await freshForm(server, { seen: fingerprint("{}"), title: "Mine" })
    const answer = await owner.post(page(), stale as Record<string, string>)
    expect([answer.status, (await stored()).title]).toEqual([409, "Our answers"])
    expect(answer.text).toContain("value=\"Mine\"")
  })
})

describe("a logo", () => {
  it.each([
    ["a drawing with a script", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "image/png"],
    ["a page", "<!doctype html><script>alert(1)</script>", "logo.png"],
    ["too large", Buffer.concat([png, Buffer.alloc(5 * 2 ** 20)]), "logo.png"],
    ["empty", "", "logo.png"]
  ])("an upload that is %s is refused in words, and the logo stays", async (_, file, name) => {
    const answer = await upload(owner, file, name)
    expect([answer.status, wordsOf(answer.text)]).toEqual([422, expect.stringContaining("The logo was not saved")])
    expect((await stored()).logo?.type).toBe("image/png")
  })

  it("a logo is sent as a picture that no browser runs or takes for something else", async () => {
    const { headers, status } = await owner.get(`${page()}/logo`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
      "content-disposition": expect.stringContaining("attachment")
    })
  })

  it("the same logo again changes nothing, and a member may not change it", async () => {
    const before = (await server.run(readAuditLog(organizationId, wholeHistory, {}, { limit: 50 }))).entries.length
    expect((await upload(owner, png, "other.jpg")).status).toBe(303)
    expect((await server.run(readAuditLog(organizationId, wholeHistory, {}, { limit: 50 }))).entries).toHaveLength(
      before
    )
    const member = await server.signIn(organizationId, "member")
    expect((await upload(member, png)).status).toBe(403)
  })
})
