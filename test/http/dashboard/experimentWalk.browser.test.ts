// Only in `npm run test:all`: a browser is started
/**
 * A complete experiment in a browser: it is planned, runs over three scans, and its result is read. `SOV_SHOTS=DIR`
 * saves screenshots.
 */
import { listExperiments } from "@sov/core"
import { at } from "@sov/core/testing"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { describeInBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts"
import { openTab } from "../../support/dashboardBrowser.ts"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"
import { day, scanAt, seedTopics, usual } from "../../support/experiments.ts"
import { oneHome } from "../../support/homes.ts"

describeInBrowser("an experiment in a browser", () => {
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
  const setDay = (days: number) => {
    server.clock.ms = at(days * day).getTime() - Date.now()
  }

  it("a new person plans an experiment, runs it over three scans, and reads the result", async () => {
    setDay(27)
    const id = await server.run(seedTopics(18))
    const home = await server.run(pathOf(id))
    let clicks = 0
    let shots = 0
    const enter = async () => {
      const tab = await openTab(server, browser, id)
      const shoot = async (name: string) => {
        const folder = process.env["SOV_SHOTS"]
        shots++
        if (folder !== undefined) {
          await tab.page.screenshot({ path: join(folder, `${shots}-${name}.png`), fullPage: true })
        }
      }
      const click = async (role: "button" | "link", name: string) => {
        clicks++
        await tab.page.getByRole("main").getByRole(role, { name }).or(
          tab.page.getByRole("navigation").getByRole(role, { name, exact: true })
        ).first().click()
      }
      await tab.page.goto(home)
      return { ...tab, click, shoot }
    }
    const first = await enter()
    await first.click("link", "Experiments")
    await first.shoot("empty")
    await first.click("link", "Plan an experiment")
    await first.shoot("two scans first")
    for (const days of [5, 12, 19, 26]) {
      await server.run(scanAt(id, days * day, (keyword, n) => usual(keyword, n) || (n + days) % 7 === 0))
    }
    await first.page.reload()
    await first.shoot("plan")
    await first.page.getByLabel("Name").fill("Guides")
    await first.page.getByLabel("What you will change").fill("A guide for each treated topic")
    await first.click("button", "Draw and seal")
    await first.page.waitForURL("**/experiments/*")
    await first.shoot("sealed")
    expect(await first.page.getByRole("main").innerText()).toContain("Change it for these")

    const { plan } = (await server.run(listExperiments(id)))[0]!
    const treated = new Set(plan.pairs.flatMap((pair) => pair.treated))
    for (const days of [30, 36, 42]) {
      await server.run(scanAt(id, days * day, (keyword, n) => treated.has(keyword) || usual(keyword, n)))
    }
    setDay(43)
    const second = await enter()
    await second.click("link", "Experiments")
    await second.click("link", "Guides")
    await second.shoot("running")
    const running = await second.page.getByRole("main").innerText()
    expect(running).toContain("No result yet")
    expect(running).toContain("3 of 4")

    setDay(60)
    const third = await enter()
    await third.click("link", "Experiments")
    await third.click("link", "Guides")
    await third.shoot("result")
    expect(await third.page.getByRole("main").innerText()).toMatch(/The treated topics gained \+\d/)
    for (const tab of [first, second, third]) expect(await tab.listFaults()).toEqual([])
    console.log(`FIGURES clicks ${clicks}, pages ${shots}`)
    expect(clicks).toBe(7)
  })
})
