/**
 * Checks that measuring takes time proportional to an answer's length, up to 4 MiB, whatever it contains. Fits the
 * exponent of CPU time over size for shapes that once took quadratic time, and for pairs and triples of pieces drawn by
 * a seed (`SOV_BENCH_SEED`, `SOV_BENCH_PAIRS`, `SOV_BENCH_TRIPLES`), up to `SOV_BENCH_MAX_SIZE`. Fails if an exponent
 * exceeds 1.15.
 */
import { compileTerms, measureWithTerms } from "@sov/core"
import { appendFileSync } from "node:fs"
import { expect, it } from "vitest"
import { fallenShapes, pairShapes, pieces, type Shape, tripleShapes } from "../support/growingTexts.ts"
import { seededRandom } from "../support/seededRandom.ts"

const maxExponent = 1.15
/** The largest size, and an eighth and a sixty-fourth of it. */
const maxSize = Number(process.env["SOV_BENCH_MAX_SIZE"] ?? 4_194_304)
const sizes = [maxSize / 64, maxSize / 8, maxSize]
const pairs = Number(process.env["SOV_BENCH_PAIRS"] ?? 320)
const triples = Number(process.env["SOV_BENCH_TRIPLES"] ?? 60)

const random = seededRandom(Number(process.env["SOV_BENCH_SEED"] ?? 22))
const draw = <A>(values: ReadonlyArray<A>): A => values[Math.floor(random() * values.length)]!
const drawPiece = (): string => draw(pieces)

const shapes: ReadonlyArray<Shape> = [
  ...fallenShapes,
  ...Array.from({ length: pairs }, () => draw(pairShapes(drawPiece(), drawPiece()))),
  ...Array.from({ length: triples }, () => draw(tripleShapes(drawPiece(), drawPiece(), drawPiece())))
]

const named = (name: string, domains: ReadonlyArray<string> = []) => ({ name, aliases: [], domains })
const compiled = compileTerms(
  named("Acme", ["acme.example"]),
  ["Bolt", "滴滴", "ライン", "ไลน์", "라인"].map((name) => named(name))
)

/** The CPU clock may advance only every few milliseconds, so short texts are measured repeatedly for this long. */
const leastMs = 25

/** CPU time of this thread in milliseconds, which excludes other work on the machine. */
const measureMs = (text: string): number => {
  const before = process.threadCpuUsage()
  for (let runs = 1;; runs++) {
    measureWithTerms(compiled, text, "is the best anvil good?")
    const { system, user } = process.threadCpuUsage(before)
    const ms = (system + user) / 1000
    if (ms >= leastMs) return ms / runs
  }
}

interface Point {
  readonly size: number
  readonly ms: number
}

/** The slope of a line through the logarithms, by least squares. */
const fitExponent = (points: ReadonlyArray<Point>): number => {
  const xs = points.map(({ size }) => Math.log(size))
  const ys = points.map(({ ms }) => Math.log(ms))
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const covariance = xs.reduce((sum, value, i) => sum + (value - x) * (ys[i]! - y), 0)
  return covariance / xs.reduce((sum, value) => sum + (value - x) ** 2, 0)
}

/** The smallest time of several runs; slow cases get fewer runs. */
const findPoints = ({ make }: Shape, runs: number): ReadonlyArray<Point> =>
  sizes.map((size) => {
    const text = make(size)
    const times = Array.from({ length: size > 1_000_000 ? 1 + (runs >> 2) : runs }, () => measureMs(text))
    return { size: text.length, ms: Math.min(...times) }
  })

it("answers of up to 4 MiB are measured in linear time", () => {
  for (const piece of pieces) measureMs(`Acme ${piece.repeat(500)}`)
  const fitted = shapes.map((shape) => {
    let points = findPoints(shape, 3)
    // A shape that looks steep is measured again, because the times of small texts are short enough to vary by chance
    for (let tries = 0; tries < 2 && fitExponent(points) > maxExponent; tries++) points = findPoints(shape, 8)
    const found = { name: shape.name, exponent: fitExponent(points), ms: points.at(-1)!.ms }
    const log = process.env["SOV_BENCH_LOG"]
    if (log !== undefined) appendFileSync(log, `${found.exponent.toFixed(3)} ${found.ms.toFixed(0)} ${found.name}\n`)
    return found
  }).toSorted((a, b) => b.exponent - a.exponent)
  const slowest = fitted.toSorted((a, b) => b.ms - a.ms).slice(0, 3)
  console.log(
    `${fitted.length} shapes of up to ${maxSize} characters: exponent ${fitted[0]!.exponent.toFixed(2)} at most (${
      fitted[0]!.name
    }), ` +
      `${fitted[fitted.length >> 1]!.exponent.toFixed(2)} in the middle; slowest ${
        slowest.map(({ ms, name }) => `${(ms / 1000).toFixed(1)} s (${name})`).join(", ")
      }`
  )
  expect(fitted.filter(({ exponent }) => !(exponent <= maxExponent))).toEqual([])
}, 7_200_000)
