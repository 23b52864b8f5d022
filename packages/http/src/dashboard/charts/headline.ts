/** The headline: the share, its interval, and whether the change exceeds noise. */
import { describeQuestions, noInterval, otherQuestions, sameQuestions, type Uncertainty } from "@sov/core/scoring"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { formatDate, formatNumber, formatPercent, formatPoints, formatRange, nothing, type Range } from "./numbers.ts"

export interface HeadlineData {
  /** Id of the heading that labels the number. */
  readonly id: string
  readonly title: string
  /** Share, 0–100; null = no answer is archived. */
  readonly value: number | null
  /** The view of the number, in one line; null for reports written before version 6. */
  readonly surface: string | null
  /** Null if there is no score, or its version has no uncertainty. */
  readonly uncertainty: Pick<Uncertainty, "interval" | "keywords" | "topics" | "mentionRate"> | null
  readonly change:
    | {
      readonly delta: number
      /** The date of the previous scan, or a description of the compared period. */
      readonly since: Date | string
      readonly direction: "up" | "down" | "flat"
      /** A sentence about what is not compared; absent if everything is compared. */
      readonly note?: string
    }
    /** A sentence that says why no change is shown. */
    | string
  /** Prediction interval of the next scan's share if nothing changes. */
  readonly next: Range | null
  /** Returns a button that explains a word; absent in a report. */
  readonly explain?: (word: "share" | "noise" | "mentionRate" | "next") => Html
}

const changeOf = ({ change, explain }: Pick<HeadlineData, "change" | "explain">): Html => {
  if (typeof change === "string") return html`<p class="delta">${change}</p>`
  const { delta, direction, note, since } = change
  const points = formatPoints(delta)
  const arrow = Math.abs(delta) < 0.05 ? "" : delta > 0 ? "▲ " : "▼ "
  return html`<p class="delta ${direction}"><b>${arrow}${points} points</b> ${
    typeof since === "string" ? `against ${since}` : `since ${formatDate(since)}`
  }<span>${direction === "flat" ? "within noise" : "more than noise"}${explain?.("noise")}</span></p>${
    note !== undefined && html`<p class="small">${note}</p>`
  }`
}

const sureOf = (
  { interval, ...asked }: NonNullable<HeadlineData["uncertainty"]>
): string =>
  interval === null
    ? `${noInterval} (${describeQuestions(asked)}).`
    : `95 % interval ${formatRange(interval)} % for ${otherQuestions} (${describeQuestions(asked)})`

export const headline = (
  { change, explain, id, next, surface, title, uncertainty, value }: HeadlineData
): Html => {
  const named = uncertainty?.mentionRate ?? null
  return html`<div><h2 id="${id}">${title}</h2>${explain?.("share")}
<strong class="number">${value === null ? nothing : html`${formatNumber(value)}<small>%</small>`}</strong>
${uncertainty !== null && html`<p class="sure">${sureOf(uncertainty)}</p>`}${
    surface !== null && html`
<p class="small">${visible(surface)}.</p>`
  }
${changeOf({ change, ...explain === undefined ? {} : { explain } })}
<dl>${
    named !== null &&
    html`<div><dt>Named in${
      explain?.("mentionRate")
    }</dt><dd>${named.mentioned} of ${named.answers} answers <span class="range">${
      formatPercent(named.rate)
    }</span></dd></div>`
  }${
    next !== null &&
    html`<div><dt>If nothing changes, ${sameQuestions} show${explain?.("next")}</dt><dd>${
      formatRange(next)
    } %</dd></div>`
  }</dl></div>`
}
