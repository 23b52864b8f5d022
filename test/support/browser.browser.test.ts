// Only in `npm run test:all`: a browser is started
/** Every kind of fault that `listFaults` promises to find is found, and a correct page has no faults. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, it } from "vitest"
import { describeInBrowser, startBrowser, type TestBrowser } from "./browser.ts"

const page = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="/icon.svg">${head}</head><body><main><h1>A page</h1>${body}</main></body></html>`

const policy = "default-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

const pages: Record<string, { readonly html: string; readonly policy?: string; readonly status?: number }> = {
  "/good": {
    html: page("<p id=\"p\">Text.</p><script src=\"/script.js\"></script>"),
    policy
  },
  "/scheme": { html: page("", "<style>@media (prefers-color-scheme: dark) { main { padding: 7px } }</style>") },
  "/foreign-image": { html: page("<img alt=\"x\" src=\"https://images.example/x.png\">") },
  "/foreign-address": { html: page("<img alt=\"x\" src=\"http://192.0.2.1/x.png\">") },
  "/foreign-refused": { html: page("<img alt=\"x\" src=\"https://images.example/x.png\">"), policy },
  "/inline-script": { html: page("<script>document.title = \"changed\"</script>"), policy },
  "/console": { html: page("<script>console.log(\"left behind\")</script>") },
  "/error": { html: page("<script>throw new Error(\"broken\")</script>") },
  "/missing-style": { html: page("", "<link rel=\"stylesheet\" href=\"/none.css\">") },
  "/wide": { html: page("<pre id=\"wide\">" + "x".repeat(400) + "</pre>") },
  "/scrolls": {
    html: page(
      "<div tabindex=\"0\" role=\"region\" aria-label=\"wide\" style=\"overflow-x: auto\"><pre>" + "x".repeat(400) +
        "</pre></div>"
    )
  },
  "/no-label": { html: page("<input>") },
  "/pale": { html: page("<p style=\"color: #bbb\">Text.</p>") },
  "/small-target": { html: page("<button style=\"width: 9px; height: 9px; padding: 0\">a</button>".repeat(3)) },
  "/not-there": { html: page("Not found."), status: 404 }
}

describeInBrowser("in a browser", () => {
  let browser: TestBrowser
  const server = createServer(({ url = "" }, response) => {
    if (url === "/icon.svg") return void response.writeHead(200, { "content-type": "image/svg+xml" }).end("<svg/>")
    if (url === "/script.js") {
      response.writeHead(200, { "content-type": "text/javascript" })
      return void response.end("document.getElementById(\"p\").textContent = \"Scripts run.\"")
    }
    const found = pages[url]
    response.writeHead(found === undefined ? 404 : found.status ?? 200, {
      "content-type": "text/html",
      ...found?.policy !== undefined && { "content-security-policy": found.policy }
    })
    response.end(found?.html ?? "")
  })
  let base = ""
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    server.close()
  })

  const faultsOf = async (path: string, options: Parameters<TestBrowser["open"]>[1] = {}) => {
    const watched = await browser.open(base, options)
    await watched.page.goto(path, { waitUntil: "networkidle" })
    const faults = await watched.listFaults()
    await watched.page.context().close()
    return faults
  }

  it.each(["/good", "/scrolls", "/not-there"])("the checks find no fault in %s", async (path) => {
    expect(await faultsOf(path, { width: 320 })).toEqual([])
  })

  it.each<readonly [path: string, faults: ReadonlyArray<unknown>]>([
    ["/foreign-image", ["request to https://images.example/x.png", expect.stringMatching(/^console error: Failed/)]],
    ["/foreign-address", ["request to http://192.0.2.1/x.png", expect.stringMatching(/^console error: Failed/)]],
    ["/foreign-refused", [
      "request to https://images.example/x.png",
      "policy: img-src refuses https://images.example/x.png",
      expect.stringMatching(/^console error/)
    ]],
    ["/inline-script", ["policy: script-src-elem refuses inline code", expect.stringMatching(/^console error/)]],
    ["/console", ["console log: left behind"]],
    ["/error", ["uncaught: broken"]],
    ["/missing-style", [expect.stringMatching(/^console error: Failed to load resource.*404/)]],
    ["/wide", [expect.stringMatching(/^wider than the window by \d+ px: .*pre#wide/)]],
    ["/no-label", ["axe: label: input"]],
    ["/pale", ["axe: color-contrast: p"]],
    ["/small-target", [expect.stringMatching(/^axe: target-size: /)]]
  ])("the checks find the fault of %s", async (path, faults) => {
    const found = await faultsOf(path)
    for (const fault of faults) expect(found).toContainEqual(fault)
    expect(found).toHaveLength(faults.length)
  })

  it("a page without JavaScript runs no script, and gets the same checks", async () => {
    const { page: tab } = await browser.open(base, { javaScript: false })
    await tab.goto("/good")
    expect(await tab.textContent("#p")).toBe("Text.")
    await tab.goto("/foreign-image")
    await tab.goto("/good")
    expect(await tab.textContent("#p")).toBe("Text.")
    expect(await faultsOf("/good", { javaScript: false })).toEqual([])
    expect(await faultsOf("/no-label", { javaScript: false })).toEqual(["axe: label: input"])
    expect(await faultsOf("/foreign-refused", { javaScript: false })).toContainEqual(
      "policy: img-src refuses https://images.example/x.png"
    )
  })

  it("pages are shown with the requested width and colours", async () => {
    const { page: tab } = await browser.open(base, { width: 360, colorScheme: "dark" })
    await tab.goto("/scheme")
    expect(await tab.evaluate("[innerWidth, getComputedStyle(document.querySelector('main')).padding]"))
      .toEqual([360, "7px"])
  })
})
