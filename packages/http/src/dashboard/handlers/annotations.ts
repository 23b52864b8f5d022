/** Annotations: listing, adding and removing them. */
import { makeFormId, runOnce } from "@sov/core/audit"
import type { AnnotationId } from "@sov/core/common"
import { annotate, listAnnotations, removeAnnotation } from "@sov/core/scoring"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { annotationList, type AnnotationsContent, annotationsPage } from "../pages/annotations.ts"
import { readFormId, readText } from "./forms.ts"
import { readListView } from "./listView.ts"
import { redirectTo, replyWithPage } from "./replies.ts"

const path = "/annotations"

const makePage = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  given: Partial<AnnotationsContent> = {}
) {
  const { at, frame, organization } = request
  return annotationsPage(frame, {
    view: yield* readListView(request, annotationList),
    annotations: yield* listAnnotations(organization.id),
    formId: yield* makeFormId,
    input: { day: at.toISOString().slice(0, 10), text: "" },
    faults: {},
    ...given
  })
})

/** GET /o/{slug}/annotations?q=&sort=&page= */
export const showAnnotations = (request: OrganizationRequest) => replyWithPage(makePage(request))

/** POST /o/{slug}/annotations */
export const addAnnotation = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization } = request
  const formId = yield* readFormId(request)
  const input = { day: readText(request, "day"), text: readText(request, "text") }
  return yield* runOnce(organization.id, formId, annotate(organization.id, input)).pipe(
    Effect.as(redirectTo(request, path, "annotation-added")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(redirectTo(request, path, "sent-before")),
      Rejected: ({ field, message }) =>
        replyWithPage(makePage(request, { formId, input, faults: { [field]: `It ${message}.` } }), { status: 422 })
    })
  )
})

/** POST /o/{slug}/annotations/{id}/remove: succeeds even if the annotation is already removed. */
export const endAnnotation = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, params } = request
  const formId = yield* readFormId(request)
  const remove = removeAnnotation(organization.id, (params["id"] ?? "") as AnnotationId)
  return yield* runOnce(organization.id, formId, remove).pipe(
    Effect.catchTag("DoneBefore", () => Effect.void),
    Effect.as(redirectTo(request, path, "annotation-removed"))
  )
})
