/** Several organizations of one person, side by side. */
import { PersonStore, readScoreReport, wholeHistory } from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"

let server: TestDashboard
beforeAll(async () => {
  server = await openDashboard("embedded")
})
afterAll(() => server.close())

it("each organization has its latest headline, with interval and whether the change exceeds noise", async () => {
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
    "organization,name,scan_id,completed_at,sov,interval_low,interval_high,delta,direction,simulated,asked"
  )
  expect(lines.map((line) => line.split(",").slice(4))).toContainEqual([
    "100",
    String(Math.round(low * 10) / 10),
    "100",
    "50",
    "up",
    "false",
    ""
  ])
})

it("a visitor without a session is redirected to the sign-in page", async () => {
  const answer = await server.browser().get("/portfolio")
  expect([answer.status, answer.headers["location"]]).toEqual([303, "/login?next=%2Fportfolio"])
})
