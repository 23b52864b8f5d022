/**
 * Pull the plug: a scan whose worker is killed -9 again and again, and many scans killed once. `SOV_KILLS=20` kills as
 * often (default 2); a run prints its seed, and `SOV_KILL_SEED` begins with that one.
 */
// Only in `npm run test:all`: kills
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { type Home, homes } from "../support/homes.ts"
import { type Replay, startReplay } from "../support/ReplayServer.ts"
import { seededRandom } from "../support/seededRandom.ts"
import { sovInit, sovJson, startSov, workspace } from "../support/sov.ts"

const kills = Number(process.env["SOV_KILLS"] ?? 2)
const seed = Number(process.env["SOV_KILL_SEED"] ?? Math.floor(Math.random() * 1e9))
const [platforms, concurrency, latencyMs] = [5, 2, 200]

const setUp = async (home: Home, keywords: number) => {
  const replay = await startReplay({ answer: (platform, prompt) => `Acme, says ${platform} to ${prompt}.`, latencyMs })
  const cwd = workspace()
  const tracked = Array.from({ length: keywords }, (_, n) => ({ text: `question ${n}?` }))
  writeFileSync(join(cwd, "tracking.json"), JSON.stringify({ brand: { name: "Acme" }, keywords: tracked }))
  writeFileSync(join(cwd, "sov.config.json"), replay.config(platforms, concurrency))
  const env: Record<string, string> = home === "postgres" ? { SOV_DATABASE_URL: await freshDatabaseUrl() } : {}
  await sovInit(cwd, ["--from", "tracking.json", "--plan", "enterprise"], env)
  return { replay, cwd, env, cells: keywords * platforms }
}
type SetUp = Awaited<ReturnType<typeof setUp>>

const begin = async ({ cwd, env }: SetUp) =>
  (await sovJson<{ scan_id: string }>(cwd, ["scan", "--detach"], env)).scan_id

/** Works on the scan and is killed after a while, up to two seconds into its calls; true when it was alive then. */
const workAndDie = async ({ cwd, env, replay }: SetUp, id: string, random: () => number) => {
  const before = replay.stats.requests
  const worker = startSov(cwd, ["scan", "resume", id], { env })
  let ended = false
  void worker.then(() => ended = true)
  // Now and then before it asks at all
  const early = random() < 0.2
  const begun = Date.now()
  while (!early && !ended && replay.stats.requests === before && Date.now() - begun < 20_000) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await new Promise((resolve) => setTimeout(resolve, random() * (early ? 700 : 2_000)))
  const alive = !ended
  worker.child.kill("SIGKILL")
  await worker
  return alive
}

const archivedRows = async ({ cwd, env }: SetUp) => {
  await sovJson(cwd, ["archive", "export", "--out", "all.ndjson", "--yes"], env)
  return readFileSync(join(cwd, "all.ndjson"), "utf8").trimEnd().split("\n").map((line) =>
    JSON.parse(line) as { scan_id: string; platform: string; keyword_id: string }
  )
}

const report = (home: Home, { stats }: Replay, killed: number) =>
  console.log(
    `${home}: seed ${seed}, ${killed} kills, ${stats.requests} calls, ${stats.repeated} repeated, ${stats.aborted} cut, ` +
      `longest wait ${Math.max(0, ...stats.waits)} ms`
  )

/**
 * Up to this number of calls are in flight when a worker is killed, also those whose answer is on its way into the
 * archive.
 */
const inFlight = platforms * concurrency

describe.each(homes)("on the %s home", (home) => {
  it(
    "a scan that is killed repeatedly has one row per cell, and repeats only the calls that were in flight",
    async () => {
      const made = await setUp(home, 20 + 5 * kills)
      const random = seededRandom(seed)
      const id = await begin(made)
      let killed = 0
      for (let n = 0; n < kills; n++) if (await workAndDie(made, id, random)) killed++
      const summary = await sovJson(made.cwd, ["scan", "resume", id], made.env)
      report(home, made.replay, killed)
      expect(summary).toMatchObject({ status: "completed", results_count: made.cells, failed_count: 0 })
      const rows = await archivedRows(made)
      expect(new Set(rows.map((row) => `${row.platform} ${row.keyword_id}`)).size).toBe(made.cells)
      expect(rows).toHaveLength(made.cells)
      expect(made.replay.stats.repeated).toBe(made.replay.stats.requests - made.cells)
      expect(made.replay.stats.repeated).toBeLessThanOrEqual(killed * inFlight)
      expect(made.replay.stats.maxInFlight).toBeLessThanOrEqual(2 * inFlight)
    },
    60_000 + kills * 20_000
  )

  // Chaos kills workers beside many scans in every run
  it.runIf(process.env["SOV_LONG_TESTS"] === "1")(
    "scans that were each killed once are all finished by the next worker",
    async () => {
      const made = await setUp(home, 12)
      const random = seededRandom(seed + 1)
      const ids: Array<string> = []
      let killed = 0
      for (let n = 0; n < kills; n++) {
        const before = made.replay.stats.repeated
        const id = await begin(made)
        made.replay.forget()
        const alive = await workAndDie(made, id, random)
        if (alive) killed++
        expect(await sovJson(made.cwd, ["scan", "resume", id], made.env)).toMatchObject({
          status: "completed",
          results_count: made.cells,
          failed_count: 0
        })
        expect(made.replay.stats.repeated - before).toBeLessThanOrEqual(alive ? inFlight : 0)
        ids.push(id)
      }
      report(home, made.replay, killed)
      const rows = await archivedRows(made)
      expect(new Set(rows.map((row) => `${row.scan_id} ${row.platform} ${row.keyword_id}`)).size).toBe(rows.length)
      for (const id of ids) expect(rows.filter((row) => row.scan_id === id)).toHaveLength(made.cells)
    },
    60_000 + kills * 30_000
  )
})
