/** A score's detail as the columns of table `score_detail`, in JSON, which keeps every number exactly. */
import type { PgClient } from "@effect/sql-pg"
import { Record, Schema } from "effect"
import { ScanId } from "../../../domain/ids.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { ScoreDetail } from "../../../domain/scoring/scoreDetail.ts"
import type { KeywordShare } from "../../../domain/scoring/standing.ts"
import type { KeptDetail } from "../../../ports/ScoreStore.ts"
import { jsonOf, mapRow, rowOf } from "../rows.ts"
import { formatUuidArray } from "../values.ts"

interface DetailJson extends Omit<ScoreDetail, "keywordShares"> {
  /** The number of measured answers of each scan, in the order of the scans. */
  readonly measuredCounts: ReadonlyArray<number>
  readonly keywordShares: ReadonlyArray<
    Omit<KeywordShare, "platforms"> & { readonly platforms: Readonly<Record<PlatformId, number>> }
  >
}

/** A row of table `score_detail`. */
export const KeptDetailRow = rowOf({
  scanIds: Schema.Array(ScanId),
  detail: jsonOf<DetailJson>(),
  series: Schema.Record(ScanId, Schema.Boolean)
}).pipe(mapRow(({ detail: { measuredCounts, ...detail }, scanIds, series }): KeptDetail => ({
  scans: scanIds.map((id, n) => ({ id, measuredCount: measuredCounts[n]! })),
  detail: {
    ...detail,
    keywordShares: detail.keywordShares.map(({ platforms, ...share }) => ({
      ...share,
      platforms: new Map(Record.toEntries(platforms))
    }))
  },
  series: new Map(Record.toEntries(series))
})))

export const keptDetailColumns = (sql: PgClient.PgClient, { detail, scans, series }: KeptDetail) => ({
  scan_ids: formatUuidArray(scans.map(({ id }) => id)),
  detail: sql.json({
    ...detail,
    measuredCounts: scans.map(({ measuredCount }) => measuredCount),
    keywordShares: detail.keywordShares.map(({ platforms, ...share }) => ({
      ...share,
      platforms: Object.fromEntries(platforms)
    }))
  }),
  series: sql.json(Object.fromEntries(series))
})
