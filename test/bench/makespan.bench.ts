/**
 * Duration of a scan of 830 cells at 200 ms with 8 requests in flight per platform, from the commit of its start to its
 * last archived answer, with a running worker. Measured alternately with a plain fetch loop with the same limits.
 * Prints ratios; asserts nothing.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { it } from "vitest"
import { type Round, startBenchProcess } from "../support/benchProcess.ts"
import { freshDatabaseUrl } from "../support/databases.ts"
import { homes } from "../support/homes.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { workspace } from "../support/sov.ts"

const rounds = Number(process.env["SOV_BENCH_ROUNDS"] ?? "5")
const [keywords, concurrency, latencyMs] = [166, 8, 200]

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[values.length >> 1]!

const workers = async () => {
  const text = "Acme makes the best anvil. Others are cheaper, but few last as long. ".repeat(40)
  const replay = await startReplay({ answer: () => text, latencyMs })
  const cwd = workspace()
  const config = join(cwd, "sov.config.json")
  writeFileSync(config, replay.config(5, concurrency))
  const all = new Map<string, Awaited<ReturnType<typeof startBenchProcess>>>()
  for (const home of homes) {
    const env: Record<string, string> = home === "postgres"
      ? { SOV_DATABASE_URL: await freshDatabaseUrl() }
      : { SOV_DATA_DIR: join(cwd, "data") }
    all.set(home, await startBenchProcess(new URL("./scanWorker.ts", import.meta.url), [config, String(keywords)], env))
  }
  return { replay, workers: all }
}

it("the duration of a scan is compared with a plain loop", async () => {
  const { replay, workers: all } = await workers()
  const plainLoop = new URL("./plainLoop.ts", import.meta.url)
  const plainArgs = [replay.url, String(keywords), String(concurrency)]
  const subjects = new Map([["plain loop", await startBenchProcess(plainLoop, plainArgs, {})], ...all])
  const taken = new Map([...subjects.keys()].map((name) => [name, [] as Array<Round>]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of subjects) taken.get(name)!.push(await run())
  }
  const plain = median(taken.get("plain loop")!.map(({ ms }) => ms))
  const ideal = Math.ceil(keywords / concurrency) * latencyMs
  for (const [name, all] of taken) {
    const of = (pick: (round: Round) => number) => median(all.map(pick))
    console.log([
      name.padEnd(10),
      `${(of(({ ms }) => ms) / plain).toFixed(2)} × the plain loop`,
      `${(of(({ ms }) => ms) / ideal).toFixed(2)} × the ideal`,
      `${(of(({ statements }) => statements) / (keywords * 5)).toFixed(2)} statements an answer`,
      `${(of(({ cpuMs }) => cpuMs) / (keywords * 5)).toFixed(2)} ms CPU an answer`,
      `${of(({ rssMb }) => rssMb).toFixed(0)} MB (medians of ${rounds} rounds)`
    ].join(", "))
  }
}, 600_000)

it("a scan of 10 cells is measured behind 5,000 cells of another organization", async () => {
  for (const [home, run] of (await workers()).workers) {
    const taken: Array<number> = []
    for (let round = 0; round < rounds; round++) taken.push((await run("behind")).ms)
    // Two questions per platform take one round of calls
    const ratios = taken.map((ms) => ms / latencyMs)
    console.log(
      `${home.padEnd(10)} ${median(ratios).toFixed(2)} × their own ideal, at most ${Math.max(...ratios).toFixed(2)} ` +
        `(${rounds} rounds)`
    )
  }
}, 600_000)
