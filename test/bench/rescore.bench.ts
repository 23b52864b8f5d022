/**
 * Benchmark of `sov rescore` on the embedded home, compared with an earlier checkout of sov if SOV_BENCH_BEFORE names
 * one. Prints answers per second, CPU time and memory, (a) after a competitor was added that every fiftieth answer
 * names, (b) with another version of the rules, which measures everything. Then checks that kill -9 in the middle
 * changes nothing, and prints the plan of the page query. `SOV_BENCH_ANSWERS` sets the number of answers (a multiple of
 * 10,000).
 */
import { measureVersion, OrganizationStore, planRescore } from "@sov/core"
import { layerConnection, stores } from "@sov/core/postgres"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { measured, seedArchive } from "../support/seedArchive.ts"
import { sourceLauncher, sovJson, startSov, until } from "../support/sov.ts"

const perScan = 1000
const answers = Number(process.env["SOV_BENCH_ANSWERS"] ?? 10_000)
const before = process.env["SOV_BENCH_BEFORE"]
const rounds = Number(process.env["SOV_BENCH_ROUNDS"] ?? 3)
const tracking = {
  brand: { name: "Acme", domains: ["acme.example"] },
  competitors: ["Globex", "Hooli", "Initech"].map((name) => ({ name })),
  keywords: Array.from({ length: perScan / 5 }, (_, n) => ({ text: `best anvil for workshop ${n}?` }))
}

const launchers = [
  { name: "now", launcher: sourceLauncher },
  ...before === undefined ? [] : [{ name: "before", launcher: join(before, "packages/cli/bin/sov") }]
]

/** CPU seconds of each process that works in the directory: the command and the owner of its database. */
const readCpu = (dir: string): ReadonlyMap<string, number> =>
  new Map(
    readdirSync("/proc").filter((pid) => /^\d+$/.test(pid)).flatMap((pid): ReadonlyArray<readonly [string, number]> => {
      try {
        if (!readlinkSync(`/proc/${pid}/cwd`).startsWith(dir)) return []
        const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ")
        return [[pid, (Number(fields[11]) + Number(fields[12])) / 100]]
      } catch {
        return []
      }
    })
  )

const sum = (values: Iterable<number>): number => Array.from(values).reduce((a, b) => a + b, 0)

interface RunOfRescore {
  readonly seconds: number
  readonly command: number
  readonly owner: number
  readonly megabytes: number
  readonly kept: number
}

/**
 * Runs `sov rescore` and returns its duration, the CPU time of the command and of the owner, and its peak resident
 * memory.
 */
const run = async (cwd: string, launcher: string, expected = answers): Promise<RunOfRescore> => {
  const atStart = readCpu(cwd)
  let cpu = atStart
  let peak = 0
  const begun = performance.now()
  const running = startSov(cwd, ["rescore", "--json"], { launcher })
  const timer = setInterval(() => {
    cpu = new Map([...cpu, ...readCpu(cwd)])
    try {
      const status = readFileSync(`/proc/${running.child.pid}/status`, "utf8")
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    } catch {
      // The process has exited
    }
  }, 50)
  const ran = await running
  const seconds = (performance.now() - begun) / 1000
  cpu = new Map([...cpu, ...readCpu(cwd)])
  clearInterval(timer)
  expect(ran).toMatchObject({ code: 0 })
  const found = JSON.parse(ran.stdout) as { readonly answers_measured: number; readonly answers_kept?: number }
  expect(found.answers_measured).toBe(expected)
  const used = Array.from(cpu, ([pid, at]) => [pid, at - (atStart.get(pid) ?? 0)] as const)
  const command = sum(used.filter(([pid]) => !atStart.has(pid)).map(([, at]) => at))
  const owner = sum(used.filter(([pid]) => atStart.has(pid)).map(([, at]) => at))
  return { seconds, command, owner, megabytes: peak / 1024, kept: found.answers_kept ?? 0 }
}

const openDatabase = (cwd: string) =>
  ManagedRuntime.make(stores.pipe(Layer.provideMerge(layerConnection({ dataDir: join(cwd, ".sov") }))))

