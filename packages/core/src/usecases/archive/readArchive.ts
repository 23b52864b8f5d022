import { Effect } from "effect"
import { decodeArchiveCursor, encodeArchiveCursor } from "../../domain/archive/archiveCursor.ts"
import type { ArchiveFilters } from "../../domain/archive/ArchiveFilters.ts"
import type { ArchivePosition, ArchiveRow } from "../../domain/archive/ArchiveRow.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import { BadCursor, NotFound } from "../errors.ts"

/** One page of the archive, newest first. */
export interface ArchivePage {
  readonly rows: ReadonlyArray<ArchiveRow>
  /** Pass it back for the next page; null on the last. */
  readonly nextCursor: string | null
  /** Where the readable history begins: the later of `from` and the earlier of organization and oldest answer. */
  readonly windowStart: Date
  /** The cursor of the page after this row, for a caller that shows fewer rows than it read. */
  readonly cursorAfter: (row: ArchivePosition) => string
}

/** A page ends once it has so many bytes of answers, so that a request for many long ones does not delay others. */
const textBytes = 4_194_304

/**
 * Reads up to `limit` rows after `cursor`, fewer when answers are long, with `provenance` also where they came from. A
 * cursor is valid for its organization and filters only: fails with BadCursor for another one, with NotFound when there is
 * no such organization.
 */
export const readArchive = Effect.fn("readArchive")(function*(
  organizationId: OrganizationId,
  filters: ArchiveFilters,
  options: { readonly limit: number; readonly cursor?: string | undefined; readonly provenance?: boolean }
) {
  const archive = yield* ArchiveStore
  const key = yield* (yield* InstanceStore).cursorKey
  const after = options.cursor === undefined ? null : decodeArchiveCursor(key, organizationId, filters, options.cursor)
  if (options.cursor !== undefined && after === null) return yield* new BadCursor()

  const history = yield* archive.history(organizationId, filters, {
    limit: options.limit,
    textBytes,
    provenance: options.provenance === true,
    ...(after === null ? {} : { after })
  })
  if (history === null) return yield* new NotFound({ what: "organization", id: organizationId })
  const { begin, more, rows } = history
  const last = rows.at(-1)
  const page: ArchivePage = {
    rows,
    nextCursor: more && last !== undefined ? encodeArchiveCursor(key, organizationId, filters, last) : null,
    windowStart: new Date(Math.max(begin.getTime(), filters.from?.getTime() ?? -Infinity)),
    cursorAfter: (row) => encodeArchiveCursor(key, organizationId, filters, row)
  }
  return page
})
