/** The address of a page that commands name: of a server that has their database, for people only. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { noteDashboard } from "../../packages/cli/src/commands/dashboard/noteDashboard.ts"
import { Output } from "../../packages/cli/src/output/Output.ts"
import { openDashboard, type TestDashboard } from "../support/dashboardServer.ts"
import { oneHome } from "../support/homes.ts"

let server: TestDashboard

/** A dashboard of another installation: it has another tag. */
const other = createServer((_, response) => response.end("00000000\n"))
let otherBase: string

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
  otherBase = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
})
afterAll(async () => {
  await server.close()
  await new Promise((resolve) => other.close(resolve))
})

let written = ""
beforeEach(() => {
  written = ""
  const spied = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written += String(text)
    return true
  })
  return () => {
    spied.mockRestore()
    vi.unstubAllEnvs()
  }
})

/** What a command of the database of `server` notes while `base` is where a dashboard may be. */
const noted = async (base: string, options: { readonly json?: boolean; readonly quiet?: boolean } = {}) => {
  vi.stubEnv("SOV_PUBLIC_URL", base)
  await server.run(noteDashboard(new Output({ dataDir: "", config: "", ...options }), { slug: "acme" }, "/scans/1"))
  return written
}

it("eight hex digits identify the installation that responds", async () => {
  const { headers, text } = await server.ask("/login/instance")
  expect(text).toMatch(/^[0-9a-f]{8}\n$/)
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8")
})
it("the dashboard is mentioned if the server that answers has the same database", async () => {
  expect(await noted(server.base)).toBe(`Dashboard: ${server.base}/o/acme/scans/1\n`)
})
it("the dashboard is mentioned neither to programs nor with --quiet", async () => {
  expect(await noted(server.base, { json: true })).toBe("")
  expect(await noted(server.base, { quiet: true })).toBe("")
})
it("the dashboard is not mentioned for another database, a closed port or an invalid address", async () => {
  for (const base of [otherBase, "http://127.0.0.1:1", "https://acme.example/path", "nonsense"]) {
    expect(await noted(base), base).toBe("")
  }
})
