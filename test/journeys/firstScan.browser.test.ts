// Only in `npm run test:all`: a browser and a server are started
/**
 * From an empty directory to a number in the terminal: set up, first scan, key and curl, with scripts and without them.
 */
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import { sovJson, startSov, until, workspace } from "../support/sov.ts"

const questions = "best anvil for a small forge?\nwhich anvil lasts longest?"

describeInBrowser("from nothing, in a browser", () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())

  it("sov serve leads to a first scan, and to a key with which curl fetches its number", async () => {
    const cwd = workspace()
    const platforms = { assistant_a: { adapter: "simulated", brand: "Acme", latency: "0 millis" } }
    writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms }))
    const server = startSov(cwd, ["serve", "--port", "0"])
    const printed = () => /http:\/\/\S+\/login\/link\/\S+/.exec(server.errors())?.[0]
    try {
      await until(() => printed() !== undefined || server.child.exitCode !== null, 120_000, "the link")
      const base = new URL(printed()!).origin

      for (const [brand, javaScript] of [["Acme", true], ["Acme Tools", false]] as const) {
        const link = javaScript
          ? printed()!
          : (await sovJson<{ readonly url: string }>(cwd, ["dashboard", "--url", base, "--org", "acme"])).url
        const { listFaults, page } = await browser.open(base, { javaScript })
        // A deadline only: the machine may be busy with other tests
        page.setDefaultTimeout(60_000)
        await page.goto(link)
        await page.getByRole("button", { name: "Sign in" }).click()
        if (!javaScript) await page.goto("/setup")
        await page.waitForURL("**/setup")
        await page.getByLabel("Your brand").fill(brand)
        await page.getByLabel("What buyers ask").fill(questions)
        await page.getByRole("button", { name: "Set up" }).click()
        await page.getByRole("heading", { name: "Six steps to your share of voice" }).waitFor()
        await page.getByRole("button", { name: "Test assistant_a" }).click()
        await page.getByText(/Answered in .*SIMULATED/).waitFor()

        await page.getByRole("link", { name: "Start a scan" }).click()
        await page.getByRole("button", { name: "Start", exact: true }).click()
        await page.getByText("The scan has started.").waitFor()
        const home = /^\/o\/[^/]+/.exec(new URL(page.url()).pathname)![0]
        const shown = page.getByRole("main").getByText(/^\d+ %$/).first()
        await expect.poll(async () => {
          await page.goto(home)
          return shown.count()
        }, { timeout: 60_000, interval: 200 }).toBe(1)

        await page.goto(`${home}/settings/api`)
        await page.getByLabel("Name", { exact: true }).fill("Terminal")
        await page.getByRole("button", { name: "Create key" }).click()
        const key = (await page.locator("#key").textContent())!
        const command = (await page.locator("#curl").textContent())!
        const { stdout } = await promisify(execFile)("sh", ["-c", `${command} -s -w '\n%{http_code}'`], {
          env: { ...process.env, SOV_API_KEY: key }
        })
        const [body, status] = stdout.split("\n")
        expect([status, typeof (JSON.parse(body!) as { readonly avg_sov: unknown }).avg_sov]).toEqual(["200", "number"])
        expect(await listFaults()).toEqual([])
      }
    } finally {
      server.child.kill("SIGTERM")
      await server
    }
  })
})
