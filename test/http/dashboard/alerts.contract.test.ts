/** Alerts over HTTP: the list, its CSV, and one alert with its evidence and the people who were notified. */
import { EventId, type OrganizationId, readAlertLog, wholeHistory } from "@sov/core"
import { newId } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, expect, it } from "vitest"
import { seedEndpoint } from "../../contracts/webhookSeeds.ts"
import { drop, named, naming, seedWithRules, usual } from "../../support/alertRules.ts"
import { scanWith } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`
let viewer: TestBrowser

const rules = [
  drop,
  { rule: "new_mention", enabled: true },
  { rule: "competitor_overtake", enabled: true }
] as const

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!, {}, { platformLabels: new Map([["assistant_a", "Parrot"]]) })
  organizationId = await server.run(seedWithRules(...rules))
  home = await server.run(pathOf(organizationId))
  viewer = await server.signIn(organizationId, "viewer")
})
afterAll(() => server.close())

const listAlerts = () =>
  Effect.map(readAlertLog(organizationId, wholeHistory, {}, { limit: 99 }), ({ alerts }) => alerts)

const linesOf = (csv: string) => csv.trimEnd().split("\r\n").slice(1)

it("an empty list explains what alerts are, and links people who may edit to the rules", async () => {
  const { status, text } = await viewer.get(`${home}/alerts`)
  expect([status, wordsOf(text).includes("No alerts")]).toEqual([200, true])
  expect(text).not.toContain("Set up alerts")
  const member = await server.signIn(organizationId, "member")
  expect((await member.get(`${home}/alerts`)).text).toContain("Set up alerts")
  expect(linesOf((await viewer.get(`${home}/alerts.csv`)).text)).toEqual([])
})

it("the list and its CSV contain alerts newest first, each with what happened", async () => {
  await server.run(
    seedEndpoint(organizationId, { url: "https://hooks.acme.example/T0/secret", events: ["sov.dropped"] })
  )
  await server.run(scanWith(organizationId, 100, named(8)))
  await server.run(scanWith(organizationId, 200, (n) => n < 2 ? "Take Acme Forge." : "Take Globex."))
  await server.run(scanWith(organizationId, 300, named(12)))
  const alerts = await server.run(listAlerts())
  expect(alerts[0]!.alert.rule).toBe("new_mention")
  expect(alerts.map(({ alert }) => alert.rule).toSorted()).toEqual(["competitor_overtake", "new_mention", "sov_drop"])
  const { text } = await viewer.get(`${home}/alerts`)
  expect([...text.matchAll(/\/alerts\/([0-9a-f-]{36})"/g)].map(([, id]) => id)).toEqual(
    alerts.map(({ alert }) => alert.id)
  )
  const words = wordsOf(text)
  expect(words).toContain("SOV Drop Share of voice fell to")
  expect(words).toContain("Competitor Overtake Globex is ahead: 66.7 % to 33.3 %")
  expect(words).toContain("2 queued")
  const lines = linesOf((await viewer.get(`${home}/alerts.csv`)).text)
  expect(lines.map((line) => line.split(",").slice(0, 3))).toEqual(
    alerts.map(({ alert }) => [alert.id, alert.createdAt.toISOString(), alert.rule])
  )
})

it("the list and its CSV filter by rule, and refuse an invalid rule or cursor", async () => {
  const { text } = await viewer.get(`${home}/alerts?rule=sov_drop`)
  expect(text.match(/\/alerts\/[0-9a-f-]{36}"/g)).toHaveLength(1)
  expect(linesOf((await viewer.get(`${home}/alerts.csv?rule=sov_drop`)).text)).toHaveLength(1)
  expect((await viewer.get(`${home}/alerts?rule=&cursor=`)).headers["location"]).toBe(`${home}/alerts`)
  for (const bad of ["rule=none", "cursor=x"]) expect((await viewer.get(`${home}/alerts?${bad}`)).status, bad).toBe(400)
})

it("an alert about a drop shows numbers, evidence, both scans, e-mails, and only the host of an endpoint", async () => {
  const { alert } = (await server.run(listAlerts())).find((one) => one.alert.rule === "sov_drop")!
  if (alert.rule !== "sov_drop") throw new Error("no drop")
  const { data } = alert
  const { text } = await viewer.get(`${home}/alerts/${alert.id}`)
  const words = wordsOf(text)
  expect(words).toContain(`Threshold ${data.threshold} %`)
  expect(words).toContain(
    `${data.cells_moved} of the ${data.n_cells} pairs of question and platform that both scans answered moved`
  )
  expect(words).toContain("Fewer than 20 pairs say little.")
  expect(words).toContain(data.confirmed ? "more than noise" : "may be noise")
  expect(text).toContain(`${home}/scans/compare?before=${data.previous_scan_id}&amp;after=${data.scan_id}"`)
  expect(text).toContain(`${home}/answers?scan_id=${data.scan_id}"`)
  expect(words).toMatch(/ann@acme\.example queued 0/)
  expect(words).toMatch(/hooks\.acme\.example pending 0/)
  expect(text).not.toContain("secret")
})

