/** A seal covers facts of its scan. Seals of earlier releases cover no facts. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe("alter table seal add column facts jsonb"))
