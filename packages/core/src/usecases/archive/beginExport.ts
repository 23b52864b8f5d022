import { Effect, Stream } from "effect"
import { type ArchiveFilters, keepToWindow } from "../../domain/archive/ArchiveFilters.ts"
import { type Anchor, anchorFromSeal } from "../../domain/archive/ArchiveProblem.ts"
import type { ArchivePosition } from "../../domain/archive/ArchiveRow.ts"
import {
  type ExportedRows,
  type ExportManifest,
  makeManifest,
  type RowsFile
} from "../../domain/archive/ExportManifest.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { SealStore } from "../../ports/SealStore.ts"
import { exportContext, exportPages } from "./exportArchive.ts"
import { resolveTag } from "./resolveTag.ts"

/** What an export of the archive that has begun is made of, in the order in which it is to be written. */
export interface BegunExport {
  /** The newest seal when it began; null before the first. */
  readonly head: Anchor | null
  /** Those that were asked for, within the window. */
  readonly filters: ArchiveFilters
  /** The answers, newest first, page by page; those after `after` where it is given. */
  readonly pages: (after?: ArchivePosition | null) => ReturnType<typeof exportPages>
  /** The lines of the context file, to be read once. */
  readonly context: ReturnType<typeof exportContext>
  /** The manifest, once all has been written: `contextSha256` null = without a context, as in CSV. */
  readonly describe: (file: RowsFile, rows: ExportedRows, contextSha256: string | null) => ExportManifest
}

/**
 * Begins an export of the answers that match and that the window shows. Nothing is read before the streams are, and
 * none of them is held in memory. `head`: where an earlier run of the same export began, which is being resumed.
 */
export const beginExport = Effect.fn("beginExport")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  given: ArchiveFilters,
  resumed?: { readonly head: Anchor | null }
) {
  const newest = resumed === undefined ? yield* (yield* SealStore).head(organizationId) : null
  const head = resumed === undefined ? newest === null ? null : anchorFromSeal(newest) : resumed.head
  const filters = keepToWindow(window, given)
  // The keywords of a tag are those of now, from the first row to the last
  const resolved = yield* resolveTag(organizationId, filters)
  let leaves = 0
  const begun: BegunExport = {
    head,
    filters,
    pages: (after) => exportPages(organizationId, window, resolved, head, after ?? undefined),
    context: Stream.suspend(() => {
      leaves = 0
      return exportContext(organizationId, window, resolved, head, (held) => {
        leaves += held
      })
    }),
    describe: (file, rows, contextSha256) =>
      makeManifest(file, filters, rows, {
        organizationId,
        head,
        context: contextSha256 === null ? null : { sha256: contextSha256, leaves }
      })
  }
  return begun
})
