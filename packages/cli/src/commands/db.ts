/** sov db: which database is used, and its schema. */
import { Effect } from "effect"
import type { GlobalOptions } from "../GlobalOptions.ts"
import { placeOf } from "../place.ts"
import { migrateDatabase, runOnDatabase, schemaStatus } from "../runtime.ts"

export const status = (options: GlobalOptions) =>
  runOnDatabase(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const { pending, version } = yield* schemaStatus
      const { kind, location } = placeOf(options)
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
