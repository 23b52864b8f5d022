import { Effect } from "effect"

/**
 * How many characters are read without a pause, which takes some milliseconds: then this process serves other requests.
 */
const turnLength = 50_000

/** Processes each text in order, and lets other work run between two of them. */
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
