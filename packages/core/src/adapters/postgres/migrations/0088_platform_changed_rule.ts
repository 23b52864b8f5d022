/** Alert rule `platform_changed`, which raises one alert for each platform of a scan. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `alter table alert_rule drop constraint alert_rule_rule_check, add constraint alert_rule_rule_check check
    (rule in ('sov_drop', 'new_mention', 'competitor_overtake', 'new_competitor', 'platform_changed'))`,
  "alter table alert drop constraint alert_organization_id_rule_scan_id_competitor_id_key",
  `create unique index alert_once on alert (organization_id, rule, scan_id, competitor_id, (data ->> 'platform'))
    nulls not distinct`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
