import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Runs statements as a superuser, with triggers and foreign keys off, then `check`, and rolls everything back. */
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
