/**
 * Stores the memory of an alert rule separately for each evaluated scan, because scans of different keywords may
 * alternate.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // The column `simulated` is dropped, because the scan has this flag
  yield* sql`
    alter table alert_memory drop constraint alert_memory_pkey, drop column simulated,
      add primary key (organization_id, scan_id, rule)
  `
})
