/**
 * Small drawings inside the rows of a table. They are hidden from screen readers, because the row has the values.
 */
import { type Html, html } from "../html.ts"
import { makeAxis } from "./axis.ts"
import { formatCoordinate, type Range } from "./numbers.ts"

/** A value (0–100) as a dot on a track from 0 to `top`, with its interval as a soft band. */
export const estimateBar = (value: number | null, interval: Range | null | undefined, top = 100): Html => {
  const at = (share: number) => `${formatCoordinate(Math.min(share, top) / top * 100, 2)}%`
  return html`<svg class="est" height="20" aria-hidden="true"><line class="track" x1="0" x2="100%" y1="10" y2="10"></line>${
    interval !== null && interval !== undefined &&
    html`<rect class="band" x="${at(interval.low)}" width="${
      at(Math.max(0, Math.min(interval.high, top) - interval.low))
    }" y="5" height="10" rx="5"></rect>`
  }${value !== null && html`<circle class="value" cx="${at(value)}" cy="10" r="5"></circle>`}</svg>`
}

/** The common scale of all sparklines in a table. */
export const sparklineTop = (values: Iterable<number | null>): number =>
  makeAxis(Math.max(0, ...[...values].map((value) => value ?? 0))).top

/**
 * The trend of the last scans, oldest first, on a scale from 0 to `top`. null = no score, which interrupts the line.
 */
export const sparkline = (values: ReadonlyArray<number | null>, top: number): Html => {
  const x = (i: number) => values.length === 1 ? 50 : i / (values.length - 1) * 100
  const y = (value: number) => formatCoordinate(22 - value / top * 20, 1)
  const corners = values.map((value, i) => {
    if (value === null) return ""
    const joins = i > 0 && values[i - 1] !== null
    return `${joins ? "L" : "M"}${formatCoordinate(x(i), 1)} ${y(value)}`
  })
  const last = values.at(-1)
  return html`<svg class="spark" height="24" aria-hidden="true"><svg viewBox="0 0 100 24" width="100%" height="24" preserveAspectRatio="none"><path d="${
    corners.join("")
  }"></path></svg>${
    last !== null && last !== undefined &&
    html`<circle cx="${values.length === 1 ? "50%" : "100%"}" cy="${y(last)}" r="2.5"></circle>`
  }</svg>`
}

/** The CSS class of a segment: the brand, one of three greys for others in a fixed order, or "nobody". */
export type ShareClass = "mine" | "t1" | "t2" | "t3" | "none"

/** The CSS classes of the named brands, in the order of the table; greys repeat after the third. */
export const shareClasses = (named: ReadonlyArray<{ readonly isBrand: boolean }>): ReadonlyArray<ShareClass> => {
  const greys = ["t1", "t2", "t3"] as const
  let others = 0
  return named.map(({ isBrand }) => isBrand ? "mine" : greys[others++ % greys.length]!)
}

/** The named brands as one bar of 100 %; shares below 0.05 are omitted. */
export const shareBar = (parts: ReadonlyArray<{ readonly look: ShareClass; readonly share: number }>): Html => {
  let from = 0
  const bars = parts.map(({ look, share }) => {
    const x = from
    from += share
    return share >= 0.05 &&
      html`<rect class="${look}" x="${formatCoordinate(x, 2)}%" y="1" width="${
        formatCoordinate(Math.max(0.3, share - 0.35), 2)
      }%" height="26" rx="3"></rect>`
  })
  return html`<svg class="share" height="28" aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="6"></line></pattern></defs>${bars}</svg>`
}

/** A count as a bar; `most` is the largest count in the table. */
export const countBar = (count: number, most: number): Html =>
  html`<svg class="bar" height="12" aria-hidden="true"><rect y="1" height="10" rx="3" width="${
    formatCoordinate(most === 0 ? 0 : count / most * 100, 2)
  }%"></rect></svg>`
