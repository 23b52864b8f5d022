/** Reads the archive as a stream, and the context file of an export, which verification and import need. */
import { Array, Effect, Option, Stream } from "effect"
import {
  type AnswerFilters,
  type ArchiveFilters,
  keepToWindow,
  matchesAll
} from "../../domain/archive/ArchiveFilters.ts"
import type { Anchor } from "../../domain/archive/ArchiveProblem.ts"
import type { ArchivePosition, ArchiveRow } from "../../domain/archive/ArchiveRow.ts"
import { type ExportedSeal, formatContextLine } from "../../domain/archive/ExportContext.ts"
import { type Seal, type SealHeader, toSealHeader } from "../../domain/archive/Seal.ts"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { SealStore } from "../../ports/SealStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { resolveTag } from "./resolveTag.ts"

/** Maximum number of rows in a page; a page with long answers has fewer. */
const maxRows = 128
const pageLength = 4_194_304
const pagesAhead = 1

const sealsPerPage = 20
const scansPerPage = 100

/** Approximate number of characters of a source in a file. */
const sourceLength = 200

const measureRowLength = ({ provenance, rawResponse }: ArchiveRow): number =>
  rawResponse.length + sourceLength * (provenance?.sources.length ?? 0)

/**
 * Removes late answers from pages: answers that were sealed after `head` although their scan was already sealed at
 * `head`. The seals up to `head` cover their scan, so a check would report these answers as added. A seal is inserted
 * in the transaction of its answer, so the seals of all late answers of a page exist once the page has been read.
 */
const makeLateAnswerFilter = Effect.fnUntraced(function*(organizationId: OrganizationId, head: Anchor) {
  const seals = yield* SealStore
  const late = new Set<AnswerId>()
  let known = head.sequence
  return Effect.fnUntraced(function*(page: ReadonlyArray<ArchiveRow>) {
    let newer: ReadonlyArray<SealHeader>
    do {
      newer = yield* seals.headers(organizationId, { after: known, limit: sealsPerPage })
      for (const { scanId, sequence } of newer) {
        const ofScan = yield* seals.ofScan(organizationId, scanId)
        for (const seal of ofScan[0]!.sequence > head.sequence ? [] : ofScan) {
          if (seal.sequence === sequence) { for (const { id } of seal.leaves) late.add(id) }
        }
        known = sequence
      }
    } while (newer.length === sealsPerPage)
    return late.size === 0 ? page : page.filter(({ id }) => !late.has(id))
  })
})

/**
 * All matching rows within the window, newest first, starting after `after` if it is given. Reads page by page with
 * short statements, so that memory stays constant and no long transaction blocks others. Leaves out answers archived
 * after the first page was read, and late answers of scans sealed up to `head`, the newest seal before the read (null
 * keeps all answers). Reads the next page while the last one is processed.
 */
export const exportPages = (
  organizationId: OrganizationId,
  window: HistoryWindow,
  given: ArchiveFilters | AnswerFilters,
  head: Anchor | null,
  after?: ArchivePosition
) =>
  Stream.unwrap(Effect.gen(function*() {
    const archive = yield* ArchiveStore
    const filters = yield* resolveTag(organizationId, given)
    const kept = head === null
      ? Effect.succeed<ReadonlyArray<ArchiveRow>>
      : yield* makeLateAnswerFilter(organizationId, head)
    const first = { after, limit: maxRows }
    return Stream.paginate(
      first as { after: ArchivePosition | undefined; limit: number },
      Effect.fnUntraced(function*({ after, limit }) {
        const rows = yield* archive.page(organizationId, keepToWindow(window, filters), {
          limit,
          provenance: true,
          ...(after === undefined ? {} : { after })
        })
        const page: ReadonlyArray<ReadonlyArray<ArchiveRow>> = rows.length === 0 ? [] : [yield* kept(rows)]
        if (rows.length < limit) return [page, Option.none<typeof first>()] as const
        const length = rows.reduce((sum, row) => sum + measureRowLength(row), 0)
        const next = Math.floor(pageLength * rows.length / Math.max(1, length))
        return [page, Option.some({ after: rows.at(-1)!, limit: Math.max(1, Math.min(maxRows, next)) })] as const
      })
    ).pipe(Stream.buffer({ capacity: pagesAhead }))
  }))

