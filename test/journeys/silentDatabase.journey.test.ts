/**
 * A worker is stopped while its database says nothing. It takes as long as calls in flight may: only with
 * SOV_LONG_TESTS=1.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { faultProxy } from "../support/faultProxy.ts"
import { postgresUrl } from "../support/homes.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

it.skipIf(postgresUrl === null || process.env["SOV_LONG_TESTS"] !== "1")(
  "a stopped worker exits with 0 in time although its database does not answer",
  async () => {
    const replay = await startReplay({ answer: () => "Acme.", latencyMs: 1_500 })
    const cwd = workspace()
    const url = new URL(await freshDatabaseUrl())
    const proxy = await faultProxy(url.hostname, Number(url.port))
    onTestFinished(() => proxy.close())
    const env = { SOV_DATABASE_URL: url.href }
    await sovInit(cwd, ["--brand", "Acme", "--keyword", "one?", "--keyword", "two?"], env)
    writeFileSync(join(cwd, "sov.config.json"), replay.config(2, 2))
    const through = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(proxy.port) }).href
    const worker = startSov(cwd, ["worker"], { env: { SOV_DATABASE_URL: through } })
    onTestFinished(() => void worker.child.kill("SIGKILL"))
    await until(() => worker.errors().split("begins here").length > 6, 60_000, "the worker works")
    await sovJson(cwd, ["scan", "--detach"], env)
    await until(() => replay.stats.inFlight >= 2, 60_000, "questions are in flight")
    proxy.stall(true)
    const begun = Date.now()
    worker.child.kill("SIGTERM")
    const { code, signal, stderr } = await worker
    expect([code, signal, stderr]).toEqual([0, null, expect.stringContaining("\"stopped; ")])
    // 23 s for what is in flight, five for a database that does not answer
    expect(Date.now() - begun).toBeLessThan(29_500)
  }
)
