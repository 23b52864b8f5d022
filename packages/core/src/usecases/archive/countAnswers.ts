import { Effect } from "effect"
import type { ArchiveFilters } from "../../domain/archive/ArchiveFilters.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { resolveTag } from "./resolveTag.ts"

/** How many archived answers match the filters; all of them when left out. */
export const countAnswers = Effect.fn("countAnswers")(
  function*(organizationId: OrganizationId, filters: ArchiveFilters = {}) {
    return yield* (yield* ArchiveStore).count(organizationId, yield* resolveTag(organizationId, filters))
  }
)
