import { annotate, listAnnotations, maxAnnotationText, removeAnnotation } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(homes)("annotations on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("annotations are trimmed, listed by day, and no longer listed once removed", () =>
    storage.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const later = yield* annotate(id, { day: "2026-11-20", text: " New pricing page " })
      const earlier = yield* annotate(id, { day: "2026-02-28", text: "x".repeat(maxAnnotationText) })
      expect(later.text).toBe("New pricing page")
      expect(yield* listAnnotations(id)).toEqual([earlier, later])
      yield* removeAnnotation(id, earlier.id)
      expect(yield* listAnnotations(id)).toEqual([later])
      for (const gone of [earlier.id, "not an id" as typeof earlier.id]) {
        expect(yield* Effect.flip(removeAnnotation(id, gone))).toMatchObject({ _tag: "NotFound", what: "annotation" })
      }
    })))

  it.each([
    ["2026-02-30", "x", "day"],
    ["20 Nov", "x", "day"],
    ["2026-11-20T10:00:00Z", "x", "day"],
    ["2026-11-20", "  ", "text"],
    ["2026-11-20", "two\nlines", "text"],
    ["2026-11-20", "x".repeat(maxAnnotationText + 1), "text"]
  ])("the day %j with the text %j is refused", (day, text, field) =>
    storage.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      expect(yield* Effect.flip(annotate(id, { day, text }))).toMatchObject({ _tag: "Rejected", field })
      expect(yield* listAnnotations(id)).toEqual([])
    })))
})
