import { KeywordId, keywordStatuses, KeywordStore, NotFound, type OrganizationId, tidyKeyword } from "@sov/core"
import { Effect, Schema } from "effect"

/** Finds a keyword, archived ones too, by its id or its text; spaces round it and between its words do not matter. */
export const findKeyword = Effect.fnUntraced(function*(organizationId: OrganizationId, idOrText: string) {
  const store = yield* KeywordStore
  if (Schema.is(KeywordId)(idOrText)) {
    return (yield* store.find(organizationId, idOrText)) ?? (yield* new NotFound({ what: "keyword", id: idOrText }))
  }
  const all = yield* store.list(organizationId, keywordStatuses)
  const tidied = tidyKeyword(idOrText)
  const found = all.find(({ text }) => text === idOrText) ?? all.find(({ text }) => tidyKeyword(text) === tidied)
  return found ?? (yield* new NotFound({ what: "keyword", id: idOrText }))
})
