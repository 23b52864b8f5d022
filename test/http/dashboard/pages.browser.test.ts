/** The dashboard in a real browser: signing in with a link, and no fault at any width, in light and dark colours. */
import type { OrganizationId } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { describeInBrowser, startBrowser, type TestBrowser, type WatchedPage } from "../../support/browser.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"
import { seedMember } from "../../support/people.ts"

describeInBrowser("in a browser", () => {
  let browser: TestBrowser
  let server: TestDashboard
  let full: OrganizationId
  let home: `/o/${string}`
  let empty: `/o/${string}`

  beforeAll(async () => {
    server = await openDashboard(oneHome[0]!)
    full = await server.run(seed)
    home = await server.run(pathOf(full))
    const answers = ["Acme Forge leads.", "Globex, then Acme Forge.", "Initech.", "Nobody in particular."]
    for (let n = 0; n < 4; n++) {
      await server.run(
        scanWith(
          full,
          n * 604_800,
          (keyword, platform) =>
            keyword === n && platform === "assistant_b" ? null : answers[(keyword + n) % answers.length]!
        )
      )
    }
    empty = await server.run(Effect.flatMap(seedOrganization(), ({ id }) => pathOf(id)))
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  /** An unused link of a new member of both organizations. */
  const newLink = () =>
    server.run(Effect.gen(function*() {
      const person = yield* seedMember(full, "owner", { name: "Ada Example" })
      return `/login/link/${(yield* server.makeLink(person.id)).token}`
    }))
  const signIn = async ({ page }: WatchedPage) => {
    await page.goto(await newLink())
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL(`**${home}`)
  }

  it("a link signs in with one click, also without JavaScript, and signing out ends it", async () => {
    for (const javaScript of [true, false]) {
      const tab = await browser.open(server.base, { javaScript })
      await signIn(tab)
      await tab.page.getByRole("navigation", { name: "Pages", exact: true }).getByRole("button", { name: "Sign out" })
        .click()
      await tab.page.waitForURL("**/login")
      await tab.page.goto(home)
      expect(new URL(tab.page.url()).pathname).toBe("/login")
      expect(await tab.listFaults()).toEqual([])
      await tab.page.context().close()
    }
  })

  it("pages have no fault at any width, in light and dark colours", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [320, 360, 768, 1280]) {
        const tab = await browser.open(server.base, { colorScheme, width })
        const before = [["/login", 200], [await newLink(), 200], ["/login/link/x", 410]] as const
        const after = [[home, 200], ["/account", 200], [empty, 404], ["/nothing", 404]] as const
        for (const [path, status] of before) {
          expect((await tab.page.goto(path))?.status()).toBe(status)
          expect({ path, colorScheme, width, faults: await tab.listFaults() }).toMatchObject({ faults: [] })
        }
        await signIn(tab)
        for (const [path, status] of after) {
          expect((await tab.page.goto(path))?.status()).toBe(status)
          expect({ path, colorScheme, width, faults: await tab.listFaults() }).toMatchObject({ faults: [] })
        }
        await tab.page.context().close()
      }
    }
  }, 300_000)

  it("the pointer reads the trend as its table says it", async () => {
    const tab = await browser.open(server.base)
    await signIn(tab)
    const plot = tab.page.getByRole("img", { name: "Share of voice of Acme Forge" })
    const box = (await plot.boundingBox())!
    const first = tab.page.locator("details.data tbody tr").first()
    const [scan, share] = await first.locator("th, td").allTextContents()
    // A page that fades in takes no pointer yet
    await expect.poll(async () => {
      await tab.page.mouse.move(box.x + box.width - 20, box.y + box.height / 2)
      await tab.page.mouse.move(box.x + box.width - 2, box.y + box.height / 2)
      return tab.page.locator(".readout").textContent()
    }, { timeout: 30_000 }).toContain(`${scan} · ${share}`)
    expect(await tab.listFaults()).toEqual([])
    await tab.page.context().close()
  })
})
