// Only in `npm run test:all`: some forty processes, one after the other
/** The names that automation relies on: every documented command's `--json` has its documented members. */
import { createHmac } from "node:crypto"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { startReplay } from "../support/ReplayServer.ts"
import { sov, sovInit, sovJson, workspace } from "../support/sov.ts"

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe("--json", () => {
  it("commands for setting up, keys and quotas print JSON", async () => {
    const cwd = workspace()
    writeFileSync(
      join(cwd, "tracking.json"),
      JSON.stringify({
        brand: { name: "Acme", aliases: ["Acme Corp"], domains: ["acme.example"] },
        competitors: [{ name: "Globex", aliases: [], domains: [] }],
        keywords: [{ text: "best anvil?" }]
      })
    )
    const made = await sovJson(cwd, [
      "init",
      "--from",
      "tracking.json",
      "--name",
      "Acme Inc",
      "--plan",
      "free",
      "--no-input"
    ])
    const organization = { id: uuid, name: "Acme Inc", slug: "acme-inc", plan: "free" }
    expect(made).toMatchObject({
      organization,
      brand: { id: uuid, name: "Acme", aliases: ["Acme Corp"], domains: ["acme.example"] },
      competitors: [{ id: uuid, name: "Globex", aliases: [], domains: [] }],
      keywords: [{ id: uuid, text: "best anvil?", status: "active" }]
    })
    expect(await sovJson(cwd, ["org", "list"])).toEqual([{
      ...organization,
      created_at: time,
      limits: { monthly_budget_usd: null, requests_per_minute: null, scans_per_month: null },
      suspended: null,
      time_zone: "UTC"
    }])
    expect(await sovJson(cwd, ["plan", "set", "business"])).toEqual({ organization_id: uuid, plan: "business" })
    const args = ["brand", "set", "--name", "Acme", "--alias", "ACME Works", "--domain", "acme.test"]
    const set = await sov(cwd, [...args, "--json"])
    expect(JSON.parse(set.stdout)).toEqual({ id: uuid, name: "Acme", aliases: ["ACME Works"], domains: ["acme.test"] })
    expect(set.stderr).toContain("Removed: alias Acme Corp, domain acme.example. sov brand set replaces all")
    expect(await sovJson(cwd, ["competitor", "add", "Initech", "--alias", "IT"]))
      .toEqual({ id: uuid, name: "Initech", aliases: ["IT"], domains: [] })
    expect(await sovJson(cwd, ["keyword", "add", "best hammer?"]))
      .toEqual({ id: uuid, text: "best hammer?", status: "active", tags: [], created_at: time })
    const again = await sov(cwd, ["keyword", "add", " best  hammer? ", "new?"])
    expect(again).toMatchObject({ code: 0, stdout: "Tracked already: best hammer?\nTracking: new?\n" })
    expect(await sovJson(cwd, ["keyword", "list"])).toHaveLength(3)

    const key = await sovJson<{ id: string; key: string }>(cwd, ["key", "create", "--name", "ci"])
    expect(key).toEqual({
      id: uuid,
      name: "ci",
      prefix: key.key.slice(0, 13),
      scopes: ["read", "scan"],
      expires_at: null,
      key: expect.stringMatching(/^sov_live_[0-9A-Za-z]{49}$/)
    })
    const rolled = await sov(cwd, ["key", "roll", "ci", "--grace", "7d", "--json"])
    const fresh = JSON.parse(rolled.stdout) as { key: string; id: string; replaces: { expires_at: string } }
    expect(fresh).toEqual({
      id: uuid,
      name: "ci",
      prefix: fresh.key.slice(0, 13),
      scopes: ["read", "scan"],
      expires_at: null,
      key: expect.stringMatching(/^sov_live_[0-9A-Za-z]{49}$/),
      replaces: { id: key.id, expires_at: time }
    })
    expect([fresh.id === key.id, fresh.key === key.key]).toEqual([false, false])
    const left = Date.parse(fresh.replaces.expires_at) - Date.now()
    expect(Math.round(left / 3_600_000)).toBe(7 * 24)
    expect(rolled.stderr).toContain(`works until ${fresh.replaces.expires_at}.`)
    const twice = await sov(cwd, ["key", "roll", key.id])
    expect(twice).toMatchObject({ code: 8, stderr: expect.stringContaining("the key ci was rolled before, to end at") })
    const keys = await sov(cwd, ["key", "list", "--json"])
    for (const secret of [key.key, fresh.key]) expect(keys.stdout + twice.stderr).not.toContain(secret)
    expect(JSON.parse(keys.stdout)).toMatchObject([
      { id: fresh.id, name: "ci", expires_at: null, revoked_at: null },
      { id: key.id, name: "ci", expires_at: fresh.replaces.expires_at, revoked_at: null }
    ])
    expect(await sovJson(cwd, ["key", "revoke", key.id, "--yes"])).toEqual({ id: key.id, revoked_at: time })

    const create = (...more: ReadonlyArray<string>) => ["key", "create", "--name", "board", ...more]
    const limited = await sovJson<{ id: string }>(cwd, create("--scope", "read", "--expires", "2100-01-01"))
    const limits = { scopes: ["read"], expires_at: "2100-01-01T00:00:00.000Z" }
    expect(limited).toMatchObject(limits)
    const next = await sovJson<{ id: string }>(cwd, ["key", "roll", "board"])
    expect(next).toMatchObject(limits)
    expect(await sovJson(cwd, ["key", "list"])).toMatchObject([{ id: next.id, ...limits }, { id: limited.id }, {}, {}])
    const refused = [["--scope", "write"], ["--expires", "soon"], ["--expires", "2020-01-01"], ["--expires", "0d"]]
    for (const words of refused) expect((await sov(cwd, create(...words))).code, words.join(" ")).toBe(2)

    expect(await sovJson(cwd, ["quota", "set", "--limit", "7"]))
      .toEqual({ period: expect.stringMatching(/^\d{4}-\d\d$/), limit: 7, used: 0, remaining: 7, resets_at: time })
    expect(await sovJson(cwd, ["org", "create", "Second", "--plan", "pro"])).toMatchObject({
      slug: "second",
      plan: "pro"
    })
    const ambiguous = await sov(cwd, ["quota", "show", "--json"])
    expect(ambiguous.code).toBe(2)
    expect(JSON.parse(ambiguous.stderr)).toMatchObject({
      error: { code: "invalid-usage", hint: expect.stringContaining("--org second") }
    })
    expect(await sovJson(cwd, ["quota", "show", "--org", "second"])).toMatchObject({ limit: 100 })
  })

  it("scans and the archive print JSON; an exhausted quota exits with 5, failures exit with 6", async () => {
    const cwd = workspace()
    const replay = await startReplay({ answer: () => "Acme." })
    writeFileSync(join(cwd, "sov.config.json"), replay.config(2))
    await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])
    await sovJson(cwd, ["quota", "set", "--limit", "2"])
    const unpriced = {
      answers: 1,
      charges: 0,
      input_tokens: 0,
      output_tokens: 0,
      searches: 0,
      cost_usd: 0,
      unpriced: 1
    }
    const summary = {
      scan_id: uuid,
      status: "completed",
      scan_type: "manual",
      started_at: time,
      completed_at: time,
      avg_sov: 100,
      platform_breakdown: { assistant_a: 100, assistant_b: 100 },
      results_count: 2,
      failed_count: 0,
      no_overview_count: 0,
      mentioned_count: 2,
      simulated: false,
      surface: "api",
      view: null,
      interval: null,
      spent: {
        cost_usd: 0,
        unpriced: 2,
        platforms: { assistant_a: unpriced, assistant_b: unpriced }
      }
    }
    const scan = await sovJson<{ scan_id: string }>(cwd, ["scan"])
    expect(scan).toEqual(summary)
    expect(await sovJson(cwd, ["scan", "show", scan.scan_id])).toEqual(scan)
    expect(await sovJson(cwd, ["scan", "list"])).toEqual({
      scans: [{
        id: scan.scan_id,
        status: "completed",
        scan_type: "manual",
        started_at: time,
        completed_at: time,
        avg_sov: 100,
        asked: { keywords: 1, tracked_keywords: 1, platforms: 2, configured_platforms: 2 },
        n: 2,
        interval_95: null,
        interval_about: "other questions like these",
        questions: 1,
        topics: 1,
        surface: "api",
        view: null
      }]
    })
    const page = await sovJson<{ data: ReadonlyArray<{ id: string }>; meta: { next_cursor: string } }>(
      cwd,
      ["archive", "list", "--limit", "1"]
    )
    expect(page.meta).toEqual({
      count: 1,
      next_cursor: expect.any(String),
      plan_window_applied: false,
      window_start: time
    })
    const next = await sovJson<typeof page>(cwd, ["archive", "list", "--limit", "1", "--cursor", page.meta.next_cursor])
    expect(next.meta.next_cursor).toBeNull()
    expect(next.data[0]!.id).not.toBe(page.data[0]!.id)

    const { platforms } = JSON.parse(replay.config(2)) as { platforms: Record<string, object> }
    const assistant_b = { ...platforms["assistant_b"], baseUrl: await refusing(404) }
    writeFileSync(join(cwd, "sov.config.json"), JSON.stringify({ platforms: { ...platforms, assistant_b } }))
    const partial = await sov(cwd, ["scan", "--json"])
    expect(partial.code).toBe(6)
    expect(JSON.parse(partial.stdout)).toMatchObject({
      status: "completed",
      platform_breakdown: { assistant_a: 100 },
      results_count: 1,
      failed_count: 1
    })
    const over = await sov(cwd, ["scan", "--json"])
    expect(over).toMatchObject({ code: 5, stdout: "" })
    expect(JSON.parse(over.stderr)).toMatchObject({ error: { code: "scan-quota-exhausted" } })
  })
})

