/** Comparing the organizations of one person. */
import {
  consoleIdentity,
  listScanRows,
  type OrganizationId,
  PersonStore,
  readScoreReport,
  setAlertRule,
  setPlan,
  setSchedule,
  wholeHistory
} from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { describeCost } from "../../../packages/http/src/dashboard/pages/scanWords.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
afterAll(() => server.close())

it("each organization has its latest headline, with its interval and whether the change exceeds noise", async () => {
  const [one, empty] = [await server.run(seed), await server.run(seed)]
  const other = await server.run(seedOrganization({ name: "Rival Anvils" }))
  const asked = { platforms: ["assistant_a", "assistant_b", "assistant_c", "assistant_d"] } as const
  await server.run(scanWith(one, 0, () => "Acme Forge and Globex.", asked))
  await server.run(scanWith(one, 600, () => "Acme Forge.", asked))
  const person = await server.signIn(one, "viewer")
  await server.run(Effect.flatMap(PersonStore, (people) => people.addMember(empty, person.person.id, "owner", at(1))))
  const { score } = await server.run(readScoreReport(one, wholeHistory, 1, null))
  const page = await person.get("/portfolio")
  const words = wordsOf(page.text)
  const { high, low } = score.uncertainty!.interval!
  expect(words).toContain(`100 % ${Math.round(low)}–${Math.round(high)}`)
  expect(words).toMatch(/\+50\.0 since .* more than noise/)
  expect(words).toContain("no measured scan yet")
  expect(words).not.toContain(other.name)
  for (const id of [one, empty]) expect(page.text).toContain(`href="${await server.run(pathOf(id))}"`)
  const [header, ...lines] = (await person.get("/portfolio.csv")).text.trimEnd().split("\r\n")
  expect(header).toBe(
    "organization,name,scan_id,completed_at,sov,interval_low,interval_high,delta,direction,simulated,asked,rank,named"
  )
  expect(lines.map((line) => line.split(",").slice(4))).toContainEqual([
    "100",
    String(Math.round(low * 10) / 10),
    "100",
    "50",
    "up",
    "false",
    "",
    "1",
    "3"
  ])
})

it("the address determines search, order and page of organizations; rows show rank, alerts, trend and next scan", async () => {
  const person = await server.signIn(null)
  const join = async (id: OrganizationId) => {
    await server.run(Effect.flatMap(PersonStore, (people) => people.addMember(id, person.person.id, "viewer", at(1))))
    return server.run(pathOf(id))
  }
  const ids = await Promise.all(
    ["Zeta <b>", "Alpha", "Midway"].map(async (name) => (await server.run(seedOrganization({ name }))).id)
  )
  const paths = await Promise.all(ids.map(join))
  const scored = await server.run(seed)
  const path = await join(scored)
  await server.run(setAlertRule(scored, { rule: "sov_drop", enabled: true, threshold: 40, sensitivity: "immediate" }))
  const recent = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  await server.run(scanWith(scored, 0, () => "Acme Forge and Globex.", { startedAt: recent(5) }))
  await server.run(scanWith(scored, 0, () => "Globex.", { startedAt: recent(3) }))
  await server.run(setSchedule(scored, { cron: "0 7 * * 1", timeZone: "Europe/Berlin", samples: 1 }))
  const listed = async (query: string) => {
    const { text } = await person.get(`/portfolio${query}`)
    return [...text.matchAll(/<th scope="row"><a href="([^"]+)"/g)].map(([, one]) => one)
  }
  expect((await listed("?sort=name")).filter((one) => one !== path)).toEqual([paths[1], paths[2], paths[0]])
  expect((await listed("?sort=-name")).filter((one) => one !== path)).toEqual([paths[0], paths[2], paths[1]])
  expect((await listed(""))[0]).toBe(path)
  expect((await listed("?sort=share"))[0]).toBe(path)
  // Only this organization has alerts, costs and a schedule; unknown times come last in both directions
  for (const sort of ["-alerts", "-spent", "next", "-next"]) {
    expect((await listed(`?sort=${sort}`))[0], sort).toBe(path)
  }
  for (const sort of ["alerts", "spent"]) expect((await listed(`?sort=${sort}`)).at(-1), sort).toBe(path)
  const rowOf = async (sort: string) =>
    (await person.get(`/portfolio?sort=${sort}`)).text.split("<tr").find((one) => one.includes(`href="${path}"`))!
  const row = await rowOf("name")
  for (const sort of ["-alerts", "-spent", "next"]) expect(await rowOf(sort), sort).toBe(row)
  expect(await listed("?q=aLPha")).toEqual([paths[1]])
  const { text } = await person.get("/portfolio?q=zeta+%3Cb%3E")
  expect(text).toContain("Zeta &lt;b&gt;")
  expect((await person.get("/portfolio?sort=spend")).status).toBe(400)
  const words = wordsOf((await person.get("/portfolio")).text)
  expect(words).toMatch(/0 % [\d–]+ −50\.0 since .* 2 of 3 /)
  const { text: page } = await person.get("/portfolio")
  expect(page).toContain(`<a href="${path}/alerts">`)
  expect(words).toMatch(/\d+ \w+ \d{4}, 0[56]:00 UTC/)
  expect(words).toContain("no schedule")
})

it("the month's spending begins with the month, even on a plan that shows seven days", async () => {
  const id = await server.run(seed)
  await server.run(setPlan(id, "free"))
  const now = new Date()
  const day = (date: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), date))
  const { ms } = server.clock
  server.clock.ms = day(20).getTime() - Date.now()
  try {
    await server.run(scanWith(id, 0, () => "Acme Forge.", { startedAt: day(0) }))
    const earlier = await server.run(scanWith(id, 0, () => "Acme Forge.", { startedAt: day(2) }))
    const { rows } = await server.run(listScanRows(id, wholeHistory, {}, { limit: 2 }))
    const { costUsd } = rows.find(({ scan }) => scan.id === earlier.id)!.spent!
    expect(costUsd).toBeGreaterThan(0)
    const words = wordsOf((await (await server.signIn(id)).get("/portfolio")).text)
    expect(words).toContain(` ${describeCost({ costUsd, unpriced: 0 })} `)
  } finally {
    server.clock.ms = ms
  }
})

it("a page has twenty organizations", async () => {
  const person = await server.signIn(null)
  for (let n = 0; n < 21; n++) {
    const { id } = await server.run(seedOrganization({ name: `Client ${String(n).padStart(2, "0")}` }))
    await server.run(Effect.flatMap(PersonStore, (people) => people.addMember(id, person.person.id, "viewer", at(1))))
  }
  const first = await person.get("/portfolio?sort=name")
  expect(first.text.match(/<th scope="row">/g)).toHaveLength(20)
  const next = /href="([^"]+)" rel="next"/.exec(first.text)![1]!.replaceAll("&amp;", "&")
  expect(wordsOf((await person.get(next)).text)).toContain("Client 20")
})

it("only operators are offered a new organization", async () => {
  const person = await server.signIn(await server.run(seed))
  expect((await person.get("/portfolio")).text).not.toContain("href=\"/setup\"")
  await server.run(
    Effect.flatMap(PersonStore, (people) => people.addIdentity(person.person.id, consoleIdentity, new Date()))
  )
  expect((await person.get("/portfolio")).text).toContain("href=\"/setup\"")
})

it("a visitor without a session is redirected to the sign-in page", async () => {
  const answer = await server.browser().get("/portfolio")
  expect([answer.status, answer.headers["location"]]).toEqual([303, "/login?next=%2Fportfolio"])
})
