/** Times in the zone of the organization, numbers in the reader's language, and CSV with the requested separator. */
import { readDigestSetting, setDigest, setTimeZone } from "@sov/core"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
afterAll(() => server.close())

const open = async () => {
  const id = await server.run(seed)
  const platforms = ["assistant_a", "assistant_b", "assistant_c"] as const
  await server.run(scanWith(id, 0, (n) => n % 2 === 0 ? "Acme Forge and Globex." : "Globex.", { platforms }))
  return { id, path: await server.run(pathOf(id)), person: await server.signIn(id, "owner") }
}
const german = { headers: { "accept-language": "de-DE,de;q=0.9,en;q=0.5" } }

it("pages show times in the zone of their organization, and machines get UTC", async () => {
  const { id, path, person } = await open()
  expect(wordsOf((await person.get(`${path}/scans`)).text)).toContain("UTC")
  await server.run(setTimeZone(id, "Europe/Berlin"))
  const page = (await person.get(`${path}/scans`)).text
  expect(wordsOf(page)).toMatch(/\d \w{3} \d{4}, \d\d:\d\d CES?T/)
  expect(wordsOf(page)).not.toContain("UTC")
  expect(page).toMatch(/datetime="[^"]+Z"/)
  expect((await person.get(`${path}/scans.csv`)).text).toMatch(/\d{4}-\d\d-\d\dT[\d:.]+Z/)
})

it("numbers and dates follow the browser's language, until the person chooses another", async () => {
  const { path, person } = await open()
  const figure = /(\d+)([.,])(\d) ?%/
  const table = async (headers = {}) =>
    figure.exec(wordsOf((await person.get(path, { headers })).text).replaceAll("\u00a0", " "))?.[2]
  expect([await table(), await table(german.headers)]).toEqual([".", ","])
  const saved = await person.post("/account/formats", { locale: "fr", separator: "" })
  expect(saved.headers["location"]).toBe("/account?done=formats-set")
  expect(await table()).toBe(",")
  expect((await person.get("/account")).text).toContain("<option value=\"fr\" selected>")
  await person.post("/account/formats", { locale: "no such", separator: "pipe" })
  expect(await table()).toBe(".")
})

it("a report has the language of the person who made it and the time zone of its organization", async () => {
  const { id, path, person } = await open()
  await server.run(setTimeZone(id, "America/New_York"))
  const file = (await person.get(`${path}/report.html`, german)).text
  expect(file).toMatch(/Made by sov, \d+\. \w+\.? \d{4}, \d\d:\d\d E[SD]T/)
  expect(file).toContain("\"time_zone\":\"America/New_York\"")
})

it("a CSV has the separator of its address, or the chosen one, or commas", async () => {
  const { path, person } = await open()
  const header = async (query = "") => (await person.get(`${path}/scans.csv${query}`)).text.split("\r\n")[0]!
  expect(await header()).toMatch(/^\w+,\w+/)
  expect(await header("?separator=semicolon")).toMatch(/^\w+;\w+/)
  expect(await header("?separator=tab")).toMatch(/^\w+\t\w+/)
  await person.post("/account/formats", { locale: "", separator: "semicolon" })
  expect([await header(), await header("?separator=comma")]).toEqual([
    expect.stringMatching(/^\w+;/),
    expect.stringMatching(/^\w+,/)
  ])
  const refused = await person.get(`${path}/scans.csv?separator=pipe`)
  expect([refused.status, wordsOf(refused.text)]).toEqual([400, expect.stringContaining("comma, semicolon or tab")])
})

it("an owner can set the time zone by a city's name, which also moves the next digest", async () => {
  const { id, path, person } = await open()
  await server.run(setDigest(id, true))
  const before = await server.run(readDigestSetting(id))
  const page = `${path}/settings/organization`
  const refused = await person.press(page, page, { timeZone: "Atlantis" })
  expect([refused.status, wordsOf(refused.text)]).toEqual([422, expect.stringContaining("is no IANA time zone")])
  expect((await person.press(page, page, { timeZone: "tokyo" })).status).toBe(303)
  expect(wordsOf((await person.get(page)).text)).toMatch(/now .*GMT\+9/)
  const after = await server.run(readDigestSetting(id))
  expect(before.nextAt!.getUTCHours()).toBe(8)
  expect(after.nextAt!.getUTCHours()).toBe(23)
  // A change that somebody else made in the meantime is not overwritten
  const form = await person.get(page)
  await server.run(Effect.asVoid(setTimeZone(id, "UTC")))
  const seen = /name="seen" value="([^"]+)"/.exec(form.text)![1]!
  expect((await person.submit(page, { seen, timeZone: "Europe/Berlin" })).status).toBe(409)
})
