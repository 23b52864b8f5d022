import { isOperator } from "@sov/core"
import { Effect } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { PersonRequest } from "../guard/PageRequest.ts"

/** Refuses everybody who does not run the installation. */
export const requireOperator = Effect.fnUntraced(function*({ visitor }: PersonRequest) {
  if (yield* isOperator(visitor.memberships)) return
  return yield* new PageRefused({
    status: 403,
    words: "This is for those who run the installation: owners of every organization in it."
  })
})
