import { type Duration, Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { makeMeasurer, type Measurer } from "./measureStored.ts"

/** The tracked set of a measurement. */
export interface TrackedSetKey {
  readonly organizationId: OrganizationId
  readonly trackedSetVersion: number
}

/** Maximum number of tracked sets whose compiled terms are cached. */
const maxCached = 100

/** Creates measurers by tracked set. Each is compiled once, because a version of a tracked set never changes. */
export const makeMeasurers = (deadline: Duration.Duration) => {
  const known = new Map<string, Measurer>()
  return Effect.fnUntraced(function*({ organizationId, trackedSetVersion }: TrackedSetKey) {
    const key = `${organizationId}/${trackedSetVersion}`
    const found = known.get(key)
    if (found !== undefined) return found
    const set = (yield* (yield* TrackedSetStore).find(organizationId, trackedSetVersion))!
    const made = yield* makeMeasurer(set, deadline)
    if (known.size >= maxCached) known.clear()
    known.set(key, made)
    return made
  })
}
