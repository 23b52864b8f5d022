/** What the charts draw for plain data, and the texts that they show. */
import { describe, expect, it } from "vitest"
import { to } from "../../../packages/http/src/dashboard/Address.ts"
import { makeAxis } from "../../../packages/http/src/dashboard/charts/axis.ts"
import {
  estimateBar,
  shareBar,
  shareClasses,
  sparkline,
  sparklineTop
} from "../../../packages/http/src/dashboard/charts/bars.ts"
import { headline, type HeadlineData } from "../../../packages/http/src/dashboard/charts/headline.ts"
import { heatStep, heatTable } from "../../../packages/http/src/dashboard/charts/heat.ts"
import {
  placeByTime,
  trendChart,
  type TrendData,
  trendFigure,
  type TrendPoint,
  trendTable
} from "../../../packages/http/src/dashboard/charts/trend.ts"
import { render } from "../../../packages/http/src/dashboard/html.ts"

const week = (i: number): Date => new Date(Date.UTC(2026, 4, 4) + i * 7 * 86_400_000)
const point = (i: number, value: number | null, more: Partial<TrendPoint> = {}): TrendPoint => ({
  at: week(i),
  value,
  interval: value === null ? null : { low: value - 5, high: value + 5 },
  ...more
})
const chart = (points: ReadonlyArray<TrendPoint>, more: Partial<TrendData> = {}): string =>
  render(trendChart({ id: "c", title: "Share", points, simulated: false, ...more }))
const count = (text: string, part: string): number => text.split(part).length - 1

