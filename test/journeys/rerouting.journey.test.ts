/**
 * A provider answers with another model between two scans: every series breaks there, and nothing is called a loss. The
 * digest of it is in usecases/mail/readDigest.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDatabaseUrl } from "../support/databases.ts"
import { oneHome } from "../support/homes.ts"
import { startReplay } from "../support/ReplayServer.ts"
import { sov, sovInit, sovJson, workspace } from "../support/sov.ts"

const keywords = Array.from({ length: 8 }, (_, n) => ({ text: `best anvil for workshop ${n}?` }))
const change = { reason: "model", before: "vendor-4-large", after: "vendor-5-small" }
const breaks = ["assistant_a", "assistant_b"].map((platform) => ({ platform, ...change }))
const said = "model changed from vendor-4-large to vendor-5-small"

describe.each(oneHome)("a rerouting on the %s home", (home) => {
  it(
    "a rerouting breaks trend, comparison and report, raises only its own alert, and the report verifies",
    async () => {
      let rerouted = false
      const replay = await startReplay({
        answer: () => rerouted ? "Globex leads." : "Acme leads.",
        model: () => rerouted ? change.after : change.before
      })
      const cwd = workspace()
      const env: Record<string, string> = home === "postgres" ? { SOV_DATABASE_URL: await freshDatabaseUrl() } : {}
      writeFileSync(join(cwd, "sov.config.json"), replay.config(2))
      const tracking = { brand: { name: "Acme" }, competitors: [{ name: "Globex" }], keywords }
      writeFileSync(join(cwd, "tracking.json"), JSON.stringify(tracking))
      await sovInit(cwd, ["--from", "tracking.json", "--name", "Acme", "--plan", "pro"], env)
      for (const rule of ["sov_drop", "new_mention", "competitor_overtake", "new_competitor", "platform_changed"]) {
        await sovJson(cwd, ["alert", "enable", rule, ...rule === "sov_drop" ? ["--threshold", "50"] : []], env)
      }
      await sovJson(cwd, ["scan"], env)
      rerouted = true
      replay.forget()
      await sovJson(cwd, ["scan"], env)

      const alerts = await sovJson<ReadonlyArray<{ readonly rule: string; readonly data: object }>>(
        cwd,
        ["alert", "log"],
        env
      )
      expect(alerts.map(({ rule }) => rule)).toEqual(["platform_changed", "platform_changed"])
      for (const one of breaks) {
        expect(alerts).toContainEqual(expect.objectContaining({ data: expect.objectContaining(one) }))
      }
      const shown = await sov(cwd, ["alert", "log"], { env })
      expect(shown.stdout).toContain(`assistant_a: ${said}`)
      expect((await sov(cwd, ["alert", "preview", "platform_changed"], { env })).stdout).toContain(
        "2 alerts on the last 2 scans"
      )
      const score = await sovJson<{ readonly avg_sov: number }>(cwd, ["score"], env)
      expect(score).toMatchObject({ avg_sov: 0, trend: null })
      expect((await sov(cwd, ["score"], { env })).stdout).toContain(said)
      const compared = await sovJson(cwd, ["scan", "compare", "previous", "latest"], env)
      expect(compared).toMatchObject({ breaks, trend: null })
      const listed = await sovJson<ReadonlyArray<{ readonly id: string; readonly answered_by: unknown }>>(
        cwd,
        ["platform", "list"],
        env
      )
      expect(listed.find(({ id }) => id === "assistant_a")!.answered_by).toEqual([change.after, change.before])
      const { stdout: checked } = await sov(cwd, ["doctor"], { env })
      expect(checked).toContain(`assistant_a: ${said} in scan `)
      for (const more of [[], ["--with-answers"]]) {
        const report = await sov(cwd, ["report", "--out", "report.html", "--yes", ...more], { env })
        expect(report).toMatchObject({ code: 0 })
        expect(readFileSync(join(cwd, "report.html"), "utf8")).toContain(said)
        expect(await sov(cwd, ["report", "verify", "report.html"], { env })).toMatchObject({ code: 0 })
      }
    },
    120_000
  )
})
