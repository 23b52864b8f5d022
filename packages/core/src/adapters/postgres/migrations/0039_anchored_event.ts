/** Event `archive.anchored`, which sends the head of a chain of seals to an outside receiver. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table event drop constraint event_event_check, add constraint event_event_check check (event in
      ('scan.completed', 'sov.dropped', 'mention.detected', 'competitor.overtake', 'archive.anchored')) not valid
  `
})
