/**
 * The database of every released version is brought up to date in place: nothing of it is lost, and its work goes on.
 */
import { type ArchiveProblem, OrganizationStore, verifyArchive } from "@sov/core"
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
        const before = yield* countRows
        expect([...before.entries()].filter(([, n]) => n > 0).map(([name]) => name)).toEqual(
          expect.arrayContaining(["answer", "api_key", "cell", "scan", "schedule", "seal", "webhook_delivery"])
        )

        // What would run is only told
        const { pending, version: older } = yield* readMigrationStatus
        // Right after a release its own database is the newest there is
        expect(pending.at(-1)?.id ?? older).toBe(newestVersion)
        expect((yield* readMigrationStatus).version).toBe(older)
        expect(yield* countRows).toEqual(before)

        expect(yield* migrate).toEqual(pending)
        expect(yield* readMigrationStatus).toEqual({ version: newestVersion, pending: [] })
        expect(yield* migrate).toEqual([])
        const after = yield* countRows
        // Later versions have more keys of their own
        before.set("instance", after.get("instance")!)
        for (const [name, n] of before) expect([name, after.get(name)]).toEqual([name, n])

        const [organization] = yield* (yield* OrganizationStore).list
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
