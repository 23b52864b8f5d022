import type { AnnotationId } from "@sov/core/common"
import { annotate, annotationJson, listAnnotations, removeAnnotation } from "@sov/core/scoring"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { CurrentCaller } from "../contract/Authorization.ts"
import { type Annotation, type AnnotationList, NewAnnotation } from "../contract/resources.ts"
import { requireJsonBody } from "./jsonBody.ts"
import { orProblem, respondJson } from "./respond.ts"

/** GET /api/v1/annotations */
export const getAnnotations = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const annotations = (yield* listAnnotations(organization.id)).map(annotationJson)
    return yield* respondJson({ annotations } satisfies typeof AnnotationList.Encoded, organization.id)
  },
  orProblem
)

const readAnnotation = requireJsonBody(NewAnnotation)

/** POST /api/v1/annotations */
export const addAnnotation = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const given = yield* readAnnotation
    const added: typeof Annotation.Encoded = annotationJson(yield* annotate(organization.id, given))
    return HttpServerResponse.jsonUnsafe(added, { status: 201 })
  },
  orProblem
)

/** DELETE /api/v1/annotations/{id} */
export const endAnnotation = Effect.fnUntraced(
  function*({ params: { id } }: { readonly params: { readonly id: string } }) {
    const { organization } = yield* CurrentCaller
    return annotationJson(yield* removeAnnotation(organization.id, id.toLowerCase() as AnnotationId))
  },
  orProblem
)
