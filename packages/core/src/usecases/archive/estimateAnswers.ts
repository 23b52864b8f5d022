import { Effect } from "effect"
import type { ArchiveFilters } from "../../domain/archive/ArchiveFilters.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { resolveTag } from "./resolveTag.ts"

/**
 * About how many archived answers match the filters, all of them when left out: for showing progress. However large the
 * archive is, it costs a row a scan, where an exact count reads an index entry an answer.
 */
export const estimateAnswers = Effect.fn("estimateAnswers")(
  function*(organizationId: OrganizationId, filters: ArchiveFilters = {}) {
    return yield* (yield* ArchiveStore).estimate(organizationId, yield* resolveTag(organizationId, filters))
  }
)
