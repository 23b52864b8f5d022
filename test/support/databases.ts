import { Effect, Exit, Scope } from "effect"
import { onTestFinished } from "vitest"
import { postgresUrl } from "./homes.ts"
import { databaseUrl } from "./serverTemplate.ts"
import { emptyDatabase, freshDatabaseFor, type TestRole, testRole } from "./storage.ts"

/**
 * URL of a new, migrated, empty database on the real server, for tests that start the product, as the role of this run
 * reaches it; dropped when the test ends.
 */
export const freshDatabaseUrl = async (role: TestRole = testRole): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return (await Effect.runPromise(Scope.provide(freshDatabaseFor(role), scope))).url
}

/** The same database as the superuser reaches it, who may lock tables and end sessions. */
export const ownerUrl = (url: string): string => databaseUrl(postgresUrl!, new URL(url).pathname.slice(1))

/** URL of a new database without any table, likewise. */
export const emptyDatabaseUrl = async (): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return (await Effect.runPromise(Scope.provide(emptyDatabase(), scope))).url
}
