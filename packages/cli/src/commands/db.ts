/** sov db: which database is used, and its schema. */
import { Effect, Redacted } from "effect"
import type { GlobalOptions } from "../GlobalOptions.ts"
import { home, migrateDatabase, runOnDatabase, schemaStatus } from "../runtime.ts"

/** The home as it may be shown: a URL without its password. */
const shownHome = (options: GlobalOptions) => {
  const where = home(options)
  if ("dataDir" in where) return { kind: "embedded" as const, location: where.dataDir }
  const url = URL.parse(Redacted.value(where.url))
  return { kind: "server" as const, location: url === null ? "?" : `${url.protocol}//${url.host}${url.pathname}` }
}

export const status = (options: GlobalOptions) =>
  runOnDatabase(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const { pending, version } = yield* schemaStatus
      const { kind, location } = shownHome(options)
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
    }))

export const migrate = (options: GlobalOptions & { readonly dryRun?: boolean }) =>
  runOnDatabase(options, { create: options.dryRun !== true, repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const steps = options.dryRun === true ? (yield* schemaStatus).pending : yield* migrateDatabase
      out.list(steps.map(({ id, name }) => ({ id, name })), [
        { header: options.dryRun === true ? "WOULD RUN" : "RAN", cell: (row) => String(row.id).padStart(4, "0") },
        { header: "NAME", cell: (row) => row.name }
      ], { empty: "Nothing to do: the database is up to date." })
    }))
