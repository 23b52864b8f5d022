/** Event `platform.changed`: a platform's answers come from another model. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table event drop constraint event_event_check, add constraint event_event_check check (event in
      ('scan.completed', 'sov.dropped', 'mention.detected', 'competitor.overtake', 'archive.anchored',
        'competitor.suggested', 'platform.changed')) not valid
  `
})
