/** The headline: one number, how sure it is, and whether it moved by more than noise. */
import { type Html, html } from "../html.ts"
import { formatDate, formatNumber, formatPercent, formatPoints, formatRange, nothing, type Range } from "./numbers.ts"

export interface HeadlineData {
  /** Id of the heading that names the number. */
  readonly id: string
  readonly title: string
  /** 0–100; null = no answer is archived. */
  readonly value: number | null
  readonly interval: Range | null
  /** Why there is no interval, as a sentence; needed where `interval` is null. */
  readonly withoutInterval: string
  readonly change:
    | { readonly delta: number; readonly since: Date; readonly direction: "up" | "down" | "flat" }
    /** Why there is no change to show, as a sentence. */
    | string
  /** Answers that name the brand, and all. */
  readonly named: { readonly mentioned: number; readonly answers: number; readonly rate: number } | null
  /** Where the next scan's share will lie if nothing changes. */
  readonly next: Range | null
}

const changeOf = (change: HeadlineData["change"]): Html => {
  if (typeof change === "string") return html`<p class="delta">${change}</p>`
  const { delta, direction, since } = change
  const points = formatPoints(delta)
  const arrow = points === "0.0" ? "" : delta > 0 ? "▲ " : "▼ "
  return html`<p class="delta ${direction}"><b>${arrow}${points} points</b> since ${formatDate(since)}<span>${
    direction === "flat" ? "within noise" : "more than noise"
  }</span></p>`
}

export const headline = ({ change, id, interval, named, next, title, value, withoutInterval }: HeadlineData): Html =>
  html`<div><h2 id="${id}">${title}</h2>
<strong class="number">${value === null ? nothing : html`${formatNumber(value)}<small>%</small>`}</strong>
<p class="sure">${interval === null ? withoutInterval : `95 % interval ${formatRange(interval)} %`}</p>
${changeOf(change)}
<dl>${
    named !== null &&
    html`<div><dt>Named in</dt><dd>${named.mentioned} of ${named.answers} answers <span class="range">${
      formatPercent(named.rate)
    }</span></dd></div>`
  }${
    next !== null &&
    html`<div><dt>If nothing changes, the next scan shows</dt><dd>${formatRange(next)} %</dd></div>`
  }</dl></div>`
