import { type Keyword, KeywordId, KeywordStore, NotFound, type OrganizationId } from "@sov/core"
import { Effect, Schema } from "effect"

/** Finds a keyword, archived ones too, by its id or its exact text. */
export const findKeyword = Effect.fnUntraced(function*(organizationId: OrganizationId, idOrText: string) {
  const store = yield* KeywordStore
  const found: Keyword | null | undefined = Schema.is(KeywordId)(idOrText)
    ? yield* store.find(organizationId, idOrText)
    : (yield* store.list(organizationId, ["active", "paused", "archived"])).find((one) => one.text === idOrText)
  return found ?? (yield* new NotFound({ what: "keyword", id: idOrText }))
})
