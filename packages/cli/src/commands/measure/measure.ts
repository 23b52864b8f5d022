/**
 * sov measure, sov keyword test: shows which mentions count in a text, and why. Asks no platform and stores nothing.
 */
import {
  type Candidate,
  type EntityTerms,
  type Explained,
  explainText,
  measureVersion,
  termConflicts
} from "@sov/core/measuring"
import { Name } from "@sov/core/organizations"
import { DomainName, readTrackedSet } from "@sov/core/tracking"
import { Effect } from "effect"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { readText } from "../../input/readText.ts"
import { type Output, printable } from "../../output/Output.ts"
import { runForOrganization, runWithoutDatabase } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { explanationView, type ShownCandidate } from "./explanationView.ts"

interface MeasureOptions extends GlobalOptions {
  readonly brand?: string
  readonly alias?: ReadonlyArray<string>
  readonly domain?: ReadonlyArray<string>
  readonly competitor?: ReadonlyArray<string>
  readonly exclude?: ReadonlyArray<string>
  readonly context?: ReadonlyArray<string>
  readonly prompt?: string
  readonly all?: boolean
}

interface Entities {
  readonly brand: EntityTerms
  readonly competitors: ReadonlyArray<EntityTerms>
  readonly excludes: ReadonlyArray<string>
}

/**
 * Maximum length of a text, in millions of characters. It is far longer than any answer, but limits the use of memory.
 */
const maxTextMillion = 16

/** The entities that flags name; null if there are no such flags. */
const parseEntityFlags = Effect.fnUntraced(function*(options: MeasureOptions) {
  const { alias = [], competitor = [], context = [], domain = [], exclude = [] } = options
  if (options.brand === undefined) {
    if ([alias, competitor, context, domain, exclude].every((given) => given.length === 0)) return null
    return yield* Effect.fail(usageError("--alias, --domain, --context, --competitor and --exclude go with --brand"))
  }
  const decodeNames = (given: ReadonlyArray<string>, field: string) =>
    Effect.forEach(given, (name) => decodeInput(Name, name, field))
  const entities: Entities = {
    brand: {
      name: yield* decodeInput(Name, options.brand, "--brand"),
      aliases: yield* decodeNames(alias, "--alias"),
      domains: yield* Effect.forEach(domain, (host) => decodeInput(DomainName, host, "--domain")),
      context: yield* decodeNames(context, "--context")
    },
    competitors: (yield* decodeNames(competitor, "--competitor")).map((name) => ({ name, aliases: [], domains: [] })),
    excludes: yield* decodeNames(exclude, "--exclude")
  }
  const [twice] = termConflicts(entities.brand, entities.competitors, entities.excludes)
  return twice === undefined ? entities : yield* Effect.fail(usageError(`"${twice}" is given for two of them`))
})

/** Creates a function that converts offsets to 1-based lines and columns; the offsets must be ascending. */
const makePositionFinder = (text: string) => {
  let line = 1
  let start = 0
  let at = 0
  return (offset: number) => {
    for (; at < offset; at++) {
      if (text[at] === "\n" || (text[at] === "\r" && text[at + 1] !== "\n")) {
        line++
        start = at + 1
      }
    }
    return { line, column: offset - start + 1 }
  }
}

const explanationJson = (text: string, entities: Entities, { candidates, measured }: Explained) => {
  const placeOf = makePositionFinder(text)
  const nameOf = ({ entity }: Candidate): string | null =>
    entity === "brand" ? entities.brand.name : entity === "exclude" ? null : entities.competitors[entity]!.name
  const named = new Set(measured.mentions.flatMap(({ entity }) => entity === "brand" ? [] : [entity]))
  return {
    brand: entities.brand.name,
    brand_mentioned: measured.mentioned,
    mention_count: measured.count,
    mention_position: measured.position,
    sentiment: measured.sentiment,
    competitors_mentioned: [...named].map((index) => entities.competitors[index]!.name),
    measure_version: measureVersion,
    candidates: candidates.map((found) => ({
      role: typeof found.entity === "number" ? "competitor" : found.entity,
      name: nameOf(found),
      term: found.term,
      text: text.slice(found.start, found.end),
      start: found.start,
      end: found.end,
      ...placeOf(found.start),
      accepted: found.accepted,
      rule: found.rule,
      verdict: found.verdict,
      reason: found.reason
    } satisfies ShownCandidate & { readonly name: string | null; readonly text: string; readonly verdict: string }))
  }
}

const explanationText = (
  out: Output,
  text: string,
  found: ReturnType<typeof explanationJson>,
  all: boolean
): string => {
  const brand = printable(found.brand)
  const summary = found.brand_mentioned
    ? `${brand} is named ${found.mention_count}×, position ${found.mention_position}, ${
      found.sentiment ?? "sentiment not judged"
    }`
    : `${brand} is not named`
  const rivals = found.competitors_mentioned.map(printable).join(", ")
  const entries = explanationView(text, found.candidates, (style, shown) => out.style(style, shown), all)
  return [
    `${out.style("bold", summary)}${rivals === "" ? "" : `; competitors named: ${rivals}`}`,
    ...entries === "" ? ["The text contains no tracked name."] : ["", entries]
  ].join("\n")
}

const printExplanation = Effect.fnUntraced(
  function*(out: Output, text: string, entities: Entities, { all = false, prompt = "" }: MeasureOptions) {
    const found = explanationJson(text, entities, yield* explainText(entities, { text, prompt }))
    out.result(found, () => explanationText(out, text, found, all))
  }
)

/** Measures a text. If flags name the tracked entities, no database is opened. */
const runMeasure = (options: MeasureOptions, source: Effect.Effect<string, CliError>) =>
  options.brand === undefined
    ? runForOrganization(
      options,
      { repeatable: true, before: parseEntityFlags(options) },
      function*({ out }, organization) {
        const set = yield* readTrackedSet(organization.id).pipe(Effect.mapError((error) =>
          error._tag === "NotReady"
            ? new CliError("no-brand", exitCodes.notFound, "no brand is tracked yet", "sov brand set, or give --brand")
            : error
        ))
        yield* printExplanation(out, yield* source, { ...set, excludes: set.brand.excludes }, options)
      }
    )
    : runWithoutDatabase(options, function*({ out }) {
      const entities = yield* parseEntityFlags(options)
      if (entities !== null) yield* printExplanation(out, yield* source, entities, options)
    })

/** Runs `sov measure FILE|-`. */
export const measureFile = (options: MeasureOptions, path: string) =>
  runMeasure(options, readText(path, maxTextMillion))

/** Runs `sov keyword test TEXT`. */
export const measureText = (options: MeasureOptions, given: string) => runMeasure(options, Effect.succeed(given))
