/**
 * Duration of one scan of 166 questions on five platforms, each with its own latency and limits, compared with the
 * shortest time in which the slowest platform can be asked at all. In the second part a limit of requests per minute
 * applies, so it takes more than a minute. Prints ratios and the requests that the servers received; asserts nothing.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { it } from "vitest"
import { startBenchProcess } from "../support/benchProcess.ts"
import { idealMs, type Provider, type ProviderLimits, startProviders } from "../support/FiveProviders.ts"
import { workspace } from "../support/sov.ts"

const keywords = 166
const text = "Acme makes the best anvil. Others are cheaper, but few last as long. ".repeat(40)

const limitsSeen = ({ adapter, limits, most, mostInAMinute }: Provider): string =>
  `  ${adapter}: at most ${most()} of ${limits.concurrency} at once` +
  (limits.requestsPerMinute === undefined ? "" : `, ${mostInAMinute()} of ${limits.requestsPerMinute} in a minute`)

const measure = async (name: string, rounds: number, limits: ReadonlyArray<ProviderLimits>) => {
  const { config, providers } = await startProviders(limits, text)
  const cwd = workspace()
  const file = join(cwd, "sov.config.json")
  writeFileSync(file, JSON.stringify(config))
  const run = await startBenchProcess(new URL("./scanWorker.ts", import.meta.url), [file, String(keywords)], {
    SOV_DATA_DIR: join(cwd, "data")
  })
  const ideal = Math.max(...limits.map((one) => idealMs(keywords, one)))
  const taken: Array<number> = []
  for (let round = 0; round < rounds; round++) taken.push((await run()).ms / ideal)
  const median = taken.toSorted((a, b) => a - b)[rounds >> 1]!
  console.log([
    `${name}: ${median.toFixed(2)} × the slowest platform's ideal of ${ideal} ms (median of ${rounds})`,
    ...providers.map(limitsSeen)
  ].join("\n"))
}

it(
  "a scan is measured with different latencies and concurrency",
  () =>
    measure("five platforms", Number(process.env["SOV_BENCH_ROUNDS"] ?? "5"), [
      { latencyMs: 200, concurrency: 8 },
      { latencyMs: 400, concurrency: 16 },
      { latencyMs: 100, concurrency: 4 },
      { latencyMs: 800, concurrency: 24 },
      { latencyMs: 50, concurrency: 2 }
    ]),
  300_000
)

it(
  "a scan is measured with a limit of requests per minute that slows it down",
  () =>
    measure("120 requests per minute", 1, [
      { latencyMs: 200, concurrency: 8 },
      { latencyMs: 400, concurrency: 16, requestsPerMinute: 120 },
      { latencyMs: 100, concurrency: 4 },
      { latencyMs: 800, concurrency: 24 },
      { latencyMs: 50, concurrency: 2 }
    ]),
  300_000
)
