/**
 * The database of every released version is brought up to date in place: nothing of it is lost, and its work goes on.
 */
import {
  type ArchiveProblem,
  OrganizationStore,
  readOverview,
  readScoreReport,
  readViewShares,
  SealStore,
  verifyArchive,
  wholeHistory
} from "@sov/core"
import { layerInProcess, layerServer, migrate, readMigrationStatus, stores } from "@sov/core/postgres"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { describe, expect, it, onTestFinished } from "vitest"
import { newestVersion } from "../../packages/core/src/adapters/postgres/migrate.ts"
import { makeDatabaseOf, releasedVersions } from "../support/databaseFixtures.ts"
import { type Home, homes } from "../support/homes.ts"
import { emptyDatabase } from "../support/storage.ts"

const emptyHome = (home: Home) =>
  home === "embedded"
    ? layerInProcess()
    : Layer.unwrap(Effect.map(emptyDatabase(), ({ url }) => layerServer({ url: Redacted.make(url) })))

const open = (home: Home) => {
  const runtime = ManagedRuntime.make(
    stores.pipe(Layer.provideMerge(emptyHome(home)), Layer.provideMerge(SecureRandom.layerWebCrypto))
  )
  onTestFinished(() => runtime.dispose())
  return runtime
}

/** Rows of every table that the older version knew, but for its own bookkeeping. */
const countRows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'sov_migrations' order by relname
  `
  const counts = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql<{ readonly n: number }>`select count(*)::int as n from ${sql(name)}`,
      ([row]) => [name, row!.n] as const
    ))
  return new Map(counts)
})

/** What the archive, its proof and the scores are read from. */
const kept = ["answer", "measurement", "scan", "score", "seal"] as const

type Row = Readonly<Record<string, unknown>>

/** The rows of these tables as JSON; only their columns of the older version, if `older` has them. */
const readKept = (older?: ReadonlyMap<string, ReadonlyArray<Row>>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const read = yield* Effect.forEach(kept, (table) =>
      Effect.map(
        sql<{ readonly row: Row }>`select to_jsonb(one) as row from ${sql(table)} one`,
        (rows) => {
          const columns = Object.keys(older?.get(table)?.[0] ?? rows[0]?.row ?? {})
          const shown = rows.map(({ row }) => Object.fromEntries(columns.map((name) => [name, row[name]])))
          return [table, shown.toSorted((a, b) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)] as const
        }
      ))
    const found: ReadonlyMap<string, ReadonlyArray<Row>> = new Map(read)
    return found
  })

it("the fixtures include a database of each released version", () => {
  expect(releasedVersions).toContain("0.1.0")
})

describe.each(homes)("on the %s home", (home) => {
  it.each(releasedVersions)(
    "a database of version %s is upgraded",
    (version) =>
      open(home).runPromise(Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* makeDatabaseOf(version)
        const [before, older] = [yield* countRows, yield* readKept()]
        expect([...before.entries()].filter(([, n]) => n > 0).map(([name]) => name)).toEqual(
          expect.arrayContaining(["answer", "api_key", "cell", "scan", "schedule", "seal", "webhook_delivery"])
        )

        // What would run is only told
        const { pending, version: schema } = yield* readMigrationStatus
        // Right after a release its own database is the newest there is
        expect(pending.at(-1)?.id ?? schema).toBe(newestVersion)
        expect((yield* readMigrationStatus).version).toBe(schema)
        expect(yield* countRows).toEqual(before)

        expect(yield* migrate).toEqual(pending)
        expect(yield* readMigrationStatus).toEqual({ version: newestVersion, pending: [] })
        expect(yield* migrate).toEqual([])
        const after = yield* countRows
        // Later versions have more keys of their own
        before.set("instance", after.get("instance")!)
        for (const [name, n] of before) expect([name, after.get(name)]).toEqual([name, n])

        // Every answer, score and seal is as the older version wrote it, and readers show them
        expect(yield* readKept(older)).toEqual(older)
        const [organization] = yield* (yield* OrganizationStore).list
        const { examined, score, scan } = yield* readScoreReport(organization!.id, wholeHistory, 12, null)
        const scores = older.get("score")!
        expect(new Map(examined.map((one) => [one.scan.id as string, one.score.avgSov]))).toEqual(
          new Map(scores.map((row) => [row["scan_id"], row["avg_sov"]]))
        )
        const [standard, ...others] = yield* readViewShares(organization!.id, wholeHistory)
        expect([others, standard!.newest]).toEqual([[], { scan, score }])
        const { standing } = yield* readOverview(organization!.id, wholeHistory, 12, null)
        expect(standing!.trend.flatMap(({ sov }) => sov ?? [])).toEqual(
          examined.map((one) => one.score.avgSov).toReversed()
        )
        const seals = older.get("seal")!.toSorted((a, b) => Number(a["sequence"]) - Number(b["sequence"]))
        const head = (yield* (yield* SealStore).head(organization!.id))!
        expect(`\\x${Buffer.from(head.hash).toString("hex")}`).toBe(seals.at(-1)!["hash"])
        const problems: Array<ArchiveProblem> = []
        const verdict = yield* verifyArchive(organization!.id, {
          onProblem: (problem) => Effect.sync(() => problems.push(problem)),
          onAnswers: () => {}
        })
        expect(problems).toEqual([])
        expect(verdict).toMatchObject({ runningScans: 1, head: expect.anything() })
        expect(verdict.sealed).toBeGreaterThan(0)
        expect(verdict.unsealed).toBeGreaterThan(0)

        // The scan that was killed in the middle still has what was asked and what was not
        const running = yield* sql`
        select count(*) filter (where cell.state = 'open')::int as open,
          count(*) filter (where cell.state <> 'open')::int as done
        from cell join scan on scan.id = cell.scan_id where scan.status = 'running'
      `
        expect(running[0]!["open"]).toBeGreaterThan(0)
        expect(running[0]!["done"]).toBeGreaterThan(0)
      }))
  )
})
