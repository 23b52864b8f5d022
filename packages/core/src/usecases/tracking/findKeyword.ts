import { Effect, Schema } from "effect"
import { KeywordId, type OrganizationId } from "../../domain/ids.ts"
import { tidyKeyword } from "../../domain/tracking/Keyword.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { NotFound } from "../errors.ts"
import { readKeywords } from "./readKeywords.ts"

/**
 * Finds a keyword, archived ones too, by its id or its text; white space around the text and the amount of it between
 * words do not matter. Fails with NotFound.
 */
export const findKeyword = Effect.fn("findKeyword")(function*(organizationId: OrganizationId, idOrText: string) {
  if (Schema.is(KeywordId)(idOrText)) {
    const keyword = yield* (yield* KeywordStore).find(organizationId, idOrText)
    return keyword ?? (yield* new NotFound({ what: "keyword", id: idOrText }))
  }
  const all = yield* readKeywords(organizationId)
  const tidied = tidyKeyword(idOrText)
  const found = all.find(({ text }) => text === idOrText) ?? all.find(({ text }) => tidyKeyword(text) === tidied)
  return found ?? (yield* new NotFound({ what: "keyword", id: idOrText }))
})
