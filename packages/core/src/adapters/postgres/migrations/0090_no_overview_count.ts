/** A score counts the questions for which an app showed no overview. Until now, failed_count included them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql.unsafe("alter table score add column no_overview_count integer not null default 0")
)
