/** Opens pages in a real browser and reports errors, requests and accessibility problems. */
import axe from "axe-core"
import { type CDPSession, chromium, type ConsoleMessage, type Page } from "playwright-core"
import { describe, inject } from "vitest"
import { missingBrowser } from "./findBrowser.ts"

const executablePath = inject("browser")
if (executablePath === null && process.env["CI"]) throw new Error(missingBrowser)

/** A suite that needs a browser. Skipped on machines without a browser, except with `CI`, where its file then fails. */
export const describeInBrowser = describe.skipIf(executablePath === null)

interface PageOptions {
  /** Width of the window in CSS pixels; default 1280. */
  readonly width?: number
  readonly colorScheme?: "light" | "dark"
  /** Whether scripts of the page run; default true. */
  readonly javaScript?: boolean
}

/** A tab with its own cookies that records what is wrong with the pages it shows. */
export interface WatchedPage {
  readonly page: Page
  /**
   * Everything that people or their browsers would object to, one line each. From all pages since the tab was opened:
   * requests to other origins (including those that a policy blocks), violations of the content security policy,
   * console messages and uncaught errors. From the current page: content wider than the window, and violations of WCAG
   * 2.2 AA or best practice (axe). `look` checks only the rules that depend on the window and on colours, for a page
   * that has passed all rules at another size; `none` does not run axe.
   */
  readonly listFaults: (rules?: "all" | "look" | "none") => Promise<ReadonlyArray<string>>
}

/** Whether a message is the browser's own line about an error status, which the test of that page asserts itself. */
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

/** Reads policy violations from the browser's audits, because these also cover pages whose scripts do not run. */
const watchPolicy = async (session: CDPSession, report: (line: string) => void) => {
  session.on("Audits.issueAdded", ({ issue }: PolicyIssue) => {
    const found = issue.details.contentSecurityPolicyIssueDetails
    if (found !== undefined) report(`policy: ${found.violatedDirective} refuses ${found.blockedURL ?? "inline code"}`)
  })
  await session.send("Audits.enable")
}

/**
 * Finds the cause of a page that is wider than its window: the innermost elements whose content ends to the right of
 * it.
 */
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

/** Starts a browser for the tests of one file; call `close` in afterAll. It can reach only this machine. */
export const startBrowser = async () => {
  if (executablePath === null) throw new Error(missingBrowser)
  const browser = await chromium.launch({
    executablePath,
    // The browser's sandbox refuses to run as root
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
    timeout: 60_000
  })
  return {
    close: () => browser.close(),
    /** Opens a tab for the pages of the server at `base`, which are identified by their paths. */
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
      // Not an option of the context, because axe needs scripts allowed again
      const allowScripts = (run: boolean) => session.send("Emulation.setScriptExecutionDisabled", { value: !run })
      await allowScripts(javaScript)
      return {
        page,
        listFaults: async (rules = "all") => {
          const wide = await page.evaluate<Array<string>>(findOverflow)
          if (rules === "none") return [...faults, ...wide]
          // axe waits with timers, which do not run without scripts; blocked scripts of the page do not start
          await allowScripts(true)
          // Not added as a script element, so that the page's policy stays unchanged
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
