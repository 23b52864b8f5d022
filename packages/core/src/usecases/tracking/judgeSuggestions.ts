import { Effect, Result } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { type NameInContext, nameQuestion } from "../../domain/tracking/untracked/nameQuestion.ts"
import type { Suggestion, SuggestionExample } from "../../domain/tracking/untracked/SuggestionSearch.ts"
import { makePaidCalls } from "../platforms/makePaidCalls.ts"
import type { Suggestions } from "./suggestCompetitors.ts"

/** Number of names in one call. */
const namesPerCall = 25

/** Suggestions after a judge has examined them. */
export interface JudgedSuggestions extends Suggestions {
  /** The platform and model of the judge. */
  readonly judgedBy: string
  /** Names that the rules suggested and that the judge does not consider brands. */
  readonly dropped: ReadonlyArray<string>
  /**
   * Why the judge has not decided on the remaining names, on which the rules then decide; null if it has decided on
   * all.
   */
  readonly failure: string | null
}

/** Which suggestions are judged, and how an example is formatted (as people see it). */
interface JudgeScope {
  readonly limit: number
  readonly describe: (name: string, example: SuggestionExample) => string
}

/**
 * Lets the configured judge decide which of the first `limit` suggestions are brands. It sees only their names and
 * examples, and can only remove names. If a call fails, its reply is unusable, or the budget of the platform or of the
 * organization is spent, the rules decide on the remaining names. The usage of the calls is charged to the newest scan.
 * Fails with Rejected if no judge is configured, with NotFound, or with OrganizationSuspended.
 */
export const judgeSuggestions = Effect.fn("judgeSuggestions")(
  function*(organizationId: OrganizationId, found: Suggestions, { describe, limit }: JudgeScope) {
    const { call, findBar, judge } = yield* makePaidCalls(organizationId)
    const dropped = new Set<string>()
    const toContext = ({ examples, name }: Suggestion): NameInContext => ({
      name,
      excerpts: examples.map((example) => describe(name, example))
    })

    /** Judges some suggestions. Returns why the judge did not decide; null if it did. */
    const judgeBatch = Effect.fnUntraced(function*(batch: ReadonlyArray<Suggestion>) {
      const bar = yield* findBar
      if (bar !== null) return bar
      const outcome = yield* call(found.newestScan, judge.ask(nameQuestion(batch.map(toContext))))
      if (Result.isFailure(outcome)) return outcome.failure.message
      const { verdict: brands } = outcome.success
      if (brands === null) return `${judge.platform}: the reply is no list of numbers`
      for (const { name } of batch) if (!brands.has(name)) dropped.add(name)
      return null
    })

    let failure: string | null = null
    const asked = found.suggestions.slice(0, limit)
    for (let from = 0; from < asked.length && failure === null; from += namesPerCall) {
      failure = yield* judgeBatch(asked.slice(from, from + namesPerCall))
    }
    const judged: JudgedSuggestions = {
      ...found,
      suggestions: asked.filter(({ name }) => !dropped.has(name)),
      judgedBy: judge.by,
      dropped: [...dropped],
      failure
    }
    return judged
  }
)
