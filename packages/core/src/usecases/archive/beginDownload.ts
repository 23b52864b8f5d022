import { Effect } from "effect"
import { type ArchiveFilters, filtersToParameters } from "../../domain/archive/ArchiveFilters.ts"
import { formatAnchor } from "../../domain/archive/ArchiveProblem.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { runActs } from "../audit/recordActs.ts"
import { beginExport } from "./beginExport.ts"

/**
 * Begins an export that leaves the installation, and records it in the audit log on every call. `beginExport` records
 * nothing, because programs that read the database directly leave no entry either.
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
