import { Effect, Exit, Scope } from "effect"
import { onTestFinished } from "vitest"
import { freshDatabase } from "./storage.ts"

/** URL of a new, migrated, empty database on the real server, for tests that start the product; dropped when the test ends. */
export const freshDatabaseUrl = async (): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return (await Effect.runPromise(Scope.provide(freshDatabase, scope))).url
}
