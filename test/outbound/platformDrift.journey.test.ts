/** Providers that end an API or change their format: `platform test`, a scan and `status` report it. */
// Only with SOV_LONG_TESTS: many runs of the command; outbound/endOfLife shows each rule
import { platformIds } from "@sov/core"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { sov, sovJson, workspace } from "../support/sov.ts"
import { adapterCases } from "./adapterCases.ts"
import * as chat from "./fixtures/chatCompletions.ts"
import * as openAi from "./fixtures/openAiResponses.ts"
import * as perplexity from "./fixtures/perplexity.ts"

interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Starts a provider for each platform. It answers correctly unless `instead` contains another reply for its adapter.
 */
const providers = async (instead: { [adapter: string]: Reply } = {}) => {
  const asked = new Map<string, number>()
  const platforms = await Promise.all(adapterCases.map(async ({ adapter, withCitations }, i) => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        asked.set(adapter, (asked.get(adapter) ?? 0) + 1)
        const { body, headers = {}, status } = instead[adapter] ?? { status: 200, body: withCitations.body }
        response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const binding = {
      adapter,
      ...(adapter === "perplexity" ? { label: "Perplexity" } : {}),
      model: adapter === "perplexity" ? "perplexity/sonar" : "m",
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      ...(adapter === "openai-compatible" || adapter === "perplexity" ? {} : { webSearch: true })
    }
    return [platformIds[i]!, binding] as const
  }))
  const cwd = workspace()
  writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: Object.fromEntries(platforms) }))
  return { cwd, asked, instead }
}

const line = /^error: Perplexity \(assistant_d\): its API or model has ended, or never was: 4\d\d/m

describe("an API that has ended", () => {
  it.each([
    [
      "403 chat_completions_not_available",
      { status: 403, body: perplexity.sonarEnded },
      /403 chat_completions_not_av.*Sonar is now/
    ],
    ["410", { status: 410, body: { error: { message: "Gone since 2026-09-27." } } }, /410: Gone since 2026-09-27\./]
  ])(
    "an API that has ended (%s) fails the test with exit code 4, the scan completes without it, and status says why",
    async (_, reply, words) => {
      const { asked, cwd, instead } = await providers({ perplexity: reply })
      const tested = await sov(cwd, ["platform", "test", "assistant_d"])
      expect(tested).toMatchObject({ code: 4, stdout: "" })
      expect(tested.stderr).toMatch(line)
      expect(tested.stderr).toMatch(words)
      expect(tested.stderr).toMatch(/^hint: set model, and baseUrl if it is set, in sov\.config\.json/m)
      const all = await sov(cwd, ["platform", "test", "--all"])
      expect(all.code).toBe(4)
      expect(all.stdout.match(/^ok {6}assistant_[abce] answered in \d+ ms/gm)).toHaveLength(4)
      expect(all.stdout).toMatch(/^FAILED {2}.*assistant_d.*has ended.*\n {8}set model/m)
      const json = await sov(cwd, ["platform", "test", "--all", "--json"])
      expect(json.code).toBe(4)
      const rows = JSON.parse(json.stdout) as ReadonlyArray<{ ok: boolean; error: { code: string } | null }>
      expect(rows.map(({ ok }) => ok)).toEqual([true, true, true, false, true])
      expect(rows[3]).toMatchObject({
        platform: "assistant_d",
        label: "Perplexity",
        error: { code: "platform-ended", exit_code: 4 }
      })

      const keywords = Array.from({ length: 20 }, (_, n) => ["--keyword", `best anvil ${n}?`]).flat()
      await sovJson(cwd, ["init", "--brand", "Acme", ...keywords])
      asked.clear()
      const scan = await sov(cwd, ["scan"])
      expect(scan.code).toBe(6)
      expect(scan.stderr).toMatch(/assistant_d.*20 failed, ended/)
      expect(asked.get("perplexity")).toBeLessThanOrEqual(16)
      expect([...asked].filter(([adapter]) => adapter !== "perplexity").map(([, count]) => count)).toEqual([
        20,
        20,
        20,
        20
      ])
      const status = await sov(cwd, ["status"])
      expect(status.stdout).toMatch(/platform +Perplexity \(assistant_d\) CANNOT BE ASKED: its API or model has ended/)
      expect(status.stdout).toMatch(words)
      const { platforms_ended } = await sovJson<{ platforms_ended: unknown }>(cwd, ["status"])
      expect(platforms_ended).toEqual([{
        platform: "assistant_d",
        label: "Perplexity",
        at: expect.any(String),
        message: expect.stringMatching(words)
      }])

      delete instead["perplexity"]
      await sov(cwd, ["scan"])
      expect(await sovJson(cwd, ["status"])).toMatchObject({ platforms_ended: [] })
    }
  )

  it("a platform that has announced its end still answers, and its test exits with 4", async () => {
    const body = adapterCases[3]!.withCitations.body
    const { cwd } = await providers({
      perplexity: { status: 200, body, headers: { sunset: "Thu, 31 Dec 2026 23:59:59 GMT" } }
    })
    const tested = await sov(cwd, ["platform", "test", "assistant_d"])
    expect(tested.code).toBe(4)
    expect(tested.stdout).toMatch(/^Perplexity \(assistant_d\) answered in/)
    expect(tested.stderr).toMatch(
      /^error: Perplexity \(assistant_d\): the provider announces that this API or model ends: Sunset: Thu, 31 Dec 2026/m
    )
  })
})

