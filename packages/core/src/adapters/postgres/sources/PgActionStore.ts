import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Option, Schema } from "effect"
import { ActionMark } from "../../../domain/sources/actions/ActionMark.ts"
import { FoundReport } from "../../../domain/sources/actions/FoundReport.ts"
import { ActionStore } from "../../../ports/ActionStore.ts"
import { decodeFirst, decodeRows, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"

const MarkRow = rowOf(ActionMark.fields)
const ReportRow = rowOf({ report: Schema.Unknown })
const decodeReport = Schema.decodeUnknownOption(FoundReport)

/** Marks in table `action_mark`; the newest list of actions in `found_actions`. */
export const PgActionStore = Layer.effect(
  ActionStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const shown = sql.literal("id, rule, title, state, until, marked_at")
    return ActionStore.of({
      listMarks: (organizationId) =>
        sql`
          select ${shown} from action_mark where organization_id = ${organizationId} order by marked_at desc, id
        `.pipe(decodeRows(MarkRow), withStoreErrors("list marks of actions")),

      mark: (organizationId, { id, markedAt, rule, state, title, until }) =>
        sql`
          insert into action_mark (organization_id, id, rule, title, state, until, marked_at)
          values (${organizationId}, ${id}, ${rule}, ${title}, ${state}, ${until}::timestamptz, ${markedAt})
          on conflict (organization_id, id) do update set rule = excluded.rule, title = excluded.title,
            state = excluded.state, until = excluded.until, marked_at = excluded.marked_at
        `.pipe(Effect.asVoid, withStoreErrors("mark action")),

      unmark: (organizationId, id) =>
        sql`
          delete from action_mark where organization_id = ${organizationId} and id = ${id} returning ${shown}
        `.pipe(decodeFirst(MarkRow), withStoreErrors("remove the mark of an action")),

      kept: (organizationId) =>
        sql`select report from found_actions where organization_id = ${organizationId}`.pipe(
          decodeFirst(ReportRow),
          Effect.map((row) => row === null ? null : Option.getOrNull(decodeReport(row.report))),
          withStoreErrors("read found actions")
        ),

      keep: (organizationId, report) =>
        sql`
          insert into found_actions (organization_id, report)
          values (${organizationId}, ${JSON.stringify(report)}::text::json)
          on conflict (organization_id) do update set report = excluded.report
        `.pipe(Effect.asVoid, withStoreErrors("keep found actions"))
    })
  })
)
