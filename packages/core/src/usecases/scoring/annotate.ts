import { Effect, Schema } from "effect"
import { AnnotationId, type OrganizationId } from "../../domain/ids.ts"
import {
  type Annotation,
  isAnnotationText,
  isDay,
  maxAnnotations,
  maxAnnotationText
} from "../../domain/scoring/Annotation.ts"
import { AnnotationStore } from "../../ports/AnnotationStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound, Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

const checkAnnotation = ({ day, text }: Pick<Annotation, "day" | "text">): Rejected | null =>
  !isDay(day)
    ? new Rejected({ field: "day", message: "must be a day such as 2026-11-20" })
    : isAnnotationText(text)
    ? null
    : new Rejected({
      field: "text",
      message: `must be 1–${maxAnnotationText} characters without control characters`
    })

/**
 * Adds a note about an event of a day, which may be in the future. `text` is trimmed. Fails with Rejected (`day` or
 * `text`), also if there are already `maxAnnotations`.
 */
export const annotate = Effect.fn("annotate")(
  function*(organizationId: OrganizationId, { day, text }: Pick<Annotation, "day" | "text">) {
    const given = { day, text: text.trim() }
    const rejected = checkAnnotation(given)
    if (rejected !== null) return yield* rejected
    const store = yield* AnnotationStore
    const annotation: Annotation = { ...given, id: yield* newId(AnnotationId), createdAt: yield* now }
    const insert = Effect.gen(function*() {
      // Without a lock, two concurrent calls could exceed the maximum
      yield* (yield* OrganizationStore).lock(organizationId)
      if ((yield* store.list(organizationId)).length >= maxAnnotations) {
        return yield* new Rejected({
          field: "text",
          message: `there are ${maxAnnotations} annotations, as many as there may be; remove one first`
        })
      }
      yield* store.insert(organizationId, annotation)
      return annotation
    })
    return yield* runActs(
      organizationId,
      insert,
      ({ id }) => [{ action: "annotation.added", subjectId: id, detail: given }]
    )
  }
)

const isAnnotationId = Schema.is(AnnotationId)

/** Removes an annotation and returns it. Fails with NotFound. */
export const removeAnnotation = Effect.fn("removeAnnotation")(
  function*(organizationId: OrganizationId, id: AnnotationId) {
    if (!isAnnotationId(id)) return yield* new NotFound({ what: "annotation", id })
    const remove = Effect.flatMap(AnnotationStore, (store) => store.remove(organizationId, id)).pipe(
      Effect.flatMap((found) =>
        found === null ? Effect.fail(new NotFound({ what: "annotation", id })) : Effect.succeed(found)
      )
    )
    return yield* runActs(
      organizationId,
      remove,
      ({ day, text }) => [{ action: "annotation.removed", subjectId: id, detail: { day, text } }]
    )
  }
)