describe("a format that has changed", () => {
  const { usage: _, ...uncounted } = openAi.withCitations
  const unsearched = { ...perplexity.answer("Acme."), usage: undefined }

  it.each([
    ["assistant_a", "openai-responses", uncounted, "the tokens that went in (usage), the tokens that came out (usage)"],
    [
      "assistant_a",
      "openai-responses",
      {
        ...openAi.withCitations,
        status: "done",
        output: openAi.withCitations.output.map((item) =>
          item.type === "message"
            ? { ...item, content: item.content.map((part) => ({ ...part, text: "Acme.", annotations: [] })) }
            : item.type === "web_search_call"
            ? { ...item, action: { type: "search", pages: [] } }
            : item
        )
      },
      "why the text ended (finish), the sources of the search"
    ],
    [
      "assistant_d",
      "perplexity",
      unsearched,
      "the tokens that went in (usage), the tokens that came out (usage), the sources of the search, the cost (usage)"
    ]
  ])("the test reports a changed format (%s) and exits with 7", async (id, adapter, body, missing) => {
    const { cwd } = await providers({ [adapter]: { status: 200, body } })
    const tested = await sov(cwd, ["platform", "test", id])
    expect(tested.code).toBe(7)
    expect(tested.stderr).toContain(`the answer lacks ${missing}\n`)
    expect(tested.stdout).toContain("answered in")
    expect(await sov(cwd, ["platform", "test", "--all"])).toMatchObject({ code: 7 })
  })

  it("an unchanged format is not reported", async () => {
    const { cwd } = await providers()
    const rows = await sovJson<ReadonlyArray<object>>(cwd, ["platform", "test", "--all"])
    expect(rows).toHaveLength(5)
    for (const row of rows) expect(row).toMatchObject({ ok: true, missing: [], announced_end: null, error: null })
    expect(rows[0]).toMatchObject({ search: "offered", searches: 1, sources: 3 })
    expect(rows[3]).toMatchObject({ search: "required", searches: 1, sources: 3, cost_usd: 0.00641 })
  })
})

it("platform test can test one platform or all of them", async () => {
  const { cwd } = await providers()
  for (const args of [[], ["assistant_a", "--all"]]) {
    expect(await sov(cwd, ["platform", "test", ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("give --all")
    })
  }
})

it("the test shows ten sources, counts the others, and does not warn about other platforms", async () => {
  const body = {
    ...chat.answer("Acme."),
    citations: Array.from({ length: 33 }, (_, n) => `https://test.example/${n}`)
  }
  const { cwd } = await providers({ "openai-compatible": { status: 200, body } })
  const file = join(cwd, "sov.config.json")
  writeFileSync(file, readFileSync(file, "utf8").replace("\"perplexity/sonar\"", "\"sonar\""))
  const bound = JSON.parse(readFileSync(file, "utf8")) as { platforms: Record<string, { adapter: string }> }
  const idOf = (adapter: string) => Object.entries(bound.platforms).find(([, one]) => one.adapter === adapter)![0]
  const shown = await sov(cwd, ["platform", "test", idOf("openai-compatible")])
  expect(shown.stdout).toMatch(/\[10\] https:\/\/test\.example\/9\n {2}and 23 more\n$/)
  expect(shown.stderr).not.toContain("Sonar")
  expect((await sov(cwd, ["platform", "test", idOf("perplexity")])).stderr).toContain(
    "Perplexity's Sonar API, which ended"
  )
})
