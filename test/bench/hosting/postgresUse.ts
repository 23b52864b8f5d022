/** The resources that a Postgres server has used since it started, from its own statistics and its processes. */
import { layerServer } from "@sov/core/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync, readFileSync } from "node:fs"

const secondsPerTick = 0.01

const statOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ")
  } catch {
    return []
  }
}

const sumTicks = (stat: ReadonlyArray<string>, from: number, to: number): number =>
  stat.slice(from, to).reduce((sum, ticks) => sum + Number(ticks), 0)

/** CPU seconds of a process without its children. */
export const cpuOf = (pid: number): number => sumTicks(statOf(pid), 11, 13) * secondsPerTick

/** CPU seconds of a process, its running children, and its children that have exited. */
export const cpuOfTree = (pid: number): number => {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((name) => statOf(Number(name)))
    .filter((stat) => stat[1] === String(pid))
  const own = sumTicks(statOf(pid), 11, 15)
  return children.reduce((sum, stat) => sum + sumTicks(stat, 11, 13), own) * secondsPerTick
}

/** The usage of one statement according to `pg_stat_statements`; times are in milliseconds over all calls. */
export interface StatementUse {
  readonly query: string
  readonly calls: number
  readonly plans: number
  readonly ms: number
}

export interface PostgresUse {
  readonly statements: number
  readonly walBytes: number
  readonly databaseBytes: number
  readonly slowest: ReadonlyArray<StatementUse>
}

const readUse = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [sums] = yield* sql<Omit<PostgresUse, "slowest">>`
    select (select sum(calls) from pg_stat_statements where userid <> current_user::regrole)::float8 as statements,
      (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as "walBytes",
      pg_database_size(current_database())::float8 as "databaseBytes"
  `
  const slowest = yield* sql<StatementUse>`
    select query, calls::float8 as calls, plans::float8 as plans, total_exec_time + total_plan_time as ms
    from pg_stat_statements where userid <> current_user::regrole order by 4 desc
  `
  return { ...sums!, slowest }
})

const observer = "bench"

const run = <A>(url: string, work: Effect.Effect<A, unknown, SqlClient.SqlClient>): Promise<A> =>
  Effect.runPromise(Effect.provide(work, layerServer({ url: Redacted.make(url), maxConnections: 1 })))

/** The URL for the benchmark's own statements; statements of its role are not counted. */
export const prepareObserver = async (url: string): Promise<string> => {
  await run(
    url,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create extension pg_stat_statements`
      yield* sql.unsafe(`create role ${observer} superuser login password '${observer}'`)
    })
  )
  return Object.assign(new URL(url), { username: observer, password: observer }).href
}

export const readPostgresUse = (url: string): Promise<PostgresUse> => run(url, readUse)

/** Resets the statistics of statements. */
export const forgetStatements = (url: string): Promise<unknown> =>
  run(url, Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select pg_stat_statements_reset()`))
