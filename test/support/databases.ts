import { Effect, Exit, Scope } from "effect"
import { onTestFinished } from "vitest"
import { emptyDatabase, freshDatabaseFor, type TestRole, testRole } from "./storage.ts"

/**
 * URL of a new, migrated, empty database on the real server, for tests that start the product, as the role of this run reaches it;
 * dropped when the test ends.
 */
export const freshDatabaseUrl = async (role: TestRole = testRole): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return (await Effect.runPromise(Scope.provide(freshDatabaseFor(role), scope))).url
}

/** URL of a new database without any table, likewise. */
export const emptyDatabaseUrl = async (): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return (await Effect.runPromise(Scope.provide(emptyDatabase(), scope))).url
}
