// Only in `npm run test:all`: a browser is started
/** Typical tasks in a browser: with scripts, without scripts, and with the keyboard only. */
import { ArchiveStore, CellStore, completeScan } from "@sov/core"
import { addScan, answerTo } from "@sov/core/testing"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { describeInBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts"
import { openTab } from "../../support/dashboardBrowser.ts"
import { plainCast, type Screens, seedScreens } from "../../support/dashboardScreens.ts"
import { openDashboard, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { seedMember } from "../../support/people.ts"

describeInBrowser("in a browser", () => {
  let browser: TestBrowser
  let server: TestDashboard
  let screens: Screens
  let home: string
  beforeAll(async () => {
    server = await openDashboard(oneHome[0]!)
    browser = await startBrowser()
    screens = await server.run(seedScreens(plainCast))
    home = `/o/${screens.slug}`
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  const newLink = () =>
    server.run(Effect.gen(function*() {
      const person = yield* seedMember(screens.organizationId)
      return `/login/link/${(yield* server.makeLink(person.id)).token}`
    }))
  const open = (options: Parameters<typeof openTab>[3] = {}) =>
    openTab(server, browser, screens.organizationId, options)
  /** Moves from field to field with the Tab key, as people do, until the field with this name has the focus. */
  const tabTo = async (page: Page, name: string) => {
    for (let n = 0; n < 60; n++) {
      await page.keyboard.press("Tab")
      const focused = await page.evaluate<string>("document.activeElement.textContent.trim()")
      if (focused === name) return
    }
    throw new Error(`the Tab key does not reach ${name}`)
  }

  describe("signing in by a link", () => {
    it("signing in by a link works with the keyboard alone, with a link that skips the menu", async () => {
      const { page } = await browser.open(server.base)
      await page.goto(await newLink())
      await tabTo(page, "Sign in")
      await page.keyboard.press("Enter")
      await page.waitForURL(`**${home}`)
      await page.keyboard.press("Tab")
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content")
      await page.keyboard.press("Enter")
      expect(await page.evaluate("document.activeElement.id")).toBe("main")
      await page.keyboard.press("Tab")
      expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true)
    })

    it("signing in takes one click even without scripts, and signing out ends the session", async () => {
      const { listFaults, page } = await browser.open(server.base, { javaScript: false })
      await page.goto(await newLink())
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.waitForURL(`**${home}`)
      await page.getByRole("navigation", { name: "Pages", exact: true }).getByRole("button", { name: "Sign out" })
        .click()
      await page.waitForURL("**/login")
      await page.goto(home)
      expect(new URL(page.url()).pathname).toBe("/login")
      expect(await listFaults()).toEqual([])
    })

    it("a link that was used cannot be used to sign in again", async () => {
      const link = await newLink()
      const { page } = await browser.open(server.base)
      await page.goto(link)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.waitForURL(`**${home}`)
      expect((await page.goto(link))?.status()).toBe(410)
    })
  })

  describe("filters", () => {
    it("filters are part of the address, so that back, forward and reload keep them", async () => {
      const { listFaults, page } = await open()
      await page.goto(`${home}/answers`)
      await page.getByLabel("Platform").selectOption("assistant_b")
      await page.waitForURL("**?platform=assistant_b")
      await page.getByLabel("Your brand").selectOption("true")
      await page.waitForURL("**?platform=assistant_b&named=true")
      await page.goBack()
      await page.waitForURL("**?platform=assistant_b")
      expect(await page.getByLabel("Your brand").inputValue()).toBe("")
      await page.goForward()
      await page.waitForURL("**&named=true")
      await page.reload()
      expect([await page.getByLabel("Platform").inputValue(), await page.getByLabel("Your brand").inputValue()])
        .toEqual(["assistant_b", "true"])
      expect(await listFaults()).toEqual([])
    })

    it("without scripts, filters are applied by their button, and empty filters are not in the address", async () => {
      const { page } = await open({ javaScript: false })
      await page.goto(`${home}/answers`)
      await page.getByLabel("Platform").selectOption("assistant_a")
      await page.getByRole("button", { name: "Apply" }).click()
      await page.waitForURL("**/answers?platform=assistant_a")
      const shown = page.locator(".answers")
      expect(await shown.getByText("assistant_a").count()).toBeGreaterThan(0)
      expect(await shown.getByText("assistant_b").count()).toBe(0)
    })

    it("pressing / moves the focus to the filters", async () => {
      const { page } = await open()
      await page.goto(`${home}/answers`)
      await page.keyboard.press("/")
      expect(await page.evaluate("document.activeElement.closest('.filters') !== null")).toBe(true)
    })
  })

  describe("a running scan", () => {
    /** Starts a scan of one question on each of two platforms; both stay open. */
    const startOne = () =>
      server.run(Effect.gen(function*() {
        const { organizationId } = screens
        const answers = yield* (yield* ArchiveStore).page(organizationId, {}, { limit: 1 })
        const asked = [{
          id: answers[0]!.keywordId,
          text: answers[0]!.promptUsed,
          status: "active" as const,
          createdAt: new Date()
        }]
        return yield* addScan(organizationId, asked, { startedAt: new Date() })
      }))
    type Started = Awaited<ReturnType<typeof startOne>>
    const answer = ({ cells }: Started, n: number) =>
      server.run(Effect.gen(function*() {
        const given = yield* answerTo(cells[n]!, { createdAt: new Date() })
        yield* (yield* ArchiveStore).archive(screens.organizationId, given, null)
      }))
    const fail = ({ cells }: Started, n: number) =>
      server.run(Effect.gen(function*() {
        const failure = { reason: "timeout" as const, message: "late", excerpt: null, status: null }
        yield* (yield* CellStore).fail(screens.organizationId, cells[n]!.id, failure)
      }))

    it("a running scan shows each answer as it arrives, and then the result", async () => {
      const started = await startOne()
      const { listFaults, page } = await open()
      await page.goto(`${home}/scans/${started.scan.id}`)
      const progress = page.locator("[data-events]")
      await progress.getByText("0 of 1").first().waitFor()
      await page.evaluate("window.sameDocument = true")
      await answer(started, 0)
      await progress.getByText("1 of 1").first().waitFor()
      expect(await page.evaluate("window.sameDocument")).toBe(true)
      await fail(started, 1)
      await server.run(completeScan(screens.organizationId, started.scan.id))
      await page.getByText("completed").first().waitFor()
      expect(await page.locator("[data-events]").count()).toBe(0)
      expect(await listFaults()).toEqual([])
    })

    it("the page of a running scan reloads by itself if scripts do not run", async () => {
      const started = await startOne()
      const { page } = await open({ javaScript: false })
      await page.goto(`${home}/scans/${started.scan.id}`)
      await answer(started, 0)
      await fail(started, 1)
      await server.run(completeScan(screens.organizationId, started.scan.id))
      await page.waitForEvent("load", { timeout: 20_000 })
      expect(await page.getByText("completed").count()).toBeGreaterThan(0)
    })

    it("a running scan can be cancelled after a confirmation", async () => {
      const { scan } = await startOne()
      const { listFaults, page } = await open()
      await page.goto(`${home}/scans/${scan.id}`)
      await page.getByRole("link", { name: /Cancel/ }).click()
      await page.waitForURL("**/cancel")
      expect(await listFaults()).toEqual([])
      await page.getByRole("button", { name: /Cancel/ }).click()
      await page.waitForURL(`**/scans/${scan.id}?done=*`)
      expect(await page.getByRole("status").count()).toBe(1)
    })
  })

  it("pointing at the trend shows the values of that scan in the table", async () => {
    const { listFaults, page } = await open()
    await page.goto(home)
    const box = (await page.getByRole("img", { name: `Share of voice of ${plainCast.brand}` }).boundingBox())!
    const [scan, share] = await page.locator("details.data tbody tr").first().locator("th, td").allTextContents()
    // A page that is still fading in does not react to the pointer
    await expect.poll(async () => {
      await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2)
      await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2)
      return page.locator(".readout").textContent()
    }, { timeout: 30_000 }).toContain(`${scan} · ${share}`)
    expect(await listFaults()).toEqual([])
  })

  describe("the chosen colours", () => {
    it("the chosen colours apply to every page instead of the system's", async () => {
      const { page } = await open({ colorScheme: "light" })
      const ink = () => page.evaluate<string>("getComputedStyle(document.body).color")
      await page.goto(home)
      const light = await ink()
      await page.goto("/account")
      await page.getByLabel("Dark").check()
      await page.getByRole("button", { name: "Save" }).click()
      await page.waitForURL("**done=*")
      await page.goto(home)
      expect(await ink()).not.toBe(light)
      await page.goto("/account")
      expect(await page.getByLabel("Dark").isChecked()).toBe(true)
    })
  })

  it("a table that is wider than a phone scrolls in its own box, also with the keyboard", async () => {
    const { page } = await open({ width: 320 })
    await page.goto(home)
    const box = page.getByRole("group", { name: "Questions and platforms" })
    await box.focus()
    await page.keyboard.press("ArrowRight")
    await expect.poll(() => page.evaluate<number>("document.activeElement.scrollLeft")).toBeGreaterThan(0)
    expect(await page.evaluate("scrollX")).toBe(0)
  })
})
