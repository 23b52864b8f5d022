/**
 * Actions over HTTP: what to do next on the overview and on the page of actions, deciding about an action, and who may
 * do so.
 */
import { type ActionMark, addCompetitor, planRescore, readActions, rescore, wholeHistory } from "@sov/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { readForm } from "../../support/pageForms.ts"

describe.each(serverHomeOrAll)("actions on the %s home", (home) => {
  let server: TestDashboard
  beforeAll(async () => {
    server = await openDashboard(home)
  })
  afterAll(() => server.close())

  it("an action that was decided disappears from both pages, and returns when the decision is undone", async () => {
    const id = await server.run(seed)
    const path = await server.run(pathOf(id))
    const [member, viewer] = [await server.signIn(id, "member"), await server.signIn(id, "viewer")]
    const words = async (page: string) => wordsOf((await member.get(page)).text)
    expect(await words(`${path}/actions`)).toContain("There are no answers yet")
    const scan = (seconds: number) => scanWith(id, seconds, (n) => n === 0 ? "Globex leads." : "Acme Forge.")
    await server.run(Effect.forEach([0, 100, 200, 300, 400, 500, 600, 700], scan, { discard: true }))
    const [action] = (await server.run(readActions(id, wholeHistory))).actions
    const title = "Catch up with Globex on “best anvil for workshop 0?”"
    for (const page of [path, `${path}/actions`]) expect(await words(page)).toContain(title)
    expect(await words(`${path}/actions`)).toContain("One question is too few for an experiment")
    const csv = (await viewer.get(`${path}/actions.csv`)).text.trimEnd().split("\r\n")
    expect(csv).toHaveLength(2)
    expect(csv[1]).toContain(`${action!.id},rival_leads`)
    expect((await viewer.get(`${path}/actions`)).text).not.toContain("/mark\"")

    const mark = `${path}/actions/${action!.id}/mark`
    const form = readForm((await member.get(`${path}/actions`)).text, mark)
    expect((await member.post(mark, { ...form, state: "gone" })).status).toBe(400)
    expect((await member.post(mark, { ...form, state: "later", days: "0" })).status).toBe(422)
    expect((await member.post(mark, { ...form, state: "later", days: "7" })).status).toBe(303)
    const [{ markedAt, until }] = (await server.run(readActions(id, wholeHistory))).marks as [ActionMark]
    expect(until!.getTime() - markedAt.getTime()).toBe(7 * 86_400_000)
    const later = await member.get(`${path}/actions`)
    const back = `${path}/actions/${action!.id}/undo`
    expect((await member.post(back, readForm(later.text, back))).status).toBe(303)
    const again = readForm((await member.get(`${path}/actions`)).text, mark)
    for (const state of ["dismissed", "done"]) {
      // Sending the same form twice decides only once
      expect((await member.post(mark, { ...again, state })).status).toBe(303)
    }
    const overview = await words(path)
    expect(overview).not.toContain(title)
    expect(overview).toContain("Nothing else to do: 1 action decided.")
    const decided = await member.get(`${path}/actions`)
    expect(wordsOf(decided.text)).toContain("Nothing else to do")
    expect(wordsOf(decided.text)).toContain("Not for us")
    const undo = `${path}/actions/${action!.id}/undo`
    expect((await member.post(undo, readForm(decided.text, undo))).status).toBe(303)
    expect(await words(path)).toContain(title)
  })

  it("without actions, both pages say that names changed until the answers are measured again", async () => {
    const id = await server.run(seed)
    const path = await server.run(pathOf(id))
    const [member, viewer] = [await server.signIn(id, "member"), await server.signIn(id, "viewer")]
    const pages = async (who = member) => {
      const found = [await who.get(path), await who.get(`${path}/actions`)]
      return found.map(({ text }) => text.slice(text.indexOf("<main")))
    }
    for (const seconds of [0, 100]) await server.run(scanWith(id, seconds, () => "Acme Forge."))
    const words = "The names or topics changed since the answers were measured."
    for (const page of await pages()) expect(wordsOf(page)).toContain("Nothing to do")
    await server.run(addCompetitor(id, { name: "Hooli", aliases: [], domains: [] }))
    // A newer scan with the new names leaves the older ones to be measured again
    for (const seconds of [undefined, 200]) {
      if (seconds !== undefined) await server.run(scanWith(id, seconds, () => "Acme Forge."))
      for (const page of await pages()) {
        expect(wordsOf(page)).toContain(`${words} Measure again to see actions.`)
        expect(page).toContain(`<a href="${path}/competitors/measure">Measure again</a>`)
        expect(wordsOf(page)).not.toContain("Nothing to do")
      }
    }
    for (const page of await pages(viewer)) {
      expect(wordsOf(page)).toContain(`${words} Ask a member`)
      expect(page).not.toContain("/competitors/measure")
    }
    await server.run(Effect.flatMap(planRescore(id, {}), (plan) => rescore(id, plan, () => {})))
    for (const page of await pages()) expect(wordsOf(page)).toContain("Nothing to do")
  })

  it("the action about a misspelled brand links members to the brand's form, and viewers to an answer", async () => {
    const id = await server.run(seed)
    const path = await server.run(pathOf(id))
    const scan = (seconds: number) =>
      scanWith(id, seconds, (n) => (n + seconds / 100) % 3 === 0 ? "Acme Forje or Globex." : "Acme Forge or Globex.")
    await server.run(Effect.forEach([0, 100, 200, 300, 400, 500, 600, 700], scan, { discard: true }))
    const link = (address: string) =>
      new RegExp(`<a href="${path}/${address}[^"]*">Check whether “Acme Forje” means you<`)
    expect((await (await server.signIn(id, "member")).get(`${path}/actions`)).text).toMatch(link("competitors/brand"))
    expect((await (await server.signIn(id, "viewer")).get(`${path}/actions`)).text).toMatch(link("answers/"))
  })
})
