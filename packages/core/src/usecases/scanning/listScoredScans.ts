import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Scan, ScanStatus } from "../../domain/scanning/Scan.ts"
import { type Asked, type ConfiguredPlatform, countAskedKeywords, summarizeAsked } from "../../domain/scoring/asked.ts"
import type { Score } from "../../domain/scoring/Score.ts"
import { capturedView } from "../../domain/tracking/ViewInput.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { listScans } from "./reads.ts"

/** A scan with its headline. */
export interface ScoredListing {
  readonly scan: Scan
  /** Share of voice, 0–100 and unrounded; null if the scan has no score or no answer. */
  readonly avgSov: number | null
  readonly score: Score | null
  /** What the scan asked out of the platforms and keywords at its start (`summarizeAsked`). */
  readonly asked: Asked
}

/**
 * Scans of the organization with their share of voice, newest first: up to `limit`, with the given status. `configured`
 * are the platforms that a scan would ask now; null if unknown.
 */
export const listScoredScans = Effect.fn("listScoredScans")(
  function*(
    organizationId: OrganizationId,
    query: { readonly limit: number; readonly status?: ScanStatus },
    configured: ReadonlyArray<ConfiguredPlatform> | null
  ) {
    const scans = yield* listScans(organizationId, query)
    const completed = scans.filter(({ status }) => status === "completed").map(({ id }) => id)
    const scores = completed.length === 0 ? [] : yield* (yield* ScoreStore).ofScans(organizationId, completed)
    const scoreOf = new Map(scores.map((score) => [score.scanId, score]))
    const active = scans.every(({ askable }) => askable !== undefined)
      ? 0
      : (yield* (yield* KeywordStore).list(organizationId, ["active"])).length
    // An import does not have every question on every platform: its number of cells does not tell
    const imports = scans.filter(({ view }) => view?.name === capturedView.name)
    const cells = yield* CellStore
    const imported = new Map(
      yield* Effect.forEach(
        imports,
        ({ id }) => Effect.map(cells.keywordIds(organizationId, id), (ids) => [id, ids.size] as const)
      )
    )
    return scans.map((scan): ScoredListing => {
      const score = scoreOf.get(scan.id) ?? null
      const keywords = imported.get(scan.id) ?? countAskedKeywords(scan)
      const asked = summarizeAsked(scan, configured, { active, asked: keywords })
      return { scan, avgSov: score?.avgSov ?? null, score, asked }
    })
  }
)
