import { Effect } from "effect"

/**
 * Characters that are read at a stretch, some milliseconds' worth: then others that this process serves have their
 * turn.
 */
const turnLength = 50_000

/** Uses each text in order, and lets others have their turn between two of them. */
export const takeTurns = Effect.fnUntraced(
  function*<A extends { readonly rawResponse: string }>(answers: Iterable<A>, use: (answer: A) => void) {
    let length = 0
    for (const answer of answers) {
      use(answer)
      length += answer.rawResponse.length
      if (length < turnLength) continue
      length = 0
      yield* Effect.yieldNow
    }
  }
)