/** Maximum number of failed cells in one line. */
const cellsPerLine = 500

/** Formats the scan, in an export without filters followed by its failed cells. */
const formatScanLines = Effect.fnUntraced(
  function*(organizationId: OrganizationId, filters: AnswerFilters, scan: Scan) {
    const failed = matchesAll(filters) ? yield* (yield* CellStore).listFailed(organizationId, scan.id) : []
    return [
      formatContextLine({ scan }),
      ...Array.chunksOf(failed, cellsPerLine).map((cells) =>
        formatContextLine({ failed_cells: { scanId: scan.id, cells } })
      )
    ]
  }
)

/**
 * The seal with the ids of the leaves that the export contains; without leaves if it contains none of their answers.
 */
const exportSeal = Effect.fnUntraced(
  function*(organizationId: OrganizationId, filters: AnswerFilters, seal: Seal) {
    const ids = seal.leaves.map(({ id }) => id)
    const held = matchesAll(filters)
      ? new Set(ids)
      : yield* (yield* ArchiveStore).filterIds(organizationId, filters, ids)
    const exported: ExportedSeal = {
      header: toSealHeader(seal),
      leaves: held.size === 0 && ids.length > 0
        ? null
        : seal.leaves.map(({ hash, id }) => ({ id: held.has(id) ? id : null, hash }))
    }
    return { exported, held: held.size }
  }
)

/**
 * The lines of an export's context file, for verification and import: tracked sets, keywords, the scans within the
 * window with their failed cells, and the seals up to `head`, the newest seal before the first row was read. The chain
 * is complete for any window, because a part of a chain proves nothing. `onSealed` receives the number of leaves that
 * the export contains.
 */
export const exportContext = (
  organizationId: OrganizationId,
  window: HistoryWindow,
  given: AnswerFilters,
  head: Anchor | null,
  onSealed: (leaves: number) => void
) =>
  Stream.unwrap(Effect.gen(function*() {
    const filters = keepToWindow(window, given)
    const [keywords, scans, seals, sets] = yield* Effect.all([KeywordStore, ScanStore, SealStore, TrackedSetStore])
    const newest = yield* sets.current(organizationId)
    return Stream.range(1, newest?.version ?? 0).pipe(
      Stream.mapEffect((version) => sets.find(organizationId, version)),
      Stream.map((set) => formatContextLine({ tracked_set: set! })),
      Stream.concat(Stream.unwrap(Effect.map(
        keywords.list(organizationId, keywordStatuses),
        (found) => Stream.fromIterable(found.map((keyword) => formatContextLine({ keyword })))
      ))),
      Stream.concat(
        Stream.paginate(undefined as Scan | undefined, (before) =>
          Effect.map(
            scans.list(organizationId, { limit: scansPerPage, ...(before === undefined ? {} : { before }) }),
            (page) => {
              const shown = page.filter(({ startedAt }) => isInWindow(window, startedAt))
              return [shown, shown.length < scansPerPage ? Option.none() : Option.some(shown.at(-1))] as const
            }
          )).pipe(
            Stream.mapEffect((scan) => formatScanLines(organizationId, filters, scan)),
            Stream.flattenIterable
          )
      ),
      Stream.concat(
        Stream.paginate(0, (after) =>
          Effect.map(seals.page(organizationId, { after, limit: sealsPerPage }), (page) => {
            const wanted = page.filter(({ sequence }) => sequence <= (head?.sequence ?? 0))
            const more = wanted.length === sealsPerPage
            return [wanted, more ? Option.some(wanted.at(-1)!.sequence) : Option.none()] as const
          })).pipe(
            Stream.mapEffect((seal) => exportSeal(organizationId, filters, seal)),
            Stream.map(({ exported, held }) => {
              onSealed(held)
              return formatContextLine({ seal: exported })
            })
          )
      )
    )
  }))