describe("a trend", () => {
  it("a trend has a line, a band, and a dot for each scan, and its last value is written out", () => {
    const drawn = chart([point(0, 30), point(1, 34), point(2, 36.6)])
    expect(count(drawn, "class=\"line\"")).toBe(1)
    expect(count(drawn, "class=\"band\"")).toBe(1)
    expect(count(drawn, "<circle")).toBe(3)
    expect(drawn).toContain(">37 %</text>")
  })
  describe("the last value of a trend", () => {
    const numbers = (pattern: RegExp, drawn: string) => [...drawn.matchAll(pattern)].map(([, n]) => Number(n))
    /** Pixels from the last dot down to its text. */
    const below = (values: ReadonlyArray<number>) => {
      const drawn = chart(values.map((value, i) => point(i, value)))
      const dot = numbers(/<circle[^>]* cy="([\d.]+)"/g, drawn).at(-1)!
      const [words] = numbers(/class="now-text"[^>]* y="([\d.]+)"/g, drawn)
      const line = numbers(/<circle[^>]* cy="([\d.]+)"/g, drawn)
      return { words: words! - dot, highest: Math.min(...line) - dot }
    }
    it("the last value is above its dot if the line comes from below or from far away", () => {
      expect(below([20, 25, 40]).words).toBe(-12)
      expect(below([80, 40, 41, 40]).words).toBe(-12)
    })
    it("the last value is below its dot if the line comes from above", () => {
      const twenty = Array.from({ length: 20 }, (_, i) => 70 - i * 2)
      expect(below(twenty).words).toBe(22)
      expect(below([80, 40]).words).toBe(22)
    })
    it("the last value is above the line if the line is on both sides or the axis is too close", () => {
      const steep = [...Array.from({ length: 30 }, () => 40), 60, 20, 40]
      const { highest, words } = below(steep)
      expect(words).toBeCloseTo(highest - 12)
      expect(below([...Array.from({ length: 30 }, () => 40), 40, 0]).words).toBeLessThan(-12)
    })
  })
  it("a trend is described in words: its lowest, highest and latest values", () => {
    const drawn = chart([point(0, 30), point(1, 25), point(2, 37)])
    expect(drawn).toContain("role=\"img\" aria-labelledby=\"c-title c-text\"")
    expect(drawn).toContain("<title id=\"c-title\">Share</title>")
    expect(drawn).toContain(
      "<desc id=\"c-text\">3 scans from 4 May 2026 to 18 May 2026; lowest 25 %, highest 37 %, now 37 %.</desc>"
    )
  })
  it("a trend contains no links, because role=img hides its content", () => {
    expect(chart([point(0, 30), point(1, null), point(2, 30, { changed: "x" })], { threshold: 20 })).not.toContain(
      "<a "
    )
  })
  it("a failed scan interrupts line and band, and is marked on the axis", () => {
    const drawn = chart([point(0, 30), point(1, 31), point(2, null), point(3, 32), point(4, 33)])
    expect(count(drawn, "class=\"line\"")).toBe(2)
    expect(count(drawn, "class=\"band\"")).toBe(2)
    expect(count(drawn, "class=\"fail\"")).toBe(1)
    expect(count(drawn, "<circle")).toBe(4)
  })
  it("a change in tracking or measuring interrupts the trend; breaks and annotations are numbered by day", () => {
    const points = [point(0, 30), point(1, 31), point(2, 20, { changed: "competitor added" }), point(3, 21)]
    const annotations = [
      { day: "2026-05-01", text: "before the first scan" },
      { day: "2026-05-14", text: "New <pricing> page" },
      { day: "2026-06-30", text: "Campaign" }
    ]
    const drawn = render(trendFigure({ id: "c", title: "Share", points, simulated: false, annotations }))
    expect(count(drawn, "class=\"line\"")).toBe(2)
    expect(count(drawn, "class=\"change\"")).toBe(1)
    expect(count(drawn, "class=\"change note\"")).toBe(2)
    const items = [...drawn.matchAll(/<li>(.*?)<\/li>/g)].map(([, item]) => item)
    expect(items).toEqual([
      "14 May 2026: New &lt;pricing&gt; page",
      "18 May 2026: competitor added (not compared with earlier)",
      "30 Jun 2026: Campaign"
    ])
    expect(items.map((_, i) => count(drawn, `text-anchor="${i === 2 ? "end" : "middle"}">${i + 1}</text>`))).toEqual([
      1,
      1,
      1
    ])
  })
  it("an annotation is between the scans around its day; one on the first day is at the first scan", () => {
    const lines = (day: string) =>
      [
        ...chart([point(0, 30), point(1, 31)], { annotations: [{ day, text: "x" }] }).matchAll(
          /class="change note" x1="([\d.]+)%"/g
        )
      ].map(([, x]) => Number(x))
    expect(lines("2026-05-03")).toEqual([])
    expect(lines("2026-05-04")).toEqual([5])
    const [x] = lines("2026-05-08")
    expect(x).toBeCloseTo(5 + 93.5 * 4 / 7, 1)
    expect(lines("2026-05-12")).toEqual([100])
  })
  it("without an interval, the trend has no band, but its line continues", () => {
    const drawn = chart([
      point(0, 30, { interval: null }),
      point(1, 31),
      point(2, 32),
      point(3, 33, { interval: null })
    ])
    expect(count(drawn, "class=\"line\"")).toBe(1)
    expect(count(drawn, "class=\"band\"")).toBe(1)
    expect(count(chart([point(0, 30, { interval: null }), point(1, 31, { interval: null })]), "class=\"band\"")).toBe(0)
  })
  it("the word SIMULATED does not cover the last value, however high the value is", () => {
    for (const value of [12, 40, 99, 100]) {
      const drawn = chart([point(0, 30), point(1, value, { changed: "competitor added" })], { simulated: true })
      const lineOf = (words: string) => Number(new RegExp(` y="([\\d.]+)"[^>]*>${words}</text>`).exec(drawn)![1])
      expect(lineOf(`${value} %`) - lineOf("SIMULATED")).toBeGreaterThanOrEqual(14)
      expect(lineOf("1") - lineOf("SIMULATED")).toBeGreaterThanOrEqual(14)
    }
  })
  it("scans of one day are next to each other in order, and the day is labelled once", () => {
    const hour = (i: number) => new Date(Date.UTC(2026, 4, 18, i))
    const points = [point(0, 30), ...[8, 9, 10, 11, 12].map((i) => ({ ...point(1, 30 + i), at: hour(i) }))]
    const drawn = chart(points)
    const across = [...drawn.matchAll(/<circle[^>]*cx="([\d.]+)%"/g)].map(([, x]) => Number(x))
    expect(across).toHaveLength(6)
    across.slice(1).forEach((x, i) => expect(x - across[i]!).toBeGreaterThanOrEqual(2.49))
    expect(Math.max(...across)).toBeLessThanOrEqual(98.5)
    expect(count(drawn, ">18 May</text>")).toBe(1)
  })
  it("dots keep their distances in time if there is room, and are evenly spaced otherwise", () => {
    expect(placeByTime([week(0), week(1), week(4)])).toEqual([5, 5 + 93.5 / 4, 98.5])
    expect(placeByTime([week(0)])).toEqual([50])
    const day = Array.from({ length: 60 }, (_, i) => new Date(Date.UTC(2026, 4, 18, 0, i)))
    const crowded = placeByTime([week(0), ...day])
    expect(crowded[0]).toBeCloseTo(5)
    expect(crowded.at(-1)).toBeCloseTo(98.5)
    crowded.slice(1).forEach((x, i) => expect(x - crowded[i]!).toBeCloseTo(93.5 / 60))
  })
  it("the band is interrupted at a scan without an interval", () => {
    const drawn = chart([point(0, 30), point(1, 31), point(2, 32, { interval: null }), point(3, 33), point(4, 34)])
    expect(count(drawn, "class=\"band\"")).toBe(2)
  })
  it("a chart of one scan is a dot in the middle, without a line", () => {
    const drawn = chart([point(0, 30)])
    expect(drawn).toContain("cx=\"50.00%\"")
    expect(count(drawn, "class=\"line\"")).toBe(0)
    expect(drawn).toContain("1 scan from")
  })
  it("a chart of failed scans says that they failed", () => {
    expect(chart([point(0, null), point(1, null)])).toContain("No scan has completed.")
  })
  it("a partial scan is a hollow dot", () => {
    expect(chart([point(0, 30, { partial: true }), point(1, 30)])).toContain("class=\"dot part\"")
  })
  it("the threshold is inside the chart and labelled", () => {
    const drawn = chart([point(0, 3), point(1, 4)], { threshold: 40 })
    expect(drawn).toContain("alert below 40 %</text>")
    expect(drawn).toContain(">40 %</text>")
    expect(count(chart([point(0, 3)]), "class=\"threshold\"")).toBe(0)
  })
  it("a chart of simulated answers says SIMULATED in the drawing, its title and its table", () => {
    const drawn = render(trendFigure({ id: "c", title: "Share", points: [point(0, 30)], simulated: true }))
    expect(drawn).toContain(">SIMULATED</text>")
    expect(count(drawn, "Share (simulated)")).toBe(2)
    expect(chart([point(0, 30)])).not.toMatch(/simulated/i)
  })
  it("the table has the same numbers as the trend, newest first, with a reason for each missing number", () => {
    const points = [point(0, 30), point(1, null, { note: "no answer came" }), point(2, 36.64, { partial: true })]
    const table = render(trendTable({ id: "c", title: "Share", points, simulated: false }))
    expect(table).toMatch(/^<details class="data"><summary>/)
    const rows = [...table.matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(([row]) =>
      row.replaceAll(/<[^>]+>/g, " ").trim().split(/\s{2,}/)
    )
    expect(rows).toEqual([
      ["18 May 2026", "36.6 %", "32–42", "a part was asked"],
      ["11 May 2026", "–", "no answer came"],
      ["4 May 2026", "30.0 %", "25–35"]
    ])
  })
  it("a trend writes all geometry as attributes, without styles", () => {
    expect(chart([point(0, 30), point(1, null), point(2, 9, { changed: "x" })], { threshold: 20, simulated: true }))
      .not.toMatch(/style|NaN|Infinity|undefined/)
  })
})

describe("an axis", () => {
  it.each([[0, 4], [4, 4], [4.1, 8], [12, 12], [13, 20], [37, 40], [61, 80], [80.5, 100], [100, 100]])(
    "an axis for values up to %d begins at zero and ends at %d",
    (highest, top) => {
      const axis = makeAxis(highest)
      expect(axis.top).toBe(top)
      expect([axis.ticks[0], axis.ticks.at(-1)]).toEqual([0, top])
    }
  )
})

describe("drawings inside rows", () => {
  it("a drawing inside a row is hidden from screen readers", () => {
    for (const drawn of [estimateBar(3, null), sparkline([1], 4), shareBar([{ look: "mine", share: 3 }])]) {
      expect(render(drawn)).toMatch(/^<svg [^>]*aria-hidden="true"/)
    }
  })
  it("a drawing inside a row shows a value as a dot on its band, and nothing if there is no value", () => {
    expect(render(estimateBar(37, { low: 27, high: 46 }))).toContain(
      "<rect class=\"band\" x=\"27.00%\" width=\"19.00%\" y=\"5\" height=\"10\" rx=\"5\"></rect><circle class=\"value\" cx=\"37.00%\""
    )
    expect(render(estimateBar(37, null))).not.toContain("band")
    expect(render(estimateBar(null, null))).not.toContain("circle")
  })
  it("a sparkline is interrupted at a missing score", () => {
    expect(render(sparkline([10, 20, null, 30, 40], 40))).toContain("d=\"M0.0 17.0L25.0 12.0M75.0 7.0L100.0 2.0\"")
    expect(render(sparkline([10, null], 40))).not.toContain("circle")
    expect(render(sparkline([], 40))).toContain("d=\"\"")
  })
  it("all drawings in a table share one scale, which is never zero", () => {
    expect([sparklineTop([3, null, 37]), sparklineTop([]), sparklineTop([null])]).toEqual([40, 4, 4])
  })
  it("the brand has the accent colour, and the others are grey in a fixed order", () => {
    const named = [false, true, false, false, false].map((isBrand) => ({ isBrand }))
    expect(shareClasses(named)).toEqual(["t1", "mine", "t2", "t3", "t1"])
  })
  it("the bar of 100 % omits segments that are too small to see", () => {
    const bar = render(shareBar([{ look: "mine", share: 60 }, { look: "t1", share: 0 }, { look: "none", share: 40 }]))
    expect(count(bar, "<rect")).toBe(2)
    expect(bar).toContain("class=\"none\" x=\"60.00%\"")
  })
})

describe("a heat table", () => {
  it.each([[0, 0], [0.1, 1], [20, 1], [20.1, 2], [40, 2], [60, 3], [80, 4], [80.1, 5], [100, 5]])(
    "a share of %d has the colour step %d",
    (share, step) => expect(heatStep(share)).toBe(step)
  )
  it("each share links to its answers, and a missing answer is shown as missing, never as 0", () => {
    const table = render(heatTable({
      columns: ["assistant_a", "assistant_b"],
      labelledBy: "h",
      rows: [{
        text: "best <anvil>?\u202e",
        href: to("/o/a/keywords/1"),
        cells: [{ share: 0, href: to("/o/a/answers", { keyword_id: 1 }) }, null],
        all: 0
      }]
    }))
    expect(table).toContain("<td><a class=\"h0\" href=\"/o/a/answers?keyword_id=1\">0</a></td>")
    expect(table).toContain(
      "<td><span class=\"missing\"><span aria-hidden=\"true\">–</span><span class=\"hidden\">no answer</span></span></td>"
    )
    expect(table).toContain("best &lt;anvil&gt;?⟨U+202E⟩")
  })
})

describe("the headline", () => {
  const data: HeadlineData = {
    id: "h",
    title: "Share of voice",
    value: 36.64,
    surface: "API answers, web search on, no market",
    uncertainty: {
      interval: { low: 27.2, high: 46.4 },
      keywords: 40,
      topics: 11,
      mentionRate: { mentioned: 29, answers: 40, rate: 72.5, low: 57, high: 84 }
    },
    change: { delta: 7.94, since: week(0), direction: "flat" },
    next: { low: 21, high: 44 }
  }
  const words = (more: Partial<HeadlineData> = {}) =>
    render(headline({ ...data, ...more })).replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ")

  it("the headline shows the number, its interval, its change, and whether the change is noise", () => {
    expect(words()).toBe(
      " Share of voice 37 % 95 % interval 27–46 % for other questions like these (40 questions, 11 topics) API answers, web search on, no market. ▲ +7.9 points since 4 May 2026 within noise Named in 29 of 40 answers 73 % If nothing changes, these questions again show 21–44 % "
    )
  })
  it("the headline says why the interval is missing", () => {
    const without = { uncertainty: { interval: null, keywords: 3, topics: 1, mentionRate: null } }
    expect(words(without)).toContain(
      "No interval: that takes two topics, and answers to half of the questions, on every platform (3 questions, 1 topic)."
    )
    expect(words(without)).not.toContain("95 % interval")
  })
  it("the headline says why the change is missing", () => {
    expect(words({ change: "This is the first scan." })).toContain("This is the first scan.")
  })
  it("the headline has an arrow for a change, but not for 0.0", () => {
    expect(words({ change: { delta: -3, since: week(0), direction: "down" } })).toContain("▼ −3.0 points")
    expect(words({ change: { delta: 0.01, since: week(0), direction: "flat" } })).toContain(" 0.0 points")
  })
  it("the headline shows a missing share as –, never as 0", () => {
    expect(words({ value: null, surface: null, uncertainty: null, next: null })).toContain("Share of voice – ▲")
  })
})
