/** Google shows an overview for 60 of 100 questions: the other 40 are counted apart, and in no share. */
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import * as dataForSeo from "../support/dataForSeo.ts"
import { sov, sovInit, sovJson, workspace } from "../support/sov.ts"

const keywords = Array.from({ length: 100 }, (_, n) => ({ text: `best anvil for workshop ${n}?` }))

it(
  "the 40 of 100 questions without an overview are asked once, counted separately, and left out of every share",
  async () => {
    let asked = 0
    let without = 40
    const server = createServer((request, response) => {
      request.setEncoding("utf8").on("data", (text: string) => {
        asked++
        const n = Number(/workshop (\d+)/.exec(text)![1])
        const body = n < without ? dataForSeo.withoutOverview : dataForSeo.overview
        response.end(JSON.stringify(body).replaceAll("**Acme**", n < 70 ? "Acme" : "Globex"))
      })
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once("listening", resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`
    const cwd = workspace()
    const platforms = { assistant_a: { adapter: "dataforseo", model: "google-ai-overview", baseUrl } }
    writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms }))
    const tracking = { brand: { name: "Acme" }, competitors: [{ name: "Globex" }], keywords }
    writeFileSync(join(cwd, "tracking.json"), JSON.stringify(tracking))
    await sovInit(cwd, ["--from", "tracking.json", "--name", "Acme", "--plan", "pro"], {})

    const scan = await sov(cwd, ["scan", "--yes"], {})
    expect(asked).toBe(100)
    expect(scan.code).toBe(0)
    expect(scan.stdout).toContain("60 answers, 30 name the brand, 0 failed, 40 without an overview")
    expect(scan.stdout + scan.stderr).toContain("assistant_a: 40 without an overview, counted apart")
    const score = await sovJson<object>(cwd, ["score"], {})
    // 30 of the 60 overviews name the brand, and 30 the competitor
    expect(score).toMatchObject({
      avg_sov: 50,
      interval: { low: 37.5, high: 62.5 },
      results_count: 60,
      mentioned_count: 30,
      failed_count: 0,
      no_overview_count: 40
    })
    const report = join(cwd, "report.html")
    await sov(cwd, ["report", "--out", report], {})
    expect(readFileSync(report, "utf8")).toContain("0 failed, 40 without an overview")
    expect((await sov(cwd, ["report", "verify", report], {})).code).toBe(0)
    const [listed] = await sovJson<ReadonlyArray<object>>(cwd, ["platform", "list"])
    expect(listed).toMatchObject({ surface: "app", breaker: "closed", calls: 100, error_rate: 0 })

    const { data } = await sovJson<{ readonly data: ReadonlyArray<object> }>(cwd, ["archive", "list"], {})
    expect(data[0]).toMatchObject({ surface: "app", market: { country: "United States", language: "en" } })

    // An overview for none of them is a result, too: neither a failure nor a share of 0
    without = 100
    const none = await sov(cwd, ["scan", "--yes"], {})
    expect(none.code).toBe(0)
    expect(none.stdout).toContain("0 answers, 0 name the brand, 0 failed, 100 without an overview")
    expect(await sovJson<object>(cwd, ["scan", "show", "latest"], {})).toMatchObject({ status: "completed" })
    expect(await sovJson<object>(cwd, ["score"], {})).toMatchObject({
      avg_sov: null,
      results_count: 0,
      failed_count: 0,
      no_overview_count: 100
    })
    const shown = await sov(cwd, ["score"], {})
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("100 without an overview") })
    const empty = join(cwd, "none.html")
    expect((await sov(cwd, ["report", "--out", empty], {})).code).toBe(0)
    expect((await sov(cwd, ["report", "verify", empty], {})).code).toBe(0)
  },
  120_000
)
