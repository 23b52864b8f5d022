/**
 * Takes the pictures of the dashboard in docs/images, of a new demo, in light and dark colours: `npm run
 * docs:dashboard` after a change of what those pages show. Needs Chromium, as tests of pages do.
 */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"
import { findBrowser, missingBrowser } from "../support/findBrowser.ts"

/** The pages, by the names of their pictures: addresses after `/o/{slug}`. */
const pages = {
  overview: "",
  questions: "/keywords?sort=-combined",
  sources: "/sources",
  actions: "/actions"
} as const

const root = join(import.meta.dirname, "../..")
const images = join(root, "docs/images")
const sov = join(root, "node_modules/.bin/sov")
const executablePath = findBrowser(process.env["SOV_TEST_BROWSER"])
if (executablePath === null) throw new Error(missingBrowser)

const dataDir = mkdtempSync(join(tmpdir(), "sov-pictures-"))
const run = (...args: ReadonlyArray<string>) =>
  execFileSync(sov, [...args, "--data-dir", dataDir], { cwd: dataDir, encoding: "utf8" })
run("demo")
const server = spawn(sov, ["serve", "--port", "0", "--no-worker", "--data-dir", dataDir], {
  cwd: dataDir,
  stdio: ["ignore", "pipe", "inherit"]
})
const gone = once(server, "exit")
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })

const readUrl = async (): Promise<string> => {
  let text = ""
  for await (const chunk of server.stdout) {
    text += String(chunk)
    const url = /http:\/\/[\d.]+:\d+/.exec(text)
    if (url !== null) return url[0]
  }
  throw new Error(`the server printed no address: ${text}`)
}

/** Both pictures of what the page shows. */
const shoot = async (page: Page, name: string, width: number, height: number) => {
  await page.setViewportSize({ width, height })
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(images, `${name}-${colorScheme}.png`) })
  }
}

try {
  const page = await browser.newPage()
  const url = await readUrl()
  await page.goto(/http:\S+\/login\/link\/\S+/.exec(run("dashboard", "--url", url))![0])
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("link", { name: "Questions" }).first().waitFor()
  const home = new URL(page.url()).href
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(home + path)
    await shoot(page, name, 1200, name === "actions" ? 510 : 820)
  }
  await page.goto(`${home}/answers?named=true`)
  await page.locator("ol.answers a").first().click()
  await page.getByRole("heading", { level: 1 }).waitFor()
  await shoot(page, "answer", 390, 780)
  const report = await page.request.get(`${home}/report.html`)
  writeFileSync(join(dataDir, "report.html"), await report.body())
  await page.goto(`file://${dataDir}/report.html`)
  await shoot(page, "report", 1200, 820)
} finally {
  await browser.close()
  server.kill()
  await gone
  rmSync(dataDir, { recursive: true, force: true })
}
