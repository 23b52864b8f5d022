/** Pages in a real browser: what it reports about them, what they request, and whether people can use them. */
import axe from "axe-core"
import { type CDPSession, chromium, type ConsoleMessage, type Page } from "playwright-core"
import { describe, inject } from "vitest"
import { missingBrowser } from "./findBrowser.ts"

const executablePath = inject("browser")
if (executablePath === null && process.env["CI"]) throw new Error(missingBrowser)

/** A suite that needs a browser: skipped on a machine that has none, except with `CI`, where its file fails. */
export const describeInBrowser = describe.skipIf(executablePath === null)

interface PageOptions {
  /** Of the window, in CSS pixels; default 1280. */
  readonly width?: number
  readonly colorScheme?: "light" | "dark"
  /** Whether scripts of the page run; default true. */
  readonly javaScript?: boolean
}

/** A tab with cookies of its own, and what is wrong with what it has shown. */
export interface WatchedPage {
  readonly page: Page
  /**
   * What people or their browser would object to, one line each: of everything since the tab was opened, requests to
   * another origin than the server's (also those that a policy refuses), violations of a content security policy,
   * console messages and uncaught errors; of what it shows now, content wider than the window and violations of WCAG
   * 2.2 AA or best practice (axe); `look` = only of the rules that depend on the window and on colours, for a page that
   * has passed all of them at another size.
   */
  readonly listFaults: (rules?: "all" | "look") => Promise<ReadonlyArray<string>>
}

/** The browser's own line about a page whose status is an error: the status is what a test of that page asserts. */
const isStatusOfPage = (message: ConsoleMessage): boolean =>
  message.text().startsWith("Failed to load resource: the server responded with a status of") &&
  message.location().url === message.page()?.url()

interface PolicyIssue {
  readonly issue: {
    readonly code: string
    readonly details: {
      readonly contentSecurityPolicyIssueDetails?: { readonly violatedDirective: string; readonly blockedURL?: string }
    }
  }
}

/** Policy violations come from the browser's audits: they also tell of pages whose scripts do not run. */
const watchPolicy = async (session: CDPSession, report: (line: string) => void) => {
  session.on("Audits.issueAdded", ({ issue }: PolicyIssue) => {
    const found = issue.details.contentSecurityPolicyIssueDetails
    if (found !== undefined) report(`policy: ${found.violatedDirective} refuses ${found.blockedURL ?? "inline code"}`)
  })
  await session.send("Audits.enable")
}

/** What makes a page wider than its window: the innermost elements whose content ends right of it. */
const findOverflow = `(() => {
  const width = document.documentElement.clientWidth
  const excess = document.documentElement.scrollWidth - width
  if (excess <= 0) return []
  const wide = [...document.body.querySelectorAll("*")].filter((element) => {
    const { left, width: own } = element.getBoundingClientRect()
    return left + Math.max(own, element.scrollWidth) > width
  })
  const innermost = wide.filter((element) => !wide.some((other) => other !== element && element.contains(other)))
  const names = innermost.map(({ id, tagName }) => tagName.toLowerCase() + (id && "#" + id))
  return ["wider than the window by " + excess + " px: " + names.slice(0, 3).join(", ")]
})()`

const axeOptions = JSON.stringify({
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  rules: { "target-size": { enabled: true } },
  resultTypes: ["violations"]
})

const lookOptions = JSON.stringify({
  runOnly: {
    type: "rule",
    values: ["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block"]
  },
  resultTypes: ["violations"]
})

const runAxe = (options: string) =>
  `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id, nodes }) =>
  "axe: " + id + ": " + nodes.slice(0, 3).map(({ target }) => target.join(" ")).join(", ")))`

/** Starts a browser for the tests of one file; `close` in afterAll. It reaches nothing but this machine. */
export const startBrowser = async () => {
  if (executablePath === null) throw new Error(missingBrowser)
  const browser = await chromium.launch({
    executablePath,
    // Its sandbox refuses to run as root
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
    timeout: 60_000
  })
  return {
    close: () => browser.close(),
    /** Opens a tab for the pages of the server at `base`, which are named by their paths. */
    open: async (
      base: string,
      { colorScheme = "light", javaScript = true, width = 1280 }: PageOptions = {}
    ): Promise<WatchedPage> => {
      const faults: Array<string> = []
      const context = await browser.newContext({
        baseURL: base,
        colorScheme,
        viewport: { width, height: 900 }
      })
      context.on("request", (request) => {
        if (new URL(request.url()).origin !== new URL(base).origin) faults.push(`request to ${request.url()}`)
      })
      context.on("console", (message) => {
        if (!isStatusOfPage(message)) faults.push(`console ${message.type()}: ${message.text()}`)
      })
      context.on("weberror", (error) => faults.push(`uncaught: ${error.error().message}`))
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await watchPolicy(session, (line) => faults.push(line))
      // Not an option of the context, which could not be taken back for axe
      const allowScripts = (run: boolean) => session.send("Emulation.setScriptExecutionDisabled", { value: !run })
      await allowScripts(javaScript)
      return {
        page,
        listFaults: async (rules = "all") => {
          const wide = await page.evaluate<Array<string>>(findOverflow)
          // axe waits by timers, which do not run without scripts; scripts of the page that were not run stay so
          await allowScripts(true)
          // Not as a script element: the page's policy stays as it is
          if (!await page.evaluate<boolean>(`"axe" in window`)) await page.evaluate(axe.source)
          const violations = await page.evaluate<Array<string>>(runAxe(rules === "all" ? axeOptions : lookOptions))
          await allowScripts(javaScript)
          return [...faults, ...wide, ...violations]
        }
      }
    }
  }
}
export type TestBrowser = Awaited<ReturnType<typeof startBrowser>>
