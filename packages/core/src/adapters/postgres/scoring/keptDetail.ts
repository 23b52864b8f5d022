/** The detail of a score as the columns of table `score_detail`: JSON, which has every number as it is. */
import type { PgClient } from "@effect/sql-pg"
import type { ScanId } from "../../../domain/ids.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { ScoreDetail } from "../../../domain/scoring/scoreDetail.ts"
import type { KeywordShare } from "../../../domain/scoring/standing.ts"
import type { KeptDetail } from "../../../ports/ScoreStore.ts"
import { formatUuidArray } from "../values.ts"

interface DetailJson extends Omit<ScoreDetail, "keywordShares"> {
  readonly keywordShares: ReadonlyArray<
    Omit<KeywordShare, "platforms"> & { readonly platforms: { readonly [K in PlatformId]?: number } }
  >
}

export interface KeptDetailRow {
  readonly scan_ids: ReadonlyArray<string>
  readonly detail: DetailJson
  readonly series: { readonly [scanId: string]: boolean }
}

export const keptDetailFromRow = ({ detail, scan_ids, series }: KeptDetailRow): KeptDetail => ({
  scanIds: scan_ids as ReadonlyArray<ScanId>,
  detail: {
    ...detail,
    keywordShares: detail.keywordShares.map(({ platforms, ...share }) => ({
      ...share,
      platforms: new Map(Object.entries(platforms) as ReadonlyArray<[PlatformId, number]>)
    }))
  },
  series: new Map(Object.entries(series).map(([id, isSharing]) => [id as ScanId, isSharing]))
})

export const keptDetailColumns = (sql: PgClient.PgClient, { detail, scanIds, series }: KeptDetail) => ({
  scan_ids: formatUuidArray(scanIds),
  detail: sql.json({
    ...detail,
    keywordShares: detail.keywordShares.map(({ platforms, ...share }) => ({
      ...share,
      platforms: Object.fromEntries(platforms)
    }))
  }),
  series: sql.json(Object.fromEntries(series))
})
