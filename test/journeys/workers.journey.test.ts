/** sov worker as operators have it: two beside each other, a hand-over while answers are on their way, a kill. */
// Only in `npm run test:all`: takeovers in real time
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { postgresUrl } from "../support/homes.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { sov, sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

interface Status {
  readonly workers: ReadonlyArray<{ readonly id: string; readonly pid: number; readonly doing: ReadonlyArray<string> }>
}

describe.skipIf(postgresUrl === null)("workers of one Postgres database", () => {
  it("workers share the platforms, and take over from each other without asking anything twice", async () => {
    const replay = await startReplay({ answer: () => "Acme, then Globex.", latencyMs: 1_500 })
    const cwd = workspace()
    const env = { SOV_DATABASE_URL: await freshDatabaseUrl() }
    writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: {} }))
    writeFileSync(
      join(cwd, "tracking.json"),
      JSON.stringify({ brand: { name: "Acme" }, keywords: Array.from({ length: 4 }, (_, n) => ({ text: `${n}?` })) })
    )
    await sovInit(cwd, ["--from", "tracking.json"], env)
    const nobody = await sov(cwd, ["worker"], { env })
    expect([nobody.code, nobody.stderr]).toEqual([
      2,
      expect.stringMatching(/^error: .*at least one platform\n.*sov\.config\.json/)
    ])

    writeFileSync(join(cwd, "sov.config.json"), replay.config(5, 2))
    const start = async () => {
      const worker = startSov(cwd, ["worker", "--json"], { env })
      onTestFinished(() => void worker.child.kill("SIGKILL"))
      let said = ""
      worker.child.stdout!.on("data", (chunk: string) => said += chunk)
      await until(() => said.includes("\n"), 60_000, "the worker says who it is")
      return { worker, id: (JSON.parse(said) as { worker_id: string }).worker_id }
    }
    const [one, two] = await Promise.all([start(), start()])
    const begun = ({ worker }: typeof one) => worker.errors().split("\n").filter((line) => line.includes("begins here"))
    const pieces = [
      "deliveries",
      "mail",
      ...Array.from("abcde", (letter) => `platform/assistant_${letter}`),
      "schedule"
    ]
    // A piece moves when the second comes: both have their share when each is done once, and by two
    await until(
      async () => {
        const { workers } = await sovJson<Status>(cwd, ["status"], env)
        const doing = workers.flatMap((worker) => worker.doing)
        return workers.filter((worker) => worker.doing.length > 0).length === 2 &&
          doing.toSorted().join() === [...pieces, "sweeper", "upkeep"].join()
      },
      20_000,
      "every piece of work is done by one of two"
    )
    const { scan_id: id } = await sovJson<{ scan_id: string }>(cwd, ["scan", "--detach"], env)
    await until(() => replay.stats.inFlight >= 4, 60_000, "questions are in flight")
    const { workers } = await sovJson<Status>(cwd, ["status"], env)
    expect(workers.map((worker) => worker.id).toSorted()).toEqual([one.id, two.id].toSorted())

    // The one that asks more leaves while its answers are on their way
    const [leaving, staying] = begun(one).length > begun(two).length ? [one, two] : [two, one]
    leaving.worker.child.kill("SIGTERM")
    const left = await leaving.worker
    expect([left.code, left.signal]).toEqual([0, null])
    expect(left.stderr).toMatch(/platform\/assistant_\w: ends here/)
    expect(await sovJson(cwd, ["scan", "watch", id], env)).toMatchObject({ status: "completed", results_count: 20 })
    expect([replay.stats.requests, replay.stats.repeated, replay.stats.aborted]).toEqual([20, 0, 0])
    expect(replay.stats.maxInFlight).toBeLessThanOrEqual(10)
    expect((await sovJson<Status>(cwd, ["status"], env)).workers).toMatchObject([{ id: staying.id }])
  })
})
