import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What a superuser can do: triggers and foreign keys are off. What `check` has seen is undone. */
export const asSuperuser = <E, R>(statements: ReadonlyArray<string>, check: Effect.Effect<void, E, R>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`set local session_replication_role = replica`
      for (const statement of statements) yield* sql.unsafe(statement)
      yield* check
      return yield* Effect.fail("undone")
    })).pipe(Effect.catchIf((error) => error === "undone", () => Effect.void))
  })
