/**
 * `npm run benchmark:truth`: measures labelled cases, prints the results by language and class, and writes them to
 * docs/benchmark.md. Includes recorded answers if `SOV_RECORDED_ANSWERS` names a folder with them; they are not part of
 * this project.
 */
import { measureAnswer, measureVersion, mentionRate } from "@sov/core"
import { readFileSync, writeFileSync } from "node:fs"
import { findAll } from "../domain/tracking/untracked/searchAll.ts"
import { marketAnswers, recorded } from "../support/recordedMarkets.ts"
import { addScores, type LabelledMarket, scoreNames, type SuggestionScore } from "../support/suggestionScores.ts"

interface Named {
  readonly name: string
  readonly aliases?: ReadonlyArray<string>
  readonly domains?: ReadonlyArray<string>
}

interface MentionCase extends Omit<Named, "name"> {
  readonly lang: string
  readonly brand: string
  readonly competitors?: ReadonlyArray<Named | string>
  readonly excludes?: ReadonlyArray<string>
  readonly prompt?: string
  readonly text: string
}

interface Labelled {
  readonly expect: { readonly mentioned: boolean; readonly count: number; readonly position: number | null }
}

const readText = (file: string): string => readFileSync(new URL(`../fixtures/${file}`, import.meta.url), "utf8").trim()
const readLines = <A>(file: string): ReadonlyArray<A> =>
  readText(`${file}.jsonl`).split("\n").map((line): A => JSON.parse(line))

const toEntity = (named: Named | string) => {
  const { aliases = [], domains = [], name } = typeof named === "string" ? { name: named } : named
  return { name, aliases, domains }
}
const measure = (one: MentionCase) =>
  measureAnswer({
    text: one.text,
    brand: toEntity({ ...one, name: one.brand }),
    competitors: (one.competitors ?? []).map(toEntity),
    excludes: one.excludes ?? [],
    ...one.prompt === undefined ? {} : { prompt: one.prompt }
  })

const percent = (right: number, of: number): string => of === 0 ? "–" : `${Math.round(1000 * right / of) / 10} %`
const share = <A>(some: ReadonlyArray<A>, isRight: (one: A) => boolean): string =>
  percent(some.filter(isRight).length, some.length)
