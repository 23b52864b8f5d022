import { Effect, Exit, Scope } from "effect"
import { onTestFinished } from "vitest"
import { emptyDatabase, freshDatabase } from "./storage.ts"

/** URL of a new, migrated, empty database on the real server, for tests that start the product; dropped when the test ends. */
export const freshDatabaseUrl = async (): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return (await Effect.runPromise(Scope.provide(freshDatabase, scope))).url
}

/** URL of a new database without any table, likewise. */
export const emptyDatabaseUrl = async (): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return (await Effect.runPromise(Scope.provide(emptyDatabase(), scope))).url
}
