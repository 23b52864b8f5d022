/**
 * A share over time: a line, its 95 % band, and a dot for each scan. One drawing fits every width: horizontal positions
 * are percentages, so text and dots keep their size; only the lines and the band stretch.
 */
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { makeAxis } from "./axis.ts"
import {
  formatCalendarDay,
  formatCoordinate,
  formatDate,
  formatDay,
  formatPercent,
  formatRange,
  type Range
} from "./numbers.ts"

/** One scan of a trend. */
export interface TrendPoint {
  readonly at: Date
  /** Share, 0–100; null = the scan failed or was cancelled. */
  readonly value: number | null
  /** Null = unknown, because there are too few keywords. */
  readonly interval: Range | null
  /** Whether the scan asked only some of the tracked keywords or platforms. */
  readonly partial?: boolean
  /** A change before this scan, such as "competitor added"; earlier scans are not comparable. */
  readonly changed?: string
  /** A note in the table, such as why a scan failed. */
  readonly note?: string
}

export interface TrendData {
  /** Prefix of the ids inside the drawing; unique on the page. */
  readonly id: string
  readonly title: string
  /** One point per scan, oldest first; at least one. */
  readonly points: ReadonlyArray<TrendPoint>
  /** Whether the answers are simulated; if so, the drawing says it. */
  readonly simulated: boolean
  /** Dated events; events before the first scan are not drawn. */
  readonly annotations?: ReadonlyArray<{ readonly day: string; readonly text: string }>
  /** Share, 0–100, below which an alert is raised. */
  readonly threshold?: number
  /** Height in pixels. */
  readonly height?: number
}

interface Placed extends TrendPoint {
  /** Horizontal position, in percent of the width. */
  readonly x: number
}
type Known = Placed & { readonly value: number }

const isKnown = (point: Placed): point is Known => point.value !== null

/** Splits points into the groups that a line connects. A failed scan or a change of tracking ends a group. */
const joinedParts = (points: ReadonlyArray<Placed>): ReadonlyArray<ReadonlyArray<Known>> => {
  const parts: Array<Array<Known>> = [[]]
  for (const point of points) {
    if (point.changed !== undefined || !isKnown(point)) parts.push([])
    if (isKnown(point)) parts.at(-1)!.push(point)
  }
  return parts.filter((part) => part.length > 0)
}

/** Adjacent points of a group that have an interval. */
const bandedParts = (
  part: ReadonlyArray<Known>
): ReadonlyArray<ReadonlyArray<Known & { readonly interval: Range }>> => {
  const parts: Array<Array<Known & { readonly interval: Range }>> = [[]]
  for (const point of part) {
    const { interval } = point
    if (interval === null) parts.push([])
    else parts.at(-1)!.push({ ...point, interval })
  }
  return parts.filter(({ length }) => length > 1)
}

/** The trend in one sentence, for screen readers. */
const describe = (points: ReadonlyArray<Placed>): string => {
  const known = points.filter(isKnown)
  const values = known.map(({ value }) => value)
  const now = values.at(-1)
  if (now === undefined) return "No scan has completed."
  const scans = known.length === 1 ? "1 scan" : `${known.length} scans`
  return `${scans} from ${formatDate(points[0]!.at)} to ${formatDate(points.at(-1)!.at)}; lowest ${
    formatPercent(Math.min(...values))
  }, highest ${formatPercent(Math.max(...values))}, now ${formatPercent(now)}.`
}

const [spaceOnTop, spaceBelow] = [18, 26]
/** Height of the line that says "SIMULATED". Labels of points are not placed in this area. */
const simulatedLine = 20

/** Horizontal positions of the first and the last point, in percent of the width. */
const [leftmost, rightmost] = [5, 98.5]
/** Minimum distance between two dots in percent of the width, if all dots have room. */
const dotDistance = 2.5

/** Positions of points by time, in percent of the width, moved apart so that dots do not cover each other. */
export const placeByTime = (times: ReadonlyArray<Date>): ReadonlyArray<number> => {
  const [first, last] = [times[0]!.getTime(), times.at(-1)!.getTime()]
  const room = rightmost - leftmost
  const distance = Math.min(dotDistance, room / Math.max(1, times.length - 1))
  const places = times.map((at) => last === first ? 50 : leftmost + (at.getTime() - first) / (last - first) * room)
  for (let i = 1; i < places.length; i++) places[i] = Math.max(places[i]!, places[i - 1]! + distance)
  let end = rightmost + distance
  for (let i = places.length - 1; i >= 0; i--) end = places[i] = Math.min(places[i]!, end - distance)
  return places
}

/** Keeps the text at a point inside the drawing. */
const anchorAt = (x: number): "start" | "middle" | "end" => x > 92 ? "end" : x < 8 ? "start" : "middle"

/** Width that the text of a value needs, in percent of the width of a phone's screen. */
const valueWidth = 14
/**
 * Pixels from the middle of a dot to the text above it, to the text below it, and to the nearer edge of either text.
 */
const [wordsAbove, wordsBelow, clearOfDot] = [12, 22, 9]
/** Pixels at the bottom that the day labels need. */
const daysHeight = 20

