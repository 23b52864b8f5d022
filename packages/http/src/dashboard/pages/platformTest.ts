/** Connecting platforms and testing each: on their page, and on the first pages of an organization. */
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { addCommand, formatDollars, offeredProviders, type PlatformId, providers } from "@sov/core/platforms"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { hiddenField } from "./fields.ts"
import { formIdField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
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

/** Milliseconds as people read them. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Asks a platform one question; `back` is what the answer is shown on, the platforms' page where it is left out. */
export const testForm = (frame: Frame, platform: PlatformId, formId: AuditEntryId, back?: "overview"): Html =>
  html`<form method="post" action="${
    inOrganization(frame.organization.slug, `/settings/platforms/${platform}/test`)
  }">${formIdField(formId)}${back !== undefined && hiddenField("back", back)}<button>Test<span class="hidden"> ${
    visible(platformName(frame, platform))
  }</span></button></form>`

/** What a test has shown. */
export const testWords = ({ answer, fault, tookMs }: TestResult, simulated: boolean): Html =>
  html`<div class="note ${fault === null ? "good" : "warn"}" role="status"><p>${
    fault === null ? `Answered in ${seconds(tookMs)}` : visible(`Failed: ${fault}`)
  }${simulated && " · SIMULATED"}</p>${
    answer !== null &&
    html`<p class="small">${visible(answer.model)}, ${pluralized(answer.sources, "source")}${
      answer.costUsd !== null && `, ${formatDollars(answer.costUsd)}`
    }</p><p>${visible(answer.text.slice(0, 600))}</p>`
  }</div>`

/** What the operator of this installation types, where the server runs. */
export const connectSteps: Html =
  html`<p class="small">On the server, in its directory, run this for each provider whose key you have:</p><pre class="mono">${
    offeredProviders.map((name) => `echo '${providers[name].key}=…' >> .env && ${addCommand(name)}\n`).join("")
  }</pre><p class="small">Then restart <code>sov serve</code> and test each platform here.</p>`
