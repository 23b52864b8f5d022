/** An experiment: its progress and, once it has ended, its result. */
import { anchorFromSeal, formatAnchor } from "@sov/core/archive"
import type { AuditEntryId, KeywordId } from "@sov/core/common"
import { pluralized } from "@sov/core/common"
import {
  describeExperiment,
  type ExperimentDetail,
  type ExperimentResult,
  maxPlanText,
  planTimes,
  type ShownEffect
} from "@sov/core/experiments"
import { atLeast } from "@sov/core/people"
import { describeBreak } from "@sov/core/scoring"
import { halvesFigure } from "../charts/halves.ts"
import { formatDate, formatMinute, formatPoints } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { experimentStates, formatPlanDay } from "./experiments.ts"
import { type Faults, formIdField, refusedNote, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, factList, numeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { platformName } from "./words.ts"

export interface ExperimentContent {
  readonly detail: ExperimentDetail
  /** Texts of the questions. */
  readonly texts: ReadonlyMap<KeywordId, string>
  readonly formId: AuditEntryId
  readonly input: { readonly reason: string }
  readonly faults: Faults<"reason">
}

const range = ({ interval }: ShownEffect): string => `${formatPoints(interval.low)} to ${formatPoints(interval.high)}`

const figure = (name: string, value: Fragment, note: Fragment): Html =>
  html`<div><dt>${name}</dt><dd>${value}<br><small>${note}</small></dd></div>`

const effectFigure = (name: string, effect: ShownEffect | null, note = ""): Fragment =>
  effect !== null && figure(name, `${formatPoints(effect.points)} points`, `95 % interval ${range(effect)}${note}`)

const riseWords = (tenths: number | null): string => tenths === null ? "no rise" : `${tenths / 10} points or more`

const resultPanels = (frame: Frame, { after, before, plan }: ExperimentDetail, result: ExperimentResult): Fragment => {
  const { course, effect, placebo, platforms } = result
  const scans = [...before, ...after]
  const shown = course.flatMap((point, i) => {
    const at = scans[i]!.startedAt
    return frame.since !== null && at < frame.since ? [] : [{ at, ...point }]
  })
  const isQuiet = placebo !== null && placebo.interval.low <= 0 && placebo.interval.high >= 0
  return html`<section class="panel" aria-labelledby="result"><header><h2 id="result">${
    describeExperiment(plan, result)
  }</h2></header>${
    effect !== null &&
    html`<dl class="figures">${effectFigure("Rise beyond the held-out half", effect)}${
      effectFigure(
        "Placebo: the same, before the change",
        placebo,
        isQuiet ? ", as it should be" : ", which is a doubt"
      )
    }${figure("Promised beforehand", riseWords(plan.rise_tenths), "is seen in 80 of 100 cases")}</dl>`
  }<footer>${
    effect === null
      ? "An experiment without a verdict says neither that the change worked nor that it did not."
      : `${pluralized(effect.pairs, "pair")} of topics, ${
        pluralized(before.length, "scan")
      } before the change and ${after.length} after.`
  }</footer></section>${
    shown.length > 0 &&
    html`<section class="panel" aria-labelledby="course"><header><h2 id="course">Share on both halves</h2></header>${
      halvesFigure({ points: shown, change: planTimes(plan).change, simulated: plan.simulated })
    }</section>`
  }${
    platforms.length > 0 &&
    html`<section class="panel" aria-labelledby="platforms"><header><h2 id="platforms">By platform</h2></header>${
      dataTable(
        "platforms",
        ["Platform", numeric("Points"), "95 %"],
        platforms.map(({ effect, platform }) =>
          html`<tr><th scope="row">${visible(platformName(frame, platform))}</th><td class="num">${
            effect === null ? "–" : formatPoints(effect.points)
          }</td><td class="range">${effect === null ? "too few answers" : range(effect)}</td></tr>`
        )
      )
    }<footer>Several intervals together miss more often than one, so the verdict is about all platforms alone.</footer></section>`
  }`
}

const waitingPanel = ({ plan }: ExperimentDetail): Html =>
  html`<section class="panel" aria-labelledby="result"><header><h2 id="result">No result yet</h2></header><p>Who looks early and stops at the first good week finds effects where nothing has one. So no share of this experiment is shown before ${
    formatPlanDay(plan.until)
  } is over, here or by API. Your overview goes on as always.</p><footer>Expected to show: a rise of ${
    riseWords(plan.rise_tenths)
  } on the treated topics, in 80 of 100 cases.</footer></section>`

const orderPanel = (frame: Frame, { after, before, breaks, plan, state }: ExperimentDetail): Html => {
  const scans = [...before, ...after]
  return html`<section class="panel" aria-labelledby="order"><header><h2 id="order">Progress</h2></header>${
    factList([
      ["State", experimentStates[state]],
      ["Scans before the change", `${before.length} of ${plan.scans_before}`],
      ["Change", formatPlanDay(plan.from)],
      ["Scans after it", `${after.length} of ${plan.scans_after}`],
      ["Result", `after ${formatPlanDay(plan.until)}`],
      [
        "Same model on each platform",
        breaks.length === 0
          ? scans.length < 2 ? "not known yet" : "yes, so far"
          : breaks.map((one) =>
            html`<span class="mark">no: ${visible(platformName(frame, one.platform))}, ${describeBreak(one)}</span> `
          )
      ]
    ])
  }${
    breaks.length > 0 &&
    html`<footer>The experiment will have no verdict: a change of a platform cannot be told from yours.</footer>`
  }</section>`
}

const half = (
  id: string,
  title: string,
  topics: ReadonlyArray<ReadonlyArray<KeywordId>>,
  texts: ExperimentContent["texts"]
) =>
  html`<section class="panel" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2><p>${
    pluralized(topics.length, "topic")
  }</p></header><ul class="bullets">${
    topics.map((topic) =>
      html`<li class="break">${topic.map((one) => visible(texts.get(one) ?? one)).join(" · ")}</li>`
    )
  }</ul></section>`

const drawPanels = ({ detail: { plan, state }, texts }: ExperimentContent): Html => {
  const isOpen = state === "planned" || state === "running"
  return html`<div class="grid two">${
    half("treated", isOpen ? "Change it for these" : "Treated", plan.pairs.map(({ treated }) => treated), texts)
  }${half("held", isOpen ? "Leave these alone" : "Held out", plan.pairs.map(({ held_out }) => held_out), texts)}</div>`
}

const sealPanel = ({ plan, seal, stopped }: ExperimentDetail): Html =>
  html`<section class="panel" aria-labelledby="seal"><header><h2 id="seal">Sealed on ${
    formatMinute(seal.sealedAt)
  }, before the change</h2></header><p>Draw and plan cannot be altered without it showing: <code class="break">${
    formatAnchor(anchorFromSeal(seal))
  }</code></p><footer>Seed of the draw ${plan.seed}.${
    stopped !== null && html` Ended early by seal ${stopped.sequence}.`
  } <code>sov archive verify</code> checks both.</footer></section>`

const endPanel = (frame: Frame, { detail: { plan }, faults, formId, input }: ExperimentContent): Html =>
  html`<section class="panel" aria-labelledby="end"><header><h2 id="end">End it without a result</h2></header>${
    refusedNote(faults)
  }<p>The reason is sealed beside the plan. The experiment never gets a result then.</p><form class="fields" method="post" action="${
    inOrganization(frame.organization.slug, `/experiments/${plan.id}/end`)
  }">${formIdField(formId)}${
    textField({
      name: "reason",
      label: "Why it ends before its time",
      value: input.reason,
      required: true,
      maxLength: maxPlanText,
      hint: "Such as “The pages were withdrawn”",
      fault: faults.reason
    })
  }<div class="actions"><button class="danger">End the experiment</button></div></form></section>`

const stoppedPanel = ({ at, reason }: NonNullable<ExperimentDetail["stopped"]>): Html =>
  html`<section class="panel" aria-labelledby="result"><header><h2 id="result">Ended on ${
    formatDate(at)
  } without a result</h2></header><p class="break">${visible(reason)}</p></section>`

export const experimentPage = (frame: Frame, content: ExperimentContent): Html => {
  const { detail } = content
  const { plan, result, state, stopped } = detail
  return layout(frame, {
    title: plan.name,
    here: "experiments",
    simulated: plan.simulated,
    summary: html`<a href="${inOrganization(frame.organization.slug, "/experiments")}">Experiments</a> · from ${
      formatPlanDay(plan.from)
    }: ${visible(plan.change)}`,
    body: html`<div class="grid">${
      stopped !== null
        ? stoppedPanel(stopped)
        : result !== null
        ? resultPanels(frame, detail, result)
        : waitingPanel(detail)
    }${orderPanel(frame, detail)}${drawPanels(content)}${sealPanel(detail)}${
      (state === "planned" || state === "running") && atLeast(frame.role, "member") && endPanel(frame, content)
    }</div>`
  })
}
