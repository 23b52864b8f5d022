/**
 * `npm run benchmark:noise`: simulates panels in which nothing changes, and writes what intervals held and what was
 * marked to docs/measuring.md. It takes three minutes of one core.
 */
import { intervalKinds, markKinds } from "@sov/core"
import { readFileSync, writeFileSync } from "node:fs"
import { measureWorld, noiseWorlds } from "../support/noiseWorlds.ts"

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

const page = new URL("../../docs/measuring.md", import.meta.url)
const [begin, end] = ["<!-- noise: begin -->", "<!-- noise: end -->"]
const [before, rest] = readFileSync(page, "utf8").split(begin)
writeFileSync(page, `${before}${begin}\n\n${table.join("\n")}\n\n${end}${rest!.split(end)[1]}`)
