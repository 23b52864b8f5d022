/** The names that the database accepts in a column are those of the domain. */
import {
  ActorKind,
  AlertRuleName,
  DeliveryState,
  DisabledReason,
  EventName,
  keyScopes,
  LinkPurpose,
  resolveOutcomes,
  Role,
  Sensitivity,
  SignInMethod
} from "@sov/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { openStorage } from "../support/storage.ts"

const columns: ReadonlyArray<[table: string, column: string, names: ReadonlyArray<string>]> = [
  ["api_key", "scopes", keyScopes],
  ["audit_entry", "actor_kind", ActorKind.literals],
  ["event", "event", EventName.literals],
  ["alert_rule", "rule", AlertRuleName.literals],
  ["alert_rule", "sensitivity", Sensitivity.literals],
  ["webhook_endpoint", "disabled_reason", DisabledReason.literals],
  ["webhook_delivery", "state", DeliveryState.literals],
  ["resolved_url", "outcome", resolveOutcomes],
  ["membership", "role", Role.literals],
  ["login_link", "purpose", LinkPurpose.literals],
  ["session", "method", SignInMethod.literals]
]

/** The names in the CHECK of this column alone. */
const checkedNames = Effect.fnUntraced(function*(table: string, column: string) {
  const sql = yield* SqlClient.SqlClient
  const checks = yield* sql<{ readonly definition: string }>`
    select pg_get_constraintdef(c.oid) as definition from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
    where c.contype = 'c' and c.conrelid = ${table}::regclass and a.attname = ${column}
  `
  return checks.flatMap(({ definition }) => [...definition.matchAll(/'([^']+)'/g)].map(([, name]) => name!))
})

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  it.each(columns)(
    "the database check of %s.%s allows exactly the names that the code defines",
    (table, column, names) =>
      storage.run(Effect.gen(function*() {
        expect((yield* checkedNames(table, column)).toSorted()).toEqual([...names].toSorted())
      }))
  )
})
