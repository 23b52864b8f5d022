/** The trend of an experiment: the shares of its treated and held-out halves in each scan, without intervals. */
import { type Fragment, type Html, html } from "../html.ts"
import { makeAxis } from "./axis.ts"
import { formatCalendarDay, formatCoordinate, formatDate, formatDay, formatPercent } from "./numbers.ts"
import { placeByTime } from "./trend.ts"

interface HalvesPoint {
  readonly at: Date
  /** Share, 0–100; null = no answer. */
  readonly treated: number | null
  readonly heldOut: number | null
}

export interface HalvesData {
  /** One point per scan, oldest first; at least one. */
  readonly points: ReadonlyArray<HalvesPoint>
  /** The date of the change, drawn as a line between two scans. */
  readonly change: Date
  readonly simulated: boolean
}

const height = 200
const [above, below] = [24, 26]

/** The chart and its table. Lines and labels differ by more than colour. */
export const halvesFigure = ({ change, points, simulated }: HalvesData): Html => {
  const places = placeByTime(points.map(({ at }) => at))
  const shares = points.flatMap(({ heldOut, treated }) => [heldOut ?? 0, treated ?? 0])
  const { ticks, top } = makeAxis(Math.max(...shares))
  const y = (share: number) => Number(formatCoordinate(above + (1 - share / top) * (height - above - below), 1))
  const line = (side: "treated" | "heldOut", name: string): Fragment => {
    const known = points.flatMap((point, i) => {
      const share = point[side]
      return share === null ? [] : [{ x: places[i]!, share }]
    })
    const last = known.at(-1)
    const path = known.map(({ share, x }) => `${formatCoordinate(x * 10, 1)} ${y(share)}`).join("L")
    const look = side === "treated" ? { line: "line", dot: "dot" } : { line: "change", dot: "dot part" }
    const other = points.at(-1)![side === "treated" ? "heldOut" : "treated"]
    return last !== undefined &&
      html`<svg viewBox="0 0 1000 ${height}" height="${height}" width="100%" preserveAspectRatio="none"><path class="${look.line}" fill="none" vector-effect="non-scaling-stroke" d="M${path}"></path></svg>${
        known.map(({ share, x }) =>
          html`<circle class="${look.dot}" cx="${formatCoordinate(x, 2)}%" cy="${y(share)}" r="4"></circle>`
        )
      }<text class="now-text" x="100%" y="${
        y(last.share) + (other !== null && last.share < other ? 20 : -10)
      }" text-anchor="end">${name} ${formatPercent(last.share)}</text>`
  }
  const next = points.findIndex(({ at }) => at >= change)
  const between = next < 1 ? null : (places[next - 1]! + places[next]!) / 2
  const title = `Share on both halves${simulated ? " (simulated)" : ""}`
  return html`<figure><svg class="plot" height="${height}" role="img" aria-labelledby="halves-title"><title id="halves-title">${title}; the table below has the numbers</title>${
    ticks.map((tick) =>
      html`<line class="grid-line" x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}"></line><text x="0" y="${
        y(tick) - 4
      }">${tick}${tick === top && " %"}</text>`
    )
  }${
    between !== null &&
    html`<line class="change" x1="${formatCoordinate(between, 2)}%" x2="${formatCoordinate(between, 2)}%" y1="${
      above - 6
    }" y2="${y(0)}"></line><text x="${formatCoordinate(between, 2)}%" y="${above - 10}" text-anchor="middle">change, ${
      formatCalendarDay(change)
    }</text>`
  }${line("heldOut", "held out")}${line("treated", "treated")}<text x="5%" y="${height - 6}">${
    formatDay(points[0]!.at)
  }</text><text x="100%" y="${height - 6}" text-anchor="end">${
    formatDay(points.at(-1)!.at)
  }</text></svg><details class="data"><summary>Show as a table</summary><div class="scroll" tabindex="0" role="group" aria-label="${title}"><table><caption class="hidden">${title}</caption><thead><tr><th scope="col">Scan</th><th scope="col" class="num">Treated</th><th scope="col" class="num">Held out</th><th scope="col">Side</th></tr></thead><tbody>${
    points.map(({ at, heldOut, treated }) =>
      html`<tr><th scope="row">${formatDate(at)}</th><td class="num">${formatPercent(treated, 1)}</td><td class="num">${
        formatPercent(heldOut, 1)
      }</td><td>${at < change ? "before" : "after"}</td></tr>`
    )
  }</tbody></table></div></details></figure>`
}
