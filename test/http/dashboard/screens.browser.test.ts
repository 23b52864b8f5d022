// Only in `npm run test:all`: a browser judges each page
/**
 * Every page of the table of routes in a browser, in each of its states: what the browser reports, and content wider
 * than the narrowest of four widths. All rules judge each page once, in light colours; in dark colours and in other
 * states they judge pages with an element whose look is new. `SOV_LONG_TESTS=1` judges each page at all widths in both
 * colours, with forced colours, at 200 % and as it is printed.
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
const extremes: ReadonlyArray<Look> = [{ width: 1280, colorScheme: "light" }, { width: 320, colorScheme: "dark" }]
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
const narrow = extremes.slice(1)

/** Each tag, class and state of an element, once. */
const listLooks = `[...new Set([...document.body.querySelectorAll("*")].map((element) =>
  [element.tagName, ...["class", "type", "role", "aria-current", "aria-sort"].map((name) => element.getAttribute(name))]
    .join(" ")))]`

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

  /** Looks of elements that were judged, each with the rules: pages that differ by their words alone are judged once. */
  const judged = new Set<string>()

  /** Whether the page has an element with a look that these rules have not judged. */
  const isNew = async (page: WatchedPage["page"], rules: string) => {
    const looks = await page.evaluate<Array<string>>(listLooks)
    const before = judged.size
    for (const look of looks) judged.add(`${rules} ${look}`)
    return isLong || judged.size > before
  }

  interface Judging {
    readonly looks?: ReadonlyArray<Look>
    /** The statuses that the addresses may answer with. */
    readonly expected?: ReadonlyArray<number>
    /** Whether all rules judge each page; else only a page with an element whose look is new. */
    readonly each?: boolean
  }

  /** The faults of all addresses that answer with a page, not with a file. */
  const listAllFaults = async (
    tab: Promise<WatchedPage>,
    addresses: ReadonlyArray<string>,
    { each = isLong, expected = [200, 403, 404, 409, 410], looks = extremes }: Judging = {}
  ) => {
    const { listFaults, page } = await tab
    const faults = new Set<string>()
    let pages = 0
    for (const address of addresses) {
      const response = await page.goto(address).catch((error: Error) => {
        // The report is a page in a file, which is checked separately
        if (!/Download is starting|ERR_ABORTED/.test(error.message)) throw error
        return null
      })
      if (response === null) continue
      expect(expected, `${address} answers ${response.status()}`).toContain(response.status())
      if (response.headers()["content-type"]?.startsWith("text/html") !== true) continue
      pages++
      for (const [n, { colorScheme, forcedColors = "none", media = "screen", width }] of looks.entries()) {
        await page.emulateMedia({ colorScheme, forcedColors, media })
        await page.setViewportSize({ width, height: 900 })
        const known = [...faults].join("\n")
        const rules = n === 0 ? "all" : "look"
        const isJudged = await isNew(page, n === 0 ? rules : `${rules} ${width} ${colorScheme}`) || (n === 0 && each)
        for (const fault of await listFaults(isJudged ? rules : "none")) {
          // Faults of the tab that do not depend on the size are listed again each time
          if (!known.includes(fault) || /^(?:axe|wider)/.test(fault)) {
            faults.add(`${address} at ${width} px, ${colorScheme}, ${forcedColors}, ${media}: ${fault}`)
          }
        }
      }
    }
    expect(pages).toBeGreaterThan(0)
    await page.context().close()
    return [...faults]
  }

  const signedIn = (organizationId: OrganizationId) => openTab(server, browser, organizationId)

  const pagesOf = (screens: Screens) => server.run(listScreens(screens, routes))

  it("every page passes the checks at every width, in light and dark colours", async () => {
    const screens = await server.run(seedScreens(plainCast))
    const tab = signedIn(screens.organizationId)
    // 403: beyond the plan's history; 409: cancelling a scan that has ended
    const judging = { looks: everySize, each: true, expected: [200, 403, 409] }
    expect(await listAllFaults(tab, await pagesOf(screens), judging)).toEqual([])
  }, 900_000)

  it("every page passes the checks before signing in, and without results", async () => {
    const screens = await server.run(seedScreens(plainCast))
    const { person } = await server.signIn(screens.organizationId)
    const { token } = await server.run(server.makeLink(person.id))
    const addresses = ["/login", `/login/link/${token}`, "/login/link/x"]
    expect(await listAllFaults(browser.open(server.base), addresses, { looks: everySize, each: true })).toEqual([])
    const missing = ["/nothing", `/o/${screens.slug}/scans/x`, "/o/another"]
    expect(await listAllFaults(signedIn(screens.organizationId), missing, { each: true })).toEqual([])
  })

  it("every page passes the checks with hostile names and answers", async () => {
    const screens = await server.run(seedScreens(hostileCast))
    const looks = isLong ? extremes : narrow
    expect(await listAllFaults(signedIn(screens.organizationId), await pagesOf(screens), { looks })).toEqual([])
  }, 300_000)

  it("every page passes the checks with simulated answers only", async () => {
    const screens = await server.run(seedScreens(simulatedCast))
    const tab = signedIn(screens.organizationId)
    expect(await listAllFaults(tab, await pagesOf(screens), { looks: narrow })).toEqual([])
  }, 300_000)

  it("every page passes the checks before anything is tracked", async () => {
    const { id, slug } = await server.run(createOrganization({ name: "First run", plan: "pro" }))
    const full = await server.run(seedScreens(plainCast))
    const addresses = (await server.run(listScreens(full, routes)))
      .filter((address) => !/[0-9a-f]{8}-/.test(address))
      .map((address) => address.replace(full.slug, slug))
    expect(await listAllFaults(signedIn(id), addresses, { looks: narrow })).toEqual([])
  }, 300_000)

  it("every page passes the checks on the Free plan, with a history of seven days", async () => {
    const screens = await server.run(seedScreens(plainCast))
    await server.run(Effect.asVoid(setPlan(screens.organizationId, "free")))
    const tab = signedIn(screens.organizationId)
    expect(await listAllFaults(tab, await pagesOf(screens), { looks: narrow })).toEqual([])
  }, 300_000)

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
    expect(await listAllFaults(Promise.resolve(tab), addresses, { looks: everySize })).toEqual([])
  })

  it("the pages pass the checks for a period, for one without a scan, and for days that are not accepted", async () => {
    const screens = await server.run(seedScreens(plainCast))
    const days = { none: "period=own&from=2020-01-01&to=2020-02-01", wrong: "period=own&from=x&to=2020-02-01" }
    const addresses = ["", "/keywords", "/competitors", "/sources"].flatMap((page) =>
      ["period=quarter&against=year", days.none, days.wrong].map((query) => `/o/${screens.slug}${page}?${query}`)
    )
    expect(await listAllFaults(signedIn(screens.organizationId), addresses, { looks: narrow })).toEqual([])
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
