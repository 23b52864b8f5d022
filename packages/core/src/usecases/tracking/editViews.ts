/** Views: markets and personas beside the standard view. */
import { Effect, Schema, SchemaIssue } from "effect"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import type { View } from "../../domain/platforms/surface.ts"
import { KeywordText } from "../../domain/tracking/Keyword.ts"
import { maxViews, standardView, ViewInput } from "../../domain/tracking/ViewInput.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound, Rejected } from "../errors.ts"
import { now } from "../now.ts"
import { findKeyword } from "./reads.ts"

const decodeInput = Schema.decodeUnknownEffect(ViewInput)
const listIssues = SchemaIssue.makeFormatterStandardSchemaV1()
const isText = Schema.is(KeywordText)

/** Whether a text that would be sent names the brand, which would make every answer name it. */
const namesBrand = Effect.fnUntraced(function*(organizationId: OrganizationId, text: string) {
  const set = yield* (yield* TrackedSetStore).current(organizationId)
  return set !== null && brandedAmong(set, [{ id: "" as KeywordId, text }]).size > 0
})

/** All views beside the standard one, by name. */
export const listViews = Effect.fn("listViews")(function*(organizationId: OrganizationId) {
  return yield* (yield* KeywordStore).listViews(organizationId)
})

/** The view with this name; null for the standard view. Fails with NotFound. */
export const findView = Effect.fnUntraced(function*(organizationId: OrganizationId, name: string) {
  if (name === standardView) return null
  const found = (yield* listViews(organizationId)).find((view) => view.name === name)
  return found ?? (yield* new NotFound({ what: "view", id: JSON.stringify(name) }))
})

/**
 * Adds a view. Scans that start from now on also ask it. Fails with Rejected for an invalid name, country or language,
 * for a context that names the brand, and for a name that is taken.
 */
export const addView = Effect.fn("addView")(function*(organizationId: OrganizationId, input: View) {
  const view = yield* Effect.mapError(
    decodeInput(input),
    ({ issue }) => {
      const [first] = listIssues(issue).issues
      const field = first?.path?.[0]
      return typeof field === "string"
        ? new Rejected({ field, message: `the ${field} ${first!.message}` })
        : new Rejected({ field: "view", message: first?.message ?? "not valid" })
    }
  )
  if (view.context !== null && (yield* namesBrand(organizationId, view.context))) {
    return yield* new Rejected({
      field: "context",
      message: "the context names the brand: answers would repeat it, and the share would say nothing"
    })
  }
  const store = yield* KeywordStore
  const views = yield* store.listViews(organizationId)
  const alike = views.find(({ name }) => name !== view.name && name.toLowerCase() === view.name.toLowerCase())
  if (alike !== undefined) {
    return yield* new Rejected({ field: "name", message: `there is a view ${JSON.stringify(alike.name)} already` })
  }
  if (views.length >= maxViews) {
    return yield* new Rejected({ field: "view", message: `there are ${maxViews} views, as many as there may be` })
  }
  const add = Effect.gen(function*() {
    if (yield* store.addView(organizationId, view, yield* now)) return view
    return yield* new Rejected({ field: "name", message: `there is a view ${JSON.stringify(view.name)} already` })
  })
  const { name, ...detail } = view
  return yield* runActs(organizationId, add, () => [{ action: "view.added", subjectId: name, detail }])
})

/** Removes a view; its scans and answers stay. Fails with NotFound. */
export const removeView = Effect.fn("removeView")(function*(organizationId: OrganizationId, name: string) {
  // A name that no view can have must not reach the store, which would refuse it with another error
  yield* findView(organizationId, name)
  const remove = Effect.gen(function*() {
    if (yield* (yield* KeywordStore).removeView(organizationId, name)) return
    return yield* new NotFound({ what: "view", id: JSON.stringify(name) })
  })
  yield* runActs(organizationId, remove, () => [{ action: "view.removed", subjectId: name, detail: {} }])
})

/**
 * Sets how a view words a keyword (id or text); null restores the keyword's own text. Fails with NotFound, and with
 * Rejected for a text that is not a question, or that names the brand although the keyword does not.
 */
export const wordKeyword = Effect.fn("wordKeyword")(
  function*(organizationId: OrganizationId, view: string, idOrText: string, text: string | null) {
    yield* findView(organizationId, view)
    if (view === standardView) {
      return yield* new Rejected({ field: "view", message: "the standard view asks questions by their own text" })
    }
    const keyword = yield* findKeyword(organizationId, idOrText)
    if (text !== null && !isText(text)) {
      return yield* new Rejected({ field: "text", message: "must be 1–2,000 characters without control characters" })
    }
    if (
      text !== null && (yield* namesBrand(organizationId, text)) && !(yield* namesBrand(organizationId, keyword.text))
    ) {
      return yield* new Rejected({ field: "text", message: "the wording names the brand, and the question does not" })
    }
    const set = (yield* KeywordStore).setWording(organizationId, { view, keywordId: keyword.id, text })
    yield* runActs(organizationId, set, () => [
      { action: "view.worded", subjectId: view, detail: { keyword_id: keyword.id, text } }
    ])
    return keyword
  }
)

/** How a view words keywords; a keyword without a wording is asked by its own text. Fails with NotFound. */
export const readWordings = Effect.fn("readWordings")(function*(organizationId: OrganizationId, view: string) {
  yield* findView(organizationId, view)
  const found = yield* (yield* KeywordStore).listWordings(organizationId, view)
  const wordings: ReadonlyMap<KeywordId, string> = new Map(found.map(({ keywordId, text }) => [keywordId, text]))
  return wordings
})

/** The name that identifies the scans of a view; null for the standard view. Also accepts a view that was removed. */
export const findScannedView = Effect.fn("findScannedView")(function*(organizationId: OrganizationId, name: string) {
  if (name === standardView) return null
  const [scanned] = yield* (yield* ScoreStore).history(organizationId, 1, null, null, name)
  return scanned === undefined ? (yield* findView(organizationId, name))!.name : name
})
