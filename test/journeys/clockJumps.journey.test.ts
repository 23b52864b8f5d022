/** A worker's machine has a wrong clock that jumps (libfaketime): scans, retries and their times are the database's. */
// Only in `npm run test:all`: retries in real time
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { postgresUrl } from "../support/homes.ts"
import { canJump, jumpClock, withJumpingClock } from "../support/jumpingClock.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

interface Listed {
  readonly scans: ReadonlyArray<
    { readonly status: string; readonly started_at: string; readonly completed_at: string }
  >
}

it.skipIf(postgresUrl === null || !canJump)(
  "scans complete at the database's time while the clock of their worker jumps by days",
  async () => {
    const replay = await startReplay({ answer: () => "Acme.", latencyMs: 20 })
    const cwd = workspace()
    const env = { SOV_DATABASE_URL: await freshDatabaseUrl() }
    await sovInit(cwd, ["--brand", "Acme", "--keyword", "one?", "--keyword", "two?"], env)
    writeFileSync(join(cwd, "sov.config.json"), replay.config(2, 2))
    const offset = join(cwd, "offset")
    const begun = Date.now()
    const worker = startSov(cwd, ["worker"], { env: { ...env, ...withJumpingClock(offset) } })
    onTestFinished(() => void worker.child.kill("SIGKILL"))
    await until(() => worker.errors().includes("begins here"), 60_000, "the worker works")
    const list = () => sovJson<Listed>(cwd, ["scan", "list"], env)
    for (const [n, jump] of ["+0", "+3d", "-3d", "+40d", "-1h", "+0"].entries()) {
      jumpClock(offset, jump)
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
