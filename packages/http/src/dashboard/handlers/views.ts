/** Views: their shares, one share pooled over all of them by weights, and adding and removing a view. */
import { makeFormId, runOnce } from "@sov/core/audit"
import { parseDecimal } from "@sov/core/common"
import { poolViews, readViewShares } from "@sov/core/scoring"
import { addView as addToViews, listViews, removeView as removeFromViews } from "@sov/core/tracking"
import { Effect } from "effect"
import { noSuchPage } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { showPage } from "../guard/Reply.ts"
import { emptyViewForm, removeViewPage, type ViewForm, type ViewsContent, viewsPage } from "../pages/views.ts"
import { readFormId, readText, readTexts } from "./forms.ts"
import { withoutEmptyFields } from "./query.ts"
import { redirectTo, replyWithPage } from "./replies.ts"

const weightPrefix = "weight_"

const readWeights = ({ query }: OrganizationRequest): ReadonlyMap<string, string> =>
  new Map(
    [...query].flatMap(([name, text]) =>
      name.startsWith(weightPrefix) ? [[name.slice(weightPrefix.length), text] as const] : []
    )
  )

const makePage = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  given: Partial<Pick<ViewsContent, "formId" | "input" | "faults">> = {}
) {
  const { frame, organization, window } = request
  const shares = yield* readViewShares(organization.id, window)
  const weights = readWeights(request)
  const pooled = weights.size === 0 ? null : yield* poolViews(
    shares,
    new Map([...weights].map(([name, text]) => [name, parseDecimal(text)]))
  ).pipe(Effect.catchTag("Rejected", ({ message }) => Effect.succeed(`${message}.`)))
  return viewsPage(frame, {
    shares,
    formId: yield* makeFormId,
    input: emptyViewForm,
    faults: {},
    weights,
    pooled,
    ...given
  })
})

/** GET /o/{slug}/views?weight_{view}= */
export const showViews = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return withoutEmptyFields(request, `/o/${request.organization.slug}/views`) ??
    (yield* replyWithPage(makePage(request)))
})

const isField = (field: string): field is keyof ViewForm => field in emptyViewForm

/** POST /o/{slug}/views: adds a view. Sending a form again adds no second view. */
export const addView = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization } = request
  const formId = yield* readFormId(request)
  const typed: ViewForm = readTexts(request, ["name", "country", "language", "context"])
  const add = addToViews(organization.id, {
    name: typed.name,
    country: typed.country.toUpperCase() || null,
    language: typed.language.toLowerCase() || null,
    context: typed.context || null
  })
  return yield* runOnce(organization.id, formId, add).pipe(
    Effect.catchTag("DoneBefore", () => Effect.void),
    Effect.as(redirectTo(request, "/views", "view-added")),
    Effect.catchTag("Rejected", ({ field, message }) => {
      const faults = { [isField(field) ? field : "name"]: message }
      return replyWithPage(makePage(request, { formId, input: typed, faults }), { status: 422 })
    })
  )
})

/** GET /o/{slug}/views/remove?name= */
export const showViewRemoval = Effect.fnUntraced(function*({ frame, organization, query }: OrganizationRequest) {
  const found = (yield* listViews(organization.id)).find(({ name }) => name === query.get("name"))
  return found === undefined
    ? yield* noSuchPage
    : showPage(removeViewPage(frame, found.name, yield* makeFormId))
})

/** POST /o/{slug}/views/remove: succeeds even if the view is already removed. */
export const removeView = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization } = request
  const formId = yield* readFormId(request)
  return yield* runOnce(organization.id, formId, removeFromViews(organization.id, readText(request, "name"))).pipe(
    Effect.catchTags({ DoneBefore: () => Effect.void, NotFound: () => Effect.void }),
    Effect.as(redirectTo(request, "/views", "view-removed"))
  )
})
