import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { decodeOne, mapRow, rowOf } from "./rows.ts"
import { withStoreErrors } from "./sqlErrors.ts"

// Distributions add their name to the version: "17.5 (Debian 17.5-1)"
const FactsRow = rowOf({
  version: Schema.String,
  encoding: Schema.String,
  sizeBytes: Schema.Number,
  clock: Schema.Date
}).pipe(mapRow(({ version, ...facts }) => ({ ...facts, version: version.split(" ")[0]! })))

/** Version ("18.1"), encoding, bytes on disk and current time of a database. */
export const readDatabaseFacts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      pg_database_size(current_database())::float8 as size_bytes, clock_timestamp() as clock
  `.pipe(decodeOne(FactsRow))).pipe(withStoreErrors("read database facts"))