type Database = ReturnType<typeof openDatabase>

const seed = async (): Promise<readonly [string, Database]> => {
  const cwd = mkdtempSync(join(tmpdir(), "sov-bench-"))
  writeFileSync(join(cwd, "tracking.json"), JSON.stringify(tracking))
  await sovJson(cwd, ["init", "--from", "tracking.json", "--name", "Acme", "--no-input"])
  const database = openDatabase(cwd)
  const rare = "\n\nUmbrella Works is another one."
  await database.runPromise(seedArchive({ keywords: perScan / 5, scans: answers / perScan, rare }))
  return [cwd, database]
}

const show = (what: string, name: string, { command, kept, megabytes, owner, seconds }: RunOfRescore): void => {
  const ms = (value: number) => (1000 * value / answers).toFixed(3)
  console.log(
    `${what}, ${name}: ${(answers / seconds).toFixed(0)} answers/s; CPU an answer ${ms(command)} ms of the command, ` +
      `${ms(owner)} ms of the owner; ${kept} kept; peak ${megabytes.toFixed(0)} MB`
  )
}

const count = (trackedSetVersion: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly answers: number }>`
      select count(*)::int as answers from measurement
      where tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}
    `
    return row!.answers
  })

it(`${answers} answers are measured again`, async () => {
  const homes: Array<readonly [string, Database]> = []
  try {
    for (const { launcher, name } of launchers) {
      homes.push(await seed())
      show("(b) other rules", name, await run(homes.at(-1)![0], launcher))
      show("nothing to do: the start of the command", name, await run(homes.at(-1)![0], launcher, 0))
    }
    const [cwd, database] = homes[0]!
    const expected = await database.runPromise(measured(1))
    // Each round adds the competitor and removes it again
    let version = 1
    for (let round = 0; round < rounds; round++) {
      for (const change of ["add", "remove"]) {
        version++
        for (const [n, { launcher, name }] of launchers.entries()) {
          await sovJson(homes[n]![0], ["competitor", change, "Umbrella Works", ...change === "remove" ? ["--yes"] : []])
          show(`(a) competitor: ${change}`, name, await run(homes[n]![0], launcher))
        }
      }
      expect(await database.runPromise(measured(version))).toEqual(expected)
    }

    await sovJson(cwd, ["competitor", "add", "Umbrella Works"])
    await sovJson(cwd, ["competitor", "remove", "Umbrella Works", "--yes"])
    version += 2
    const killed = startSov(cwd, ["rescore"])
    await until(async () => await database.runPromise(count(version)) > answers / 3, 600_000, "a third")
    killed.child.kill("SIGKILL")
    await killed
    const middle = await database.runPromise(count(version))
    expect(await startSov(cwd, ["rescore"])).toMatchObject({ code: 0 })
    expect(await database.runPromise(measured(version))).toEqual(expected)
    console.log(`killed after ${middle} answers, and finished: the same measurements and scores (${expected.sum})`)

    const planning = await database.runPromise(Effect.gen(function*() {
      const [organization] = yield* (yield* OrganizationStore).list
      const sql = yield* SqlClient.SqlClient
      const begun = performance.now()
      yield* planRescore(organization!.id, {})
      const ms = performance.now() - begun
      const plan = yield* sql<{ readonly "QUERY PLAN": string }>`
        explain select id from answer
        where organization_id = ${organization!.id} and scan_id = '00000003-0000-7000-8000-000000000000'
          and id > '00000003-0000-7000-8000-000000000100' and not exists (
            select 1 from measurement
            where measurement.organization_id = ${organization!.id} and measurement.answer_id = answer.id
              and tracked_set_version = 2 and measure_version = ${measureVersion} limit 1 offset 0
          )
        order by id limit 100
      `
      return { ms, plan: plan.map((row) => row["QUERY PLAN"].trim()).filter((line) => line.includes("using")) }
    }))
    console.log(`nothing left to do is found in ${planning.ms.toFixed(0)} ms; ${planning.plan.join("; ")}`)
  } finally {
    for (const [dir, database] of homes) {
      await database.dispose()
      rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    }
  }
}, 7_200_000)
