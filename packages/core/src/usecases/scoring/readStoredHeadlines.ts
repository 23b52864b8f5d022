/** The cells behind scores, kept in memory: what a scored scan answered, once measured, never changes. */
import { Effect } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import type { ScoredCell } from "../../domain/scoring/cells.ts"
import type { Keyword } from "../../domain/tracking/Keyword.ts"
import type { MeasurementVersions } from "../../ports/MeasurementStore.ts"
import { readHeadlines } from "./readHeadlines.ts"

interface StoredHeadline {
  readonly cells: ReadonlyArray<ScoredCell>
  readonly keywords: ReadonlyArray<Pick<Keyword, "id" | "text">>
}

/** About 15 MB. */
const maxCells = 50_000

const makeHeadlineCache = () => {
  const known = new Map<string, StoredHeadline>()
  let size = 0
  const drop = (key: string) => {
    size -= known.get(key)?.cells.length ?? 0
    known.delete(key)
  }
  return {
    get: (key: string) => known.get(key),
    /** What was put first goes first. */
    put: (key: string, headline: StoredHeadline) => {
      drop(key)
      known.set(key, headline)
      size += headline.cells.length
      for (const oldest of known.keys()) {
        if (size <= maxCells || oldest === key) break
        drop(oldest)
      }
    }
  }
}

const cache = makeHeadlineCache()

/**
 * Reads the cells behind the headlines of scans that have a score of these versions, and the keywords that have answers in
 * them. Those that were read before are not read again.
 */
export const readStoredHeadlines = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scanIds: ReadonlyArray<ScanId>, versions: MeasurementVersions) {
    // A restored archive has the ids of the first one
    const keyOf = (id: ScanId) => [organizationId, id, versions.measureVersion, versions.trackedSetVersion].join(" ")
    const found = new Map<ScanId, StoredHeadline>()
    for (const id of scanIds) {
      const known = cache.get(keyOf(id))
      if (known !== undefined) found.set(id, known)
    }
    const missing = scanIds.filter((id) => !found.has(id))
    if (missing.length > 0) {
      const { cellsOf, keywords } = yield* readHeadlines(organizationId, missing, versions)
      for (const id of missing) {
        const cells = cellsOf(id)
        const answered = new Set(cells.map(({ keywordId }) => keywordId))
        const headline = { cells, keywords: keywords.filter((keyword) => answered.has(keyword.id)) }
        found.set(id, headline)
        cache.put(keyOf(id), headline)
      }
    }
    const keywords = [...found.values()].flatMap((one) => one.keywords)
    return {
      keywords: [...new Map(keywords.map((keyword) => [keyword.id, keyword])).values()],
      cellsOf: (id: ScanId): ReadonlyArray<ScoredCell> => found.get(id)?.cells ?? []
    }
  }
)
