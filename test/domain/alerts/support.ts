/** Scans as alert rules see them, written short. */
import {
  averageOf,
  cellsOf,
  type CompetitorId,
  competitorShare,
  platformIds,
  rowScore,
  type ScanId,
  type ScoredRow,
  type WatchedScan
} from "@sov/core"
import { keywordId } from "../scoring/support.ts"

export const globex = "globex" as string as CompetitorId
export const rivals: ReadonlyArray<CompetitorId> = [globex, ...["r2", "r3", "r4"].map((id) => id as CompetitorId)]

let scans = 0

/** A scan from the rows of its answers. */
export const watched = (rows: ReadonlyArray<ScoredRow>): WatchedScan => {
  const cells = cellsOf(rows)
  return {
    scanId: `scan-${++scans}` as ScanId,
    sov: averageOf(cells, rowScore)!,
    competitors: new Map(rivals.map((id) => [id, averageOf(cells, competitorShare(id))!])),
    cells
  }
}

/** 50 answers of which those from `from` to before `to` name the brand. */
export const scanNaming = (from: number, to: number): WatchedScan =>
  watched(Array.from({ length: 50 }, (_, n) => ({
    platform: platformIds[n % 5]!,
    keywordId: keywordId(Math.floor(n / 5)),
    brandMentioned: n >= from && n < to,
    competitorsMentioned: []
  })))

/** Answers of one platform to `keywords` questions: the first `brand` name the brand alone, the next `rival` Globex alone. */
export const scanOf = (brand: number, rival = 0, keywords = 50): WatchedScan =>
  watched(Array.from({ length: keywords }, (_, n) => ({
    platform: platformIds[n % 5]!,
    keywordId: keywordId(Math.floor(n / 5)),
    brandMentioned: n < brand,
    competitorsMentioned: n >= brand && n < brand + rival ? [globex] : []
  })))
