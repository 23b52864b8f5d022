/** sov competitor suggest: finds brands that answers name and that are not tracked. */
import type { OrganizationId } from "@sov/core/common"
import { planRescore } from "@sov/core/measuring"
import { wholeHistory } from "@sov/core/organizations"
import { roundHalfUp, simulatedJson } from "@sov/core/scoring"
import {
  acceptSuggestion,
  Competitor,
  describeExample,
  entityJson,
  ignoreSuggestion,
  type JudgedSuggestions,
  judgeSuggestions,
  noMarketText,
  restoreSuggestion,
  suggestCompetitors,
  type Suggestion,
  suggestionJson,
  type Suggestions
} from "@sov/core/tracking"
import { Effect } from "effect"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { integerOption } from "../../input/integerOption.ts"
import { type Output, printable } from "../../output/Output.ts"
import { withProgress } from "../../output/rowProgress.ts"
import { formatGrouped, pluralizeGrouped } from "../../render/counted.ts"
import { truncate } from "../../render/displayWidth.ts"
import { platformsLayer, runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { rescoredText, rescoreJson } from "../rescore/rescoreReport.ts"

/** Maximum values of `--limit` and of `--max-answers`. */
const maxShown = 200
const maxReadAnswers = 10_000_000

interface SuggestOptions extends GlobalOptions {
  readonly limit: string
  readonly maxAnswers: string
  readonly judge?: boolean
  readonly accept?: string
  readonly ignore?: string
  readonly restore?: string
}

const accept = Effect.fnUntraced(function*(out: Output, organizationId: OrganizationId, name: string) {
  const { answers, measured } = yield* planRescore(organizationId, {})
  const { changed, done, entity, plan } = yield* withProgress(
    out,
    "Measuring",
    // If there is a new name, all answers must be measured again
    Math.max(answers, measured),
    (onMeasured) => acceptSuggestion(organizationId, name, onMeasured)
  )
  out.result({ accepted: entityJson(entity), changed, ...rescoreJson(plan, done) }, () =>
    [
      changed ? `Tracked as a competitor: ${printable(entity.name)}.` : `Tracked already: ${printable(entity.name)}.`,
      rescoredText(plan, done)
    ].join("\n"))
})

const ignore = Effect.fnUntraced(function*(out: Output, organizationId: OrganizationId, name: string) {
  const isNew = yield* ignoreSuggestion(organizationId, name)
  out.result(
    { ignored: name, changed: isNew },
    () => isNew ? `${printable(name)} is not suggested any more.` : `${printable(name)} was ignored already.`
  )
})

const restore = Effect.fnUntraced(function*(out: Output, organizationId: OrganizationId, name: string) {
  const wasIgnored = yield* restoreSuggestion(organizationId, name)
  out.result(
    { restored: name, changed: wasIgnored },
    () => wasIgnored ? `${printable(name)} is suggested again.` : `${printable(name)} was not ignored.`
  )
})

const exampleLines = (out: Output, { examples, name, products }: Suggestion): ReadonlyArray<string> => [
  ...products.length === 0 ? [] : [`  counts ${products.map(printable).join(", ")}, too`],
  ...examples.map((example) =>
    `  ${out.platformName(example.answer.platform)}: ${printable(describeExample(name, example)).replace(/\s+/g, " ")}`
  )
]

/** The judge's decisions as members of the JSON. */
const judgedJson = ({ dropped, failure, judgedBy }: JudgedSuggestions) => ({
  judged_by: judgedBy,
  judge_dropped: dropped,
  judge_failure: failure
})

const judgedText = ({ dropped, failure, judgedBy }: JudgedSuggestions): string =>
  `Judge: ${judgedBy}, an AI model, took away ${pluralizeGrouped(dropped.length, "name")}${
    dropped.length === 0 ? "" : `: ${dropped.map(printable).join(", ")}`
  }.${failure === null ? "" : ` It did not decide on all, so rules stand for the rest: ${printable(failure)}`}`

const findSuggestions = Effect.fnUntraced(
  function*(out: Output, organizationId: OrganizationId, maxAnswers: number) {
    const progress = yield* planRescore(organizationId, {})
    return yield* withProgress(
      out,
      "Reading",
      // The progress counts each answer twice, because each is read twice
      2 * Math.min(progress.answers, maxAnswers),
      (onRead) => suggestCompetitors(organizationId, wholeHistory, { maxAnswers }, onRead)
    )
  }
)

const noteLessSure = (out: Output, { isMarket, lessSure }: Suggestions): void => {
  if (!isMarket) out.note(noMarketText)
  if (lessSure.length === 0) return
  const names = lessSure.slice(0, 10).map(({ name }) => printable(name)).join(", ")
  out.note(`Less sure: ${names}${lessSure.length > 10 ? ", …" : ""}`)
}

const printSuggestions = (out: Output, found: Suggestions, limit: number, judged: JudgedSuggestions | null) => {
  const shown = found.suggestions.slice(0, limit)
  const rows = shown.map(suggestionJson)
  const facts = {
    scans: found.scans,
    answers: found.answers,
    names_market: found.isMarket,
    less_sure: found.lessSure.slice(0, limit).map(suggestionJson),
    ...simulatedJson(found.simulated),
    ...judged === null ? {} : judgedJson(judged)
  }
  out.list(rows, [
    { header: "NAME", cell: (row) => printable(row.name) },
    { header: "SHARE %", cell: (row) => roundHalfUp(row.share, 1).toFixed(1), align: "right" },
    { header: "ANSWERS", cell: (row) => formatGrouped(row.answers), align: "right" },
    { header: "CELLS", cell: (row) => formatGrouped(row.cells), align: "right" },
    { header: "PLATFORMS", cell: (row) => row.platforms.map(out.platformName).join(", ") }
  ], {
    wrap: { suggestions: rows, total: found.suggestions.length, ...facts },
    empty: `No name stands out in ${pluralizeGrouped(found.answers, "answer")} that is not tracked or ignored already.`
  })
  if (!out.machine) noteLessSure(out, found)
  if (!out.machine && judged !== null) out.note(judgedText(judged))
  if (out.machine || shown.length === 0) return
  const width = out.tty.out ? process.stdout.columns || 80 : 160
  out.line()
  for (const one of shown.slice(0, 5)) {
    out.line(printable(one.name))
    for (const line of exampleLines(out, one)) out.line(truncate(line, width))
  }
  out.note(
    `${found.simulated ? "SIMULATED: " : ""}${pluralizeGrouped(found.suggestions.length, "name")} found by rules in ${
      pluralizeGrouped(found.answers, "answer")
    } of ${pluralizeGrouped(found.scans, "scan")}${found.isPart ? "; older ones were left out" : ""}. ` +
      "Share: what it would have had, tracked beside the present names. " +
      "Track one: sov competitor suggest --accept NAME; leave one out: --ignore NAME."
  )
}

export const suggest = (options: SuggestOptions) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const limit = yield* integerOption("--limit", options.limit, 1, maxShown)
    const maxAnswers = yield* integerOption("--max-answers", options.maxAnswers, 1, maxReadAnswers)
    const { id } = yield* currentOrganization(options)
    if (options.accept !== undefined) {
      return yield* accept(out, id, yield* decodeInput(Competitor.fields.name, options.accept, "--accept"))
    }
    if (options.ignore !== undefined) {
      return yield* ignore(out, id, yield* decodeInput(Competitor.fields.name, options.ignore, "--ignore"))
    }
    if (options.restore !== undefined) {
      return yield* restore(out, id, yield* decodeInput(Competitor.fields.name, options.restore, "--restore"))
    }
    const found = yield* findSuggestions(out, id, maxAnswers)
    if (options.judge !== true) return printSuggestions(out, found, limit, null)
    const judged = yield* judgeSuggestions(id, found, { limit, describe: describeExample }).pipe(
      Effect.provide(platformsLayer(options))
    )
    printSuggestions(out, judged, limit, judged)
  })
