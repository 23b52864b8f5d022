/** The words in which a view asks each question. */
import { makeFormId } from "@sov/core/audit"
import { KeywordId } from "@sov/core/common"
import type { View } from "@sov/core/platforms"
import { listViews, readKeywords, readWordings, wordKeyword } from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { describeWordings, type WordedQuestion, type WordingsContent, wordingsPage } from "../pages/wordings.ts"
import { readText } from "./forms.ts"
import { readFilter } from "./query.ts"
import { replyWithPage } from "./replies.ts"
import { submitForm } from "./saveForm.ts"

/** Number of questions on a page: their texts must fit into a form. */
const perPage = 50

const PageNumber = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 1000 }))

const findViewOf = Effect.fnUntraced(function*({ organization }: OrganizationRequest, name: string | null) {
  const found = (yield* listViews(organization.id)).find((view) => view.name === name)
  return found ?? (yield* Effect.fail(noSuchPage))
})

/** The questions of a page, with the words of the view. */
const readQuestions = Effect.fnUntraced(function*(request: OrganizationRequest, view: View) {
  const page: number = (yield* readFilter(request, "page", PageNumber)) ?? 1
  const active = yield* readKeywords(request.organization.id, ["active"])
  const wordings = yield* readWordings(request.organization.id, view.name)
  return {
    page,
    pages: Math.max(1, Math.ceil(active.length / perPage)),
    questions: active.slice((page - 1) * perPage, page * perPage).map(({ id, text }): WordedQuestion => ({
      id,
      text,
      wording: wordings.get(id) ?? ""
    }))
  }
})

const makePage = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  view: View,
  given: Partial<Pick<WordingsContent, "changed" | "fault" | "typed">> = {}
) {
  return wordingsPage(request.frame, {
    view,
    ...yield* readQuestions(request, view),
    formId: yield* makeFormId,
    typed: null,
    fault: null,
    changed: false,
    ...given
  })
})

/** GET /o/{slug}/views/wordings?view=&page= */
export const showWordings = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return yield* replyWithPage(makePage(request, yield* findViewOf(request, request.query.get("view"))))
})

const isKeywordId = Schema.is(KeywordId)

/** POST /o/{slug}/views/wordings?page= saves the texts that changed; an empty text is the question's own. */
export const saveWordings = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization } = request
  const view = yield* findViewOf(request, readText(request, "view"))
  const [ids, texts] = [form.getAll("keyword"), form.getAll("text").map((text) => text.trim())]
  if (ids.length !== texts.length || !ids.every(isKeywordId)) {
    return yield* new PageRefused({ status: 400, words: "The form is incomplete. Reload its page." })
  }
  const typed = new Map(ids.map((id, n) => [id, texts[n]!]))
  const own = Effect.map(
    readWordings(organization.id, view.name),
    (wordings) => ids.map((id) => ({ id, wording: wordings.get(id) ?? "" }))
  )
  const edit = Effect.gen(function*() {
    for (const { id, wording } of yield* own) {
      const text = typed.get(id)!
      if (text === wording) continue
      yield* wordKeyword(organization.id, view.name, id, text || null).pipe(
        Effect.catchTag("Rejected", ({ message }) => Effect.fail({ _tag: "RefusedWording" as const, id, message }))
      )
    }
  })
  return yield* submitForm(request, {
    read: Effect.map(own, describeWordings),
    edit,
    to: "/views",
    done: () => "wordings-saved",
    changed: makePage(request, view, { typed, changed: true })
  }).pipe(
    Effect.catchTags({
      RefusedWording: ({ id, message }) =>
        replyWithPage(makePage(request, view, { typed, fault: { id, message } }), { status: 422 }),
      NotFound: () => Effect.fail(noSuchPage)
    })
  )
})
