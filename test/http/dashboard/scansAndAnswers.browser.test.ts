/** Pages of answers and scans in a browser: nothing for it, axe or a narrow window to object to; a scan that is followed live. */
import { cancelScan, readArchive, wholeHistory } from "@sov/core"
import { seedAnswers, seedScan } from "@sov/core/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
import { describeInBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"

describeInBrowser("answers and scans", () => {
  let server: TestDashboard
  let browser: TestBrowser
  beforeAll(async () => {
    server = await openDashboard("embedded")
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  const open = async (
    cookies: ReadonlyMap<string, string>,
    options: NonNullable<Parameters<TestBrowser["open"]>[1]> = {}
  ) => {
    const tab = await browser.open(server.base, options)
    await tab.page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: server.base })))
    return tab
  }

  it("nobody has anything to object to", async () => {
    const id = await server.run(seed)
    const before = await server.run(scanWith(id, 0, (n) => n === 0 ? "Acme Forge, **then** Globex." : "Initech."))
    const after = await server.run(scanWith(id, 600, (n) => n === 0 ? null : "Acme Forge is best. ".repeat(30)))
    const [answer] = (await server.run(readArchive(id, wholeHistory, {}, { limit: 1 }))).rows
    const { cookies } = await server.signIn(id)
    const home = await server.run(pathOf(id))
    const paths = [
      "/answers",
      "/answers?named=false&sentiment=negative",
      `/answers/${answer!.id}`,
      "/scans",
      `/scans/${after.id}`,
      "/scans/new",
      `/scans/compare?before=${before.id}&after=${after.id}`
    ]
    for (const [width, colorScheme] of [[320, "light"], [1280, "dark"]] as const) {
      const { listFaults, page } = await open(cookies, { width, colorScheme })
      for (const path of paths) {
        await page.goto(`${home}${path}`)
        expect(await listFaults(), `${path} at ${width} px`).toEqual([])
      }
      await page.context().close()
    }
  })

  it("a running scan is followed without a reload, and shown as it ended", async () => {
    const { cells, organizationId, scan } = await server.run(seedScan())
    const { cookies } = await server.signIn(organizationId)
    const { listFaults, page } = await open(cookies)
    await page.goto(`${await server.run(pathOf(organizationId))}/scans/${scan.id}`)
    const row = page.locator("#progress-assistant_a")
    expect(await row.textContent()).toContain("0 of 2")
    await page.evaluate("window.kept = true")
    await server.run(seedAnswers({ organizationId, cells: cells.slice(0, 1) }))
    await row.getByText("1 of 2").waitFor()
    expect(await page.evaluate("document.querySelector('#progress-assistant_a progress').value")).toBe(1)
    expect(await page.evaluate("window.kept")).toBe(true)
    expect(await listFaults()).toEqual([])
    await server.run(cancelScan(organizationId, scan.id))
    await page.getByText("cancelled after").waitFor()
    expect(await page.evaluate("window.kept")).toBeUndefined()
    await page.context().close()
  })
})
