// Only in `npm run test:all`: a browser is started
/** The pages of the API's documentation, as a browser shows them. */
import { problemTypes } from "@sov/http/contract"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openApi, type TestApi } from "../support/apiServer.ts"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import { oneHome } from "../support/homes.ts"

describeInBrowser("in a browser", () => {
  let browser: TestBrowser
  let api: TestApi
  beforeAll(async () => {
    api = await openApi(oneHome[0]!)
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await api.close()
  })

  const paths = ["/docs", ...Object.values(problemTypes).map(({ type }) => type)]

  it("no page has a fault at narrow and wide widths, in light and dark colours", async () => {
    const isLong = process.env["SOV_LONG_TESTS"] !== undefined
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of isLong ? [320, 360, 768, 1280] : [320, 1280]) {
        const { listFaults, page } = await browser.open(api.base, { colorScheme, width })
        // The pages of problems differ only in their text: all rules judge the first of them
        for (const [n, path] of (width === 320 && colorScheme === "light" ? paths : paths.slice(0, 2)).entries()) {
          expect((await page.goto(path))?.status()).toBe(200)
          const faults = await listFaults(isLong || n < 2 ? "all" : "none")
          expect({ path, colorScheme, width, faults }).toMatchObject({ faults: [] })
        }
        await page.context().close()
      }
    }
  })
})
