/** Connecting and testing platforms, on the page of platforms and on the first pages of an organization. */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { addCommand, offeredProviders, type PlatformId, providers } from "@sov/core/platforms"
import { formatDollars, formatNumber } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { hiddenField } from "./fields.ts"
import { formIdField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

/** The result of testing a platform. */
export interface TestResult {
  readonly platform: PlatformId
  readonly tookMs: number
  /** Why the test failed; null = it succeeded. */
  readonly fault: string | null
  /** The answer; null if the platform gave no answer. */
  readonly answer: {
    readonly text: string
    readonly model: string
    readonly sources: number
    /** The cost; null if the provider does not report it. */
    readonly costUsd: number | null
  } | null
}

/** Milliseconds as a number of seconds. */
export const formatSeconds = (ms: number): string => `${formatNumber(ms / 1000, 1)} s`

/**
 * A form that asks a platform one question. `back` is the page that shows the answer; default: the page of platforms.
 */
export const testForm = (frame: Frame, platform: PlatformId, formId: AuditEntryId, back?: "overview"): Html =>
  html`<form method="post" action="${
    inOrganization(frame.organization.slug, `/settings/platforms/${platform}/test`)
  }">${formIdField(formId)}${back !== undefined && hiddenField("back", back)}<button>Test<span class="hidden"> ${
    visible(platformName(frame, platform))
  }</span></button></form>`

/** The result of a test in words. */
export const describeTestResult = ({ answer, fault, tookMs }: TestResult, simulated: boolean): Html =>
  html`<div class="note ${fault === null ? "good" : "warn"}" role="status"><p>${
    fault === null ? `Answered in ${formatSeconds(tookMs)}` : visible(`Failed: ${fault}`)
  }${simulated && " · SIMULATED"}</p>${
    answer !== null &&
    html`<p class="small">${visible(answer.model)}, ${pluralized(answer.sources, "source")}${
      answer.costUsd !== null && `, ${formatDollars(answer.costUsd)}`
    }</p><p>${visible(answer.text.slice(0, 600))}</p>`
  }</div>`

/** Commands that the operator runs on the server to connect a platform. */
export const connectSteps: Html =
  html`<p class="small">On the server, in its directory, run this for each provider whose key you have:</p><pre class="mono">${
    offeredProviders.map((name) => `echo '${providers[name].key}=…' >> .env && ${addCommand(name)}\n`).join("")
  }</pre><p class="small">Then restart <code>sov serve</code> and test each platform here.</p>`
