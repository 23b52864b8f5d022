/** Experiments: the list, the form for a new plan, and the page of one experiment with its progress or result. */
import { makeFormId, runOnce } from "@sov/core/audit"
import { ExperimentId, KeywordId } from "@sov/core/common"
import {
  type ExperimentOptions,
  listExperiments,
  previewExperiment,
  readExperiment,
  startExperiment,
  stopExperiment
} from "@sov/core/experiments"
import { findTagged, listTags, readKeywords } from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { type PageOptions, showPage } from "../guard/Reply.ts"
import { type ExperimentContent, experimentPage } from "../pages/experiment.ts"
import { experimentList, experimentsPage } from "../pages/experiments.ts"
import { type NewExperimentContent, newExperimentPage, type PlanField, planFields } from "../pages/newExperiment.ts"
import { readFormId, readParam, readText, readTexts } from "./forms.ts"
import { readListView } from "./listView.ts"
import { refusedFilter, TagFilter } from "./query.ts"
import { redirectTo, replyWithPage } from "./replies.ts"

const isKeywordId = Schema.is(KeywordId)
const isTag = Schema.is(TagFilter)

/** GET /o/{slug}/experiments?q=&sort=&page= */
export const showExperiments = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const view = yield* readListView(request, experimentList)
  return showPage(experimentsPage(request.frame, {
    experiments: yield* listExperiments(request.organization.id),
    view
  }))
})

/** The questions and tags that an address or a form selects. */
const readChoice = Effect.fnUntraced(function*(fields: URLSearchParams) {
  const [keyword, tag] = [[...new Set(fields.getAll("keyword"))], [...new Set(fields.getAll("tag"))].filter(Boolean)]
  if (!keyword.every(isKeywordId)) return yield* refusedFilter("keyword")
  if (!tag.every(isTag)) return yield* refusedFilter("tag")
  return { keyword, tag }
})

const listChosen = Effect.fnUntraced(
  function*({ organization }: OrganizationRequest, { keyword, tag }: NewExperimentContent["choice"]) {
    if (keyword.length === 0 && tag.length === 0) return null
    const tagged = yield* Effect.forEach(tag, (one) => findTagged(organization.id, one))
    return [...new Set([...keyword, ...tagged.flat()])]
  }
)

const dayMs = 86_400_000
/** Proposed days from first to last day of an experiment, enough for four weekly scans. */
const proposedDays = 29

const proposeInput = ({ at, query }: OrganizationRequest): NewExperimentContent["input"] => {
  const day = (days: number) => new Date(at.getTime() + days * dayMs).toISOString().slice(0, 10)
  const usual = { name: "", change: "", from: day(1), until: day(1 + proposedDays), scans: "4" }
  return Object.fromEntries(planFields.map((field) => [field, query.get(field)?.slice(0, 200) || usual[field]])) as {
    [field in PlanField]: string
  }
}

const makeNewPage = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  choice: NewExperimentContent["choice"],
  given: Partial<NewExperimentContent> = {}
) {
  const { frame, organization: { id } } = request
  const preview = previewExperiment(id, yield* listChosen(request, choice)).pipe(
    Effect.map((found): NewExperimentContent["preview"] => found),
    Effect.catchTags({
      NotReady: ({ missing }) => Effect.succeed({ missing }),
      NoCompletedScan: () => Effect.succeed({ missing: "scan" as const })
    })
  )
  return newExperimentPage(frame, {
    keywords: yield* readKeywords(id, ["active"]),
    tags: yield* listTags(id),
    choice,
    preview: yield* preview,
    formId: yield* makeFormId,
    input: proposeInput(request),
    faults: {},
    ...given
  })
})

/** GET /o/{slug}/experiments/new?keyword=&tag=&name=&change= */
export const showNewExperiment = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return yield* replyWithPage(makeNewPage(request, yield* readChoice(request.query)))
})

/** POST /o/{slug}/experiments: draws the halves and seals the plan; a repeated form has no further effect. */
export const sealPlan = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization } = request
  const formId = yield* readFormId(request)
  const choice = yield* readChoice(request.form)
  const input = readTexts(request, planFields)
  const options: ExperimentOptions = {
    ...input,
    keywordIds: yield* listChosen(request, choice),
    scansAfter: Number(input.scans || Number.NaN)
  }
  const refused = (faults: NewExperimentContent["faults"], { status = 422 }: PageOptions = {}) =>
    replyWithPage(makeNewPage(request, choice, { formId, input, faults }), { status })
  return yield* runOnce(organization.id, formId, startExperiment(organization.id, options)).pipe(
    Effect.map((id) => redirectTo(request, `/experiments/${id}`, "experiment-sealed")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(redirectTo(request, "/experiments", "sent-before")),
      NotReady: ({ message }) => refused({ keywords: `${message}.` }, { status: 409 }),
      NoCompletedScan: ({ message }) => refused({ keywords: `${message}.` }, { status: 409 }),
      Rejected: ({ field, message }) =>
        refused({ [field]: field === "keywords" ? `Nothing was drawn: ${message}.` : `It ${message}.` })
    })
  )
})

const makePage = Effect.fnUntraced(function*(
  { frame, organization }: OrganizationRequest,
  id: ExperimentId,
  given: Partial<ExperimentContent> = {}
) {
  const detail = yield* readExperiment(organization.id, id)
  const keywords = yield* readKeywords(organization.id)
  return experimentPage(frame, {
    detail,
    texts: new Map(keywords.map((one) => [one.id, one.text])),
    formId: yield* makeFormId,
    input: { reason: "" },
    faults: {},
    ...given
  })
})

/** GET /o/{slug}/experiments/{id} */
export const showExperiment = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return yield* replyWithPage(makePage(request, yield* readParam(request, ExperimentId)))
})

/** POST /o/{slug}/experiments/{id}/end */
export const endExperiment = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization } = request
  const formId = yield* readFormId(request)
  const id = yield* readParam(request, ExperimentId)
  const reason = readText(request, "reason")
  return yield* runOnce(organization.id, formId, stopExperiment(organization.id, id, reason)).pipe(
    Effect.as(redirectTo(request, `/experiments/${id}`, "experiment-ended")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(redirectTo(request, `/experiments/${id}`, "sent-before")),
      Rejected: ({ field, message }) =>
        field === "reason"
          ? replyWithPage(makePage(request, id, { formId, input: { reason }, faults: { reason: `It ${message}.` } }), {
            status: 422
          })
          : replyWithPage(makePage(request, id, { faults: { reason: `${message}.` } }), { status: 409 })
    })
  )
})