/** Heights of the line next to the text of the newest value: at its corners, and where the text starts. */
const heightsBeside = (part: ReadonlyArray<Known>, y: (value: number) => number): ReadonlyArray<number> => {
  const begin = part.at(-1)!.x - valueWidth
  return part.slice(0, -1).flatMap((point, i) => {
    const next = part[i + 1]!
    if (point.x >= begin) return [y(point.value)]
    const share = (begin - point.x) / (next.x - point.x)
    return share < 1 ? [y(point.value + share * (next.value - point.value))] : []
  })
}

/**
 * Vertical position of the text of the newest value, in pixels: above the dot if there is room, else below it, else
 * above the line next to it.
 */
const placeNewest = (part: ReadonlyArray<Known>, y: (value: number) => number, height: number): number => {
  const dot = y(part.at(-1)!.value)
  const beside = heightsBeside(part, y)
  if (beside.every((one) => one >= dot - clearOfDot)) return dot - wordsAbove
  if (beside.every((one) => one <= dot + clearOfDot) && dot + wordsBelow <= height - daysHeight) return dot + wordsBelow
  return Math.min(dot, ...beside) - wordsAbove
}

/** Minimum distance between two date labels in percent of the width, enough even on a phone. */
const dayWidth = 21

/** The points that get a date label: the newest, and earlier points with enough room. */
const daysApart = (points: ReadonlyArray<Placed>): ReadonlyArray<Placed> => {
  const kept: Array<Placed> = []
  for (const point of points.toReversed()) {
    const next = kept.at(-1)
    if (next === undefined || (next.x - point.x >= dayWidth && formatDay(next.at) !== formatDay(point.at))) {
      kept.push(point)
    }
  }
  return kept.toReversed()
}

/**
 * Position of the threshold's label: at the end where the line is farther from the threshold, on the side away from the
 * line.
 */
const placeThreshold = (known: ReadonlyArray<Known>, threshold: number) => {
  const [start, end] = (["start", "end"] as const).map((side) => {
    const near = known.filter(({ x }) => side === "start" ? x < 35 : x > 65)
    return {
      side,
      distance: Math.min(Infinity, ...near.map(({ value }) => Math.abs(value - threshold))),
      isBelow: near.every(({ value }) => value >= threshold)
    }
  })
  return start!.distance > end!.distance ? start! : end!
}

/** A numbered vertical line in the drawing; its text is below the drawing. */
interface Mark {
  readonly at: Date
  readonly x: number
  readonly words: string
  /** Whether sov found the event. If so, the mark interrupts the line of the series. */
  readonly isBreak: boolean
}

/**
 * Position of a date among the points, in percent of the width; null before the first point, and the right edge after
 * the last.
 */
const placeDay = (points: ReadonlyArray<Placed>, at: Date): number | null => {
  const next = points.findIndex((point) => point.at >= at)
  if (next === -1) return 100
  const [after, before] = [points[next]!, points[next - 1]]
  if (before === undefined) {
    return after.at.toISOString().slice(0, 10) === at.toISOString().slice(0, 10)
      ? after.x
      : null
  }
  const span = after.at.getTime() - before.at.getTime()
  return before.x + (at.getTime() - before.at.getTime()) / span * (after.x - before.x)
}

/** Breaks that sov found and annotations of people, oldest first. */
const listMarks = (points: ReadonlyArray<Placed>, annotations: TrendData["annotations"] = []): ReadonlyArray<Mark> =>
  [
    ...points.flatMap(({ at, changed, x }) => changed === undefined ? [] : [{ at, x, words: changed, isBreak: true }]),
    ...annotations.flatMap(({ day, text }) => {
      const at = new Date(`${day}T00:00:00Z`)
      const x = placeDay(points, at)
      return x === null ? [] : [{ at, x, words: visible(text), isBreak: false }]
    })
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime())

const placePoints = (points: ReadonlyArray<TrendPoint>): ReadonlyArray<Placed> => {
  const places = placeByTime(points.map(({ at }) => at))
  return points.map((point, i): Placed => ({ ...point, x: places[i]! }))
}

