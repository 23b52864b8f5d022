import { Effect, Exit, Scope } from "effect"
import { onTestFinished } from "vitest"
import { postgresUrl } from "./homes.ts"
import { databaseUrl } from "./serverTemplate.ts"
import { emptyDatabase, freshDatabaseFor, type TestRole, testRole } from "./storage.ts"

/**
 * URL of a new, migrated, empty database on the real server, for tests that start the product. The URL uses the role of
 * this run. The database is dropped when the test ends.
 */
export const freshDatabaseUrl = async (role: TestRole = testRole): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return (await Effect.runPromise(Scope.provide(freshDatabaseFor(role), scope))).url
}

/** The URL of the same database for the superuser, who may lock tables and end sessions. */
export const ownerUrl = (url: string): string => databaseUrl(postgresUrl!, new URL(url).pathname.slice(1))

/** URL of a new database without any table, dropped when the test ends. */
export const emptyDatabaseUrl = async (): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return (await Effect.runPromise(Scope.provide(emptyDatabase(), scope))).url
}
