import { type Duration, Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { makeMemory } from "../makeMemory.ts"
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
  const memories = makeMemory<Measurer>(maxCached)
  const make = Effect.fnUntraced(function*({ organizationId, trackedSetVersion }: TrackedSetKey) {
    const set = (yield* (yield* TrackedSetStore).find(organizationId, trackedSetVersion))!
    return yield* makeMeasurer(set, deadline)
  })
  return Effect.fnUntraced(function*(key: TrackedSetKey) {
    const memory = memories.of(yield* TrackedSetStore)
    return yield* memory.recall(`${key.organizationId}/${key.trackedSetVersion}`, Infinity, make(key))
  })
}
