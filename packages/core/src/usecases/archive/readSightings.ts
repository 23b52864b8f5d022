/** Who saw the answers that people captured in apps. */
import { Effect } from "effect"
import type { ArchiveRow } from "../../domain/archive/ArchiveRow.ts"
import { readSighting, type Sighting } from "../../domain/archive/capturedFile.ts"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { capturedView } from "../../domain/tracking/ViewInput.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"

/** The sightings of those of these answers that were captured in apps; null for one whose record is not stored. */
export const readSightings = Effect.fn("readSightings")(function*(
  organizationId: OrganizationId,
  rows: ReadonlyArray<Pick<ArchiveRow, "asked" | "id">>
) {
  const archive = yield* ArchiveStore
  const captured = rows.filter(({ asked }) => asked?.view === capturedView.name)
  return new Map<AnswerId, Sighting | null>(
    yield* Effect.forEach(
      captured,
      ({ id }) => Effect.map(archive.payload(organizationId, id), (payload) => [id, readSighting(payload)] as const)
    )
  )
})
