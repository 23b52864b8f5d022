import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"

/** Size and time span of the archive, one entry for each platform with answers. */
export const readArchiveStats = Effect.fn("readArchiveStats")(function*(organizationId: OrganizationId) {
  return yield* (yield* ArchiveStore).stats(organizationId)
})
