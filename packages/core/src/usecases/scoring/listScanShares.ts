import { Effect } from "effect"
import type { CompetitorId, OrganizationId, ScanId } from "../../domain/ids.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import {
  averageCells,
  competitorShare,
  nobodyShare,
  type ScoredCell,
  type Share,
  sum
} from "../../domain/scoring/cells.ts"
import { estimateIntervals, type Interval } from "../../domain/scoring/intervals.ts"
import { scoreRow } from "../../domain/scoring/Score.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import type { ScoredScan } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { readHeadlines } from "./readHeadlines.ts"

/** The share of a brand, a competitor or nobody in one scan, on one platform or on all platforms. */
export interface ScanShare {
  readonly scan: Scan
  /** Null for the mean of all platforms that answered. */
  readonly platform: PlatformId | null
  readonly who: "brand" | "competitor" | "nobody"
  /** Null for the brand and for "nobody". */
  readonly id: CompetitorId | null
  /** Null for "nobody". */
  readonly name: string | null
  /** 0–100, unrounded. */
  readonly sov: number
  readonly interval: Interval | null
  /** Number of answers behind the share. */
  readonly answers: number
  readonly measureVersion: number
  readonly trackedSetVersion: number
}

/** The cells of a scan's headline, and the tracked set with whose names they were measured. */
interface Measured {
  readonly set: TrackedSet
  readonly cells: ReadonlyArray<ScoredCell>
}

/**
 * The shares of brand, competitors and "nobody" on each platform of each of these scans, computed like the headline:
 * without branded questions, with equal weights for platforms. Each scan is read with the tracked set of its score.
 */
export const listScanShares = Effect.fn("listScanShares")(
  function*(organizationId: OrganizationId, scans: ReadonlyArray<ScoredScan>) {
    const sets = yield* TrackedSetStore
    const measured = new Map<ScanId, Measured>()
    for (
      const alike of Map.groupBy(scans, ({ score }) => `${score.measureVersion} ${score.trackedSetVersion}`).values()
    ) {
      const { measureVersion, trackedSetVersion } = alike[0]!.score
      const ids = alike.map(({ scan }) => scan.id)
      const set = (yield* sets.find(organizationId, trackedSetVersion))!
      const { cellsOf } = yield* readHeadlines(organizationId, ids, { measureVersion, trackedSetVersion })
      for (const id of ids) measured.set(id, { set, cells: cellsOf(id) })
    }
    const shares: Array<ScanShare> = []
    for (const { scan, score: { measureVersion, trackedSetVersion } } of scans) {
      const versions = { measureVersion, trackedSetVersion }
      const { cells, set: { brand, competitors } } = measured.get(scan.id)!
      const named: ReadonlyArray<Pick<ScanShare, "who" | "id" | "name"> & { readonly share: Share }> = [
        { who: "brand", id: null, name: brand.name, share: scoreRow },
        ...competitors.map(({ id, name }) => ({ who: "competitor" as const, id, name, share: competitorShare(id) })),
        { who: "nobody", id: null, name: null, share: nobodyShare }
      ]
      const platforms = [...Map.groupBy(cells, ({ platform }) => platform)].toSorted(([a], [b]) => a < b ? -1 : 1)
      for (const [platform, own] of [[null, cells] as const, ...platforms]) {
        const intervalOf = estimateIntervals(own)
        const answers = sum(own.map(({ rows }) => rows.length))
        for (const { share, ...one } of answers === 0 ? [] : named) {
          const sov = averageCells(own, share)!
          shares.push({ scan, platform, ...one, sov, interval: intervalOf(share), answers, ...versions })
        }
      }
    }
    return shares
  }
)
