/**
 * AnswerAnalysis finds the names in an answer, its stance, and its sources. All of this is pure domain code. It is
 * behind a port because an answer is untrusted and may be long: a process that serves others runs the analysis on other
 * threads, with a deadline.
 */
import { Context, type Duration, Effect, type Result, Schema } from "effect"
import { type Explained, explainWithTerms } from "../domain/measuring/explain.ts"
import { type CompiledTerms, compileTerms, measureWithTerms } from "../domain/measuring/measureAnswer.ts"
import type { EntityTerms, Measured } from "../domain/measuring/Measurement.ts"
import { deriveSources, type StoredAnswer } from "../domain/sources/deriveSources.ts"
import type { AnswerSources } from "../domain/sources/Source.ts"

/**
 * An answer could not be analysed. `deadline`: it took too long · `memory`: it took too much memory · `failed`:
 * anything else, usually a defect of the rules. `message` is one line for the operator and quotes nothing from the
 * answer.
 */
export class AnalysisError extends Schema.TaggedError<AnalysisError>()("AnalysisError", {
  reason: Schema.Literals(["deadline", "memory", "failed"]),
  message: Schema.String
}) {}

/** The names to look for. An implementation may compile them once per object. */
export interface NamesToFind {
  readonly brand: EntityTerms
  readonly competitors: ReadonlyArray<EntityTerms>
  readonly excludes: ReadonlyArray<string>
}

/** The text of an answer as it is archived, and the prompt that produced it. */
export interface AnalysedText {
  readonly text: string
  readonly prompt: string
}

/**
 * Analyses answers, within a deadline that counts from the call. A call that is interrupted or reaches its deadline
 * uses no more processor time.
 */
export interface Analysis {
  /** Measures one answer by the rules. */
  readonly measure: (
    entities: NamesToFind,
    answer: AnalysedText,
    deadline: Duration.Input
  ) => Effect.Effect<Measured, AnalysisError>
  /**
   * Measures many answers like `measure`, each with its own deadline, and returns the results in their order. An answer
   * that cannot be measured does not hold up the others.
   */
  readonly measureAll: (
    entities: NamesToFind,
    answers: ReadonlyArray<AnalysedText>,
    deadline: Duration.Input
  ) => Effect.Effect<ReadonlyArray<Result.Result<Measured, AnalysisError>>>
  /** Measures one answer by the rules, and gives a reason for each occurrence of a name. */
  readonly explain: (
    entities: NamesToFind,
    answer: AnalysedText,
    deadline: Duration.Input
  ) => Effect.Effect<Explained, AnalysisError>
  /** Derives the sources of one answer. */
  readonly deriveSources: (
    answer: StoredAnswer,
    deadline: Duration.Input
  ) => Effect.Effect<AnswerSources, AnalysisError>
}

const attempt = <A>(run: () => A): Effect.Effect<A, AnalysisError> =>
  Effect.try({
    try: run,
    catch: (error) => new AnalysisError({ reason: "failed", message: error instanceof Error ? error.name : "Error" })
  })

/** Implements `measureAll` with `measure`, one answer after the other. */
export const measureEach = (measure: Analysis["measure"]): Analysis["measureAll"] => (entities, answers, deadline) =>
  Effect.forEach(answers, (answer) => Effect.result(measure(entities, answer, deadline)))

/** Analyses answers on the calling thread. A running call cannot be stopped, so deadlines have no effect. */
export const makeDirectAnalysis = (): Analysis => {
  const compiled = new WeakMap<NamesToFind, CompiledTerms>()
  const getTerms = (entities: NamesToFind): CompiledTerms => {
    const terms = compiled.get(entities) ?? compileTerms(entities.brand, entities.competitors, entities.excludes)
    compiled.set(entities, terms)
    return terms
  }
  const measure: Analysis["measure"] = (entities, { prompt, text }) =>
    attempt(() => measureWithTerms(getTerms(entities), text, prompt))
  return {
    measure,
    measureAll: measureEach(measure),
    explain: (entities, { prompt, text }) => attempt(() => explainWithTerms(getTerms(entities), text, prompt)),
    deriveSources: (answer) => attempt(() => deriveSources(answer))
  }
}

/**
 * The analysis in use. By default, answers are analysed on the calling thread, which suits a single-user command or a
 * test.
 */
export const AnswerAnalysis = Context.Reference<Analysis>("@sov/core/ports/AnswerAnalysis", {
  defaultValue: makeDirectAnalysis
})
