/** The competitors page and its CSV. */
import { makeFormId } from "@sov/core/audit"
import { atLeast } from "@sov/core/people"
import { type ComparedPeriods, formatNarrowing, readCompetitors } from "@sov/core/scoring"
import { maxSearchedLength, readIgnoredNames, readRecentSuggestions } from "@sov/core/tracking"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { sendCsv } from "../guard/Reply.ts"
import { competitorList, competitorsPage, noBrandPage } from "../pages/competitors.ts"
import { brandPage } from "../pages/names.ts"
import type { SuggestionsContent } from "../pages/suggestions.ts"
import { readListView } from "./listView.ts"
import { emptyForm } from "./names.ts"
import { readFilePeriod, readPeriod } from "./period.ts"
import { replyWithPage, roundToOneDecimal } from "./replies.ts"

/** Number of scans in a sparkline. */
const courseScans = 12

const read = ({ organization, window }: OrganizationRequest, compared: ComparedPeriods | null) =>
  readCompetitors(organization.id, window, courseScans, compared)

/**
 * How many of the newest answers a page searches for suggestions, and for how long. Other requests are handled between
 * two answers; the slowest text takes half a microsecond per UTF-16 unit. The command line searches more answers.
 */
export const suggestionLimits = { maxAnswers: 500, maxLength: maxSearchedLength }
const maxDuration = "2 seconds"

/** Names that the newest answers suggest; null if the search takes too long. Fails with NotReady without a brand. */
export const findSuggestions = ({ organization: { id }, window }: OrganizationRequest) =>
  readRecentSuggestions(id, window, suggestionLimits, maxDuration)

/** Content of the section with suggestions. Fails in the same cases as `findSuggestions`. */
const readSuggestions = Effect.fnUntraced(
  function*(request: OrganizationRequest, changed: SuggestionsContent["changed"]) {
    const content: SuggestionsContent = {
      found: yield* findSuggestions(request),
      ignored: yield* readIgnoredNames(request.organization.id),
      formId: yield* makeFormId,
      changed
    }
    return content
  }
)

/**
 * Builds the page. `changed` is a suggested name that somebody else has changed, with its new state. Fails with
 * NotReady if no brand is set.
 */
export const makeCompetitorsPage = Effect.fnUntraced(
  function*(request: OrganizationRequest, changed: SuggestionsContent["changed"]) {
    const period = yield* readPeriod(request)
    const found = yield* read(request, period.compared)
    return competitorsPage(request.frame, {
      competitors: found,
      period,
      view: yield* readListView(request, competitorList),
      suggestions: yield* readSuggestions(request, changed),
      form: yield* emptyForm
    })
  }
)

/** GET /o/{slug}/competitors */
export const showCompetitors = (request: OrganizationRequest) => {
  const { frame } = request
  return replyWithPage(
    makeCompetitorsPage(request, null).pipe(
      Effect.catchTag("NotReady", () =>
        atLeast(frame.role, "member")
          ? Effect.map(emptyForm, (form) => brandPage(frame, form))
          : Effect.succeed(noBrandPage(frame)))
    )
  )
}

/** GET /o/{slug}/competitors.csv: one line for each named or tracked brand. */
export const downloadCompetitors = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const found = yield* read(request, yield* readFilePeriod(request)).pipe(
    Effect.catchTag("NotReady", () => Effect.succeed(null))
  )
  const { named = [], scan, trackedSet } = found ?? {}
  const tracked = new Map(trackedSet?.competitors.map((one) => [one.id, one]))
  const known = new Set(named.map(({ id }) => id))
  const lines = [
    ...named.map(({ id, interval, name, sov, who }) => ({
      who,
      id,
      name,
      sov,
      interval,
      of: who === "brand" ? trackedSet?.brand : id === null ? undefined : tracked.get(id)
    })),
    ...[...tracked.values()].filter(({ id }) => !known.has(id)).map((one) => ({
      who: "competitor" as const,
      id: one.id,
      name: one.name,
      sov: null,
      interval: null,
      of: one
    }))
  ]
  return sendCsv<typeof lines[number]>("competitors.csv", {
    scan_id: () => scan?.id,
    kind: ({ who }) => who,
    id: ({ id }) => id,
    name: ({ name }) => name,
    sov: ({ sov }) => roundToOneDecimal(sov),
    interval_low: ({ interval }) => roundToOneDecimal(interval?.low),
    interval_high: ({ interval }) => roundToOneDecimal(interval?.high),
    aliases: ({ of }) => of?.aliases.join("; "),
    domains: ({ of }) => of?.domains.join("; "),
    simulated: () => scan?.simulated,
    asked: () => scan == null ? null : formatNarrowing(scan)
  }, lines)
})
