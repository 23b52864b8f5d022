// Only in `npm run test:all`: servers and dozens of runs of the command
/** sov dashboard: a link that signs in, on a server that it starts or that is there, and where it does not fit. */
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { type Running, sov, sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

const linkForm = /^http:\/\/127\.0\.0\.1:\d+\/login\/link\/[\w-]{43}$/

/** An organization in a directory of its own. */
const prepared = async (): Promise<string> => {
  const cwd = workspace()
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])
  return cwd
}

/** `sov dashboard` that starts its server; stopped when the test ends. */
const startDashboard = async (
  cwd: string,
  ...more: ReadonlyArray<string>
): Promise<{ readonly running: Running; readonly link: string }> => {
  const running = startSov(cwd, ["dashboard", ...more], { env: { SOV_PORT: "0", SOV_NO_BROWSER: "1" } })
  let text = ""
  running.child.stdout!.on("data", (chunk: string) => text += chunk)
  onTestFinished(async () => {
    running.child.kill("SIGTERM")
    await running
  })
  await until(() => text.includes("\n") || running.child.exitCode !== null, 60_000, `a link; ${running.errors()}`)
  return { running, link: text.trim() }
}

describe("sov dashboard", () => {
  it("the command prints the link as JSON, opens no browser, and warns if no server answers", async () => {
    const cwd = await prepared()
    const printed = await sov(cwd, ["dashboard", "--json"], { env: { SOV_PORT: "1" } })
    expect([printed.code, printed.stderr]).toEqual([
      0,
      expect.stringMatching(/^warning: no server answers at http:\/\/127\.0\.0\.1:1; start one with `sov serve`.*\n$/)
    ])
    const made = JSON.parse(printed.stdout) as { url: string; expires_at: string }
    expect(Object.keys(made)).toEqual(["url", "expires_at"])
    expect(made.url).toMatch(linkForm)
    const minutes = (Date.parse(made.expires_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(8)
    expect(minutes).toBeLessThanOrEqual(10)
    const elsewhere = await sovJson<{ url: string }>(cwd, ["dashboard", "--url", "https://127.0.0.1:1/"], {
      SOV_URL: "https://wrong.example"
    })
    expect(elsewhere.url).toMatch(/^https:\/\/127\.0\.0\.1:1\/login\/link\/[\w-]{43}$/)
    for (const url of ["nonsense", "ftp://a.example", "https://a.example/path"]) {
      expect((await sov(cwd, ["dashboard", "--json", "--url", url])).code, url).toBe(2)
    }
  })

  it("the command starts a server if no server runs, and the link signs in one owner once", async () => {
    const cwd = await prepared()
    const { link, running } = await startDashboard(cwd)
    expect(link).toMatch(linkForm)
    expect(running.errors()).toContain("until you stop it")
    expect(running.errors().match(/no scan can be started here/g)).toHaveLength(1)
    const { origin } = new URL(link)
    const page = await fetch(link, { headers: { accept: "text/html" } })
    expect(page.status).toBe(200)
    expect(await page.text()).toMatch(/<form[^>]*method="post"/)
    const use = () => fetch(link, { method: "POST", redirect: "manual", headers: { origin, accept: "text/html" } })
    const signedIn = await use()
    expect(signedIn.status).toBe(303)
    const cookie = signedIn.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ")
    expect((await use()).status).toBe(410)
    const home = await fetch(`${origin}/`, { headers: { cookie, accept: "text/html" } })
    expect([home.status, new URL(home.url).pathname]).toEqual([200, expect.stringMatching(/^\/o\//)])
    expect(await sovJson(cwd, ["member", "list"])).toMatchObject([{ email: null, role: "owner", status: "active" }])
    expect(running.errors()).not.toContain(link.slice(-43))
  })

  it("the command asks the running server, and opens the browser with a file that only the user can read", async () => {
    const cwd = await prepared()
    const { link } = await startDashboard(cwd)
    const { origin } = new URL(link)
    const bin = join(cwd, "bin")
    mkdirSync(bin)
    const opener = join(bin, "xdg-open")
    writeFileSync(
      opener,
      `#!/bin/sh\nprintf %s "$1" > ${cwd}/opened\nstat -c %a "$1" > ${cwd}/mode\ncat "$1" > ${cwd}/page\n`
    )
    chmodSync(opener, 0o755)
    const env = { PATH: `${bin}:${process.env["PATH"]}`, DISPLAY: ":9", SSH_CONNECTION: "", SOV_NO_BROWSER: "" }
    const second = await sov(cwd, ["dashboard", "--url", origin], { env })
    expect([second.code, second.stdout.trim()]).toEqual([0, expect.stringMatching(linkForm)])
    expect(second.stderr).toContain("open in your browser")
    const opened = readFileSync(join(cwd, "opened"), "utf8")
    expect(opened).not.toContain(second.stdout.trim().slice(-43))
    expect(readFileSync(join(cwd, "mode"), "utf8").trim()).toBe("600")
    expect(readFileSync(join(cwd, "page"), "utf8")).toContain(`url=${second.stdout.trim()}"`)
    expect(existsSync(opened)).toBe(false)
    expect((await fetch(second.stdout.trim(), { headers: { accept: "text/html" } })).status).toBe(200)

    const other = await sov(await prepared(), ["dashboard", "--url", origin], { env: { SOV_NO_BROWSER: "1" } })
    expect([other.code, other.stdout]).toEqual([8, ""])
    expect(other.stderr).toContain("another database")
  })

  it("the demo ends with a link if a server uses its database, otherwise with the command that prints a link", async () => {
    const cwd = workspace()
    const demo = ["demo", "--weeks", "0", "--data-dir", "demo"]
    const alone = await sov(cwd, demo, { env: { SOV_PORT: "1" } })
    expect(alone.stderr).toMatch(/In a browser: .*sov dashboard --data-dir demo\s*$/)
    expect(await sovJson(cwd, ["member", "list", "--data-dir", "demo"])).toEqual([])
    const config = join(cwd, "demo", "sov.config.json")
    writeFileSync(config, readFileSync(config, "utf8").replaceAll("600 millis", "0 millis"))
    const { link, running } = await startDashboard(cwd, "--data-dir", "demo")
    expect(running.errors().trim().split("\n").map((line) => line.slice(0, 18))).toEqual([
      "sov serves on http",
      "The link signs in "
    ])
    const { origin, port } = new URL(link)
    // What is made up can be asked from the dashboard, too
    const headers = { origin, accept: "text/html" }
    const signedIn = await fetch(link, { method: "POST", redirect: "manual", headers })
    expect(signedIn.status).toBe(303)
    const cookie = signedIn.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ")
    const form = await (await fetch(`${origin}/o/demo/scans/new`, { headers: { ...headers, cookie } })).text()
    const [, key] = /name="idempotency_key" value="([0-9a-f-]{36})"/.exec(form) ?? []
    const started = await fetch(`${origin}/o/demo/scans`, {
      method: "POST",
      redirect: "manual",
      headers: { ...headers, cookie },
      body: new URLSearchParams({ idempotency_key: key! })
    })
    const scan = /\/o\/demo\/scans\/([0-9a-f-]{36})/.exec(started.headers.get("location") ?? "")![1]!
    const watched = await sovJson(cwd, ["scan", "watch", scan, "--data-dir", "demo"])
    expect(watched).toMatchObject({ scan_id: scan, status: "completed", simulated: true })
    // The ZIP of the page holds what the command writes, byte for byte
    const zip = await fetch(`${origin}/o/demo/settings/export`, {
      method: "POST",
      headers: { ...headers, cookie },
      body: new URLSearchParams()
    })
    writeFileSync(join(cwd, "a.zip"), new Uint8Array(await zip.arrayBuffer()))
    execFileSync("unzip", ["-q", "a.zip", "-d", "fetched"], { cwd })
    expect((await sov(cwd, ["archive", "export", "--out", "archive.ndjson", "--data-dir", "demo"])).code).toBe(0)
    for (const end of ["", ".context.ndjson", ".manifest.json"]) {
      const [fetched, written] = ["fetched/", ""].map((at) => readFileSync(join(cwd, `${at}archive.ndjson${end}`)))
      expect(fetched!.equals(written!), end).toBe(true)
    }
    const served = await sov(cwd, demo, { env: { SOV_PORT: port } })
    const [, shown] = /In a browser: +(\S+)/.exec(served.stderr) ?? []
    expect(shown).toMatch(linkForm)
    expect(shown!.startsWith(origin)).toBe(true)
    expect((await fetch(shown!, { headers: { accept: "text/html" } })).status).toBe(200)

    const notes = async (...args: ReadonlyArray<string>) =>
      /^Dashboard: (\S+)$/m.exec((await sov(cwd, args, { env: { SOV_PORT: port } })).stderr)?.[1]
    const overview = await notes("score", "--data-dir", "demo")
    expect(overview).toMatch(new RegExp(`^${origin}/o/[a-z0-9-]+$`))
    expect(await notes("scan", "--data-dir", "demo")).toMatch(new RegExp(`^${overview}/scans/[0-9a-f-]{36}$`))
  })

  it("the command reports an address that has no dashboard or does not answer", async () => {
    const cwd = await prepared()
    const server = createServer((_, response) => response.writeHead(404).end())
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const foreign = await sov(cwd, ["dashboard", "--url", url])
    await new Promise((resolve) => server.close(resolve))
    expect([foreign.code, foreign.stdout]).toEqual([8, ""])
    expect(foreign.stderr).toContain("no dashboard")
    const silent = await sov(cwd, ["dashboard", "--url", url])
    expect(silent.stdout).toBe("")
    expect(silent.stderr).toMatch(/no server answers.*\n.*sov serve/)
  })

  it("sov serve prints a link for setting up the first organization if the directory is empty", async () => {
    const cwd = workspace()
    const server = startSov(cwd, ["serve", "--port", "0"])
    const link = () => /http:\/\/\S+\/login\/link\/\S+/.exec(server.errors())?.[0]
    await until(() => link() !== undefined, 60_000, "the link")
    const url = link()!
    const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" }
    const signedIn = await fetch(url, { method: "POST", redirect: "manual", headers })
    expect(signedIn.status).toBe(303)
    const cookie = signedIn.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ")
    const home = await fetch(new URL("/", url), { redirect: "manual", headers: { cookie, accept: "text/html" } })
    expect([home.status, home.headers.get("location")]).toEqual([303, "/setup"])
    const brand = new URLSearchParams({ brand: "Acme", keywords: "best anvil?" }).toString()
    const made = await fetch(new URL("/setup", url), {
      method: "POST",
      redirect: "manual",
      headers: { ...headers, cookie },
      body: brand
    })
    expect([made.status, made.headers.get("location")]).toEqual([303, "/o/acme"])
    server.child.kill("SIGTERM")
    expect((await server).code).toBe(0)
    expect(await sovJson(cwd, ["brand", "show"])).toMatchObject({ name: "Acme" })
    // What is set up is not offered again
    const again = startSov(cwd, ["serve", "--port", "0"])
    await new Promise((resolve) => again.child.stdout!.once("data", resolve))
    again.child.kill("SIGTERM")
    expect((await again).stderr).not.toContain("/login/link/")
  })
})
