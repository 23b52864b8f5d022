/** The schedule over HTTP: a preview of the next runs, pausing, removing, and two people who edit it at once. */
import { findSchedule, type OrganizationId, previewSchedule, readAuditLog, setSchedule, wholeHistory } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { readForm } from "../../support/pageForms.ts"

let server: TestDashboard
let organizationId: OrganizationId
let path: string
let member: Awaited<ReturnType<TestDashboard["signIn"]>>

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
afterAll(() => server.close())
beforeEach(async () => {
  organizationId = (await server.run(seedOrganization())).id
  path = `${await server.run(pathOf(organizationId))}/settings/schedule`
  member = await server.signIn(organizationId, "member")
})

const open = async () => readForm((await member.get(path)).text, path)
const schedule = () => server.run(findSchedule(organizationId))
const monday = { every: "week", weekday: "monday", time: "07:00", timeZone: "Europe/Berlin", samples: "2" }

it("the preview of a schedule shows the next five runs of the use case", async () => {
  const page = await member.post(path, { ...await open(), ...monday, step: "preview" })
  const { runs } = await server.run(
    previewSchedule(organizationId, { cron: "0 7 * * 1", timeZone: "Europe/Berlin" }, 5)
  )
  expect(wordsOf(page.text)).toContain("This schedule would run every Monday at 07:00, Europe/Berlin:")
  expect([...page.text.matchAll(/<time datetime="([^"]+)">Mon /g)].map(([, time]) => time)).toEqual(
    runs.map((run) => run.toISOString())
  )
  expect([runs.length, await schedule()]).toEqual([5, null])
})

it("a schedule can be set, paused, resumed and removed; each act is audited with the previous value", async () => {
  await member.post(path, { ...await open(), ...monday, step: "save" })
  expect(await schedule()).toMatchObject({ cron: "0 7 * * 1", timeZone: "Europe/Berlin", samples: 2, platforms: null })
  expect(await open()).toMatchObject(monday)
  for (const state of ["pause", "resume"]) {
    const form = readForm((await member.get(path)).text, `${path}/state`)
    expect(form["state"]).toBe(state)
    await member.post(`${path}/state`, form)
    expect((await schedule())!.paused).toBe(state === "pause")
  }
  await member.post(path, { ...await open(), every: "cron", cron: "0 7 * * 1-5", step: "save" })
  const removal = readForm((await member.get(`${path}/remove`)).text, `${path}/remove`)
  for (const done of ["schedule-removed", "sent-before"]) {
    expect((await member.post(`${path}/remove`, removal)).headers["location"]).toBe(`${path}?done=${done}`)
  }
  expect(await schedule()).toBe(null)
  const { entries } = await server.run(readAuditLog(organizationId, wholeHistory, {}, { limit: 9 }))
  const before = { time_zone: "Europe/Berlin", platforms: null, samples: 2, paused: false }
  expect(entries.filter(({ action }) => action.startsWith("schedule.")).map(({ action, detail }) => [action, detail]))
    .toMatchObject([
      ["schedule.removed", { before: { ...before, cron: "0 7 * * 1-5" } }],
      ["schedule.set", { cron: "0 7 * * 1-5", before: { ...before, cron: "0 7 * * 1" } }],
      ["schedule.resumed", {}],
      ["schedule.paused", {}],
      ["schedule.set", { cron: "0 7 * * 1", before: null }]
    ])
})

it("a stale form does not overwrite the schedule", async () => {
  const form = await open()
  await server.run(setSchedule(organizationId, { cron: "daily", samples: 1, timeZone: "UTC" }))
  const page = await member.post(path, { ...form, ...monday, step: "save" })
  expect([page.status, (await schedule())!.cron]).toEqual([409, "0 0 * * *"])
  expect(wordsOf(page.text)).toContain("It is now: every day at 00:00, UTC; all platforms; each question once.")
  expect(readForm(page.text, path)).toMatchObject(monday)
})

it("a schedule is not paused, resumed or removed by a form that has not shown its current state", async () => {
  const [state, removal] = [`${path}/state`, `${path}/remove`]
  await server.run(setSchedule(organizationId, { cron: "daily", samples: 1, timeZone: "UTC" }))
  const stale = [readForm((await member.get(path)).text, state), readForm((await member.get(removal)).text, removal)]
  await server.run(setSchedule(organizationId, { cron: "weekly", samples: 1, timeZone: "UTC" }))
  for (const [n, action] of [state, removal].entries()) {
    const late = await member.post(action, stale[n]!)
    expect([late.status, wordsOf(late.text)]).toEqual([
      409,
      expect.stringContaining("It is now: every Sunday at 00:00")
    ])
    expect(await schedule()).toMatchObject({ cron: "0 0 * * 0", paused: false })
    if (action === removal) expect((await member.post(action, readForm(late.text, action))).status).toBe(303)
  }
  const gone = await member.post(removal, { ...stale[1]!, form_id: stale[0]!["form_id"]! })
  expect([gone.status, wordsOf(gone.text).includes("The schedule no longer exists")]).toEqual([409, true])
})

it("a schedule is weekly by default, and its time zone can be given as a city", async () => {
  const form = await open()
  expect(form).toMatchObject({ every: "week", weekday: "monday" })
  await member.post(path, { ...form, timeZone: "berlin", step: "save" })
  expect(await schedule()).toMatchObject({ timeZone: "Europe/Berlin" })
  await member.post(path, { ...await open(), timeZone: "new york", step: "save" })
  expect(await schedule()).toMatchObject({ timeZone: "America/New_York" })
})

it("an invalid schedule gets an error beside its field, keeps what was typed, and sets nothing", async () => {
  const form = await open()
  for (
    const [fields, fault] of [
      [{ every: "day", time: "25:00" }, "Enter a time such as 07:00."],
      [{ every: "cron", cron: "" }, "Enter a cron expression."],
      [{ every: "cron", cron: "61 * * * *" }, "is not possible"],
      [{ every: "cron", cron: "0 0 30 2 *" }, "names a day that never comes"],
      [{ every: "never" }, "Choose one of the three."],
      [{ timeZone: "Europe/Berlen" }, "did you mean Europe/Berlin?"],
      [{ timeZone: "" }, "Enter a time zone"],
      [{ samples: "6" }, "Enter a number from 1 to 5."],
      [{ platforms: "nobody" }, "One of these is not a platform."]
    ] as ReadonlyArray<readonly [Record<string, string>, string]>
  ) {
    for (const step of ["preview", "save"]) {
      const page = await member.post(path, { ...form, ...fields, step })
      expect([page.status, wordsOf(page.text)], fault).toEqual([422, expect.stringContaining(fault)])
      const [name, value] = Object.entries(fields).at(-1)!
      if (value !== "never" && name !== "platforms") expect(readForm(page.text, path)[name]).toBe(value)
    }
  }
  expect(await schedule()).toBe(null)
})
