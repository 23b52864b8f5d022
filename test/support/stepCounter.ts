/**
 * A process that counts the steps of measuring and of reading sources and logs: `node stepCounter.ts`. It reads one
 * `["measure", text]` per line, and prints for each the number of blocks of core's JavaScript that ran. V8's precise
 * coverage counts the blocks, so the number is the same on every machine, however busy.
 */
import { Session } from "node:inspector/promises"
import { createInterface } from "node:readline"
import { pieces } from "./growingTexts.ts"

const session = new Session()
session.connect()
await session.post("Profiler.enable")
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })
// Only code compiled from now on is counted
const { captureAnswer, checkedFacts, compareTerms, compileTerms, explainWithTerms, measureWithTerms, readClaims } =
  await import("@sov/core")
const { importOf } = await import("./trafficImport.ts")

const named = (name: string, domains: ReadonlyArray<string> = []) => ({ name, aliases: [], domains })
const compiled = compileTerms(
  named("Acme", ["acme.example"]),
  ["Bolt", "滴滴", "ライン", "ไลน์", "라인"].map((name) => named(name))
)

/** A change of names that adds this many competitors. */
const adding = (count: number) => {
  const before = { brand: named("Acme"), competitors: [], excludes: [] }
  const competitors = Array.from({ length: count }, (_, n) => ({ ...named(`Bolt${n} Works${n}`), id: `${n}` }))
  return compareTerms(before, { ...before, competitors })!
}
const card = new Map([
  ["founding_date", "1998"],
  ["employees", "250"],
  ["locality", "Bremen"],
  ["founders", "Ada Example"]
].map(([field, text]) => [field as "locality", { value: [text!], source: "a test", updatedAt: new Date(0) }]))
const facts = checkedFacts(card, [])
const [fewNames, manyNames] = [adding(2), adding(100)]

const work: Readonly<Record<string, (text: string) => void>> = {
  measure: (text) => void measureWithTerms(compiled, text, "is the best anvil good?"),
  explain: (text) => void explainWithTerms(compiled, text, "is the best anvil good?"),
  sources: (text) =>
    void captureAnswer("openai-responses", {
      text,
      payload: new TextEncoder().encode(text),
      citations: [],
      model: "m",
      finish: "stop",
      usage: { inputTokens: 1, outputTokens: 1, costUsd: null },
      latencyMs: 1,
      simulated: false
    }),
  log: (text) => void importOf(text),
  fewNames: (text) => void fewNames.mayConcern(text, "which?"),
  claims: (text) => void readClaims(text, compiled, facts),
  manyNames: (text) => void manyNames.mayConcern(text, "which?")
}
/** The steps since the previous call. */
const readSteps = async (): Promise<number> => {
  const { result } = await session.post("Profiler.takePreciseCoverage")
  let steps = 0
  for (const { functions, url } of result) {
    if (!url.includes("/core/")) continue
    for (const { ranges } of functions) for (const { count } of ranges) steps += count
  }
  return steps
}

// Tables that are filled on first use must not count toward a text
for (const piece of pieces) work["explain"]!(`Acme ${piece.repeat(3)}`)
work["log"]!("a\n")
await readSteps()

for await (const line of createInterface({ input: process.stdin })) {
  const [name, text] = JSON.parse(line) as readonly [string, string]
  work[name]!(text)
  process.stdout.write(`${await readSteps()}\n`)
}
