/** sov serve as its operators have it: several processes, signals, kills, a port that is taken. */
// Only in `npm run test:all`: kills of a server under load
import { createHash } from "node:crypto"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { type Ask, ask } from "../support/apiServer.ts"
import { freshDatabaseUrl } from "../support/databases.ts"
import { serverHomeOrAll } from "../support/homes.ts"
import { type Running, sov, sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

vi.setConfig({ testTimeout: 120_000 })

const servers: Array<Running> = []
afterEach(() => {
  for (const { child } of servers.splice(0)) child.kill("SIGKILL")
})

const simulated = (latency: string) => ({ adapter: "simulated", brand: "Acme", latency })

/** An organization with one keyword and a key, in a directory whose platforms answer after `latency`. */
const setUp = async (env: Record<string, string>, latency = "0 millis") => {
  const cwd = workspace()
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: { assistant_a: simulated(latency) } }))
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"], env)
  const { id, key } = await sovJson<{ id: string; key: string }>(cwd, ["key", "create", "--name", "test"], env)
  return { cwd, env, id, key }
}

/** A server that says its address. */
const serve = async (cwd: string, env: Record<string, string>, ...args: ReadonlyArray<string>) => {
  const server = startSov(cwd, ["serve", "--port", "0", "--json", ...args], {
    env: { SOV_REST_RATE: "0", SOV_PUBLIC_URL: "", ...env }
  })
  servers.push(server)
  let said = ""
  server.child.stdout!.on("data", (chunk: string) => said += chunk)
  await until(() => said.includes("\n") || server.child.exitCode !== null, 60_000, "the server says its address")
  expect(server.errors(), said).not.toContain("error:")
  const { url } = JSON.parse(said) as { readonly url: string }
  return { server, url, ask: (path: string, what?: Ask) => ask(url, path, what) }
}

describe.each(serverHomeOrAll)("three servers of one database on the %s home", (home) => {
  it("three servers together accept exactly the remaining scans, and finish all scans that were started", async () => {
    const { cwd, env, key } = await setUp(
      home === "postgres" ? { SOV_DATABASE_URL: await freshDatabaseUrl() } : {}
    )
    await sovJson(cwd, ["quota", "set", "--limit", "50"], env)
    const all = await Promise.all([1, 2, 3].map(() => serve(cwd, env, "--no-worker")))
    // The embedded home runs every statement in one process: a third of the requests says as much
    const each = home === "postgres" ? 30 : 10
    const counts = new Map<number, number>()
    await Promise.all(all.flatMap((one) =>
      Array.from({ length: 10 }, async () => {
        for (let n = 0; n < each; n++) {
          const { status } = await one.ask("/api/v1/scans", { method: "POST", key })
          counts.set(status, (counts.get(status) ?? 0) + 1)
        }
      })
    ))
    expect(Object.fromEntries(counts)).toEqual({ 202: 50, 429: 30 * each - 50 })
    expect(await sovJson(cwd, ["quota", "show"], env)).toMatchObject({ used: 50, remaining: 0 })
  })
})

describe("sov serve", () => {
  it("a server survives kill -9 in the middle of a scan, and SIGTERM under load loses no answer", async () => {
    const { cwd, env, id, key } = await setUp({}, "1500 millis")
    const first = await serve(cwd, env)
    const begin = { method: "POST", key, headers: { "idempotency-key": "once" } }
    const begun = await first.ask("/api/v1/scans", begin)
    expect(begun.status).toBe(202)
    first.server.child.kill("SIGKILL")
    await first.server

    const second = await serve(cwd, env)
    const again = await second.ask("/api/v1/scans", begin)
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([begun.text, "true"])
    const taken = await sov(cwd, ["serve", "--port", new URL(second.url).port], { env })
    expect([taken.code, taken.stdout]).toEqual([8, ""])
    expect(taken.stderr).toMatch(/^error: another program listens on 127\.0\.0\.1:\d+\n.*--port/)
    await until(
      async () => (await second.ask("/api/v1/sov", { key })).status === 200,
      20_000,
      "the scan that was cut goes on and completes"
    )
    const archive = (await second.ask("/api/v1/archive", { key })).json as { data: ReadonlyArray<unknown> }
    expect(archive.data).toHaveLength(1)
    expect(await sovJson(cwd, ["quota", "show"], env)).toMatchObject({ used: 1 })

    // A key that is revoked by another process fails on the next request
    const spare = await sovJson<{ id: string; key: string }>(cwd, ["key", "create", "--name", "spare"], env)
    expect((await second.ask("/api/v1/sov", { key: spare.key })).status).toBe(200)
    await sovJson(cwd, ["key", "revoke", spare.id, "--yes"], env)
    expect((await second.ask("/api/v1/sov", { key: spare.key })).status).toBe(401)
    expect(id).not.toBe(spare.id)

    const load = Array.from(
      { length: 40 },
      () =>
        second.ask("/api/v1/archive", { key }).then(
          ({ status }) => status,
          (error: NodeJS.ErrnoException) => error.code
        )
    )
    await new Promise((resolve) => setTimeout(resolve, 5))
    second.server.child.kill("SIGTERM")
    const outcomes = new Set(await Promise.all(load))
    const ran = await second.server
    expect([ran.code, ran.signal]).toEqual([0, null])
    // Answered whole, or never accepted
    expect([...outcomes].filter((one) => ![200, "ECONNREFUSED", "ECONNRESET"].includes(one as never))).toEqual([])
    expect(ran.stderr).not.toContain(key)
    expect(ran.stderr).not.toContain(createHash("sha256").update(key).digest("hex"))
  })

  it("a server without any platform serves read requests, and says what is missing", async () => {
    const cwd = workspace()
    await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])
    const { key } = await sovJson<{ key: string }>(cwd, ["key", "create", "--name", "test"])
    const traces: Array<string> = []
    const collector = createServer((incoming, response) => {
      let body = ""
      incoming.setEncoding("utf8").on("data", (chunk: string) => body += chunk).on("end", () => {
        traces.push(`${incoming.url} ${body}`)
        response.end("{}")
      })
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void collector.close())
    await once(collector, "listening")
    const { ask: request, server } = await serve(cwd, {
      SOV_CONFIG: "none.json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    })
    expect((await request("/api/v1/scans", { key })).json).toEqual({ scans: [] })
    expect((await request("/api/v1/scans", { method: "POST", key })).json).toMatchObject({
      type: "/problems/no-platforms"
    })
    const page = await request("/docs")
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/)
    expect(page.text).toContain("/api/v1/archive")
    expect(page.text).not.toMatch(/<script|https?:\/\//)
    const style = /<style>(.*?)<\/style>/s.exec(page.text)![1]!
    expect(page.headers["content-security-policy"]).toContain(createHash("sha256").update(style).digest("base64"))
    expect((await request("/problems/no-platforms")).text).toContain("No platform is configured")
    expect((await request("/openapi.json")).json).toMatchObject({ openapi: "3.1.0" })
    server.child.kill("SIGINT")
    expect((await server).code).toBe(0)
    expect(traces.join("\n")).toMatch(/^\/v1\/traces .*"http\.route".*\/api\/v1\/scans/m)
    expect(traces.join("\n")).not.toContain(key)
  })
})
