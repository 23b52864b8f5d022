import { Effect } from "effect"
import { type ArchiveFilters, filtersToParameters } from "../../domain/archive/ArchiveFilters.ts"
import { formatAnchor } from "../../domain/archive/ArchiveProblem.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { runActs } from "../audit/recordActs.ts"
import { beginExport } from "./beginExport.ts"

/**
 * Begins an export for somebody who takes it away from the installation, and records that: each time, also of the same
 * answers. Whoever reads the database itself needs no entry to do so, so `beginExport` writes none.
 */
export const beginDownload = Effect.fn("beginDownload")(
  function*(organizationId: OrganizationId, window: HistoryWindow, filters: ArchiveFilters) {
    return yield* runActs(organizationId, beginExport(organizationId, window, filters), (begun) => [{
      action: "archive.exported",
      subjectId: organizationId,
      detail: {
        ...filtersToParameters(begun.filters),
        chain_head: begun.head === null ? null : formatAnchor(begun.head)
      }
    }])
  }
)