it("an alert about new mentions links each question to its answers", async () => {
  const { alert } = (await server.run(listAlerts()))[0]!
  if (alert.rule !== "new_mention") throw new Error("no mention")
  const { text } = await viewer.get(`${home}/alerts/${alert.id}`)
  for (const { archive_id } of alert.data.mentions) expect(text).toContain(`${home}/answers/${archive_id}"`)
  const words = wordsOf(text)
  expect(words).toMatch(/best anvil for workshop \d\? Parrot \(assistant_a\) 1× 1/)
  expect(words).toContain("No webhook subscribes to this event.")
  expect(text).not.toContain("scans/compare")
})

it("an alert about new competitors links each name to its answers and to its suggestion", async () => {
  const made = await server.run(seedWithRules({ rule: "new_competitor", enabled: true }))
  await server.run(scanWith(made, 100, usual))
  await server.run(scanWith(made, 200, naming(["Zorvik", "Initrode"])))
  const [found] = (await server.run(readAlertLog(made, wholeHistory, {}, { limit: 9 }))).alerts
  if (found?.alert.rule !== "new_competitor") throw new Error("no new competitor")
  const path = await server.run(pathOf(made))
  const member = await server.signIn(made, "member")
  expect(wordsOf((await member.get(`${path}/alerts`)).text)).toContain(
    "New Competitor Newly named and not tracked: Initrode and 1 more"
  )
  const { text } = await member.get(`${path}/alerts/${found.alert.id}`)
  expect(wordsOf(text)).toMatch(/Zorvik 12 6 Parrot \(assistant_a\), assistant_b [\d.]+ % may be noise/)
  for (const { archive_ids } of found.alert.data.names) {
    expect(archive_ids).toHaveLength(2)
    for (const id of archive_ids) expect(text).toContain(`${path}/answers/${id}"`)
  }
  expect(text).toContain(`${path}/competitors"`)
  expect(text).toContain(`${path}/scans/compare?before=${found.alert.data.previous_scan_id}&amp;`)
  const setting = wordsOf((await member.get(`${path}/settings/alerts/new_competitor`)).text)
  expect(setting).toContain("With this rule, your last 2 scans would have alerted on")
  expect(setting).toContain("One alert for each scan at most")
  expect(setting).toContain("40 untracked names, each named as often as ever 0.6 0.3")
})

it("an alert from simulated answers is marked as simulated", async () => {
  const made = await server.run(seedWithRules(drop))
  await server.run(scanWith(made, 100, named(8), { simulated: true }))
  await server.run(scanWith(made, 200, named(2), { simulated: true }))
  const somebody = await server.signIn(made, "viewer")
  const path = await server.run(pathOf(made))
  const { text } = await somebody.get(`${path}/alerts`)
  expect(text).toContain("<span class=\"tag\">Simulated</span>")
  const alert = /\/alerts\/[0-9a-f-]{36}/.exec(text)![0]
  expect(wordsOf((await somebody.get(`${path}${alert}`)).text)).toContain("Simulated Made-up platforms")
  expect(linesOf((await somebody.get(`${path}/alerts.csv`)).text)[0]).toMatch(/,true,$/)
})

it("an alert of another organization is not found, like an unknown one", async () => {
  const { alert } = (await server.run(listAlerts()))[0]!
  const other = await server.run(seedWithRules(drop))
  const somebody = await server.signIn(other, "owner")
  const path = await server.run(pathOf(other))
  for (const id of [alert.id, await server.run(newId(EventId)), "x"]) {
    expect((await somebody.get(`${path}/alerts/${id}`)).status).toBe(404)
  }
})

it("an alert older than the plan's history is kept but not shown", async () => {
  const made = await server.run(seedWithRules(drop))
  await server.run(scanWith(made, 100, named(8)))
  await server.run(scanWith(made, 200, named(2)))
  const { alert } = (await server.run(readAlertLog(made, wholeHistory, {}, { limit: 9 }))).alerts[0]!
  await server.run(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`update organization set plan = 'free' where id = ${made}`
  }))
  const path = await server.run(pathOf(made))
  server.clock.ms += 8 * 86_400_000
  const later = await server.signIn(made, "viewer")
  const answer = await later.get(`${path}/alerts/${alert.id}`)
  expect([answer.status, wordsOf(answer.text).includes("older than your plan shows")]).toEqual([403, true])
  expect(wordsOf((await later.get(`${path}/alerts`)).text)).toContain("None in the period that your plan shows.")
  expect(linesOf((await later.get(`${path}/alerts.csv`)).text)).toEqual([])
  server.clock.ms -= 8 * 86_400_000
})
