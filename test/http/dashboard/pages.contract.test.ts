/** The dashboard over HTTP: all states of the overview, properties of every response, and error pages. */
import { type OrganizationId, readOverview, setPlan, wholeHistory } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { checkReportFile } from "@sov/http/report"
import { readFileSync } from "node:fs"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard, wordsOf } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

let server: TestDashboard
let organizationId: OrganizationId
let home: `/o/${string}`
let owner: TestBrowser

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!, {}, { platformLabels: new Map([["assistant_a", "Parrot"]]) })
  organizationId = await server.run(seed)
  home = await server.run(pathOf(organizationId))
  owner = await server.signIn(organizationId)
})
afterAll(() => server.close())

/** The response to a browser, as bytes. */
const fetched = async (path: string, encoding: string) => {
  const response = await fetch(`${server.base}${path}`, {
    redirect: "manual",
    headers: {
      "accept-encoding": encoding,
      accept: "text/html",
      cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    }
  })
  return { headers: response.headers, text: await response.text() }
}

describe("the overview", () => {
  it("before the first scan, the overview lists six steps and which of them are done", async () => {
    const page = await owner.get(home)
    expect(page.status).toBe(200)
    expect(wordsOf(page.text)).toContain("Six steps to your share of voice")
    expect(
      [...page.text.matchAll(/<li( class="done")?>.*?<h3>([^<]+)/g)].map((
        [, done, title]
      ) => [title, done !== undefined])
    )
      .toEqual([
        ["Name your brand", true],
        ["Add the questions your buyers ask", true],
        ["Connect a platform", true],
        ["Start the first scan", false],
        ["Set up alerts", false],
        ["Set a schedule", false]
      ])
    const help = readFileSync(new URL("../../../docs/cli.md", import.meta.url), "utf8")
    for (const [, command] of page.text.matchAll(/<code>(.+?)<\/code>/g)) {
      expect(help).toContain(`\n${/^sov(?: [a-z]+(?=\s|$))+/.exec(command!)![0]} [`)
    }
    expect((await owner.get(`${home}/report.html`)).status).toBe(404)
    expect((await owner.get(`${home}/overview.csv`)).text)
      .toBe("scan_id,completed_at,kind,id,name,sov,interval_low,interval_high,simulated,asked\r\n")
  })

  it("the overview and its CSV show the numbers of the use case with their intervals", async () => {
    await server.run(scanWith(organizationId, 0, (n) => n % 2 === 0 ? "Acme Forge is best." : "Globex."))
    const scan = await server.run(
      scanWith(
        organizationId,
        600,
        (n, platform) =>
          n === 5 && platform === "assistant_b" ? null : n % 3 === 0 ? "Acme Forge, then Globex." : "Initech."
      )
    )
    const { standing } = await server.run(readOverview(organizationId, wholeHistory, 30, null))
    const { score } = standing!.report
    const page = await owner.get(home)
    const words = wordsOf(page.text)
    const [low, high] = [score.uncertainty!.interval!.low, score.uncertainty!.interval!.high].map(Math.round)
    expect(words).toContain(
      `Share of voice of Acme Forge ${Math.round(score.avgSov!)} % 95 % interval ${low}–${high} %`
    )
    expect(words).toContain("11 answers, 1 failed")
    expect(words).toContain("Parrot (assistant_a)")
    expect(words).toContain("– no answer")
    expect(page.text).toContain(`href="${home}/scans/${scan.id}"`)

    const [header, ...lines] = (await owner.get(`${home}/overview.csv`)).text.trimEnd().split("\r\n")
    const rows = lines.map((line) =>
      Object.fromEntries(line.split(",").map((cell, i) => [header!.split(",")[i], cell]))
    )
    expect(rows.map((row) => row["kind"])).toEqual(
      ["brand", "competitor", "competitor", "nobody", "platform", "platform"].concat(Array<string>(6).fill("keyword"))
    )
    expect(rows[0]).toMatchObject({ scan_id: scan.id, simulated: "false" })
    expect(Number(rows[0]!["sov"])).toBeCloseTo(score.avgSov!, 1)
    expect(Number(rows.find((row) => row["id"] === "assistant_b")!["sov"]))
      .toBeCloseTo(score.platformBreakdown["assistant_b"]!, 1)
  })

  it("the report that the overview offers can be verified and has the same share", async () => {
    const { headers, text } = await owner.get(`${home}/report.html`)
    expect(headers["content-disposition"]).toContain("attachment")
    expect(checkReportFile(text)).toMatchObject({ problems: [], verdict: { answers: 23, texts: 0 } })
    const share = (page: string) => /<strong class="number">(\d+)</.exec(page)![1]
    expect(share(text)).toBe(share((await owner.get(home)).text))
    expect(text).toContain("Parrot (assistant_a)")
  })

  it("the overview is small and compressed, and loads at most four files, all from this server", async () => {
    const plain = await fetched(home, "identity")
    const files = [...plain.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
    expect(files).toHaveLength(3)
    expect(plain.text).not.toMatch(/(?:src|href|action)="(?!\/|#)/)
    let bytes = 0
    for (const path of [home, ...files]) {
      const response = await owner.ask(path, { headers: { "accept-encoding": path === home ? "gzip" : "br" } })
      bytes += Number(response.headers["content-length"])
    }
    expect(bytes).toBeLessThan(30_000)
  })

  it("the overview does not contain another organization's name", async () => {
    const other = await server.run(seedOrganization({ name: "Rival Anvils" }))
    await server.signIn(other.id)
    expect((await owner.get(home)).text).not.toContain("Rival Anvils")
  })

  it("on the Free plan, the overview begins with the plan's history and says so", async () => {
    const free = await server.run(seedOrganization({ plan: "free" }))
    const viewer = await server.signIn(free.id, "viewer")
    const words = wordsOf((await viewer.get(await server.run(pathOf(free.id)))).text)
    expect(words).toMatch(/Your plan shows data since \d+ \w+ \d{4}\./)
    expect(wordsOf((await owner.get(home)).text)).not.toContain("The plan shows")
  })
})

describe("an organization on Free with scans older than seven days", () => {
  it("the overview says that older scans are kept, and its CSV contains no rows for them", async () => {
    const id = await server.run(seed)
    await server.run(setPlan(id, "free"))
    await server.run(scanWith(id, 0, () => "Acme Forge is best."))
    const path = await server.run(pathOf(id))
    const viewer = await server.signIn(id, "viewer")
    const words = wordsOf((await viewer.get(path)).text)
    expect(words).toContain("The latest scan is older than your plan shows")
    expect(words).not.toMatch(/\d+ % 95 %/)
    expect((await viewer.get(`${path}/overview.csv`)).text.trimEnd().split("\r\n")).toHaveLength(1)
    expect((await viewer.get(`${path}/report.html`)).status).toBe(403)
    await server.run(setPlan(id, "pro"))
    await expect.poll(async () => wordsOf((await viewer.get(path)).text)).toContain(
      "95 % interval"
    )
  })
})

describe("every page", () => {
  it("every page has a policy that blocks foreign scripts and files, and is not cached", async () => {
    for (const path of [home, "/account", "/login/link/x", "/o/nobody", "/nothing"]) {
      const { headers } = await owner.get(path)
      expect(headers["content-security-policy"], path).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
          "trusted-types 'none'"
      )
      expect(headers, path).toMatchObject({
        // A secret address is not sent to anybody as referrer, although forms are sent from the page
        "referrer-policy": path.startsWith("/login/link/") ? "strict-origin" : "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff"
      })
    }
  })

  it("every page is the same compressed and uncompressed", async () => {
    const plain = await owner.ask(home, { headers: { "accept-encoding": "gzip;q=0, identity" } })
    expect(plain.headers["content-encoding"]).toBe(undefined)
    const response = await fetched(home, "gzip")
    expect(response.headers.get("content-encoding")).toBe("gzip")
    expect(response.text.replace(/As of .*/, "")).toBe(plain.text.replace(/As of .*/, ""))
  })

  it("every page has the chosen colours and no others", async () => {
    const viewer = await server.signIn(organizationId, "viewer")
    expect((await viewer.get(home)).text).toContain("<html lang=\"en\">")
    expect((await viewer.post("/account/theme", { theme: "dark" })).headers["location"]).toBe("/account?done=theme-set")
    expect((await viewer.get(home)).text).toContain("<html lang=\"en\" data-theme=\"dark\">")
    await viewer.post("/account/theme", { theme: "\" onload=\"" })
    expect((await viewer.get(home)).text).toContain("<html lang=\"en\">")
  })

  it("every page reports what a form did by a code, and never shows text from the address", async () => {
    expect((await owner.get(`${home}?done=theme-set`)).text).toContain("Theme saved for this browser.")
    for (const code of ["toString", "Your+account+was+hacked", "__proto__"]) {
      expect((await owner.get(`${home}?done=${code}`)).text).not.toMatch(/role="status"|hacked/)
    }
  })
})

describe("an asset", () => {
  it("an asset is cached forever and compressed", async () => {
    const { text } = await owner.get(home)
    const path = /\/assets\/style\.[^"]+/.exec(text)![0]
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }
    const plain = await owner.ask(path)
    expect(plain.headers).toMatchObject({
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable"
    })
    for (const coding of ["br", "gzip"] as const) {
      const response = await fetch(`${server.base}${path}`, { headers: { "accept-encoding": coding } })
      expect(response.headers.get("content-encoding")).toBe(coding)
      expect(Buffer.from(await response.text())).toEqual(Buffer.from(plain.text))
      expect(unpack[coding]).toBeTypeOf("function")
    }
  })
  it("an asset is within its size limit: 5 kB of script, 8 kB of style, compressed", async () => {
    const { text } = await owner.get(home)
    const [script, style] = [/\/assets\/enhance\.[^"]+/, /\/assets\/style\.[^"]+/].map((path) => path.exec(text)![0])
    expect((await owner.ask(script!)).text.length).toBeLessThan(5_000)
    const compressed = await owner.ask(style!, { headers: { "accept-encoding": "gzip" } })
    expect(Number(compressed.headers["content-length"])).toBeLessThan(8_000)
  })
  it("an asset with new content has a new address, and the old address is not found", async () => {
    expect((await owner.get("/assets/style.AAAAAAAAAAAA.css")).status).toBe(404)
  })
})

describe("an error", () => {
  it("an error is shown to browsers as a page with the request's id, and sent to programs as a problem", async () => {
    const page = await owner.get("/nothing-here")
    expect([page.status, page.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"])
    expect(page.text).toContain(page.headers["x-request-id"]!)
    for (const headers of [{ accept: "*/*" }, { accept: "application/json" }]) {
      const problem = await server.ask("/nothing-here", { headers })
      expect([problem.status, problem.headers["content-type"]]).toEqual([404, "application/problem+json"])
    }
  })
  it("an error of the API is a problem document, also for browsers", async () => {
    const answer = await owner.get("/api/v1/sov")
    expect([answer.status, answer.headers["content-type"]]).toEqual([401, "application/problem+json"])
  })
  it("the error of a wrong method lists the allowed methods of the path", async () => {
    const page = await owner.post(home)
    expect([page.status, page.headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"])
    expect(wordsOf(page.text)).toContain("Not possible here")
    expect((await owner.ask("/account/sessions/end", { method: "DELETE" })).headers["allow"]).toBe("OPTIONS, POST")
    expect((await owner.ask("/account/sessions/end", { method: "OPTIONS" })).status).toBe(204)
  })
  it("an error never shows text from the address", async () => {
    const page = await owner.get("/o/nobody/<script>alert(1)</script>")
    expect(page.status).toBe(404)
    expect(page.text).not.toContain("alert(1)")
  })
  it("an invalid form gets a 400", async () => {
    const page = await owner.ask("/account/theme", {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: "{}"
    })
    expect(page.status).toBe(400)
  })
  it("the error for a form that is too large is a page, whatever the client accepts", async () => {
    for (const accept of ["text/html", "*/*"]) {
      const page = await owner.post("/account/theme", { theme: "x".repeat(70_000) }, { headers: { accept } })
      expect([page.status, page.headers["content-type"]]).toEqual([413, "text/html; charset=utf-8"])
      expect(wordsOf(page.text)).toContain("The data sent is too large.")
    }
  })
  it("an error page inside an organization shows its menu only to members", async () => {
    const [viewer, stranger] = [
      await server.signIn(organizationId, "viewer"),
      await server.signIn((await server.run(seedOrganization())).id)
    ]
    const form = { before: "x".repeat(70_000) }
    const wrong = [
      [400, (browser: TestBrowser) => browser.get(`${home}/scans?cursor=garbage`)],
      [400, (browser: TestBrowser) => browser.get(`${home}/scans/compare?before=xx`)],
      [400, (browser: TestBrowser) => browser.get(`${home}/scans/compare.csv?after=1`)],
      [404, (browser: TestBrowser) => browser.get(`${home}/scans/compare?before=${organizationId}`)],
      [404, (browser: TestBrowser) => browser.get(`${home}/scans/xx`)],
      [404, (browser: TestBrowser) => browser.get(`${home}/nothing`)],
      [403, (browser: TestBrowser) => browser.get(`${home}/settings/members`)],
      [405, (browser: TestBrowser) => browser.post(home)],
      [413, (browser: TestBrowser) => browser.post(`${home}/scans/compare`, form)]
    ] as const
    for (const [n, [status, ask]] of wrong.entries()) {
      const page = await ask(viewer)
      expect([page.status, page.headers["content-type"]], `${n}`).toEqual([status, "text/html; charset=utf-8"])
      expect(page.text, `${n}`).toContain(`<a href="${home}/keywords">`.slice(0, -1))
      expect(wordsOf(page.text), `${n}`).toContain(`request ID ${page.headers["x-request-id"]} Go to overview`)
      expect((await ask(stranger)).text, `${n}`).not.toContain(`${home}/keywords`)
    }
    expect((await server.browser().get(`${home}/nothing`)).text).not.toContain("<nav")
  })
  it("a comparison without scans gets a 400", async () => {
    for (const fields of [{}, { before: "xx", after: organizationId }]) {
      expect((await owner.post(`${home}/scans/compare`, fields)).status).toBe(400)
    }
  })
})

it("a page with an unknown id does not exist, whatever the id looks like", async () => {
  for (const issuer of ["\u0000", "https://issuer.example", ""]) {
    expect((await owner.post("/account/identities/remove", { issuer })).status).toBe(404)
  }
})

describe("GET /", () => {
  it("the path / redirects to the organization that was opened last", async () => {
    const first = await server.run(seedOrganization())
    const person = await server.signIn(first.id)
    expect((await person.get("/")).headers["location"]).toBe(await server.run(pathOf(first.id)))
    expect((await server.browser().get("/")).headers["location"]).toBe("/login")
  })
  it("the path / tells people that they belong to no organization", async () => {
    const person = await server.signIn(null)
    const page = await person.get("/")
    expect([page.status, wordsOf(page.text)]).toEqual([
      200,
      expect.stringContaining("not a member of any organization")
    ])
  })
})

it("metrics count requests by the pattern of their route, not by path", async () => {
  await owner.get(home)
  const { text } = await server.ask("/metrics", {})
  expect(text).toContain("sov_http_requests_total{method=\"GET\",route=\"/o/:slug\",status=\"200\"}")
  expect(text).not.toContain(home)
})
