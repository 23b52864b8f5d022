/**
 * Duty: `sov rescore` on the embedded home: answers per second beside reading the same rows without measuring, memory
 * at 10,000 and at 100,000 answers, how its page query is planned, and that kill -9 in the middle changes nothing.
 * `SOV_BENCH_ANSWERS` sets the larger number (a multiple of 10,000).
 */
import { MeasurementStore, measureVersion, OrganizationStore, planRescore, ScanStore } from "@sov/core"
import { layerConnection, stores } from "@sov/core/postgres"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { measured, seedArchive } from "../support/seedArchive.ts"
import { sov, sovJson, until } from "../support/sov.ts"

const perScan = 1000
const most = Number(process.env["SOV_BENCH_ANSWERS"] ?? 100_000)
const tracking = {
  brand: { name: "Acme", domains: ["acme.example"] },
  competitors: ["Globex", "Hooli", "Initech"].map((name) => ({ name })),
  keywords: Array.from({ length: perScan / 5 }, (_, n) => ({ text: `best anvil for workshop ${n}?` }))
}

/** Runs `sov rescore` to its end; its most resident memory, and its time. */
const run = async (cwd: string) => {
  const begun = performance.now()
  const running = sov(cwd, ["rescore", "--json"])
  let peak = 0
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${running.child.pid}/status`, "utf8")
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    } catch {
      // it has ended
    }
  }, 50)
  const ran = await running
  clearInterval(timer)
  expect(ran).toMatchObject({ code: 0 })
  return { seconds: (performance.now() - begun) / 1000, megabytes: peak / 1024 }
}

/** Reads every answer of the archive as measuring does. */
const readAll = Effect.gen(function*() {
  const [organization] = yield* (yield* OrganizationStore).list
  const store = yield* MeasurementStore
  const scans = yield* (yield* ScanStore).list(organization!.id, { limit: most / perScan })
  for (const scan of scans) {
    let after: Parameters<typeof store.unmeasured>[4]
    do {
      const versions = { measureVersion: 0, trackedSetVersion: 0 }
      const page = yield* store.unmeasured(
        organization!.id,
        scan.id,
        versions,
        100,
        ...after === undefined ? [] : [after]
      )
      after = page.at(-1)?.answerId
    } while (after !== undefined)
  }
})

it.each([...new Set([10_000, most])])("%i answers", async (answers) => {
  const cwd = mkdtempSync(join(tmpdir(), "sov-bench-"))
  writeFileSync(join(cwd, "tracking.json"), JSON.stringify(tracking))
  await sovJson(cwd, ["init", "--from", "tracking.json", "--name", "Acme", "--no-input"])
  const database = ManagedRuntime.make(
    stores.pipe(Layer.provideMerge(layerConnection({ dataDir: join(cwd, ".sov") })))
  )
  try {
    await database.runPromise(seedArchive({ keywords: perScan / 5, scans: answers / perScan }))
    const begun = performance.now()
    await database.runPromise(readAll)
    const reading = (performance.now() - begun) / 1000

    const whole = await run(cwd)
    const expected = await database.runPromise(measured(1))
    expect(expected.answers).toBe(answers)
    console.log(
      `${answers} answers: ${(answers / whole.seconds).toFixed(0)} answers/s, ` +
        `${(whole.seconds / reading).toFixed(1)} × the time of reading them, peak ${whole.megabytes.toFixed(0)} MB`
    )

    await sovJson(cwd, ["brand", "set", "--name", "Acme", "--domain", "acme.example"])
    const killed = sov(cwd, ["rescore"])
    await until(async () => (await database.runPromise(measured(2))).answers > answers / 3, 3_600_000, "a third")
    killed.child.kill("SIGKILL")
    await killed
    const middle = await database.runPromise(measured(2))
    const rest = await run(cwd)
    expect(await database.runPromise(measured(2))).toEqual(expected)
    console.log(
      `killed after ${middle.answers} answers and ${middle.scores} scores; the rest at ` +
        `${
          ((answers - middle.answers) / rest.seconds).toFixed(0)
        } answers/s; checksum as uninterrupted: ${expected.sum}`
    )

    const planning = await database.runPromise(Effect.gen(function*() {
      const [organization] = yield* (yield* OrganizationStore).list
      const sql = yield* SqlClient.SqlClient
      const before = performance.now()
      yield* planRescore(organization!.id, {})
      const ms = performance.now() - before
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
    await database.dispose()
    rmSync(cwd, { recursive: true, force: true })
  }
}, 7_200_000)
