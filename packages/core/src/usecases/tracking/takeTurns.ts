import { Effect } from "effect"

/**
 * How many characters are processed without a pause, which takes some milliseconds. Then other requests of this process
 * are served.
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
