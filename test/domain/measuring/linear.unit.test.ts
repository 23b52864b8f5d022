/**
 * Duty: measuring an answer, explaining it and reading its sources take steps in proportion to its length, whatever it
 * is made of. Steps are counted, not timed: blocks of our JavaScript that ran. What engines do inside of one step
 * (regular expressions, searches in strings) is in the times of `test/bench/hostileAnswers.bench.ts`.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  type CountedWork,
  findExponent,
  maxExponent,
  startStepCounter,
  type StepCounter
} from "../../support/countSteps.ts"
import { fallenShapes, pairShapes, pieces, type Shape, tripleShapes, turnsOf } from "../../support/growingTexts.ts"
import { seededRandom } from "../../support/seededRandom.ts"

const long = process.env["SOV_LONG_TESTS"] === "1"
const random = seededRandom(22)
const pick = (): string => pieces[Math.floor(random() * pieces.length)]!
const repeat = (times: number, make: () => ReadonlyArray<Shape>): ReadonlyArray<Shape> =>
  Array.from({ length: times }, make).flat()

const timeout = long ? 3_600_000 : 300_000

const some: ReadonlyArray<Shape> = [
  ...fallenShapes,
  ...repeat(long ? 1000 : 5, () => pairShapes(pick(), pick())),
  ...repeat(long ? 500 : 2, () => tripleShapes(pick(), pick(), pick()))
]

let counter: StepCounter
beforeAll(() => {
  counter = startStepCounter()
})
afterAll(() => counter.close())

/** Of the shapes, those that are not linear. */
const findSteep = async (work: CountedWork, shapes: ReadonlyArray<Shape>): Promise<ReadonlyArray<string>> => {
  const steep: Array<string> = []
  let again = 0
  for (const shape of shapes) {
    let exponent = await findExponent(counter, work, shape)
    // Tables that are filled on first use, and rules that begin at some length, are in no long text again
    if (!(exponent <= maxExponent)) {
      again++
      exponent = await findExponent(counter, work, shape, 16_384)
    }
    // Also where the counter gives no number
    if (!(exponent <= maxExponent)) steep.push(`${shape.name}: ${exponent.toFixed(2)}`)
  }
  if (long) console.log(`${work}: ${shapes.length} shapes, ${again} counted again, ${steep.length} steep`)
  return steep
}

it("measuring takes linear time for every kind of text", async () => {
  expect(await findSteep("measure", some)).toEqual([])
}, timeout)

it("explaining takes linear time for texts for which measuring once did not", async () => {
  expect(await findSteep("explain", long ? some : fallenShapes)).toEqual([])
}, timeout)

it("reading sources takes linear time in addresses, marks and malformed payloads", async () => {
  const shapes = ["https://", "[1]", "{\"a\":", "\"a\\"].map((piece) => turnsOf(piece))
  expect(await findSteep("sources", long ? some : shapes)).toEqual([])
}, timeout)

it("reading statements about a card takes linear time in sentences, names, quotations and numbers", async () => {
  const shapes = ["Acme. A", "Acme was founded in 2001. ", "\"Acme ", "Acme 1990 ", "Acme, Bolt ", "# Acme\n\n", "1. "]
    .map((piece) => turnsOf(piece))
  expect(await findSteep("claims", shapes)).toEqual([])
}, timeout)

it(
  "searching for changed names takes linear time, and the same number of steps for few and for many names",
  async () => {
    // Invisible text may begin, and end before a letter, at every other place
    const shapes = ["q<", "q]q", "<>q"].map((piece) => turnsOf(piece))
    expect(await findSteep("manyNames", shapes)).toEqual([])
    const text = "q<q>".repeat(450)
    const few = await counter.count("fewNames", text)
    expect(few).toBeGreaterThan(text.length)
    expect(await counter.count("manyNames", text) / few).toBeLessThan(1.1)
  },
  timeout
)
