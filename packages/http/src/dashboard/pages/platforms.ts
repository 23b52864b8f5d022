/** Answer platforms: the provider of each, its health, and its cost this month. */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { type AnswerPlatform, breakerState, type PlatformId, type PlatformReport } from "@sov/core/platforms"
import { isAnswered } from "@sov/core/scanning"
import { formatDollars, formatMinute, nothing } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { emptyState, type Fact, factList } from "./lists.ts"
import { connectSteps, describeTestResult, formatSeconds, testForm, type TestResult } from "./platformTest.ts"
import { reasonWords } from "./scanWords.ts"
import { platformName } from "./words.ts"

export interface PlatformsContent {
  readonly formId: AuditEntryId
  /** Platforms that this server can ask. */
  readonly platforms: ReadonlyArray<{ readonly platform: AnswerPlatform; readonly report: PlatformReport }>
  /** Configured platforms that this server does not ask. */
  readonly elsewhere: ReadonlyArray<PlatformId>
  /** Whether the visitor is the operator, who sees the usage of all organizations and may test platforms. */
  readonly operator: boolean
  readonly tested: TestResult | null
}

/**
 * Whether calls succeed and, if they fail, why. Only the operator sees the platform's own message, because it may quote
 * a question of another organization.
 */
const stateWords = ({ health, recent }: PlatformReport, at: Date, operator: boolean): Html => {
  const last = health?.lastFailure ?? null
  const failure = last !== null && recent !== null && recent.lastAt.getTime() > last.at ? null : last
  const why = failure &&
    (operator ? visible(`${failure.reason}: ${failure.message}`) : reasonWords[failure.reason])
  if (failure?.reason === "no_credit") return html`<span class="pill bad">no credit</span> ${why}`
  if (failure?.reason === "ended") return html`<span class="pill bad">ended</span> ${why}`
  if (health === null || health.breaker.failures === 0) return html`<span class="pill good">operational</span>`
  if (breakerState(health.breaker, at.getTime()) === "closed") {
    return html`<span class="pill warn">failing</span> ${why}`
  }
  const { retryAt } = health.breaker
  return html`<span class="pill warn">paused</span> ${why}${
    retryAt !== null && html`; next attempt at ${formatMinute(new Date(retryAt))}`
  }`
}

const callWords = ({ health }: PlatformReport): string => {
  const calls = health?.outcomes.length ?? 0
  const failed = health?.outcomes.filter((outcome) => !isAnswered(outcome)).length ?? 0
  return calls === 0 ? nothing : `${calls - failed} of the last ${pluralized(calls, "call")} answered`
}

const spendingWords = ({ monthlyBudgetUsd }: AnswerPlatform, spentUsd: number | null): string =>
  spentUsd === null
    ? "nothing: answers are simulated"
    : `${formatDollars(spentUsd)}${
      monthlyBudgetUsd === undefined ? ", no budget is set" : ` of ${formatDollars(monthlyBudgetUsd)}`
    }`

/** Calls, response time and cost across all organizations. */
const useFacts = (platform: AnswerPlatform, report: PlatformReport): ReadonlyArray<Fact> => [
  ["Calls", callWords(report)],
  [
    "Response time",
    report.recent === null
      ? nothing
      : `${formatSeconds(report.recent.latencyP50)} median, ${formatSeconds(report.recent.latencyP95)} 95th percentile`
  ],
  ["Answered by", report.recent === null ? nothing : visible(report.recent.answeredBy.join(", "))],
  ["Last answer", report.recent === null ? nothing : formatMinute(report.recent.lastAt)],
  ["Spent this month", spendingWords(platform, report.spentUsd)]
]

const platformPanel = (
  frame: Frame,
  { platform, report }: PlatformsContent["platforms"][number],
  { formId, operator, tested }: PlatformsContent
): Html =>
  html`<section class="panel" aria-labelledby="${platform.id}"><header><h2 id="${platform.id}">${
    visible(platformName(frame, platform.id))
  }</h2>${platform.simulated && html`<span class="pill warn">SIMULATED</span>`}${
    operator &&
    testForm(frame, platform.id, formId)
  }</header>${tested?.platform === platform.id && describeTestResult(tested, platform.simulated)}${
    factList([
      ["Model", visible(`${platform.model} (${platform.adapter})`)],
      ["State", stateWords(report, frame.at, operator)],
      ...report.health?.endsOn == null ? [] : [["Ends on", report.health.endsOn] as const],
      ...operator ? useFacts(platform, report) : []
    ])
  }</section>`

export const platformsPage = (frame: Frame, content: PlatformsContent): Html => {
  const { elsewhere, operator, platforms } = content
  return layout(frame, {
    title: "Answer platforms",
    here: "settings",
    summary: operator
      ? "Configured in sov.config.json, with keys in the environment. A test asks one question and costs one answer."
      : "Configured by the operator of this installation",
    body: html`${
      platforms.length === 0
        ? emptyState(
          "No platforms connected",
          operator ? "Connect platforms on the server." : "Configured by the operator of this installation.",
          operator ? connectSteps : undefined
        )
        : html`<div class="grid two">${platforms.map((one) => platformPanel(frame, one, content))}</div>`
    }${
      elsewhere.length > 0 &&
      html`<p class="note">Configured, but not available on this server: ${elsewhere.join(", ")}.</p>`
    }`
  })
}
