/**
 * `npm run benchmark:noise`: simulates panels in which nothing changes. Writes to docs/measuring.md how often intervals
 * contained the true value and how often changes were marked, and to docs/alerts.md how often alerts were raised. Takes
 * four minutes on one core.
 */
import { intervalKinds, markKinds, noiseAlerts } from "@sov/core"
import { readFileSync, writeFileSync } from "node:fs"
import { measureWorld, noiseWorlds, ordinaryWorld } from "../support/noiseWorlds.ts"

const [panels, scans] = [20, 60]
const percent = (part: number, whole: number) => whole === 0 ? "none" : `${(100 * part / whole).toFixed(1)} %`

const rows = noiseWorlds.map((world) => {
  const { comparisons, intervals, marked } = measureWorld(world, panels, scans)
  const held = intervalKinds.map((kind) => percent(intervals[kind].held, intervals[kind].of))
  const row = [world.name, ...held, ...markKinds.map((kind) => percent(marked[kind], comparisons))]
  process.stderr.write(`${row.join(" ")}\n`)
  return row
})
const header = [
  "panel",
  ...intervalKinds.map((kind) => `interval: ${kind}`),
  ...markKinds.map((kind) => `mark: ${kind}`)
]
const table = [header, ["---", ...header.slice(1).map(() => "---:")], ...rows].map((row) => `| ${row.join(" | ")} |`)

/** Inserts a table between its markers on a page of docs/. */
const write = (name: string, lines: ReadonlyArray<string>) => {
  const page = new URL(`../../docs/${name}`, import.meta.url)
  const [begin, end] = ["<!-- noise: begin -->", "<!-- noise: end -->"]
  const [before, rest] = readFileSync(page, "utf8").split(begin)
  writeFileSync(page, `${before}${begin}\n\n${lines.join("\n")}\n\n${end}${rest!.split(end)[1]}`)
}

/**
 * Alerts in a year of weekly scans with the threshold at the true share of voice, by number of topics, on five
 * platforms.
 */
const sizes = [1, 2, 3, 4, 10, 20].map((topics) => {
  const { alerts, comparisons } = measureWorld({ ...ordinaryWorld, topics }, panels, 52)
  const row = [`${5 * topics}`, ...noiseAlerts.map((alert) => (52 * alerts[alert] / comparisons).toFixed(1))]
  process.stderr.write(`${row.join(" ")}\n`)
  return `| ${row.join(" | ")} |`
})
write("alerts.md", [
  `| cells | ${noiseAlerts.map((alert) => alert.replace(/\S+/, "`$&`")).join(" | ")} |`,
  `| ---: | ${noiseAlerts.map(() => "---:").join(" | ")} |`,
  ...sizes
])
write("measuring.md", table)
