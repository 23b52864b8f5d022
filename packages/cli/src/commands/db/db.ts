/** sov db: shows which database is used, migrates its schema, and makes and restores backups. */
import { Effect } from "effect"
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { confirm } from "../../input/confirm.ts"
import { Output } from "../../output/Output.ts"
import { checkTarget, createPartFile } from "../../output/partFile.ts"
import { makeRowProgress } from "../../output/rowProgress.ts"
import { pluralizeGrouped } from "../../render/counted.ts"
import {
  type BackupSummary,
  checkBackup,
  migrateDatabase,
  migrateServer,
  restoreBackup,
  runOnDatabase,
  schemaStatus,
  takeBackup
} from "../../runtime.ts"
import { locateDatabase } from "../../settings/databaseLocation.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { makeGzipWriter, readBackupLines } from "./backupFile.ts"

export const status = (options: GlobalOptions) =>
  runOnDatabase(options, { repeatable: true }, function*({ out }) {
    const { pending, version } = yield* schemaStatus
    const { kind, location } = locateDatabase(options)
    out.result(
      { kind, location, schema_version: version, pending: pending.map(({ id, name }) => ({ id, name })) },
      () =>
        [
          `${kind === "embedded" ? "Embedded database in" : "Postgres server"} ${location}`,
          `schema version ${version}, ${
            pending.length === 0 ? "up to date" : `${pending.length} to run: sov db migrate`
          }`
        ].join("\n")
    )
  })

/**
 * Migrates the database. On a server this also creates what workers need and grants roles their rights; the embedded
 * database has neither.
 */
const migrateHome = (options: GlobalOptions, out: Output) =>
  locateDatabase(options).kind === "embedded"
    ? migrateDatabase
    : Effect.map(migrateServer, ({ roles, steps }) => {
      if (roles.length > 0) out.note(`Granted to ${roles.join(", ")} what this schema asks for.`)
      return steps
    })

export const migrate = (options: GlobalOptions & { readonly dryRun?: boolean }) =>
  runOnDatabase(options, { create: options.dryRun !== true, repeatable: true }, function*({ out }) {
    const steps = options.dryRun === true ? (yield* schemaStatus).pending : yield* migrateHome(options, out)
    out.list(steps.map(({ id, name }) => ({ id, name })), [
      { header: options.dryRun === true ? "WOULD RUN" : "RAN", cell: (row) => String(row.id).padStart(4, "0") },
      { header: "NAME", cell: (row) => row.name }
    ], { empty: "Nothing to do: the database is up to date." })
  })

/** The location of the database, in the form that backups and errors show. */
const describeLocation = (options: GlobalOptions): string => locateDatabase(options).location

const makeNoDatabaseError = (options: GlobalOptions) =>
  new CliError(
    "no-database",
    exitCodes.notFound,
    `${describeLocation(options)} holds no database of sov`,
    "--data-dir or SOV_DATABASE_URL points to another"
  )

const describeContent = ({ rows }: BackupSummary): string =>
  ["organization", "scan", "answer"].map((table) => pluralizeGrouped(rows[table] ?? 0, table)).join(", ")

/** Runs `sov db backup FILE`. */
export const backup = (options: GlobalOptions, given: string) => {
  const file = resolve(given)
  return runOnDatabase(
    options,
    { before: checkTarget(file, options.yes === true) },
    function*({ out }) {
      if ((yield* schemaStatus).version === 0) return yield* Effect.fail(makeNoDatabaseError(options))
      const part = yield* createPartFile(file)
      const data = makeGzipWriter(part)
      let progress = makeRowProgress(out, "Backing up", null)
      const onTotal = (rows: number) => {
        progress = makeRowProgress(out, "Backing up", rows)
      }
      const summary = yield* takeBackup(
        { singleSession: locateDatabase(options).kind === "embedded", onTotal },
        ({ rows, text }) => {
          progress.add(rows)
          return data.write(text)
        }
      ).pipe(Effect.ensuring(Effect.sync(() => progress.clear())))
      yield* data.flush
      const sha256 = yield* part.finish
      const { created_at, rows, schema_version } = summary
      const bytes = statSync(file).size
      out.result(
        { file, created_at, schema_version, rows, bytes, sha256 },
        () =>
          `${describeContent(summary)} in ${file} (${(bytes / 1e6).toFixed(1)} MB)\nsha256 ${sha256}\n` +
          "It holds answers and the hashes of API keys: keep it where the database would be kept."
      )
    }
  )
}

/** Runs `sov db restore FILE`. */
export const restore = (options: GlobalOptions, given: string) => {
  const file = resolve(given)
  let checked: BackupSummary | undefined
  const before = Effect.gen(function*() {
    const out = new Output(options)
    const progress = makeRowProgress(out, "Checking", null)
    const summary = yield* checkBackup(readBackupLines(file), Effect.sync(() => progress.add(1))).pipe(
      Effect.ensuring(Effect.sync(() => progress.clear()))
    )
    out.note(`The backup is whole: ${describeContent(summary)}, as of ${summary.created_at}.`)
    yield* confirm(out, `Restore it into ${describeLocation(options)}?`)
    checked = summary
  })
  return runOnDatabase(options, { create: true, before }, function*({ out }) {
    const summary = checked!
    const { created_at, rows, schema_version } = summary
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    const progress = makeRowProgress(out, "Restoring", total)
    const waiting = yield* restoreBackup(summary, readBackupLines(file), Effect.sync(() => progress.add(1))).pipe(
      Effect.ensuring(Effect.sync(() => progress.clear()))
    )
    const location = describeLocation(options)
    out.result(
      { file, location, created_at, schema_version, rows },
      () => `Restored ${describeContent(summary)} to ${location}`
    )
    if (waiting.deliveries + waiting.emails > 0) {
      out.note(
        `A worker there sends ${
          pluralizeGrouped(waiting.deliveries, "pending webhook delivery", "pending webhook deliveries")
        } and ` +
          `${
            pluralizeGrouped(waiting.emails, "e-mail")
          }. In a copy: sov webhook disable ID first, and leave SOV_SMTP_URL unset.`
      )
    }
  })
}
