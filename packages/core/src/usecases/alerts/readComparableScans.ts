/** The scans that alert rules compare a completing scan with, all measured with the same names and rules. */
import { Effect } from "effect"
import { areScansComparable, type ComparableScan, maxNoisePairs } from "../../domain/alerts/evidence.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { isNarrowed } from "../../domain/scoring/asked.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { measureScan } from "../measuring/measureScan.ts"
import { readHeadline } from "../scoring/readHeadlines.ts"

/** Maximum number of earlier scans that are read, of those that asked at least half of the same cells. */
const maxEarlierScans = 12

/** Lists earlier scans that may be comparable, newest first. */
export const listEarlierScans = (organizationId: OrganizationId, scan: Scan) =>
  Effect.flatMap(ScanStore, (scans) => scans.listComparable(organizationId, scan, maxEarlierScans))

/**
 * Measures earlier scans with this scan's tracked set and the present rules, newest first, until one of them is
 * comparable. Names, competitors or rules may have changed since they were measured.
 */
export const measureComparable = Effect.fn("measureComparable")(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet, at: Date) {
    const scores = yield* ScoreStore
    const versions = { measureVersion, trackedSetVersion: set.version }
    const partOf = Effect.fnUntraced(function*(one: Scan) {
      return { cells: yield* readHeadline(organizationId, one.id, versions), narrowed: isNarrowed(one) }
    })
    const current = yield* partOf(scan)
    for (const earlier of yield* listEarlierScans(organizationId, scan)) {
      const score = yield* scores.ofScan(organizationId, earlier.id, versions)
      if (score === null) yield* measureScan(organizationId, earlier, set, at)
      if (areScansComparable(yield* partOf(earlier), current)) return
    }
  }
)

/**
 * Reads a scan as measured with the tracked set and the present rules; null if it is not measured this way, or has no
 * score.
 */
export const readMeasuredScan = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scan: Scan, { version }: Pick<TrackedSet, "version">) {
    const { id } = scan
    const versions = { measureVersion, trackedSetVersion: version }
    const score = yield* (yield* ScoreStore).ofScan(organizationId, id, versions)
    if (score === null || score.avgSov === null) return null
    const cells = yield* readHeadline(organizationId, id, versions)
    const competitors = new Map(score.competitors.map(({ id, sov }) => [id, sov]))
    const measured: ComparableScan = { scanId: id, sov: score.avgSov, competitors, cells, narrowed: isNarrowed(scan) }
    return measured
  }
)

/**
 * The scan and the earlier scans that were measured the same way, oldest first, back to the fourth comparable scan.
 * Scans in between may have asked other questions. `earlier` contains the comparable ones, newest first.
 */
export const selectComparableScans = Effect.fnUntraced(
  function*<E, R>(
    scan: Scan,
    earlier: ReadonlyArray<Scan>,
    read: (scan: Scan) => Effect.Effect<ComparableScan | null, E, R>
  ) {
    const scans: Array<ComparableScan> = []
    let compared = 0
    for (const one of [scan, ...earlier]) {
      const measured = yield* read(one)
      if (measured === null) continue
      scans.unshift(measured)
      if (areScansComparable(measured, scans.at(-1)!)) compared++
      if (compared > maxNoisePairs) break
    }
    return scans
  }
)

/** Selects the comparable scans for a completing scan (`selectComparableScans`). */
export const readComparableScans = Effect.fn("readComparableScans")(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet) {
    const earlier = yield* listEarlierScans(organizationId, scan)
    return yield* selectComparableScans(scan, earlier, (one) => readMeasuredScan(organizationId, one, set))
  }
)

/**
 * Whether a completing scan becomes the headline scan, which rules about the share of voice require: it asked
 * everything, or no earlier scan of its kind and of the standard view did.
 */
export const becomesHeadlineScan = Effect.fnUntraced(function*(organizationId: OrganizationId, scan: Scan) {
  if (!isNarrowed(scan)) return true
  const [whole] = yield* (yield* ScanStore).list(organizationId, {
    limit: 1,
    status: "completed",
    simulated: scan.simulated,
    before: scan,
    standard: true,
    wholeOnly: true
  })
  return whole === undefined
})
