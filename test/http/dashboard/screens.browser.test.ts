// Only in `npm run test:all`: a browser judges each page
/**
 * Every page of the dashboard in a browser, in each of its states: checked for faults at the narrowest and the widest
 * of four widths, in dark and light colours. `SOV_LONG_TESTS=1` checks each page at all widths in both colours, with
 * forced colours, at 200 %, and in print.
 */
import {
  consoleIdentity,
  createOrganization,
  type OrganizationId,
  PersonStore,
  setPlan,
  suspendOrganization
} from "@sov/core"
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

interface Look {
  readonly width: number
  readonly colorScheme: "light" | "dark"
  readonly forcedColors?: "active"
  readonly media?: "print"
}

/** The first look in a list is checked with all rules, the others only with rules that depend on the look. */
const extremes: ReadonlyArray<Look> = [{ width: 320, colorScheme: "dark" }, { width: 1280, colorScheme: "light" }]
/** 640 CSS pixels correspond to a window of 1280 at 200 %. */
const everyLook: ReadonlyArray<Look> = [
  ...extremes,
  ...[320, 390, 640, 768, 1280].flatMap((width) =>
    (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme }))
  ),
  { width: 1280, colorScheme: "light", forcedColors: "active" },
  { width: 320, colorScheme: "dark", forcedColors: "active" },
  { width: 1280, colorScheme: "light", media: "print" }
]
const isLong = process.env["SOV_LONG_TESTS"] !== undefined
const everySize = isLong ? everyLook : extremes
/** For states that differ from another state only in a few words. */
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
   * The addresses that respond with a page, not a file. All must respond with one of these statuses: 200, or 403 for
   * data older than the plan's history, or 409 for cancelling a scan that has ended.
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
      // The report is a page in a file, which is checked separately
      if (isPage && headers["content-disposition"] === undefined) kept.push(address)
    }
    return kept
  }

  const listAllFaults = async (
    tab: Promise<WatchedPage>,
    addresses: ReadonlyArray<string>,
    looks: ReadonlyArray<Look>,
    first: "all" | "look" = "all"
  ) => {
    const { listFaults, page } = await tab
    const faults = new Set<string>()
    for (const address of addresses) {
      await page.goto(address)
      for (const [n, { colorScheme, forcedColors = "none", media = "screen", width }] of looks.entries()) {
        await page.emulateMedia({ colorScheme, forcedColors, media })
        await page.setViewportSize({ width, height: 900 })
        const known = [...faults].join("\n")
        for (const fault of await listFaults(n === 0 ? first : "look")) {
          // Faults of the tab that do not depend on the size are listed again each time
          if (!known.includes(fault) || /^(?:axe|wider)/.test(fault)) {
            faults.add(`${address} at ${width} px, ${colorScheme}, ${forcedColors}, ${media}: ${fault}`)
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

  it("every page passes the checks before signing in, and without results", async () => {
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
    expect(await listAllFaults(signedIn(screens.organizationId), await pagesOf(screens), narrow, "look")).toEqual([])
  })

  it("every page passes the checks before anything is tracked", async () => {
    const { id, slug } = await server.run(createOrganization({ name: "First run", plan: "pro" }))
    const full = await server.run(seedScreens(plainCast))
    const addresses = (await server.run(listScreens(full, routes)))
      .filter((address) => !/[0-9a-f]{8}-/.test(address))
      .map((address) => address.replace(full.slug, slug))
    // 403: a person who owns no other organization may not set one up
    const pages = await keepPages(id, addresses, [200, 303, 403, 404])
    expect(await listAllFaults(signedIn(id), pages, narrow)).toEqual([])
  })

  it("every page passes the checks on the Free plan, with a history of seven days", async () => {
    const screens = await server.run(seedScreens(plainCast))
    await server.run(Effect.asVoid(setPlan(screens.organizationId, "free")))
    expect(
      await listAllFaults(
        signedIn(screens.organizationId),
        await pagesOf(screens, [200, 403, 404, 409]),
        narrow,
        "look"
      )
    )
      .toEqual([])
  })

  it("the operator's pages pass the checks, also with a suspended organization", async () => {
    const screens = await server.run(seedScreens(plainCast))
    await server.run(suspendOrganization(screens.organizationId, "The invoice of October is open."))
    const { cookies, person } = await server.signIn(screens.organizationId)
    await server.run(
      Effect.flatMap(PersonStore, (people) => people.addIdentity(person.id, consoleIdentity, new Date()))
    )
    const tab = await browser.open(server.base)
    await tab.page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: server.base })))
    const addresses = ["/organizations", "/portfolio", "/setup", `/o/${screens.slug}`, `/o/${screens.slug}/scans/new`]
    for (const address of addresses) expect((await tab.page.goto(address))?.status(), address).toBe(200)
    expect(await listAllFaults(Promise.resolve(tab), addresses, everySize)).toEqual([])
  })

  it("the pages pass the checks for a period, for one without a scan, and for days that are not accepted", async () => {
    const screens = await server.run(seedScreens(plainCast))
    const days = { none: "period=own&from=2020-01-01&to=2020-02-01", wrong: "period=own&from=x&to=2020-02-01" }
    const addresses = ["", "/keywords", "/competitors", "/sources"].flatMap((page) =>
      ["period=quarter&against=year", days.none, days.wrong].map((query) => `/o/${screens.slug}${page}?${query}`)
    )
    expect(await listAllFaults(signedIn(screens.organizationId), addresses, narrow)).toEqual([])
  })

  it("the page of a session that ended while a form was filled in passes the checks", async () => {
    const screens = await server.run(seedScreens(plainCast))
    const tab = await signedIn(screens.organizationId)
    await tab.page.goto(`/o/${screens.slug}/annotations`)
    await tab.page.getByLabel("What happened").fill("New pricing page")
    await tab.page.context().clearCookies()
    await tab.page.getByRole("button", { name: "Add annotation" }).click()
    await tab.page.getByRole("heading", { name: "Your session has ended" }).waitFor()
    expect(await tab.listFaults()).toEqual([])
    await tab.page.context().close()
  })
})
