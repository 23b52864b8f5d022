/** Allows rows older than 28 days to be removed from four append-only tables. Rows still cannot be changed. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** For each of these tables, the column with the time of a row. */
const retained = { audit_entry: "at", digest_mail: "created_at", event: "created_at", schedule_run: "scheduled_at" }

const statements: ReadonlyArray<string> = [
  // Triggers without an argument, such as those of the archive, still refuse every change and removal
  `create or replace function append_only() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and tg_nargs = 1 then
      if (to_jsonb(old) ->> tg_argv[0])::timestamptz < now() - interval '28 days' then return old; end if;
    end if;
    raise exception '% is append-only: % is not allowed', tg_table_name, tg_op using errcode = 'restrict_violation';
  end $$`,
  ...Object.entries(retained).map(([table, column]) =>
    `create or replace trigger ${table}_append_only before update or delete on ${table}
      for each row execute function append_only('${column}')`
  )
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
