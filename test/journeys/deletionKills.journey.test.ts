/** An organization that is deleted is whole or gone, whenever the command, or the owner of the database, is killed. */
// Only with SOV_LONG_TESTS: kills at every step; contracts/deletion shows what a deletion removes and keeps
import { inspectOwner, layerServer } from "@sov/core/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { ChildProcess } from "node:child_process"
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDatabaseUrl, ownerUrl } from "../support/databases.ts"
import { demo, exportedDemo } from "../support/demoExport.ts"
import { serverHomeOrAll } from "../support/homes.ts"
import { sov, sovJson, startSov, until } from "../support/sov.ts"

interface Named {
  readonly id: string
  readonly slug: string
}
interface Counted {
  readonly rows: { readonly [table: string]: number }
}

const made = exportedDemo()

/** Fails unless the organization has every row that it had, or is gone with a tombstone; returns whether it is gone. */
const expectWholeOrGone = async (
  { id, slug }: Named,
  rows: Counted["rows"],
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
) => {
  const found = await sovJson<ReadonlyArray<Named>>(made.cwd, ["org", "list", ...args], env)
  const { tombstones } = await sovJson<{ readonly tombstones: ReadonlyArray<object> }>(
    made.cwd,
    ["org", "deletions", ...args],
    env
  )
  if (found.every((one) => one.id !== id)) {
    expect(tombstones).toMatchObject([{ organization_id: id, rows, valid: true }])
    return true
  }
  expect(tombstones).toEqual([])
  expect(await sovJson(made.cwd, ["org", "delete", slug, "--dry-run", ...args], env)).toMatchObject({ rows })
  expect(await sovJson(made.cwd, ["archive", "verify", "--org", slug, ...args], env)).toMatchObject({ valid: true })
  return false
}

/** `SOV_KILLS=10` kills at each tenth of the usual time, and at each table. */
const moments = Number(process.env["SOV_KILLS"] ?? 4)

it(
  "a deletion on the embedded home is complete or undone, even if the process that owns the database is also killed",
  async () => {
    const { cwd } = made
    const dir = ".killed"
    const args = ["--data-dir", dir]
    /** With the command that would start another owner at once. */
    const killOwner = async (directory: string, command?: ChildProcess) => {
      const { pid } = await inspectOwner(join(cwd, directory))
      command?.kill("SIGKILL")
      if (pid === null) return
      process.kill(pid, "SIGKILL")
      await until(async () => (await inspectOwner(join(cwd, directory))).pid === null, 60_000, "the owner ends")
    }
    await killOwner(".sov-demo")
    const begin = async () => {
      await killOwner(dir)
      rmSync(join(cwd, dir), { recursive: true, force: true })
      cpSync(join(cwd, ".sov-demo"), join(cwd, dir), { recursive: true })
    }
    await begin()
    const [organization] = await sovJson<readonly [Named]>(cwd, ["org", "list", ...args])
    const remove = ["org", "delete", organization.slug, "--now", "--yes", ...args]
    const { rows } = await sovJson<Counted>(cwd, ["org", "delete", organization.slug, "--dry-run", ...args])
    const started = performance.now()
    expect(await sov(cwd, remove)).toMatchObject({ code: 0 })
    const usual = performance.now() - started
    await begin()
    const outcomes = new Set<boolean>()
    for (let n = 0; n < moments; n++) {
      const removing = startSov(cwd, remove)
      await new Promise((resolve) => setTimeout(resolve, usual * (n + 1) / (moments + 1)))
      await killOwner(dir, removing.child)
      await removing
      const gone = await expectWholeOrGone(organization, rows, args)
      outcomes.add(gone)
      if (gone) await begin()
    }
    expect(outcomes).toContain(false)
  },
  600_000
)

const lockedTables = [
  "webhook_delivery",
  "measurement",
  "answer_sources",
  "score",
  "seal",
  "answer",
  "cell",
  "scan",
  "keyword",
  "organization"
]

describe.runIf(serverHomeOrAll.includes("postgres"))("on a server", () => {
  it(
    "a deletion is complete or undone if the command is killed while it waits for any of the tables",
    async () => {
      const { cwd } = made
      const url = ownerUrl(await freshDatabaseUrl("superuser"))
      const env = { SOV_DATABASE_URL: url }
      await sovJson(cwd, ["db", "backup", "demo.gz", "--yes", ...demo])
      await sovJson(cwd, ["db", "restore", "demo.gz", "--yes"], env)
      const [organization] = await sovJson<readonly [Named]>(cwd, ["org", "list"], env)
      const remove = ["org", "delete", organization.slug, "--now", "--yes"]
      const { rows } = await sovJson<Counted>(cwd, ["org", "delete", organization.slug, "--dry-run"], env)
      const waiting = (sql: SqlClient.SqlClient) =>
        Effect.map(
          sql`select from pg_locks where not granted and database = (
          select oid from pg_database where datname = current_database()
        )`,
          (found) => found.length > 0
        )
      await Effect.runPromise(
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          for (const table of lockedTables.filter((_, i) => i % 3 === 0 || moments >= 10)) {
            let removing: ReturnType<typeof startSov> | undefined
            yield* sql.withTransaction(Effect.gen(function*() {
              yield* sql.unsafe(`set local idle_in_transaction_session_timeout = 0`)
              yield* sql.unsafe(`lock table ${table} in share row exclusive mode`)
              removing = startSov(cwd, remove, { env })
              while (!(yield* waiting(sql))) yield* Effect.sleep("20 millis")
              removing.child.kill("SIGKILL")
              yield* Effect.promise(() => removing!)
            }))
            expect(yield* Effect.promise(() => expectWholeOrGone(organization, rows, [], env)), table).toBe(false)
          }
          expect(yield* Effect.promise(() => sov(cwd, remove, { env }))).toMatchObject({ code: 0 })
          expect(yield* Effect.promise(() => expectWholeOrGone(organization, rows, [], env))).toBe(true)
        }).pipe(Effect.provide(layerServer({ url: Redacted.make(url) })), Effect.scoped)
      )
    },
    600_000
  )
})
