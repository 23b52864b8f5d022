/** Suggested competitors: the CSV of suggestions, and ignoring or restoring a name. */
import { Name } from "@sov/core/organizations"
import { roundHalfUp } from "@sov/core/scoring"
import {
  describeExample,
  ignoreSuggestion,
  readSuggestionState,
  restoreSuggestion,
  type Suggestion
} from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, sendCsv } from "../guard/Reply.ts"
import type { DoneCode } from "../pages/done.ts"
import { describeState } from "../pages/suggestions.ts"
import { findSuggestions, makeCompetitorsPage } from "./competitors.ts"
import { submitForm } from "./saveForm.ts"

/** GET /o/{slug}/competitors/suggestions.csv */
export const downloadSuggestions = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const found = yield* findSuggestions(request).pipe(Effect.catchTag("NotReady", () => Effect.succeed(null)))
  const all = found === null ? [] : [...found.suggestions, ...found.lessSure]
  return sendCsv<Suggestion>("suggestions.csv", {
    name: ({ name }) => name,
    share: ({ share }) => roundHalfUp(share, 1),
    ...columnsOf<Suggestion>("cells", "keywords", "answers"),
    platforms: ({ platforms }) => platforms.join("; "),
    example_answer_id: ({ examples }) => examples[0]?.answer.answerId,
    example: ({ examples, name }) => examples[0] && describeExample(name, examples[0]),
    simulated: () => found!.simulated,
    confidence: ({ confidence }) => roundHalfUp(confidence, 2),
    less_sure: (one) => found!.lessSure.includes(one),
    names_market: () => found!.isMarket
  }, all)
})

const isName = Schema.is(Name)

/** Changes the state of a suggested name, only once and only if its state is still the one that the form showed. */
const actOnName = Effect.fnUntraced(
  function*(request: OrganizationRequest, act: typeof ignoreSuggestion | typeof restoreSuggestion, done: DoneCode) {
    const { form, organization: { id } } = request
    const name = form.get("name") ?? ""
    if (!isName(name)) {
      return yield* new PageRefused({ status: 400, words: "The form has no name. Reload its page." })
    }
    const read = readSuggestionState(id, name)
    return yield* submitForm(request, {
      read: Effect.map(read, describeState),
      edit: act(id, name),
      to: "/competitors",
      done: () => done,
      changed: Effect.flatMap(read, (state) => makeCompetitorsPage(request, { name, state }))
    })
  },
  Effect.catchTag("NotReady", () => Effect.fail(noSuchPage))
)

/** POST /o/{slug}/competitors/suggestions/ignore */
export const ignoreName = (request: OrganizationRequest) => actOnName(request, ignoreSuggestion, "suggestion-ignored")

/** POST /o/{slug}/competitors/suggestions/restore */
export const restoreName = (request: OrganizationRequest) =>
  actOnName(request, restoreSuggestion, "suggestion-restored")
