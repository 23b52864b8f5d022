/**
 * Chaos test: many scans run while workers are killed, the database restarts and connections break; then the history is
 * checked. `SOV_CHAOS_RUNS=50` sets the number of runs (default 1, a short one); no run starts after
 * `SOV_CHAOS_MINUTES` (default 5). A run prints its seed, and `SOV_CHAOS_SEED` starts with that seed.
 * `SOV_CHAOS_FAULTS=restart,kill` limits the faults to these, and with `SOV_CHAOS_LOG` each run prints what happened.
 */
// Only in `npm run test:all`: kills, restarts and broken connections
import { rmSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Home, homes } from "../support/homes.ts"
import { workspace } from "../support/sov.ts"
import { findServer, startPostgres, type TestPostgres } from "../support/TestPostgres.ts"
import { checkHistory, repeatsIn, takeoversIn } from "./checkHistory.ts"
import { type ChaosReport, type ChaosSize, runChaos } from "./runChaos.ts"

const runs = Number(process.env["SOV_CHAOS_RUNS"] ?? 1)
const firstSeed = Number(process.env["SOV_CHAOS_SEED"] ?? Math.floor(Math.random() * 1e9))
const lastStart = Date.now() + Number(process.env["SOV_CHAOS_MINUTES"] ?? 5) * 60_000
const only = process.env["SOV_CHAOS_FAULTS"]?.split(",") ?? []
const bin = findServer()

const size: ChaosSize = runs === 1
  ? { workers: 2, scans: 3, keywords: 6, faults: 3, ms: 3_000, timeoutMs: 60_000 }
  : { workers: 3, scans: 6, keywords: 24, faults: 6, ms: 9_000, timeoutMs: 90_000 }

const report = (home: Home, seed: number, { history, log }: ChaosReport, faults: ReadonlyArray<string>) => {
  const { calls, kills, outages } = history
  console.log(
    `${home} seed ${seed}: ${history.scans.length} scans, ${calls.length} calls, ${repeatsIn(history)} repeated, ` +
      `${kills.length} kills (asked again within ${
        Math.max(0, ...takeoversIn(history))
      } ms), ${outages.length} outages, ${log.at(-1)?.split(" ")[0]} s, ${faults.length} faults`
  )
  if (faults.length > 0 || process.env["SOV_CHAOS_LOG"] !== undefined) console.log([...log, ...faults].join("\n"))
}

// Uses only a server that the run has started, because it restarts it
const able = homes.filter((home) => home === "embedded" || bin !== undefined)
// A single run uses the real server, where more faults are possible
describe.each(runs === 1 && process.env["SOV_LONG_TESTS"] === undefined ? able.slice(-1) : able)(
  "on the %s home",
  (home) => {
    let server: TestPostgres | null = null
    beforeAll(async () => {
      if (home === "postgres") server = await startPostgres(bin!)
    })
    afterAll(() => server?.stop())

    it("every scan is recorded correctly although workers are killed and the database restarts", async () => {
      const found: Array<string> = []
      for (let n = 0; n < runs && Date.now() < lastStart; n++) {
        const [seed, cwd] = [firstSeed + n, workspace()]
        const made = await runChaos({ cwd, seed, server, size, only })
        const faults = [...checkHistory(made.history), ...made.exits]
        report(home, seed, made, faults)
        found.push(...faults.map((fault) => `seed ${seed}: ${fault}`))
        rmSync(cwd, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
      }
      expect(found).toEqual([])
    }, 120_000 + runs * 150_000)
  }
)
