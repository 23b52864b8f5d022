import { Effect } from "effect"
import { type ArchiveProblem, listFactProblems, listPlanProblems } from "../../domain/archive/ArchiveProblem.ts"
import type { Seal } from "../../domain/archive/Seal.ts"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"

/**
 * Compares the facts of seals, in the order of the chain, with the scans and names of the archive. A seal without facts
 * causes no problem.
 */
export const makeFactChecker = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const [scans, sets] = yield* Effect.all([ScanStore, TrackedSetStore])
  const known = new Map<number, TrackedSet | null>()
  const ended = new Set<ScanId>()
  return Effect.fnUntraced(function*(seal: Seal, sound: boolean) {
    const saysEnd = sound && !ended.has(seal.scanId)
    ended.add(seal.scanId)
    if (seal.facts === undefined) return [] as ReadonlyArray<ArchiveProblem>
    const ofPlan = listPlanProblems(seal, sound)
    if (ofPlan.length > 0) return ofPlan
    const version = seal.facts.tracked_set
    if (!known.has(version)) known.set(version, yield* sets.find(organizationId, version))
    return listFactProblems(seal, yield* scans.find(organizationId, seal.scanId), known.get(version)!, saysEnd)
  })
})
