/** Answer platforms: what stands behind each, how it does, and what it has cost this month. */
import {
  type AnswerPlatform,
  type AuditEntryId,
  breakerState,
  formatDollars,
  type PlatformId,
  type PlatformReport,
  pluralized
} from "@sov/core"
import { formatMinute, nothing } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { formIdField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { emptyState } from "./lists.ts"
import { reasonWords } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** How a test of a platform went. */
export interface TestResult {
  readonly platform: PlatformId
  readonly tookMs: number
  /** What is wrong; null = nothing. */
  readonly fault: string | null
  /** Null where none came. */
  readonly answer: {
    readonly text: string
    readonly model: string
    readonly sources: number
    /** Null where the provider does not say. */
    readonly costUsd: number | null
  } | null
}

export interface PlatformsContent {
  readonly formId: AuditEntryId
  /** Those that this server can ask. */
  readonly platforms: ReadonlyArray<{ readonly platform: AnswerPlatform; readonly report: PlatformReport }>
  /** Configured, but not asked by this server. */
  readonly elsewhere: ReadonlyArray<PlatformId>
  /** Whether the visitor is the operator of the installation: sees how much all organizations use, and may test. */
  readonly operator: boolean
  readonly tested: TestResult | null
}

const fact = (title: string, words: Fragment): Html => html`<dt>${title}</dt><dd>${words}</dd>`

/**
 * Whether its calls succeed, and if not why. The platform's own words are the operator's alone: they may quote what another
 * organization asked.
 */
const stateWords = ({ health }: PlatformReport, at: Date, operator: boolean): Html => {
  const failure = health?.lastFailure ?? null
  const why = failure &&
    (operator ? visible(`${failure.reason}: ${failure.message}`) : reasonWords[failure.reason])
  if (failure?.reason === "ended") return html`<span class="pill bad">ended</span> ${why}`
  if (health === null || health.breaker.failures === 0) return html`<span class="pill good">operational</span>`
  if (breakerState(health.breaker, at.getTime()) === "closed") {
    return html`<span class="pill warn">failing</span> ${why}`
  }
  const { retryAt } = health.breaker
  return html`<span class="pill warn">paused</span> ${why}${
    retryAt !== null && html`; asked again at ${formatMinute(new Date(retryAt))}`
  }`
}

const callWords = ({ health }: PlatformReport): string => {
  const calls = health?.outcomes.length ?? 0
  const failed = health?.outcomes.filter((outcome) => outcome !== "answered").length ?? 0
  return calls === 0 ? nothing : `${calls - failed} of the last ${pluralized(calls, "call")} answered`
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const spendingWords = ({ monthlyBudgetUsd }: AnswerPlatform, spentUsd: number | null): string =>
  spentUsd === null
    ? "nothing: answers are simulated"
    : `${formatDollars(spentUsd)}${
      monthlyBudgetUsd === undefined ? ", no budget is set" : ` of ${formatDollars(monthlyBudgetUsd)}`
    }`

const testWords = ({ answer, fault, tookMs }: TestResult, simulated: boolean): Html =>
  html`<div class="note ${fault === null ? "good" : "warn"}" role="status"><p>${
    fault === null ? `Answered in ${seconds(tookMs)}` : visible(`Not as it should be: ${fault}`)
  }${simulated && " · SIMULATED"}</p>${
    answer !== null &&
    html`<p class="small">${visible(answer.model)}, ${pluralized(answer.sources, "source")}${
      answer.costUsd !== null && `, ${formatDollars(answer.costUsd)}`
    }</p><p>${visible(answer.text.slice(0, 600))}</p>`
  }</div>`

/** How it was used, by all organizations together. */
const useFacts = (platform: AnswerPlatform, report: PlatformReport): Html =>
  html`${fact("Calls", callWords(report))}${
    fact(
      "Time to an answer",
      report.recent === null
        ? nothing
        : `${seconds(report.recent.latencyP50)} in the middle, ${
          seconds(report.recent.latencyP95)
        } at the 95th percentile`
    )
  }${fact("Last answer", report.recent === null ? nothing : formatMinute(report.recent.lastAt))}${
    fact("Spent this month", spendingWords(platform, report.spentUsd))
  }`

const platformPanel = (
  frame: Frame,
  { platform, report }: PlatformsContent["platforms"][number],
  { formId, operator, tested }: PlatformsContent
): Html =>
  html`<section class="panel" aria-labelledby="${platform.id}"><header><h2 id="${platform.id}">${
    visible(platformName(frame, platform.id))
  }</h2>${platform.simulated && html`<span class="pill warn">SIMULATED</span>`}${
    operator &&
    html`<form method="post" action="${
      inOrganization(frame.organization.slug, `/settings/platforms/${platform.id}/test`)
    }">${formIdField(formId)}<button>Test<span class="hidden"> ${
      visible(platformName(frame, platform.id))
    }</span></button></form>`
  }</header>${tested?.platform === platform.id && testWords(tested, platform.simulated)}<dl class="side">${
    fact("Model", visible(`${platform.model} (${platform.adapter})`))
  }${fact("State", stateWords(report, frame.at, operator))}${operator && useFacts(platform, report)}</dl></section>`

/** Providers with an adapter of their own, and the variable of their key, as `sov platform add` suggests it. */
export const providers = [
  ["openai-responses", "OPENAI_API_KEY"],
  ["anthropic-messages", "ANTHROPIC_API_KEY"],
  ["gemini", "GEMINI_API_KEY"],
  ["perplexity", "PERPLEXITY_API_KEY"]
] as const

/** What the operator of this installation types, where the server runs. */
const connectSteps =
  html`On the machine of the server, in its directory, for each provider whose key you have:</p><pre class="mono">${
    providers.map(([adapter, key]) => `echo '${key}=…' >> .env && sov platform add --adapter ${adapter}\n`).join("")
  }</pre><p>Then start <code>sov serve</code> again, and test each platform here.`

export const platformsPage = (frame: Frame, content: PlatformsContent): Html => {
  const { elsewhere, operator, platforms } = content
  return layout(frame, {
    title: "Answer platforms",
    here: "settings",
    summary: operator
      ? "They are configured in sov.config.json, and keys in the environment. A test asks one question, which costs one answer."
      : "The operator of this installation configures them",
    body: html`${
      platforms.length === 0
        ? emptyState(
          "No platform can be asked from here",
          operator
            ? connectSteps
            : "The operator of this installation configures them."
        )
        : html`<div class="grid two">${platforms.map((one) => platformPanel(frame, one, content))}</div>`
    }${
      elsewhere.length > 0 &&
      html`<p class="note">Configured, but not asked by this server: ${elsewhere.join(", ")}.</p>`
    }`
  })
}