const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string | number>>): string =>
  [header, header.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")
const byLanguage = <A extends { readonly lang: string }>(
  all: ReadonlyArray<A>
): ReadonlyArray<[string, ReadonlyArray<A>]> => [
  ["all", all],
  ...[...Map.groupBy(all, ({ lang }) => lang)].toSorted(([a], [b]) => a < b ? -1 : 1)
]

const mentions = (): string => {
  const cases = readLines<MentionCase & Labelled>("mention-cases").map((one) => ({ ...one, found: measure(one) }))
  const rows = byLanguage(cases).map(([lang, some]) => {
    const told = some.filter(({ found }) => found.mentioned)
    const meant = some.filter(({ expect }) => expect.mentioned)
    return [
      lang,
      some.length,
      share(told, ({ expect }) => expect.mentioned),
      share(meant, ({ found }) => found.mentioned),
      share(some, ({ expect, found }) => found.count === expect.count),
      share(some, ({ expect, found }) => found.position === expect.position)
    ]
  })
  const confusion = [true, false].map((meant) => [
    meant ? "names the brand" : "does not",
    ...[true, false].map((told) =>
      cases.filter(({ expect, found }) => expect.mentioned === meant && found.mentioned === told).length
    )
  ])
  return `${table(["Language", "Cases", "Precision", "Recall", "Count right", "Position right"], rows)}\n\n${
    table(["Expected", "Found: names the brand", "Found: does not"], confusion)
  }`
}

const homonyms = (): string => {
  const sets = { "lists built on them": "homonym-cases", "half held out": "homonym-cases.heldout" }
  const files = {
    ...sets,
    "written later": "homonym-cases.fresh",
    "names outside the list": "homonym-cases.unseen",
    "written last": "homonym-cases.later"
  }
  const rows = Object.entries(files).map(([title, file]) => {
    const cases = readLines<MentionCase & { readonly count: number }>(file)
      .map((one) => ({ ...one, found: measure(one).count }))
    const words = cases.filter(({ count }) => count === 0)
    const names = cases.filter(({ count }) => count > 0)
    return [
      title,
      words.length,
      share(words, ({ found }) => found === 0),
      names.length,
      share(names, ({ count, found }) => found === count)
    ]
  })
  return table(["Cases", "Words", "Words told", "Names", "Names kept"], rows)
}

const classes = ["positive", "neutral", "negative"] as const
type Judged = { readonly lang: string; readonly expected: string; readonly found: string | null }

const macroF1 = (cases: ReadonlyArray<Judged>): string => {
  const used = classes.filter((one) => cases.some(({ expected, found }) => expected === one || found === one))
  const scores = used.map((one) => {
    const expected = cases.filter((item) => item.expected === one).length
    const found = cases.filter((item) => item.found === one).length
    return 2 * cases.filter((item) => item.expected === one && item.found === one).length / (expected + found)
  })
  return (scores.reduce((sum, one) => sum + one, 0) / used.length).toFixed(2)
}

const sentiments = (): string => {
  const cases = ["", ".languages", ".scope", ".turns", ".plain", ".later"]
    .flatMap((part) => readLines<MentionCase & Judged>(`sentiment-cases${part}`))
    .map(({ ...one }) => ({ ...one, found: measure(one).sentiment }))
  const isFlip = ({ expected, found }: Judged): boolean =>
    found !== expected && expected !== "neutral" && found !== "neutral" && found !== null
  const rows = byLanguage(cases).map(([lang, some]) => [
    lang,
    some.length,
    macroF1(some),
    share(some, isFlip),
    share(some, ({ found }) => found === null)
  ])
  const confusion = byLanguage(cases).flatMap(([lang, some]) =>
    classes.map((row) => [
      lang,
      row,
      ...[...classes, null].map((column) =>
        some.filter(({ expected, found }) => expected === row && found === column).length
      )
    ])
  )
  return `${table(["Language", "Cases", "Macro-F1", "Opposite", "Not judged"], rows)}\n\n${
    table(["Language", "Expected", "Found positive", "Found neutral", "Found negative", "Not judged"], confusion)
  }`
}

/** Agreement of two labellers: Cohen's kappa, with an interval derived from Wilson's interval of the agreement. */
const agreement = (): string => {
  const second = JSON.parse(readText("sentiment-second-labels.json")) as Readonly<Record<string, string>>
  const pairs = ["", ".languages"].flatMap((part) => readLines<Judged & { id: string }>(`sentiment-cases${part}`))
    .flatMap(({ expected, id }) => second[id] === undefined ? [] : [[expected, second[id]] as const])
  const of = (index: 0 | 1, one: string): number => pairs.filter((pair) => pair[index] === one).length / pairs.length
  const chance = classes.reduce((sum, one) => sum + of(0, one) * of(1, one), 0)
  const { high, low, mentioned, rate } = mentionRate(pairs.filter(([a, b]) => a === b).length, pairs.length)!
  const [kappa, from, to] = [rate, low, high].map((one) => ((one / 100 - chance) / (1 - chance)).toFixed(2))
  return `${mentioned} of ${pairs.length}, kappa ${kappa} (95 %: ${from} to ${to})`
}

const suggestionRow = (title: string, { found, listed, right, wanted }: SuggestionScore): ReadonlyArray<string> => [
  title,
  `${percent(right, listed)} (${right}/${listed})`,
  `${percent(found, wanted)} (${found}/${wanted})`
]

interface WrittenLanguage {
  readonly language: string
  readonly brands: ReadonlyArray<string>
  readonly answers: ReadonlyArray<readonly [prompt: string, text: string]>
}

const suggestions = (): string => {
  const written = ["suggestion-languages", "suggestion-languages-blind"].flatMap((file) =>
    (JSON.parse(readText(`${file}.json`)) as ReadonlyArray<WrittenLanguage>).map(({ answers, brands, language }) => {
      const found = findAll(answers.map(([prompt, text], n) => ({
        id: `${n}`,
        platform: n % 2 === 0 ? "assistant_a" : "assistant_b",
        prompt,
        text
      })))
      const label = { brands: brands.map((name) => [name]), either: [] }
      return suggestionRow(
        `${language}, ${file.endsWith("blind") ? "put away" : "fitted"}, 12 answers`,
        scoreNames(found.suggestions.map(({ name }) => name), label)
      )
    })
  )
  if (recorded === "") return table(["Answers", "Precision", "Recall"], written)
  const all = marketAnswers()
  const labels = JSON.parse(readText("brand-labels.json")) as ReadonlyArray<LabelledMarket>
  const scores = labels.map((label) => {
    const own = all.filter(({ market }) => market === label.market)
    const found = findAll(own.map(({ answer, id, platform, prompt }) => ({ id, platform, prompt, text: answer })))
    return { label, score: scoreNames(found.suggestions.map(({ name }) => name), label) }
  })
  const halves = (["put away", "fitted"] as const).flatMap((half) => {
    const own = scores.filter(({ label }) => label.half === half)
    return [
      suggestionRow(`**${own.length} markets, ${half}, 24 answers each**`, addScores(own.map(({ score }) => score))),
      ...own.map(({ label, score }) => suggestionRow(label.market, score))
    ]
  })
  return table(["Answers", "Precision", "Recall"], [...halves, ...written])
}

const page = `# Benchmark

<!-- Written by npm run benchmark:truth; do not edit. -->

Labelled cases, measured by the rules of version ${measureVersion}. The cases are in \`test/fixtures/\`. One author
labelled each of them, by the rules of [measuring](measuring.md) and [suggestions](suggestions.md). A second
labeller, who works on the rules, too, labelled 100 cases of sentiment, drawn by a seed, from their texts alone and
without the first labels: the same in ${agreement()}. Of mentions and
suggestions no agreement is known. Rules were made with nearly all of the cases, so they do worse on new answers: the
[first runs](measuring.md#accuracy) are lower.

No weights were fitted to cases that are marked "put away", but their figures were seen while rules changed. The unseen
first run, and how the labels were made, are in [suggestions](suggestions.md#how-good-it-is).

## Mentions and position

Cases that need understanding are included.

${mentions()}

## Names that are words

Words told: of the sentences that mean the ordinary word, those in which the name does not count. Names kept: of the
sentences that mean the company, those with the right count.

${homonyms()}

## Sentiment

Opposite: positive for negative, or the other way.

${sentiments()}

## Suggestions

Names with a confidence of .5 or more ([suggestions](suggestions.md#how-good-it-is)). The recorded answers are not part
of this project; their labels are (\`test/fixtures/brand-labels.json\`).

${suggestions()}
`

process.stdout.write(page)
writeFileSync(new URL("../../docs/benchmark.md", import.meta.url), page)
