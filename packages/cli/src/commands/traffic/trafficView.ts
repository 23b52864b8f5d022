/**
 * AI traffic as lines of text: two separate tables, which are never added together, and the reasons why the numbers are
 * low.
 */
import { type AiTraffic, listTrafficDays } from "@sov/core/traffic"
import { printable } from "../../output/Output.ts"
import { renderBar } from "../../render/bars.ts"
import { formatGrouped } from "../../render/counted.ts"
import { displayWidth, truncate } from "../../render/displayWidth.ts"
import type { Canvas } from "../../render/scoreView.ts"
import { wrapSentence } from "../../render/scoreView.ts"
import { renderSparkline } from "../../render/sparkline.ts"

interface Row {
  readonly name: string
  readonly count: number
  readonly days?: ReadonlyArray<{ readonly day: string; readonly count: number }>
  readonly note?: string
}

const maxNameWidth = 40

/** Rows with name, bar, count, sparkline of the days, and note. All bars share one scale, as do all sparklines. */
const rowsText = (rows: ReadonlyArray<Row>, days: ReadonlyArray<string>, canvas: Canvas): ReadonlyArray<string> => {
  const names = rows.map(({ name }) => truncate(printable(name), maxNameWidth))
  const nameWidth = Math.max(0, ...names.map(displayWidth))
  const counts = rows.map(({ count }) => formatGrouped(count))
  const countWidth = Math.max(0, ...counts.map((count) => count.length))
  const histories = rows.map((row) => {
    const byDay = new Map(row.days?.map(({ count, day }) => [day, count]))
    return row.days === undefined || days.length < 2 ? [] : days.map((day) => byDay.get(day) ?? 0)
  })
  const sparkWidth = Math.max(0, ...histories.map((history) => history.length))
  const noteWidth = Math.max(0, ...rows.map(({ note = "" }) => note.length))
  const most = Math.max(0, ...rows.map(({ count }) => count))
  const dayMost = Math.max(0, ...histories.flat())
  const used = 2 + nameWidth + 2 + 2 + countWidth + (sparkWidth === 0 ? 0 : 2 + sparkWidth) +
    (noteWidth === 0 ? 0 : 2 + noteWidth)
  const barWidth = Math.min(30, Math.max(4, canvas.width - used))
  return rows.map((row, n) =>
    [
      `  ${names[n]}${" ".repeat(nameWidth - displayWidth(names[n]!))}`,
      renderBar(row.count, most, barWidth, canvas.blocks),
      counts[n]!.padStart(countWidth),
      ...sparkWidth === 0 ? [] : [renderSparkline(histories[n]!, dayMost, canvas.blocks)],
      ...row.note === undefined ? [] : [canvas.style("dim", row.note)]
    ].join("  ").trimEnd()
  )
}

const makeShareNote = (count: number, what: string): { readonly note?: string } =>
  count === 0 ? {} : { note: `${formatGrouped(count)} ${what}` }

/** The whole report as text. */
export const trafficText = (traffic: AiTraffic, canvas: Canvas): string => {
  const { crawlers, firstDay, lastDay, referrerSignals, tagOnlyVisits } = traffic
  if (firstDay === null || lastDay === null) {
    return "No AI traffic is counted for this time. sov traffic import FILE counts it from a web server's log."
  }
  const days = listTrafficDays(firstDay, lastDay)
  const formatTitle = (name: string, count: number, one: string, many: string, what: string) =>
    wrapSentence(`${name}: ${formatGrouped(count)} ${count === 1 ? one : many} ${what}`, canvas, false).map((line) =>
      canvas.style("bold", line)
    )
  const pages = (found: ReadonlyArray<{ readonly path: string; readonly count: number }>) =>
    found.length === 0 ? [] : [
      "  landing pages",
      ...rowsText(found.map(({ count, path }) => ({ name: path, count })), [], canvas)
    ]
  return [
    `AI traffic ${firstDay} to ${lastDay} (UTC), source table ${traffic.sourceVersions.join(", ")}`,
    "",
    ...formatTitle(
      "Referrer signals",
      referrerSignals.count,
      "request",
      "requests",
      `from a page of an assistant; ${formatGrouped(referrerSignals.tagged)} with a tag, too`
    ),
    ...rowsText(
      referrerSignals.assistants.map(({ count, days: own, name, tagged }) => ({
        name,
        count,
        days: own,
        ...makeShareNote(tagged, "with tag")
      })),
      days,
      canvas
    ),
    ...pages(referrerSignals.landingPages),
    "",
    ...formatTitle(
      "Tag-only visits",
      tagOnlyVisits.count,
      "request",
      "requests",
      `with only a tag; ${formatGrouped(tagOnlyVisits.foreignReferrer)} from other sites`
    ),
    ...rowsText(
      tagOnlyVisits.assistants.map(({ count, days: own, foreignReferrer, name }) => ({
        name,
        count,
        days: own,
        ...makeShareNote(foreignReferrer, "from other sites")
      })),
      days,
      canvas
    ),
    ...pages(tagOnlyVisits.landingPages),
    "",
    ...crawlers === null ? [] : [
      ...formatTitle("Crawlers", crawlers.count, "fetch", "fetches", "that are no visits"),
      ...rowsText(
        crawlers.agents.map(({ agent, count, days: own, purpose }) => ({
          name: agent,
          count,
          days: own,
          ...purpose === "user_triggered_fetch" ? { note: "for a person who asked" } : {}
        })),
        days,
        canvas
      ),
      ""
    ],
    ...wrapSentence("A lower bound, and two numbers that must not be added up:", canvas, false),
    ...traffic.lowerBound.reasons.flatMap((reason) =>
      wrapSentence(reason, { ...canvas, width: canvas.width - 2 }, false).map((line, n) =>
        `${n === 0 ? "-" : " "} ${line}`
      )
    ),
    ...wrapSentence(traffic.lowerBound.caveat, canvas, false)
  ].join("\n")
}
