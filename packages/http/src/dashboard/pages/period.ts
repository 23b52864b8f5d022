/** The period of a page, kept in its address: links to common periods, and a form for others. */
import { pluralized } from "@sov/core/common"
import type { Against, Period, PeriodFacts } from "@sov/core/scoring"
import type { Address } from "../Address.ts"
import { formatCalendarDay } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { dateField, hiddenField } from "./fields.ts"

export const periodNames = ["4w", "quarter", "own"] as const

/** Address parameters that select a period. */
export const periodFields = ["period", "from", "to", "against"] as const

/** The period as given in the address. */
export interface PeriodQuery {
  /** The name of the period; absent = the latest scan. */
  readonly period?: (typeof periodNames)[number] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly against?: Against | "none" | undefined
}

/** The period in the link to a file of a page: not days that are not accepted, for which the page shows the latest. */
export const filePeriod = ({ fault, query: { against, from, period, to } }: Pick<PeriodContent, "fault" | "query">) =>
  fault === null ? { period, from, to, against } : { period: undefined, from: undefined, to: undefined }

/** A period as text, such as `1 Sep 2026 – 28 Sep 2026`. */
export const formatPeriod = ({ from, to }: Period): string => `${formatCalendarDay(from)} – ${formatCalendarDay(to)}`

/** The period of a page. */
export interface PeriodContent {
  readonly query: PeriodQuery
  readonly fault: string | null
  /** Builds the address of the page for another period. */
  readonly at: (query: PeriodQuery) => Address
  /** Whether the page compares with an earlier period. */
  readonly compares: boolean
  /** Other parameters of the page's address, for the form. */
  readonly kept?: Readonly<Record<string, string | undefined>>
}

/** A line about the scans in the period; null = there is nothing to show. */
const factsLine = (facts: PeriodFacts | null): Fragment =>
  facts !== null &&
  html`<p class="small">${formatPeriod(facts.period)}: ${pluralized(facts.scans, "scan")}${
    facts.scans > 1 && " together"
  }${
    facts.leftOut > 0 &&
    `, ${facts.leftOut} left out, because they were simulated, asked only a part, or were measured with other names or rules`
  }${
    facts.against !== null &&
    ` · against ${formatPeriod(facts.against)}: ${
      facts.earlierScans === 0 ? "no scan to compare with" : pluralized(facts.earlierScans, "scan")
    }`
  }</p>`

export const periodBar = (
  { at, compares, fault, kept = {}, query: { against, from, period, to } }: PeriodContent,
  facts: PeriodFacts | null
): Html => {
  const choice = (name: PeriodQuery["period"], words: string) =>
    html`<a href="${at({ period: name, against: name === undefined ? undefined : against })}"${
      attributes({ "aria-current": period === name && "true" })
    }>${words}</a>`
  const compared = (name: NonNullable<PeriodQuery["against"]>, words: string) =>
    html`<a href="${at({ period, from, to, against: name })}"${
      attributes({ "aria-current": (against ?? "before") === name && "true" })
    }>${words}</a>`
  return html`<nav class="period" aria-label="Period">${choice(undefined, "Latest scan")}${choice("4w", "4 weeks")}${
    choice("quarter", "Quarter")
  }<details class="own-dates"${attributes({ open: fault !== null })}><summary${
    attributes({ "aria-current": period === "own" && "true" })
  }>Own dates</summary><form method="get" autocomplete="off" action="${at({})}">${
    Object.entries(kept).map(([name, value]) => value !== undefined && hiddenField(name, value))
  }${hiddenField("period", "own")}${against !== undefined && hiddenField("against", against)}${
    dateField("from", "From", from ?? null)
  }${dateField("to", "To", to ?? null)}<button>Show</button></form></details>${
    compares && period !== undefined &&
    html`<span class="against">compared with ${compared("before", "the period before")}${
      compared("year", "a year before")
    }${compared("none", "nothing")}</span>`
  }</nav>${fault !== null && html`<p class="note warn" role="alert">${fault} The latest scan is shown.</p>`}${
    factsLine(facts)
  }`
}

/** Shown instead of figures if no scan is in the period. */
export const emptyPeriod = ({ period }: { readonly period: Period }): Html =>
  html`<section class="panel"><div class="empty"><h2>No scan in this period</h2><p>No scan from ${
    formatPeriod(period)
  } has a score that your plan shows. Choose another period above.</p></div></section>`