/** A server that refuses every request for good. */
const refusing = async (status: number): Promise<string> => {
  const server = createServer((_, response) => response.writeHead(status).end("{\"error\":{\"message\":\"no\"}}"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

it("a wrong key ends `platform test` with exit code 4 and is never shown", async () => {
  const cwd = workspace()
  const baseUrl = await refusing(401)
  writeFileSync(
    join(cwd, "sov.config.json"),
    JSON.stringify({
      platforms: { assistant_a: { adapter: "openai-compatible", baseUrl, model: "m", apiKeyEnv: "SOV_TEST_KEY" } }
    })
  )
  const ran = await sov(cwd, ["platform", "test", "assistant_a", "-v"], {
    env: { SOV_TEST_KEY: "sk-canary-0123456789" }
  })
  expect(ran.code).toBe(4)
  expect(ran.stderr).toMatch(/assistant_a.*401|401.*assistant_a|key/i)
  expect(ran.stdout + ran.stderr).not.toContain("canary")
})

it("a platform's answer cannot control the terminal", async () => {
  const cwd = workspace()
  const evil = "\u001b]0;owned\u0007\u001b[31m\u009b2J\u202e"
  const server = createServer((_, response) =>
    response.end(
      JSON.stringify({ model: evil, choices: [{ message: { content: `hi${evil}` }, finish_reason: "stop" }] })
    )
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  writeFileSync(
    join(cwd, "sov.config.json"),
    JSON.stringify({ platforms: { assistant_a: { adapter: "openai-compatible", baseUrl, model: "m" } } })
  )
  const ran = await sov(cwd, ["platform", "test", "assistant_a"])
  expect(ran.code).toBe(0)
  expect(ran.stdout).toContain("hi")
  expect(ran.stdout + ran.stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
})

it("verify and sign use the documented signature", async () => {
  const cwd = workspace()
  const body = Buffer.from("{\"event\":\"scan.completed\",\"é\":\"🛠\"}")
  writeFileSync(join(cwd, "body"), body)
  writeFileSync(join(cwd, "secret"), "whsec_abc\n")
  const signature = createHmac("sha256", "whsec_abc").update(body).digest("hex")
  expect((await sov(cwd, ["sign", "body", "--secret-file", "secret"])).stdout.trim()).toBe(signature)
  const good = await sov(cwd, ["verify", "body", "--signature", signature, "--secret-file", "secret", "--json"])
  expect(good).toMatchObject({ code: 0, stdout: "{\"valid\":true}\n" })
  for (
    const bad of [
      signature.toUpperCase(),
      signature.slice(1),
      `${signature}0`,
      signature.replace(/./, (c) => c === "0" ? "1" : "0")
    ]
  ) {
    const ran = await sov(cwd, ["verify", "body", "--signature", bad, "--secret-file", "secret", "--json"])
    expect(ran).toMatchObject({ code: 7, stdout: "{\"valid\":false}\n" })
  }
})
