/**
 * An archive of thousands of answers is measured again: previewed, killed in the middle, gone on with, the same as
 * ever.
 */
// Only with SOV_LONG_TESTS: many runs of the command; usecases/measuring/rescore shows each rule
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { openDirectConnection } from "../support/directConnection.ts"
import { homes, serverHomeOrAll } from "../support/homes.ts"
import { measured, seedArchive } from "../support/seedArchive.ts"
import { launcher, sov, sovInit, sovJson, startSov, until, workspace } from "../support/sov.ts"

const answers = 2000
const scans = 10
const tracking = {
  brand: { name: "Acme" },
  competitors: [{ name: "Globex" }],
  keywords: Array.from({ length: 40 }, (_, n) => ({ text: `best anvil for workshop ${n}?` }))
}

const countAll = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly n: number }>`select count(*)::int as n from measurement`
  return row!.n
})

interface Pair {
  readonly before: number
  readonly after: number
}
interface Preview {
  readonly answers_to_measure: number
  readonly scores_to_add: number
  readonly changes: ReadonlyArray<{ readonly platform: string | null; readonly mention_rate: Pair; gained: number }>
  readonly newest_scans: ReadonlyArray<{ readonly avg_sov: Pair }>
  readonly examples: ReadonlyArray<{ readonly keyword: string }>
}
interface Score {
  readonly avg_sov: number
  readonly measure_version: number
  readonly tracked_set_version: number
}

