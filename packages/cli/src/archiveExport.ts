/** sov archive export: the archive of a database as a stream of rows. */
import { archiveRowJson, exportArchive } from "@sov/core"
import { Effect, Stream } from "effect"
import { archiveFilters } from "./archiveFilters.ts"
import { currentOrganization } from "./currentOrganization.ts"
import { checkExport, type ExportOptions, writeExport } from "./exportRows.ts"
import { runCommand } from "./runtime.ts"

/** sov archive export */
export const exportAll = (options: ExportOptions) =>
  runCommand(options, { before: checkExport(options) }, ({ out }) =>
    Effect.gen(function*() {
      const { id } = yield* currentOrganization(options)
      const filters = yield* archiveFilters(id, options)
      const rows = Stream.map(exportArchive(id, filters), archiveRowJson)
      yield* writeExport(out, rows, { organizationId: id, ...filters }, options)
    }))
