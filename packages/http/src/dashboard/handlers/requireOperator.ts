import { isOperator } from "@sov/core/people"
import { Effect } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { PersonRequest } from "../guard/PageRequest.ts"

/** Refuses everybody except the operator; `act` is the start of the error sentence, such as "Platforms are tested". */
export const requireOperator = Effect.fnUntraced(function*({ visitor }: PersonRequest, act: string) {
  if (yield* isOperator(visitor.person.id)) return
  return yield* new PageRefused({
    status: 403,
    words: `${act} by the operator of this installation only. Sign in as the operator with sov dashboard on the server.`
  })
})
