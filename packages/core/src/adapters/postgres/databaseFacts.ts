import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withStoreErrors } from "./sqlErrors.ts"

/** What a database says about itself: its version ("18.1"), encoding, bytes on disk, and what time it has. */
export const readDatabaseFacts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    readonly version: string
    readonly encoding: string
    readonly bytes: bigint
    readonly clock: Date
  }>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      pg_database_size(current_database())::bigint as bytes, clock_timestamp() as clock
  `
  // Servers built by a distribution add its name: "17.5 (Debian 17.5-1)"
  return {
    version: row!.version.split(" ")[0]!,
    encoding: row!.encoding,
    sizeBytes: Number(row!.bytes),
    clock: row!.clock
  }
}).pipe(withStoreErrors("read database facts"))
