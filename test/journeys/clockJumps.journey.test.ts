/** A worker's machine has a wrong clock that jumps (libfaketime): scans, retries and their times are the database's. */
// Only in `npm run test:all`: retries in real time
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { postgresUrl } from "../support/homes.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { sov, sovInit, sovJson, until, workspace } from "../support/sov.ts"

const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"

interface Listed {
  readonly scans: ReadonlyArray<
    { readonly status: string; readonly started_at: string; readonly completed_at: string }
  >
}

it.skipIf(postgresUrl === null || !existsSync(library))(
  "scans complete in the database's time while the clock of their worker jumps by days",
  async () => {
    const replay = await startReplay({ answer: () => "Acme.", latencyMs: 20 })
    const cwd = workspace()
    const env = { SOV_DATABASE_URL: await freshDatabaseUrl() }
    await sovInit(cwd, ["--brand", "Acme", "--keyword", "one?", "--keyword", "two?"], env)
    writeFileSync(join(cwd, "sov.config.json"), replay.config(2, 2))
    const offset = join(cwd, "offset")
    writeFileSync(offset, "+0")
    const faked = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: offset,
      FAKETIME_CACHE_DURATION: "1",
      // A machine's monotonic clock is not set
      FAKETIME_DONT_FAKE_MONOTONIC: "1"
    }
    const begun = Date.now()
    const worker = sov(cwd, ["worker"], { env: { ...env, ...faked } })
    onTestFinished(() => void worker.child.kill("SIGKILL"))
    await until(() => worker.errors().includes("begins here"), 60_000, "the worker works")
    const list = () => sovJson<Listed>(cwd, ["scan", "list"], env)
    for (const [n, jump] of ["+0", "+3d", "-3d", "+40d", "-1h", "+0"].entries()) {
      writeFileSync(offset, jump)
      await sovJson(cwd, ["scan", "--detach"], env)
      await until(
        async () => (await list()).scans.filter(({ status }) => status === "completed").length === n + 1,
        60_000,
        `the scan completes after a jump to ${jump}`
      )
    }
    const ended = Date.now()
    for (const { completed_at, started_at } of (await list()).scans) {
      const [from, to] = [Date.parse(started_at), Date.parse(completed_at)]
      expect([begun <= from, from <= to, to <= ended]).toEqual([true, true, true])
    }
    expect(replay.stats.repeated).toBe(5 * 4)
    worker.child.kill("SIGTERM")
    expect((await worker).code).toBe(0)
  },
  300_000
)
