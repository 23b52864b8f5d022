import { type Annotation, AnnotationId, AnnotationStore } from "@sov/core"
import { at, newId, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

const seed = Effect.fnUntraced(
  function*(organizationId: Parameters<AnnotationStore["Service"]["insert"]>[0], day: string, n: number) {
    const annotation: Annotation = { id: yield* newId(AnnotationId), day, text: `note ${n}`, createdAt: at(n) }
    yield* (yield* AnnotationStore).insert(organizationId, annotation)
    return annotation
  }
)

/** What every AnnotationStore must keep. */
export const annotationStoreContract = storeContract("AnnotationStore", {
  "lists annotations by day, those of a day in the order of adding": Effect.fnUntraced(function*() {
    const { id } = yield* seedOrganization()
    const second = yield* seed(id, "2026-11-20", 1)
    const third = yield* seed(id, "2026-11-20", 2)
    const first = yield* seed(id, "1999-12-31", 3)
    assert.deepEqual(yield* (yield* AnnotationStore).list(id), [first, second, third])
  }),

  "removes one annotation and returns it": Effect.fnUntraced(function*() {
    const store = yield* AnnotationStore
    const { id } = yield* seedOrganization()
    const [kept, gone] = [yield* seed(id, "2026-11-20", 1), yield* seed(id, "2026-11-21", 2)]
    assert.deepEqual(yield* store.remove(id, gone.id), gone)
    assert.equal(yield* store.remove(id, gone.id), null)
    assert.deepEqual(yield* store.list(id), [kept])
  })
})
