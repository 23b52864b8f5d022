import type { AnnotationId } from "@sov/core/common"
import { annotate, annotationJson, listAnnotations, removeAnnotation } from "@sov/core/scoring"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { CurrentCaller } from "../contract/Authorization.ts"
import { InvalidRequest, ResourceNotFound } from "../contract/problems.ts"
import { type Annotation, type AnnotationList, NewAnnotation } from "../contract/resources.ts"
import { decodeJsonBody } from "./jsonBody.ts"
import { orUnavailable, respondJson } from "./respond.ts"

/** GET /api/v1/annotations */
export const getAnnotations = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const annotations = (yield* listAnnotations(organization.id)).map(annotationJson)
    return yield* respondJson({ annotations } satisfies typeof AnnotationList.Encoded, organization.id)
  },
  orUnavailable
)

const readAnnotation = decodeJsonBody(NewAnnotation)

/** POST /api/v1/annotations */
export const addAnnotation = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const given = yield* readAnnotation
    if (given === null) {
      return yield* new InvalidRequest({ errors: [{ path: ["body"], message: "must have a day and a text" }] })
    }
    const added: typeof Annotation.Encoded = annotationJson(yield* annotate(organization.id, given))
    return HttpServerResponse.jsonUnsafe(added, { status: 201 })
  },
  Effect.catchTag(
    "Rejected",
    ({ field, message }) => Effect.fail(new InvalidRequest({ errors: [{ path: ["body", field], message }] }))
  ),
  orUnavailable
)

/** DELETE /api/v1/annotations/{id} */
export const endAnnotation = Effect.fnUntraced(
  function*({ params: { id } }: { readonly params: { readonly id: string } }) {
    const { organization } = yield* CurrentCaller
    return annotationJson(yield* removeAnnotation(organization.id, id.toLowerCase() as AnnotationId))
  },
  Effect.catchTag("NotFound", ({ message }) => Effect.fail(new ResourceNotFound({ detail: message }))),
  orUnavailable
)
