/** The page of platforms: the provider and health of each, and the result of a test. */
import {
  type AnswerPlatform,
  AuditEntryId,
  type Overview,
  type PlatformReport,
  providerNames,
  providers
} from "@sov/core"
import { Duration, Effect } from "effect"
import { expect, it } from "vitest"
import { render } from "../../../packages/http/src/dashboard/html.ts"
import { firstRunPage } from "../../../packages/http/src/dashboard/pages/firstRun.ts"
import { type PlatformsContent, platformsPage } from "../../../packages/http/src/dashboard/pages/platforms.ts"
import { wordsOf } from "../../support/dashboardServer.ts"

const at = new Date("2026-11-22T12:00:00Z")
const frame = {
  person: { name: "Ada" },
  role: "owner" as const,
  organization: { name: "Acme", slug: "acme" },
  organizations: [],
  platformLabels: new Map(),
  theme: null,
  at,
  since: null,
  done: null
}
const platform: AnswerPlatform = {
  id: "assistant_a",
  adapter: "openai-responses",
  model: "gpt-5",
  simulated: false,
  concurrency: 2,
  requestsPerMinute: null,
  timeout: Duration.seconds(90),
  monthlyBudgetUsd: 20,
  ask: () => Effect.die("not asked")
}
const breaker = { failures: 0, failingSince: null, retryAt: null, pauseMs: 0, closedAt: 0 }
const report = (more: Partial<PlatformReport> = {}, health: object = {}): PlatformReport => ({
  id: "assistant_a",
  recent: {
    platform: "assistant_a",
    answers: 100,
    lastAt: new Date("2026-11-22T11:59:00Z"),
    answeredBy: ["gpt-5-2026-10-01", "gpt-5-2025-08-07"],
    latencyP50: 3_120,
    latencyP95: 9_000,
    mean: {} as never
  },
  health: {
    platform: "assistant_a",
    simulated: false,
    provider: "p",
    attendance: [],
    sent: [],
    breaker,
    outcomes: [...Array.from({ length: 98 }, () => "answered"), "throttled", "timeout"],
    endsOn: "2027-03-31",
    lastFailure: { at: at.getTime(), reason: "throttled", message: "HTTP 429 <b>slow</b>" },
    seenAt: at,
    ...health
  } as never,
  spentUsd: 4.1,
  ...more
})
const show = (content: Partial<PlatformsContent>) =>
  render(platformsPage(frame, {
    formId: AuditEntryId.make("0199a000-0000-7000-8000-000000000001"),
    platforms: [{ platform, report: report() }],
    elsewhere: [],
    operator: true,
    tested: null,
    ...content
  }))

it("the row of a platform shows its model, calls and times, and to operators its cost", () => {
  const words = wordsOf(show({}))
  for (
    const part of [
      "gpt-5 (openai-responses)",
      "gpt-5-2026-10-01, gpt-5-2025-08-07",
      "Ends on 2027-03-31",
      "98 of the last 100 calls answered",
      "3.1 s",
      "9.0 s",
      "$4.10 of $20"
    ]
  ) {
    expect(words).toContain(part)
  }
  expect(wordsOf(show({ operator: false }))).not.toMatch(/\$4\.10|calls|9\.0 s|Last response/)
})

it("the row of a paused platform shows the reason and the end of the pause", () => {
  const retryAt = at.getTime() + 300_000
  const paused = show({
    platforms: [{ platform, report: report({}, { breaker: { ...breaker, failures: 9, retryAt } }) }]
  })
  expect(wordsOf(paused)).toContain(
    "paused throttled: HTTP 429 &lt;b&gt;slow&lt;/b&gt;; next attempt at 22 Nov 2026, 12:05 UTC"
  )
  const failing = (operator: boolean) =>
    show({
      operator,
      platforms: [{ platform, report: report({}, { breaker: { ...breaker, failures: 2, failingSince: 1 } }) }]
    })
  expect(wordsOf(failing(true))).toContain("failing throttled: HTTP 429 &lt;b&gt;slow")
  // The platform's own message may quote a question of another organization
  expect(wordsOf(failing(false))).toContain("failing too many requests")
  expect(failing(false)).not.toContain("429")
  const ended = (failedAt: number) => {
    const lastFailure = { at: failedAt, reason: "ended", message: "model gone" }
    return wordsOf(show({ platforms: [{ platform, report: report({}, { lastFailure }) }] }))
  }
  expect(ended(at.getTime())).toContain("ended: model gone")
  // A 404 for one question means nothing if others were answered later
  expect(ended(1)).not.toContain("model gone")
  expect(ended(1)).toContain("operational")
})

it("a test shows its answer or its error", () => {
  const answer = { text: "Acme <script>", model: "gpt-5-2026", sources: 3, costUsd: 0.01 }
  const good = wordsOf(show({ tested: { platform: "assistant_a", tookMs: 2_000, fault: null, answer } }))
  expect(good).toContain("Answered in 2.0 s gpt-5-2026, 3 sources, $0.0100 Acme &lt;script&gt;")
  const bad = show({ tested: { platform: "assistant_a", tookMs: 9, fault: "HTTP 401", answer: null } })
  expect(wordsOf(bad)).toContain("Failed: HTTP 401")
})

it("platforms that are configured on the server but not asked here are listed", () => {
  expect(wordsOf(show({ platforms: [], elsewhere: ["assistant_b"] }))).toContain(
    "not available on this server: assistant_b"
  )
})

it("before the first score, only the operator sees the configuration lines for each provider", () => {
  const nothing = { standing: null, running: null, scans: [], alerts: [], annotations: [], threshold: null }
  const overview: Overview = { ...nothing, missing: "scan", windowApplied: false }
  const setup = { brand: "Acme", keywords: 1, platforms: 0, rules: 0, hasSchedule: false }
  const words = (operator: Parameters<typeof firstRunPage>[2]["operator"]) =>
    wordsOf(render(firstRunPage(frame, overview, { ...setup, operator })))
  const lines = words({ ready: [], formId: AuditEntryId.make("018f0000-0000-7000-8000-000000000001"), tested: null })
  for (const name of providerNames) {
    const { key } = providers[name]
    const line = `echo &#39;${key}=…&#39; &gt;&gt; .env &amp;&amp; sov platform add ${name}`
    expect(lines.includes(line), name).toBe(name !== "dataforseo")
  }
  expect(lines).toContain("add azure --base-url https://RESOURCE.openai.azure.com/openai/v1 --model DEPLOYMENT")
  expect(words(null)).not.toContain(".env")
  expect(words(null)).toContain("The operator of this installation can connect platforms.")
})
