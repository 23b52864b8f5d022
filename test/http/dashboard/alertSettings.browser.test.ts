// Only in `npm run test:all`: a browser is started
/**
 * Alert settings in a browser: a rule is previewed and set, and raises an alert that the page and the e-mail describe
 * alike; two people edit at once.
 */
import { EmailAddress, MailStore, type OrganizationId, PublicUrl, readAlertRule, setRecipients } from "@sov/core"
import { makeSmtpMailer, readSmtpConfig } from "@sov/core/outbound"
import { Effect, Result } from "effect"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { named } from "../../support/alertRules.ts"
import { describeInBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openTab } from "../../support/dashboardBrowser.ts"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { startMailServer } from "../../support/MailServer.ts"

describeInBrowser("alert settings in a browser", () => {
  let browser: TestBrowser
  let server: TestDashboard
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
    organizationId = await server.run(seed)
    home = await server.run(pathOf(organizationId))
  })

  const day = (n: number) => n * 86_400
  const scan = (n: number, cells: number) => scanWith(organizationId, day(n), named(cells))

  /** Completes a scan with the server's address known, and sends the queued mails. */
  const scanAndMail = async (n: number, cells: number) => {
    const mailServer = await startMailServer()
    const config = Result.getOrThrow(readSmtpConfig({ SOV_SMTP_URL: mailServer.url, SOV_MAIL_FROM: "a@acme.example" }))!
    await server.run(Effect.gen(function*() {
      yield* Effect.provideService(scan(n, cells), PublicUrl, server.base)
      const queued = yield* (yield* MailStore).claim(organizationId, new Date(Date.now() + 60_000), 9)
      yield* Effect.forEach(queued, makeSmtpMailer(config).send)
    }))
    expect(mailServer.received.length).toBe(1)
    return mailServer.received[0]!.mail
  }

  it.each([true, false])(
    "a rule is previewed, then raises an alert that the page and the e-mail describe alike (scripts: %s)",
    async (javaScript) => {
      for (const [n, cells] of [8, 3, 9].entries()) await server.run(scan(n, cells))
      await server.run(setRecipients(organizationId, [EmailAddress.make("ops@acme.example")]))
      const { listFaults, page } = await openTab(server, browser, organizationId, { role: "member", javaScript })
      await page.goto(`${home}/settings`)
      await page.getByRole("link", { name: "Alert settings" }).click()
      await page.getByRole("link", { name: "Change… SOV Drop" }).click()
      await page.getByRole("radio", { name: "on", exact: true }).check()
      await page.getByRole("textbox", { name: "Threshold" }).fill("50")
      await page.getByRole("button", { name: "Preview" }).click()
      const status = page.getByRole("status")
      await status.getByText("With this rule, your last 3 scans would have alerted on").waitFor()
      expect(await page.getByRole("textbox", { name: "Threshold" }).inputValue()).toBe("50")
      expect((await server.run(readAlertRule(organizationId, "sov_drop"))).enabled).toBe(false)
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("Rule saved.").waitFor()

      const mail = await scanAndMail(3, 3)
      const [, link] = /(http:\/\/\S+\/alerts\/[0-9a-f-]{36})/.exec(mail.text!)!
      expect(mail.subject).toContain("share of voice fell to 25 % (threshold 50 %)")
      await page.goto(link!)
      await page.getByText("Share of voice fell to 25 %, below 50 %").first().waitFor()
      await page.goto(`${home}/alerts`)
      expect(await page.locator("tbody tr").count()).toBe(1)
      expect(await page.locator("tbody a").first().getAttribute("href")).toBe(new URL(link!).pathname)
      expect(await listFaults()).toEqual([])
    }
  )

  it("if two owners edit at once, the second sees the first one's settings and decides", async () => {
    const [first, second] = await Promise.all([
      openTab(server, browser, organizationId),
      openTab(server, browser, organizationId)
    ])
    const path = `${home}/settings/alerts/sov_drop`
    for (const { page } of [first, second]) {
      await page.goto(path)
      await page.getByRole("radio", { name: "on", exact: true }).check()
    }
    await first.page.getByRole("textbox", { name: "Threshold" }).fill("40")
    await second.page.getByRole("textbox", { name: "Threshold" }).fill("30")
    await first.page.getByRole("button", { name: "Save" }).click()
    await first.page.getByText("Rule saved.").waitFor()
    await second.page.getByRole("button", { name: "Save" }).click()
    await second.page.getByText("It is now: on, below 40 %, immediate.").waitFor()
    expect(await second.page.getByRole("textbox", { name: "Threshold" }).inputValue()).toBe("30")
    expect((await server.run(readAlertRule(organizationId, "sov_drop"))).threshold).toBe(40)
    await second.page.getByRole("button", { name: "Save" }).click()
    await second.page.getByText("Rule saved.").waitFor()
    expect((await server.run(readAlertRule(organizationId, "sov_drop"))).threshold).toBe(30)
  })
})
