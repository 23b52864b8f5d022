/**
 * Changes to tables that grow, made while other sessions use them. They run outside a transaction, because Postgres
 * requires this for concurrent indexes and because no lock may block other sessions. Each can be repeated if it was
 * interrupted.
 */
export class Concurrent {
  /**
   * Index names and the part of the statement after `on`: `{ cell_turn: "cell (organization_id, due_at, id) where state
   * = 'open'" }`.
   */
  readonly indexes: { readonly [name: string]: string }
  /** Constraints that an earlier migration added as `not valid`: `[table, constraint]`. */
  readonly checks: ReadonlyArray<readonly [table: string, constraint: string]>
  /** Indexes that the new ones replace; they are dropped last. */
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

  /**
   * The SQL statements. `whole`: they run in one transaction with other migrations, on a database that nobody else is
   * using.
   */
  format(whole: boolean): ReadonlyArray<string> {
    const concurrently = whole ? "" : "concurrently "
    return [
      ...Object.entries(this.indexes).map(([name, on]) => `create index ${concurrently}if not exists ${name} on ${on}`),
      ...this.checks.map(([table, constraint]) => `alter table ${table} validate constraint ${constraint}`),
      ...this.dropped.map((name) => `drop index ${concurrently}if exists ${name}`)
    ]
  }
}
