/** For any bytes in any chunks: the same result, no defect, linear time, bounded memory. */
import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { findExponent, maxExponent, startStepCounter, type StepCounter } from "../../support/countSteps.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { importOf } from "../../support/trafficImport.ts"
import { trafficLog } from "../../support/trafficLog.ts"

it("the pieces in which a log arrives make no difference", () => {
  const lines = [...trafficLog(500, 7).pieces].join("")
  const bytes = Buffer.from(`${lines}${"x".repeat(150_000)}\n${[...trafficLog(100, 8).pieces].join("")}`)
  const whole = importOf(bytes)
  expect(whole.hits.length).toBeGreaterThan(50)
  fc.assert(
    fc.property(fc.integer({ min: 500, max: 200_000 }), (chunk) => {
      expect(importOf(bytes, { chunk })).toEqual(whole)
    }),
    { numRuns: 10, examples: [[500], [65_536], [65_537]] }
  )
})

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "\"",
    "\\",
    "[",
    "{\"time\":1,",
    "https://chatgpt.com/",
    "[01/Mar/2026:10:00:00 +0000] \"GET /",
    ",",
    "\r\n",
    "\n",
    "%",
    "\\x",
    "?utm_source="
  )
)

it.each(["combined", "json", "csv", undefined] as const)("any text is either parsed or refused as %s", (format) => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 40 }), (parts) => {
      const { hits, log } = importOf(`time,url,referrer\n${parts.join("")}`, format === undefined ? {} : { format })
      for (const { id, path, source } of hits) {
        expect(id).toHaveLength(8)
        expect(path.length).toBeLessThanOrEqual(512)
        expect(path).not.toMatch(/[?#\u0000-\u001f]/)
        expect(source).toMatch(/^[\w -]+$/)
      }
      if (log !== null) expect(log.badLines).toBeLessThanOrEqual(log.lines)
    }),
    { numRuns: propertyRuns(100) }
  )
})

const combined = (request: string, referrer: string, agent: string): string =>
  `1 - - [01/Mar/2026:10:00:00 +0000] "GET ${request} HTTP/1.1" 200 1 "${referrer}" "${agent}"\n`

let counter: StepCounter
beforeAll(() => {
  counter = startStepCounter()
})
afterAll(() => counter.close())

it.each<[string, (size: number) => string]>([
  ["brackets", (longest) => `${"[".repeat(longest)}\n`],
  ["impossible times", (longest) => `${"[99/Mar/2026:10:00:00 +0000] ".repeat(longest / 29)}\n`],
  ["escaped quotes", (longest) => combined("/", "\\\"".repeat(longest / 2), "x")],
  ["backslashes", (longest) => combined("/", "\\".repeat(longest), "x")],
  ["escapes", (longest) => combined("/", "\\x41".repeat(longest / 4), "x")],
  ["a host of dots", (longest) => combined("/?utm_source=claude", `https://${".".repeat(longest)}`, "x")],
  ["percent signs", (longest) => combined(`/?${"%".repeat(longest)}`, "-", "x")],
  ["fields", (longest) => combined(`/?${"ref&".repeat(longest / 4)}`, "-", "x")],
  ["an agent", (longest) => combined("/", "-", "Applebo".repeat(longest / 7))],
  ["CSV quotes", (longest) => `time,url\n${"\"".repeat(longest)}\n`],
  ["JSON", (longest) => `{"time":${"[".repeat(longest)}\n`]
])("a long line of %s takes a number of steps in proportion to its length", async (_, make) => {
  const log = (size: number): string => `${combined("/", "-", "x")}${make(size)}`
  expect(await findExponent(counter, "log", { make: log }, 16_000)).toBeLessThan(maxExponent)
})
