// Only in `npm run test:all`: a browser is started
/** A person adds a market with its own words and a persona in a browser alone. `SOV_SHOTS=DIR` saves screenshots. */
import { addKeywords, listViews, readWordings, setTrackedSet } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { describeInBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts"
import { openTab } from "../../support/dashboardBrowser.ts"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

describeInBrowser("views in a browser", () => {
  let browser: TestBrowser
  let server: TestDashboard
  beforeAll(async () => {
    server = await openDashboard(oneHome[0]!)
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  it("a person adds a second market, words its questions, and adds a persona", async () => {
    const id = await server.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const brand = { name: "Acme", aliases: [], domains: [], excludes: [] }
      yield* setTrackedSet(id, { brand, competitors: [] })
      yield* addKeywords(id, ["best anvil?", "quiet bellows?"])
      return id
    }))
    const { listFaults, page } = await openTab(server, browser, id)
    await page.goto(await server.run(pathOf(id)))
    const begun = performance.now()
    let clicks = 0
    const click = async (role: "button" | "link", name: string) => {
      clicks++
      await page.getByRole(role, { name }).first().click()
    }
    const shoot = async (name: string) => {
      const folder = process.env["SOV_SHOTS"]
      if (folder !== undefined) await page.screenshot({ path: join(folder, `views-${name}.png`), fullPage: true })
    }
    await click("link", "Views")
    await page.getByLabel("Name").fill("germany")
    await page.getByLabel("Country").fill("DE")
    await page.getByLabel("Language").fill("de")
    await click("button", "Add this view")
    await click("link", "Words… of germany")
    await page.getByLabel("best anvil?").fill("Welcher Amboss ist der beste?")
    await shoot("words")
    await click("button", "Save the words")
    await page.getByLabel("Name").fill("bakery")
    await page.getByLabel("Said before each question").fill("I run a bakery with five people.")
    await click("button", "Add this view")
    await page.waitForURL("**/views?done=view-added")
    await shoot("views")
    const seconds = (performance.now() - begun) / 1000
    expect((await server.run(listViews(id))).map(({ context, country, name }) => [name, country, context])).toEqual([
      ["bakery", null, "I run a bakery with five people."],
      ["germany", "DE", null]
    ])
    expect([...(await server.run(readWordings(id, "germany"))).values()]).toEqual(["Welcher Amboss ist der beste?"])
    expect(await listFaults()).toEqual([])
    console.log(`FIGURES clicks ${clicks}, seconds ${seconds.toFixed(1)}`)
    expect(clicks).toBe(5)
  })
})
