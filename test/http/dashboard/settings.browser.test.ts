// Only in `npm run test:all`: a browser is started
/**
 * In a browser, with and without scripts: from the settings to a key that calls the API, and to a webhook that arrives.
 */
import type { OrganizationId } from "@sov/core"
import { signBody } from "@sov/core/webhook"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { tenant } from "../../support/apiServer.ts"
import { describeInBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts"
import { openTab } from "../../support/dashboardBrowser.ts"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { startReceiver } from "../../support/Receiver.ts"

describeInBrowser("settings in a browser", () => {
  let server: TestDashboard
  let browser: TestBrowser
  let organizationId: OrganizationId
  let home: string

  beforeAll(async () => {
    server = await openDashboard(oneHome[0]!)
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })
  beforeEach(async () => {
    ;({ organizationId } = await server.run(tenant({ plan: "pro" })))
    home = await server.run(pathOf(organizationId))
  })

  describe.each([["with scripts", true], ["without scripts", false]])("%s", (_, javaScript) => {
    const open = () => openTab(server, browser, organizationId, { javaScript })

    it("a new key can call the API until it is revoked", async () => {
      const { listFaults, page } = await open()
      await page.goto(`${home}/settings`)
      await page.getByRole("main").getByRole("link", { name: "API access" }).click()
      await page.getByLabel("Name", { exact: true }).fill("Reports")
      await page.getByRole("button", { name: "Create key" }).click()
      const key = (await page.locator("#key").textContent())!
      const call = async () =>
        (await fetch(`${server.base}/api/v1/scans`, { headers: { authorization: `Bearer ${key}` } })).status
      expect(await call()).toBe(200)
      await page.getByRole("link", { name: "Revoke… Reports" }).click()
      await page.getByRole("button", { name: "Revoke Reports" }).click()
      await page.getByText("Key revoked.").waitFor()
      expect(await call()).toBe(401)
      expect(await listFaults()).toEqual([])
    })

    it("a webhook receives a signed test, and a failed delivery arrives when it is sent again", async () => {
      let down = false
      const receiver = await startReceiver((_, response) => response.writeHead(down ? 503 : 204).end())
      const { listFaults, page } = await open()
      await page.goto(`${home}/settings/webhooks`)
      await page.getByLabel("URL").fill(receiver.url)
      await page.getByRole("button", { name: "Add endpoint" }).click()
      const secret = (await page.locator("#secret").textContent())!
      await page.getByRole("button", { name: "Send a test" }).click()
      await page.getByText("Delivered.").waitFor()
      const [got] = receiver.received
      expect(got!.headers["x-service-signature"]).toBe(signBody(got!.body, secret))
      down = true
      await page.getByRole("link", { name: "127.0.0.1" }).click()
      await page.getByRole("button", { name: "Send a test" }).click()
      await page.getByText("Not delivered.").waitFor()
      expect(await page.getByText("answered 503").count()).toBe(1)
      down = false
      await page.getByRole("button", { name: "Send again" }).click()
      await page.getByText("Delivered.").waitFor()
      expect(receiver.received.map(({ headers }) => headers["webhook-id"]).slice(1))
        .toEqual([receiver.received[1]!.headers["webhook-id"], receiver.received[1]!.headers["webhook-id"]])
      expect(await listFaults()).toEqual([])
    })
  })
})