/** Draws the trend. `trendTable` shows the same data as text. */
export const trendChart = (
  { annotations, height = 230, id, points, simulated, threshold, title }: TrendData
): Html => {
  const placed = placePoints(points)
  const spaceAbove = spaceOnTop + (simulated ? simulatedLine : 0)
  const known = placed.filter(isKnown)
  const now = known.at(-1)
  const { ticks, top } = makeAxis(
    Math.max(threshold ?? 0, ...known.map(({ interval, value }) => Math.max(value, interval?.high ?? 0)))
  )
  const y = (value: number) =>
    Number(formatCoordinate(spaceAbove + (1 - value / top) * (height - spaceAbove - spaceBelow), 1))
  const across = (x: number) => `${formatCoordinate(x, 2)}%`
  const path = (corners: ReadonlyArray<readonly [x: number, value: number]>) =>
    corners.map(([x, value]) => `${formatCoordinate(x * 10, 1)} ${y(value)}`).join("L")

  const parts = joinedParts(placed)
  const bands = parts.flatMap(bandedParts).map((part) => {
    const [upper, lower] = [
      part.map(({ interval, x }) => [x, interval.high] as const),
      part.map(({ interval, x }) => [x, interval.low] as const).toReversed()
    ]
    return html`<path class="band" d="M${path([...upper, ...lower])}Z"></path>`
  })
  const lines = parts.filter(({ length }) => length > 1).map((part) =>
    html`<path class="line" d="M${path(part.map(({ value, x }) => [x, value] as const))}"></path>`
  )
  const dots = placed.map((point): Fragment => {
    if (!isKnown(point)) {
      return html`<svg class="fail" x="${across(point.x)}" overflow="visible"><path d="M-4 ${
        y(0) - 13
      }l8 8m0 -8l-8 8"></path></svg>`
    }
    const look = ["dot", point.partial === true && "part", point === now && "now"].filter(Boolean).join(" ")
    return html`<circle class="${look}" cx="${across(point.x)}" cy="${y(point.value)}" r="4"></circle>`
  })
  const marks = listMarks(placed, annotations).map(({ isBreak, x }, i) =>
    html`<line class="${isBreak ? "change" : "change note"}" x1="${across(x)}" x2="${across(x)}" y1="${
      spaceAbove - 6
    }" y2="${y(0)}"></line>
<text x="${across(x)}" y="${spaceAbove - 8}" text-anchor="${anchorAt(x)}">${i + 1}</text>`
  )
  const days = daysApart(placed)
  const words = threshold === undefined ? null : placeThreshold(known, threshold)

  return html`<svg class="plot" height="${height}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}${simulated && " (simulated)"}</title><desc id="${id}-text">${describe(placed)}</desc>
${
    ticks.map((tick) =>
      html`<line class="grid-line" x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}"></line><text x="0" y="${
        y(tick) - 4
      }">${tick}${tick === top && " %"}</text>`
    )
  }
<svg viewBox="0 0 1000 ${height}" height="${height}" width="100%" preserveAspectRatio="none">${bands}${lines}</svg>
${
    words !== null && threshold !== undefined &&
    html`<line class="threshold" x1="0" x2="100%" y1="${y(threshold)}" y2="${
      y(threshold)
    }"></line><text class="threshold-text" x="${words.side === "start" ? "5%" : "100%"}" dx="${
      words.side === "start" ? 8 : 0
    }" y="${y(threshold) + (words.isBelow ? 14 : -5)}" text-anchor="${words.side}">alert below ${
      formatPercent(threshold)
    }</text>`
  }
${marks}${dots}
${
    now !== undefined &&
    html`<text class="now-text" x="${across(now.x)}" y="${placeNewest(parts.at(-1)!, y, height)}" text-anchor="${
      anchorAt(now.x)
    }">${formatPercent(now.value)}</text>`
  }
${
    days.map(({ at, x }) =>
      html`<text x="${across(x)}" y="${height - 6}" text-anchor="${anchorAt(x)}">${formatDay(at)}</text>`
    )
  }
${simulated && html`<text class="sim" x="100%" y="10" text-anchor="end">SIMULATED</text>`}
<line class="cursor" y1="${spaceAbove}" y2="${y(0)}"></line>
</svg>`
}

const noteOf = ({ changed, note, partial, value }: TrendPoint): string =>
  note ?? changed ?? (value === null ? "no score" : partial === true ? "a part was asked" : "")

/** The data as a table, newest first, for screen readers, keyboards and the tooltip under the pointer. */
export const trendTable = ({ points, simulated, title }: TrendData): Html =>
  html`<details class="data"><summary>Show as a table</summary><div class="scroll" tabindex="0" role="group" aria-label="${title}">
<table><caption class="hidden">${title}${
    simulated && " (simulated)"
  }</caption><thead><tr><th scope="col">Scan</th><th scope="col" class="num">Share</th><th scope="col" class="num">95 %</th><th scope="col">Note</th></tr></thead>
<tbody>${
    points.toReversed().map((point) =>
      html`<tr><th scope="row"><time datetime="${point.at.toISOString()}">${
        formatDate(point.at)
      }</time></th><td class="num">${formatPercent(point.value, 1)}</td><td class="num range">${
        formatRange(point.interval)
      }</td><td>${noteOf(point)}</td></tr>`
    )
  }</tbody></table></div></details>`

/** The texts of the numbered marks in the drawing. */
const marksList = ({ annotations, points }: TrendData): Fragment => {
  const marks = listMarks(placePoints(points), annotations)
  return marks.length > 0 && html`<ol class="notes">
${
    marks.map(({ at, isBreak, words }) =>
      html`<li>${isBreak ? formatDate(at) : formatCalendarDay(at)}: ${words}${
        isBreak && " (not compared with earlier)"
      }</li>
`
    )
  }</ol>`
}

/** The drawing, the texts of its marks, and the table. */
export const trendFigure = (data: TrendData): Html =>
  html`<figure>${trendChart(data)}${marksList(data)}${trendTable(data)}</figure>`