describe.each(serverHomeOrAll)("measuring again on the %s home", (home) => {
  it.runIf(home === homes.at(-1))(
    "a rescore that was killed is resumed, with the same result as an uninterrupted run",
    async () => {
      const cwd = workspace()
      const env: Record<string, string> = home === "postgres" ? { SOV_DATABASE_URL: await freshDatabaseUrl() } : {}
      writeFileSync(join(cwd, "tracking.json"), JSON.stringify(tracking))
      await sovInit(cwd, ["--from", "tracking.json", "--name", "Acme", "--plan", "pro"], env)
      const database = openDirectConnection(cwd, env)
      onTestFinished(database.close)
      await database.run(seedArchive({ keywords: 40, scans }))
      expect(await sovJson<Score>(cwd, ["score"], env)).toMatchObject({ avg_sov: 0, measure_version: 1 })

      const preview = await sovJson<Preview>(cwd, ["rescore", "--dry-run"], env)
      expect(preview).toMatchObject({ answers_to_measure: answers, scores_to_add: scans })
      expect(preview.changes.map(({ platform }) => platform)).toEqual(
        [null, "assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"]
      )
      expect(preview.changes[0]!.mention_rate).toEqual({ before: 0, after: 87.5 })
      expect(preview.newest_scans[0]!.avg_sov).toEqual({
        before: 0,
        after: expect.toSatisfy((sov) => sov > 30 && sov < 80)
      })
      expect(preview.examples).toHaveLength(5)
      expect(await database.run(countAll)).toBe(answers)
      const shown = await sov(cwd, ["rescore", "--dry-run"], { env })
      expect(shown.stdout).toMatch(/all platforms +2,000 +0 → [\d,]+ +0\.0 → 8\d\.\d/)
      expect(shown.stdout).toMatch(/best anvil for workshop \d+\?\n +assistant_[a-e]: not named → named \d+×/)
      expect(shown.stdout).toContain("Nothing was stored")
      const sets = await sovJson(cwd, ["brand", "show"], env)
      const tried = await sovJson<Preview & { readonly changed: boolean }>(
        cwd,
        ["brand", "set", "--name", "Somebody Else", "--dry-run"],
        env
      )
      expect(tried).toMatchObject({ dry_run: true, changed: true, brand: { name: "Somebody Else" } })
      expect([tried.newest_scans.length, tried.newest_scans[0]!.avg_sov]).toEqual([3, { before: 0, after: 0 }])
      const without = await sov(cwd, ["competitor", "remove", "Globex", "--dry-run"], { env })
      expect([without.code, without.stdout]).toEqual([
        0,
        expect.stringContaining("read with the names as they would be")
      ])
      const unchanged = await sov(cwd, ["competitor", "add", "Globex", "--dry-run"], { env })
      expect(unchanged.stdout).toContain("Nothing would change")
      expect((await sov(cwd, ["competitor", "remove", "Nobody Known", "--dry-run"], { env })).code).toBe(3)
      expect(await sovJson(cwd, ["brand", "show"], env)).toEqual(sets)

      const killed = startSov(cwd, ["rescore"], { env })
      await until(async () => (await database.run(countAll)) > answers, 60_000, "the first measurements")
      killed.child.kill("SIGKILL")
      expect(await killed).toMatchObject({ signal: "SIGKILL", stdout: "" })
      const middle = await database.run(measured(1))
      expect(middle.answers).toBeGreaterThan(0)
      expect(middle.answers).toBeLessThan(answers)

      const both = [sov(cwd, ["rescore", "--json"], { env }), sov(cwd, ["rescore", "--json"], { env })]
      expect(await sov(cwd, ["keyword", "list"], { env })).toMatchObject({ code: 0 })
      for (const ran of await Promise.all(both)) expect(ran).toMatchObject({ code: 0 })
      const resumed = await database.run(measured(1))
      expect(resumed).toMatchObject({ answers, scores: scans })
      const nothing = await sov(cwd, ["rescore"], { env })
      expect(nothing.stdout).toContain("Nothing to do: all 2,000 answers of 10 scans are measured")

      const same = await sov(cwd, ["brand", "set", "--name", "Acme"], { env })
      expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing changed: Acme"), stderr: "" })
      const set = await sov(cwd, ["brand", "set", "--name", "Acme", "--exclude", "Acme Bank"], { env })
      expect(set.stderr).toContain("sov rescore measures the archive again")
      expect(await sovJson<object>(cwd, ["rescore"], env)).toEqual({
        dry_run: false,
        measure_version: 7,
        tracked_set_version: 2,
        scans,
        answers,
        answers_measured: answers,
        answers_kept: answers,
        scores_added: scans,
        sources_derived: 0,
        answers_unmeasured: []
      })
      expect(await database.run(measured(2))).toEqual(resumed)
      expect(await database.run(countAll)).toBe(3 * answers)

      expect(await sovJson<Score>(cwd, ["score"], env)).toMatchObject({ measure_version: 7, tracked_set_version: 2 })
      expect((await sov(cwd, ["score"], { env })).stdout).toContain(`trend over ${scans} scans`)
      await sovJson(cwd, ["competitor", "add", "Initech"], env)
      expect(await sovJson(cwd, ["rescore", "--since", "2026-01-10"], env)).toMatchObject({ answers_measured: 400 })
      expect((await sov(cwd, ["score"], { env })).stdout).toContain("trend over 2 scans")

      // A term that every answer has, so that every one is measured again
      await sovJson(cwd, ["brand", "set", "--name", "Acme", "--exclude", "Best anvils"], env)
      const stopped = startSov(cwd, ["rescore"], { env })
      await until(async () => (await database.run(countAll)) > 3 * answers + 400, 60_000, "more measurements")
      stopped.child.kill("SIGINT")
      expect(await stopped).toMatchObject({ code: 130, stdout: "", stderr: expect.stringContaining("Go on: repeat") })
      expect((await database.run(measured(4))).answers).toBeLessThan(answers)
      const watched = execFileSync(
        "script",
        ["-qec", `env -u CI TERM=xterm '${launcher}' rescore`, "/dev/null"],
        { cwd, encoding: "utf8", env: { ...process.env, ...env } }
      )
      expect(watched).toMatch(
        /\r\u001b\[KMeasuring: [\d,]+ of [\d,]+ answers \(\d+ %\), [\d,]+ answers\/s, [^\r]+ left/
      )
      expect((await sov(cwd, ["score"], { env })).stdout).toContain(`trend over ${scans} scans`)
    },
    240_000
  )

  it("one line names the answers that cannot be measured again", async () => {
    const cwd = workspace()
    const env: Record<string, string> = home === "postgres" ? { SOV_DATABASE_URL: await freshDatabaseUrl() } : {}
    writeFileSync(join(cwd, "tracking.json"), JSON.stringify(tracking))
    await sovInit(cwd, ["--from", "tracking.json", "--name", "Acme", "--plan", "pro"], env)
    const ran = await sov(cwd, ["competitor", "add", "Initech"], { env })
    expect(ran).toMatchObject({ code: 0, stderr: "" })
    expect((await sov(cwd, ["rescore"], { env })).stdout).toContain("Nothing to do")
    expect(await sov(cwd, ["rescore", "--scan", "latest"], { env })).toMatchObject({ code: 3, stdout: "" })
    const date = await sov(cwd, ["rescore", "--since", "yesterday"], { env })
    expect(date).toMatchObject({ code: 2, stderr: expect.stringContaining("--since \"yesterday\" is no date") })
    const two = await sov(cwd, ["rescore", "--since", "2026-01-01", "--scan", "latest"], { env })
    expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining("exclude each other") })
  })
})
