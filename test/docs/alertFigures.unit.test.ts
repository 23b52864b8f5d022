/** The rates of false alarms in the alert settings are the same as in docs/alerts.md. */
import { falseAlarms } from "@sov/core"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const page = readFileSync(join(import.meta.dirname, "../../docs/alerts.md"), "utf8")
const rows = new Map(
  [...page.matchAll(/^\| ([^|]+?) +\| ([\d.]+) +\| ([\d.]+) +\|$/gm)].map(([, situation, immediate, confirmed]) => [
    situation!,
    [Number(immediate), Number(confirmed)]
  ])
)

it("the table on the page lists every situation once, with the same two numbers as the code", () => {
  const shown = Object.values(falseAlarms).flat()
  expect(shown.map(({ confirmed, immediate, situation }) => [situation, [immediate, confirmed]])).toEqual([...rows])
  expect(rows.size).toBe(5)
})
