import { Effect, Stream } from "effect"
import { type ArchiveFilters, keepToWindow, matchesAll } from "../../domain/archive/ArchiveFilters.ts"
import { type Anchor, anchorFromSeal, type ArchiveProblem } from "../../domain/archive/ArchiveProblem.ts"
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
import { makeSealChecker, type SealChecker } from "./checkSeals.ts"
import { exportContext, exportPages } from "./exportArchive.ts"
import { resolveTag } from "./resolveTag.ts"

/** Parts of an export that has begun, in the order in which to write them. */
export interface BegunExport {
  /** The newest seal when the export began; null if there was no seal. */
  readonly head: Anchor | null
  /** The requested filters, restricted to the history window. */
  readonly filters: ArchiveFilters
  /** The answers, newest first, page by page; starting after `after` if given. */
  readonly pages: (after?: ArchivePosition | null) => ReturnType<typeof exportPages>
  /**
   * Ends the comparison once the rows are read: checks the chain and, in an export of everything, that no sealed answer
   * is missing. `resumed`: an earlier run has read some of the rows.
   */
  readonly checkChain: (options: { readonly resumed: boolean }) => ReturnType<SealChecker["checkChain"]>
  /** The lines of the context file. They can be read only once. */
  readonly context: ReturnType<typeof exportContext>
  /**
   * Creates the manifest after everything is written. `contextSha256` is null if there is no context file, as in CSV.
   * `faults` is the number of problems found.
   */
  readonly describe: (
    file: RowsFile,
    rows: ExportedRows,
    contextSha256: string | null,
    faults?: number
  ) => ExportManifest
}

/**
 * Begins an export of the matching answers within the window. The streams read lazily and keep nothing in memory.
 * `resumed` says where an earlier run of the same export began. With `onProblem`, the answers are compared with their
 * seals as they are read.
 */
export const beginExport = Effect.fn("beginExport")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  given: ArchiveFilters,
  { onProblem, resumed }: {
    readonly resumed?: { readonly head: Anchor | null }
    readonly onProblem?: (problem: ArchiveProblem) => Effect.Effect<void>
  } = {}
) {
  const newest = resumed === undefined ? yield* (yield* SealStore).head(organizationId) : null
  const head = resumed === undefined ? newest === null ? null : anchorFromSeal(newest) : resumed.head
  const filters = keepToWindow(window, given)
  // A tag is resolved once, so that all rows use the keywords that it has at this moment
  const resolved = yield* resolveTag(organizationId, filters)
  const seals = onProblem === undefined ? undefined : yield* makeSealChecker(organizationId, head, onProblem)
  let leaves = 0
  const begun: BegunExport = {
    head,
    filters,
    pages: (after) => {
      const pages = exportPages(organizationId, window, resolved, head, after ?? undefined)
      return seals === undefined ? pages : Stream.tap(pages, seals.checkPage)
    },
    checkChain: ({ resumed }) =>
      seals?.checkChain(!matchesAll(resolved) ? "some" : resumed ? "all, in several runs" : "all") ?? Effect.void,
    context: Stream.suspend(() => {
      leaves = 0
      return exportContext(organizationId, window, resolved, head, (held) => {
        leaves += held
      })
    }),
    describe: (file, rows, contextSha256, faults) =>
      makeManifest(file, filters, rows, {
        organizationId,
        head,
        context: contextSha256 === null ? null : { sha256: contextSha256, leaves }
      }, faults)
  }
  return begun
})
