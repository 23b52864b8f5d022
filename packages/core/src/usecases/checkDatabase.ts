import { Effect } from "effect"
import { ServerRegistry } from "../ports/ServerRegistry.ts"

/** A time that no server was seen at: the statement that asks for it reads no row. */
const never = new Date(8.64e15)

/**
 * Asks the database the cheapest question there is. Succeeds when it answers, fails with StoreError when it does not.
 */
export const checkDatabase = Effect.fn("checkDatabase")(function*() {
  yield* (yield* ServerRegistry).list(never)
})
