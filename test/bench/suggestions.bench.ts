/**
 * The cost of searching for untracked brands, compared with measuring the same answers: for answers in which names are
 * searched, for answers in which known names are only counted, and for hostile answers in which every word is a
 * different name. Uses recorded answers if `SOV_RECORDED_ANSWERS` names a folder with `data/answers`, otherwise
 * invented ones. Asserts nothing.
 */
import {
  type AnswerId,
  compileTerms,
  type KeywordId,
  measureWithTerms,
  type PlatformId,
  SuggestionSearch
} from "@sov/core"
import { test } from "vitest"
import { namesOf } from "../domain/tracking/untracked/searchAll.ts"
import { marketAnswers, recorded } from "../support/recordedMarkets.ts"
import { interleaved } from "./interleaved.ts"

type ReadAnswer = Parameters<SuggestionSearch["read"]>[0]

const makeAnswer = (n: number, prompt: string, rawResponse: string): ReadAnswer => ({
  answerId: `answer-${n}` as AnswerId,
  keywordId: prompt as KeywordId,
  platform: `platform-${n % 2}` as PlatformId,
  promptUsed: prompt,
  rawResponse
})

const invented = (n: number): ReadAnswer => {
  const lines = Array.from({ length: 20 }, (_, i) => {
    const brand = `Zorv${String.fromCharCode(97 + (n * 7 + i) % 26)}k`
    return `${i + 1}. **${brand} Ridge ${i}** – light, with good grip; most runners like the ${brand} on wet rock.`
  })
  return makeAnswer(n, `which shoe ${n % 100}?`, `## Best shoes\n\n${lines.join("\n")}\n\nIn short: try them on.`)
}

const answers = recorded === ""
  ? Array.from({ length: 1000 }, (_, n) => invented(n))
  : marketAnswers().map(({ answer, prompt }, n) => makeAnswer(n, prompt, answer))
const bytes = answers.reduce((sum, { rawResponse }) => sum + Buffer.byteLength(rawResponse), 0)

const searched = () => {
  const search = new SuggestionSearch(namesOf("Nobody In Particular"), [])
  for (const answer of answers) search.read(answer)
  for (const answer of answers) search.count(answer)
  return search
}

test("searching and counting are compared with measuring", () => {
  const compiled = compileTerms(namesOf("Nobody In Particular").brand, [])
  const search = searched()
  const times = interleaved(5, {
    search: () => void searched(),
    count: () => answers.forEach((answer) => search.count(answer)),
    measure: () => answers.forEach(({ promptUsed, rawResponse }) => measureWithTerms(compiled, rawResponse, promptUsed))
  })
  for (const kind of ["search", "count"] as const) {
    console.log(
      `${kind}: ${(bytes / times[kind] / 1000).toFixed(1)} MB/s, ${
        (times[kind] / times.measure).toFixed(2)
      } × measuring ` +
        `(${answers.length} answers, ${search.list(new Set()).suggestions.length} names)`
    )
  }
})

/** An answer with a thousand names that occur in no other answer. */
const hostile = (n: number): ReadAnswer => {
  const words = Array.from({ length: 500 }, (_, i) => (n * 500 + i).toString(36))
  return makeAnswer(n, `q${n % 50}?`, words.map((word) => `- **Na${word}x**: good, from Ve${word}n too.`).join("\n"))
}

test("hostile answers are measured in growing numbers", () => {
  for (const count of [500, 1000, 2000]) {
    const search = new SuggestionSearch(namesOf("Nobody In Particular"), [])
    const before = process.cpuUsage()
    for (let n = 0; n < count; n++) search.read(hostile(n))
    for (let n = 0; n < count; n++) search.count(hostile(n))
    search.list(new Set())
    const { system, user } = process.cpuUsage(before)
    const memory = Math.round(process.memoryUsage().rss / 1e6)
    console.log(`${count * 1000} names: ${((user + system) / 1e6).toFixed(1)} s of CPU time, ${memory} MB resident`)
  }
})
