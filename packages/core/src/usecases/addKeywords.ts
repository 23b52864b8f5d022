import { Effect } from "effect"
import { KeywordId, type OrganizationId } from "../domain/ids.ts"
import { KeywordStore } from "../ports/KeywordStore.ts"
import { newId } from "./newId.ts"
import { now } from "./now.ts"

/** Tracks the prompts; one that is tracked already keeps its id, an archived one becomes active again. */
export const addKeywords = Effect.fn("addKeywords")(function*(
  organizationId: OrganizationId,
  texts: ReadonlyArray<string>
) {
  const store = yield* KeywordStore
  const createdAt = yield* now
  const keywords = yield* Effect.forEach(
    [...new Set(texts)],
    (text) => Effect.map(newId(KeywordId), (id) => ({ id, text, status: "active" as const, createdAt }))
  )
  return yield* store.add(organizationId, keywords)
})
