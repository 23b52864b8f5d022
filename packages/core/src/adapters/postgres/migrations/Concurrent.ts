/**
 * Changes of tables that grow, made while others read and write them: outside a transaction, because Postgres allows it
 * no other way, and so that no lock is held that anybody waits for. Each may be repeated after it was broken off.
 */
export class Concurrent {
  /** Name and what follows `on`: `{ cell_turn: "cell (organization_id, due_at, id) where state = 'open'" }`. */
  readonly indexes: { readonly [name: string]: string }
  /** Constraints that an earlier migration added as `not valid`: `[table, constraint]`. */
  readonly checks: ReadonlyArray<readonly [table: string, constraint: string]>
  /** Indexes that these replace; dropped last. */
  readonly dropped: ReadonlyArray<string>

  constructor(
    { checks = [], dropped = [], indexes = {} }: {
      readonly indexes?: { readonly [name: string]: string }
      readonly checks?: ReadonlyArray<readonly [table: string, constraint: string]>
      readonly dropped?: ReadonlyArray<string>
    }
  ) {
    this.indexes = indexes
    this.checks = checks
    this.dropped = dropped
  }

  /** The statements; `whole`: in one transaction with other migrations, on a database that nobody uses meanwhile. */
  format(whole: boolean): ReadonlyArray<string> {
    const concurrently = whole ? "" : "concurrently "
    return [
      ...Object.entries(this.indexes).map(([name, on]) => `create index ${concurrently}if not exists ${name} on ${on}`),
      ...this.checks.map(([table, constraint]) => `alter table ${table} validate constraint ${constraint}`),
      ...this.dropped.map((name) => `drop index ${concurrently}if exists ${name}`)
    ]
  }
}
