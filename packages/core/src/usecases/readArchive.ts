import { Effect, Option, Stream } from "effect"
import type { ArchiveFilters, ArchivePosition, ArchiveRow } from "../domain/ArchiveRow.ts"
import { decodeCursor, encodeCursor } from "../domain/Cursor.ts"
import type { OrganizationId } from "../domain/ids.ts"
import { ArchiveStore } from "../ports/ArchiveStore.ts"
import { InstanceStore } from "../ports/InstanceStore.ts"
import { BadCursor, NotFound } from "./errors.ts"
import { now } from "./now.ts"

/** One page of the archive, newest first. */
export interface ArchivePage {
  readonly rows: ReadonlyArray<ArchiveRow>
  /** Pass it back for the next page; null on the last. */
  readonly nextCursor: string | null
  /** Where the readable history begins: the later of `from` and the earlier of organization and oldest answer. */
  readonly windowStart: Date
  /** The cursor to what comes after this row, for who shows fewer rows than it read. */
  readonly cursorAfter: (row: ArchivePosition) => string
}

/** Reads up to `limit` rows after `cursor`. A cursor is good only for the organization and filters that it came from. */
export const readArchive = Effect.fn("readArchive")(function*(
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  options: { readonly limit: number; readonly cursor?: string | undefined }
) {
  const archive = yield* ArchiveStore
  const key = yield* (yield* InstanceStore).cursorKey
  const after = options.cursor === undefined ? null : decodeCursor(key, organizationId, filters, options.cursor)
  if (options.cursor !== undefined && after === null) return yield* new BadCursor()

  // One row more than asked tells whether there is a next page.
  const history = yield* archive.history(organizationId, filters, {
    limit: options.limit + 1,
    ...(after === null ? {} : { after })
  })
  if (history === null) return yield* new NotFound({ what: "organization", id: organizationId })
  const rows = history.rows.slice(0, options.limit)
  const last = rows.at(-1)
  const page: ArchivePage = {
    rows,
    nextCursor: history.rows.length > rows.length && last !== undefined
      ? encodeCursor(key, organizationId, filters, last)
      : null,
    windowStart: new Date(Math.max(history.begin.getTime(), filters.from?.getTime() ?? -Infinity)),
    cursorAfter: (row) => encodeCursor(key, organizationId, filters, row)
  }
  return page
})

const exportPage = 500

/**
 * All rows that match, newest first, as they stood when the export began: what is archived later is not in it. Pages of
 * 500 rows, a short statement each, so that memory stays flat and nobody waits for a long reader.
 */
export const exportArchive = (organizationId: OrganizationId, filters: ArchiveFilters) =>
  Stream.unwrap(Effect.gen(function*() {
    const archive = yield* ArchiveStore
    const begun = yield* now
    const to = filters.to === undefined || filters.to > begun ? begun : filters.to
    return Stream.paginate(undefined as ArchiveRow | undefined, (after) =>
      Effect.map(
        archive.page(organizationId, { ...filters, to }, {
          limit: exportPage,
          ...(after === undefined ? {} : { after })
        }),
        (rows) => [rows, rows.length < exportPage ? Option.none() : Option.some(rows.at(-1))] as const
      ))
  }))
