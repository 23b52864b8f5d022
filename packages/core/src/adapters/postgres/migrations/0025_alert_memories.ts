/** An alert rule remembers each scan that it was evaluated on: scans of different questions may take turns. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // The scan says of itself whether it is simulated
  yield* sql`
    alter table alert_memory drop constraint alert_memory_pkey, drop column simulated,
      add primary key (organization_id, scan_id, rule)
  `
})
