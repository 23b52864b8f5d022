/** What a person and a program learn about change: scan, scan again, track somebody else, scan once more. */
// Only with SOV_LONG_TESTS: many runs of the command; usecases/scoring/compareScans shows each rule
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { oneHome } from "../support/homes.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { sov, sovInit, sovJson, workspace } from "../support/sov.ts"

const texts = Array.from({ length: 8 }, (_, n) => `best anvil for workshop ${n}?`)
const lost = texts[3]!

interface Score {
  readonly avg_sov: number
  readonly interval: { readonly low: number; readonly high: number }
  readonly trend: { readonly delta: number; readonly direction: string; readonly n_cells: number } | null
  readonly moved:
    | { readonly platforms: ReadonlyArray<unknown>; readonly keywords: ReadonlyArray<{ text: string }> }
    | null
  readonly next_scan: { readonly low: number; readonly high: number } | null
  readonly tracked_set_version: number
}
interface Comparison {
  readonly trend: { readonly before: number; readonly after: number } | null
  readonly measured_again: ReadonlyArray<string>
  readonly n_cells: number
  readonly keywords: ReadonlyArray<{ readonly text: string; readonly beyond_noise: boolean }>
}

describe.each(oneHome)("change on the %s home", (home) => {
  it("losing one question between two scans changes the share, but the change is within noise", async () => {
    let second = false
    const replay = await startReplay({
      answer: (_, prompt) => second && prompt === lost ? "Globex leads." : "Acme leads, before Hooli."
    })
    const cwd = workspace()
    const env: Record<string, string> = home === "postgres" ? { SOV_DATABASE_URL: await freshDatabaseUrl() } : {}
    writeFileSync(join(cwd, "sov.config.json"), replay.config(5))
    writeFileSync(
      join(cwd, "tracking.json"),
      JSON.stringify({
        brand: { name: "Acme" },
        competitors: [{ name: "Globex" }],
        keywords: texts.map((text) => ({ text }))
      })
    )
    await sovInit(cwd, ["--from", "tracking.json", "--name", "Acme", "--plan", "pro"], env)
    const first = await sovJson<{ scan_id: string }>(cwd, ["scan"], env)
    expect(await sovJson<Score>(cwd, ["score"], env)).toMatchObject({
      avg_sov: 100,
      interval: { low: 58.9, high: 100 },
      trend: null,
      moved: null,
      next_scan: null
    })
    expect((await sov(cwd, ["scan", "compare", "previous", "latest"], { env })).code).toBe(3)

    second = true
    await sovJson(cwd, ["scan"], env)
    const score = await sovJson<Score>(cwd, ["score"], env)
    // 35 of 40 answers name Acme alone
    expect(score).toMatchObject({ avg_sov: 88, trend: { delta: -12.5, direction: "flat", n_cells: 40 } })
    expect(score.moved).toMatchObject({ platforms: [], keywords: [] })
    expect(score.next_scan!.low).toBeLessThan(93.75)
    const shown = await sov(cwd, ["score"], { env })
    expect(shown.stdout).toMatch(/share of voice 88 % \(95 %: \d+–\d+\)/)
    expect(shown.stdout).not.toContain("MOVED")
    expect(shown.stdout).toContain("40 answers, 35 name Acme, 0 failed")
    expect(shown.stdout).not.toContain("SIMULATED")

    await sovJson(cwd, ["competitor", "add", "Hooli"], env)
    await sovJson(cwd, ["scan"], env)
    expect(await sovJson<Score>(cwd, ["score"], env)).toMatchObject({
      avg_sov: 44,
      tracked_set_version: 2,
      trend: { delta: 0, direction: "flat", n_cells: 40 }
    })
    const compared = await sovJson<Comparison>(cwd, ["scan", "compare", first.scan_id, "latest"], env)
    expect(compared).toMatchObject({ trend: { before: 50, after: 43.8 }, measured_again: [first.scan_id], n_cells: 40 })
    expect(compared.keywords.filter((one) => one.beyond_noise).map((one) => one.text)).toEqual([])
    const again = await sov(cwd, ["scan", "compare", first.scan_id, "latest"], { env })
    expect(again.stdout).toContain("40 of 40 cells")
    expect(again.stdout).not.toContain("measured again")

    const keywords = await sovJson<{ keywords: ReadonlyArray<{ text: string; sov: number }> }>(
      cwd,
      ["score", "--by", "keyword"],
      env
    )
    expect(keywords.keywords.find((one) => one.text === lost)).toMatchObject({ sov: 0 })
    const rivals = await sov(cwd, ["score", "--by", "competitor"], { env })
    expect(rivals.stdout).toMatch(/Hooli +\S+ +43\.8/)
    expect(rivals.stdout).toMatch(/\(no tracked brand\) +0\.0 +0–\d+/)
    expect(rivals.stdout).not.toContain("assistant_a")
    expect((await sov(cwd, ["scan", "show", "latest"], { env })).stdout).toMatch(
      /Share of voice 44 % \(95 %: \d+–\d+\)/
    )
    expect((await sov(cwd, ["score", "--by", "moon"], { env })).code).toBe(2)
    const pair = ["scan", "compare", "latest", "01900000-0000-7000-8000-000000000000"]
    expect((await sov(cwd, pair, { env })).code).toBe(3)
  })
})
