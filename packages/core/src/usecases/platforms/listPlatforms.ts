import { Effect } from "effect"
import { AnswerPlatforms } from "../../ports/AnswerPlatform.ts"

/** The platforms that are configured in this process. */
export const listPlatforms = Effect.fn("listPlatforms")(function*() {
  return [...(yield* AnswerPlatforms).all.values()]
})
