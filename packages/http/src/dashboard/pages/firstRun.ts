/** The overview before the first score: the steps to get there, each with a page or command. */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import type { AnswerPlatform } from "@sov/core/platforms"
import type { Overview } from "@sov/core/scoring"
import { formatDate } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { connectSteps, describeTestResult, testForm, type TestResult } from "./platformTest.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** The parts of the organization that are already set up. */
export interface Setup {
  /** The brand's name; null = no brand is set. */
  readonly brand: string | null
  /** Number of keywords that scans ask. */
  readonly keywords: number
  /** Number of platforms that scans ask. */
  readonly platforms: number
  /** Number of alert rules that are on. */
  readonly rules: number
  readonly hasSchedule: boolean
  /** What the operator can do about platforms; null for everybody else. */
  readonly operator: {
    /** Platforms that this server can ask. */
    readonly ready: ReadonlyArray<AnswerPlatform>
    readonly formId: AuditEntryId
    readonly tested: TestResult | null
  } | null
}

interface Step {
  readonly title: string
  readonly isDone: boolean
  /** The result of the step if it is done, otherwise why it is needed. */
  readonly words: string
  /** The page of the organization for this step, or the form for it. */
  readonly by: { readonly path: `/${string}`; readonly action: string } | { readonly here: Fragment }
}

/** Commands that connect a platform, or a test of each connected platform, which is the first call that costs money. */
const platformStep = (frame: Frame, operator: Setup["operator"]): Fragment => {
  if (operator === null) return html`<p class="small">The operator of this installation can connect platforms.</p>`
  const { formId, ready, tested } = operator
  if (ready.length === 0) return connectSteps
  return html`<p class="small">A test asks one question and costs one answer.</p><dl class="side">${
    ready.map(({ id, simulated }) =>
      html`<dt>${visible(platformName(frame, id))}</dt><dd>${testForm(frame, id, formId, "overview")}${
        tested?.platform === id && describeTestResult(tested, simulated)
      }</dd>`
    )
  }</dl>`
}

const listSteps = (
  frame: Frame,
  { brand, hasSchedule, keywords, operator, platforms, rules }: Setup,
  { scans }: Overview
): ReadonlyArray<Step> => [
  {
    title: "Name your brand",
    isDone: brand !== null,
    words: brand ?? "sov searches answers for its name, other spellings and domains.",
    by: { path: "/competitors/brand", action: "Set the brand" }
  },
  {
    title: "Add the questions your buyers ask",
    isDone: keywords > 0,
    words: keywords > 0
      ? pluralized(keywords, "active question")
      : "Questions on two or more topics give the share an interval.",
    by: { path: "/keywords", action: "Add questions" }
  },
  {
    title: "Connect a platform",
    isDone: platforms > 0,
    words: platforms > 0
      ? pluralized(platforms, "platform")
      : "Platforms are configured in a file and their keys in the environment. The server reads both when it starts.",
    by: { here: platformStep(frame, operator) }
  },
  {
    title: "Start the first scan",
    isDone: scans.length > 0,
    words: scans.length > 0 ? "Started." : "It asks each question on each platform and archives every answer.",
    by: { path: "/scans/new", action: "Start a scan" }
  },
  {
    title: "Set up alerts",
    isDone: rules > 0,
    words: rules > 0
      ? `${pluralized(rules, "alert rule")} on`
      : "Get notified when your share falls, a new answer names you, or a competitor moves ahead.",
    by: { path: "/settings/alerts", action: "Choose alert rules" }
  },
  {
    title: "Set a schedule",
    isDone: hasSchedule,
    words: hasSchedule ? "Set." : "Scans start by a schedule then. One scan a week suits most brands.",
    by: { path: "/settings/schedule", action: "Set a schedule" }
  }
]

/** The link or form for a step. A form stays visible after the step is done. */
const stepAction = ({ organization: { slug } }: Frame, { by, isDone }: Step): Fragment =>
  "here" in by
    ? html`<div class="here">${by.here}</div>`
    : !isDone && html`<p><a href="${inOrganization(slug, by.path)}">${by.action}</a></p>`

/** The page of an organization that has no score to show; its text depends on the reason. */
export const firstRunPage = (frame: Frame, overview: Overview, setup: Setup): Html => {
  const { missing, running } = overview
  const { organization: { slug }, since } = frame
  const isOld = missing === "window"
  const steps = listSteps(frame, setup, overview)
  return layout(frame, {
    title: "Overview",
    here: "overview",
    simulated: running?.scan.simulated ?? false,
    summary: isOld
      ? "Nothing in the period that your plan shows"
      : missing === "score"
      ? "Scans have completed but are not measured yet"
      : "No scan has completed yet",
    body: html`${
      running !== null &&
      html`<p class="note">A scan is running. <a href="${
        inOrganization(slug, `/scans/${running.scan.id}`)
      }">Follow it</a></p>`
    }<section class="panel" aria-labelledby="steps"><header><h2 id="steps">${
      isOld ? "The latest scan is older than your plan shows" : "Six steps to your share of voice"
    }</h2></header>${
      isOld
        ? html`<p>Your plan shows data since ${
          since === null ? "its beginning" : formatDate(since)
        }. Older answers are kept; a plan with a longer history shows them again. A new scan is shown immediately.</p>`
        : html`<ol class="steps">${
          steps.map((step) => {
            const { isDone, title, words } = step
            return html`<li${attributes({ class: isDone && "done" })}><span class="tick" aria-hidden="true">${
              isDone ? "✓" : "○"
            }</span><h3>${title}${isDone && html`<span class="hidden"> (done)</span>`}</h3><p class="small">${
              visible(words)
            }</p>${atLeast(frame.role, "member") && stepAction(frame, step)}</li>`
          })
        }</ol>`
    }</section>`
  })
}
