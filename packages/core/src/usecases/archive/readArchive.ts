import { Effect } from "effect"
import { decodeArchiveCursor, encodeArchiveCursor } from "../../domain/archive/archiveCursor.ts"
import { type ArchiveFilters, keepToWindow } from "../../domain/archive/ArchiveFilters.ts"
import type { ArchivePosition, ArchiveRow } from "../../domain/archive/ArchiveRow.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isWindowApplied, laterBegin } from "../../domain/organizations/HistoryWindow.ts"
import { type ArchiveHistory, ArchiveStore } from "../../ports/ArchiveStore.ts"
import { InstanceStore } from "../../ports/InstanceStore.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { NotFound } from "../errors.ts"
import { openCursor } from "../openCursor.ts"
import { resolveTag } from "./resolveTag.ts"

/** One page of the archive, newest first. */
export interface ArchivePage<Text = string> {
  readonly rows: ReadonlyArray<ArchiveRow<Text>>
  /**
   * Cursor of the next page; null on the last page. If a filter is not supported by an index, a page may have few rows.
   */
  readonly nextCursor: string | null
  /**
   * Start of the readable history: the latest of `from`, the start of the window, and the earlier of the organization's
   * creation and the oldest answer.
   */
  readonly windowStart: Date
  /** Whether the window hides answers that match the filters. */
  readonly windowApplied: boolean
  /** The cursor of the page after this row, for a caller that shows fewer rows than it read. */
  readonly cursorAfter: (row: ArchivePosition) => string
}

const laterOf = (begin: Date, other: Date | null): Date => other !== null && other > begin ? other : begin

/** Size and position of a page. */
export interface ArchivePageOptions {
  readonly limit: number
  readonly cursor?: string | undefined
  /** Whether rows include their provenance. */
  readonly provenance?: boolean
  /** A page ends once its answers reach this many bytes. */
  readonly maxTextBytes?: number
}

/** Default limit, so that a request for many long answers does not delay others. */
const defaultMaxTextBytes = 4_194_304

/** One of the two forms in which a store returns a page. */
type ReadHistory<Text> = (
  store: ArchiveStore["Service"],
  ...args: Parameters<ArchiveStore["Service"]["history"]>
) => Effect.Effect<ArchiveHistory<Text> | null, StoreError>

const readPage = Effect.fnUntraced(function*<Text>(
  read: ReadHistory<Text>,
  organizationId: OrganizationId,
  window: HistoryWindow,
  filters: ArchiveFilters,
  options: ArchivePageOptions
) {
  const archive = yield* ArchiveStore
  const after = yield* openCursor(
    options.cursor,
    (key, cursor) => decodeArchiveCursor(key, organizationId, filters, cursor)
  )
  const [key] = yield* (yield* InstanceStore).cursorKeys

  const history = yield* read(
    archive,
    organizationId,
    keepToWindow(window, yield* resolveTag(organizationId, filters)),
    {
      limit: options.limit,
      textBytes: options.maxTextBytes ?? defaultMaxTextBytes,
      provenance: options.provenance === true,
      ...(after === null ? {} : { after })
    }
  )
  if (history === null) return yield* new NotFound({ what: "organization", id: organizationId })
  const { begin, more, reached, rows } = history
  const last = more ? rows.at(-1)! : reached
  const page: ArchivePage<Text> = {
    rows,
    nextCursor: last === null ? null : encodeArchiveCursor(key, organizationId, filters, last),
    windowStart: laterOf(begin, laterBegin(window, filters.from ?? null)),
    windowApplied: isWindowApplied(window, begin, filters.from),
    cursorAfter: (row) => encodeArchiveCursor(key, organizationId, filters, row)
  }
  return page
})

/**
 * Reads up to `limit` rows within the window after `cursor`, fewer if answers are long or few match; with `provenance`,
 * each row includes its provenance. A cursor is valid only for its organization and filters; any other fails with
 * BadCursor. Fails with NotFound for an unknown organization.
 */
export const readArchive = Effect.fn("readArchive")((
  organizationId: OrganizationId,
  window: HistoryWindow,
  filters: ArchiveFilters,
  options: ArchivePageOptions
) => readPage((store, ...args) => store.history(...args), organizationId, window, filters, options))

/** Like `readArchive`, with answers as UTF-8 bytes, for callers that pass them on without reading them. */
export const readArchiveInUtf8 = Effect.fn("readArchiveInUtf8")((
  organizationId: OrganizationId,
  window: HistoryWindow,
  filters: ArchiveFilters,
  options: ArchivePageOptions
) => readPage((store, ...args) => store.historyInUtf8(...args), organizationId, window, filters, options))
