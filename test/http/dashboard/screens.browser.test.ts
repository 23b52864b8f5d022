// Only in `npm run test:all`: a browser judges each page in eight settings
/**
 * Every page of the table of routes in a browser, in each of its states: faults at four widths, in light and dark
 * colours.
 */
import { createOrganization, type OrganizationId, setPlan } from "@sov/core"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { routes } from "../../../packages/http/src/dashboard/routes.ts"
import { describeInBrowser, startBrowser, type TestBrowser, type WatchedPage } from "../../support/browser.ts"
import { openTab } from "../../support/dashboardBrowser.ts"
import {
  hostileCast,
  listScreens,
  plainCast,
  type Screens,
  seedScreens,
  simulatedCast
} from "../../support/dashboardScreens.ts"
import { openDashboard, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

const everySize = [320, 360, 768, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme }))
)
/** Of what differs from another state in its texts alone. */
const extremes = [{ width: 320, colorScheme: "dark" }, { width: 1280, colorScheme: "light" }] as const
/** Of what differs in a few words. */
const narrow = extremes.slice(0, 1)

describeInBrowser("every page", () => {
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

  /**
   * The addresses that answer with a page, not a file. All have to answer with one of these: besides 200 also 403 for
   * what is older than the plan's history, and 409 for the end of a scan that has ended.
   */
  const keepPages = async (
    organizationId: OrganizationId,
    addresses: ReadonlyArray<string>,
    expected: ReadonlyArray<number> = [200, 403, 409]
  ) => {
    const { get } = await server.signIn(organizationId)
    const kept = []
    for (const address of addresses) {
      const { headers, status } = await get(address)
      expect(expected, `${address} answers ${status}`).toContain(status)
      const isPage = headers["content-type"]?.startsWith("text/html") === true
      // The report is a page in a file, which has a check of its own
      if (isPage && headers["content-disposition"] === undefined) kept.push(address)
    }
    return kept
  }

  const listAllFaults = async (
    tab: Promise<WatchedPage>,
    addresses: ReadonlyArray<string>,
    sizes: ReadonlyArray<{ readonly width: number; readonly colorScheme: "light" | "dark" }>
  ) => {
    const { listFaults, page } = await tab
    const faults = new Set<string>()
    for (const address of addresses) {
      await page.goto(address)
      for (const { colorScheme, width } of sizes) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        const known = [...faults].join("\n")
        const isExtreme = extremes.some((one) => one.width === width && one.colorScheme === colorScheme)
        for (const fault of await listFaults(isExtreme ? "all" : "look")) {
          // Faults of the tab, not of this size, are listed again each time
          if (!known.includes(fault) || /^(?:axe|wider)/.test(fault)) {
            faults.add(`${address} at ${width} px, ${colorScheme}: ${fault}`)
          }
        }
      }
    }
    await page.context().close()
    return [...faults]
  }

  const signedIn = (organizationId: OrganizationId) => openTab(server, browser, organizationId)

  const pagesOf = async (screens: Screens, expected?: ReadonlyArray<number>) =>
    keepPages(screens.organizationId, await server.run(listScreens(screens, routes)), expected)

  it("every page passes the checks at every width, in light and dark colours", async () => {
    const screens = await server.run(seedScreens(plainCast))
    const addresses = await pagesOf(screens)
    expect(addresses.length).toBeGreaterThan(1)
    expect(await listAllFaults(signedIn(screens.organizationId), addresses, everySize)).toEqual([])
  }, 360_000)

  it("every page passes the checks before signing in and without results", async () => {
    const screens = await server.run(seedScreens(plainCast))
    const { person } = await server.signIn(screens.organizationId)
    const { token } = await server.run(server.makeLink(person.id))
    const addresses = ["/login", `/login/link/${token}`, "/login/link/x"]
    expect(await listAllFaults(browser.open(server.base), addresses, everySize)).toEqual([])
    const missing = ["/nothing", `/o/${screens.slug}/scans/x`, "/o/another"]
    expect(await listAllFaults(signedIn(screens.organizationId), missing, extremes)).toEqual([])
  })

  it("every page passes the checks with hostile names and answers", async () => {
    const screens = await server.run(seedScreens(hostileCast))
    expect(await listAllFaults(signedIn(screens.organizationId), await pagesOf(screens), extremes)).toEqual([])
  })

  it("every page passes the checks with simulated answers only", async () => {
    const screens = await server.run(seedScreens(simulatedCast))
    expect(await listAllFaults(signedIn(screens.organizationId), await pagesOf(screens), narrow)).toEqual([])
  })

  it("every page passes the checks before anything is tracked", async () => {
    const { id, slug } = await server.run(createOrganization({ name: "First run", plan: "pro" }))
    const full = await server.run(seedScreens(plainCast))
    const addresses = (await server.run(listScreens(full, routes)))
      .filter((address) => !/[0-9a-f]{8}-/.test(address))
      .map((address) => address.replace(full.slug, slug))
    // 403: somebody who owns no other organization sets up none
    const pages = await keepPages(id, addresses, [200, 303, 403, 404])
    expect(await listAllFaults(signedIn(id), pages, narrow)).toEqual([])
  })

  it("every page passes the checks on the Free plan, with a history of seven days", async () => {
    const screens = await server.run(seedScreens(plainCast))
    await server.run(Effect.asVoid(setPlan(screens.organizationId, "free")))
    expect(await listAllFaults(signedIn(screens.organizationId), await pagesOf(screens, [200, 403, 404, 409]), narrow))
      .toEqual([])
  })
})
