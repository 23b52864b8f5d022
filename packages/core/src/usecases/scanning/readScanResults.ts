import { Effect } from "effect"
import type { PageScope } from "../../domain/Cursor.ts"
import type { CellId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { CellStore, type ResultFilters, type ScanResult } from "../../ports/CellStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { NoCompletedScan, NotFound } from "../errors.ts"
import { type PageOptions, readPage } from "../readPage.ts"
import { findTagged } from "../tracking/readTags.ts"

/** Filters of the results of one scan; by default of the latest completed scan. */
export interface ResultsQuery extends Omit<ResultFilters, "keywordIds"> {
  readonly scanId?: ScanId | undefined
  /** Return only keywords that have this tag now. */
  readonly tag?: string | undefined
}

const makePageScope = (scanId: ScanId, { keywordId, mentionedOnly, platform, tag }: ResultsQuery): PageScope => [
  "results",
  scanId,
  platform ?? null,
  keywordId ?? null,
  mentionedOnly === true ? "mentioned" : null,
  // Without a tag, the scope is the same as before tags existed, so that old cursors stay valid
  ...tag === undefined ? [] : [tag]
]

/** Reads the competitors that each of these answers names, by the names at the time of measuring. */
const readNames = Effect.fnUntraced(function*(organizationId: OrganizationId, rows: ReadonlyArray<ScanResult>) {
  const { find } = yield* TrackedSetStore
  const versions = new Set(rows.flatMap(({ answer }) => answer?.trackedSetVersion ?? []))
  const sets = yield* Effect.forEach(versions, (version) => find(organizationId, version))
  const names = new Map(
    sets.flatMap((set) =>
      set === null
        ? []
        : set.competitors.map(({ id, name }): readonly [string, string] => [`${set.version} ${id}`, name])
    )
  )
  return ({ competitorsMentioned, trackedSetVersion }: NonNullable<ScanResult["answer"]>) =>
    competitorsMentioned?.map((id) => names.get(`${trackedSetVersion} ${id}`) ?? id) ?? null
})

/** The cell's id alone determines the position, so the time is constant. */
const noTime = new Date(0)

/**
 * Up to `limit` results by keyword, platform and sample, without texts, with a function that creates the cursor after
 * any of them, and a function that names the competitors in an answer.
 *
 * Fails with NotFound for a scan that is unknown or belongs to another organization, with NoCompletedScan if no scan is
 * named and none has completed, and with BadCursor for a cursor of another query.
 */
export const readScanResults = Effect.fn("readScanResults")(function*(
  organizationId: OrganizationId,
  query: ResultsQuery,
  options: PageOptions
) {
  const scans = yield* ScanStore
  const scan = query.scanId === undefined
    ? (yield* scans.list(organizationId, { limit: 1, standard: true, status: "completed" }))[0]
    : yield* scans.find(organizationId, query.scanId)
  if (scan === undefined) return yield* new NoCompletedScan()
  if (scan === null) return yield* new NotFound({ what: "scan", id: query.scanId! })
  const cells = yield* CellStore
  const { tag, ...filters } = query
  const tagged = tag === undefined ? {} : { keywordIds: yield* findTagged(organizationId, tag) }
  const { cursorAfter, more, rows } = yield* readPage(
    organizationId,
    makePageScope(scan.id, query),
    options,
    ({ after, limit }) =>
      cells.results(organizationId, scan.id, { ...filters, ...tagged }, {
        limit,
        ...after === undefined ? {} : { after: after.id as CellId }
      }),
    ({ cellId }: ScanResult) => ({ createdAt: noTime, id: cellId })
  )
  return { scan, rows, more, cursorAfter, namedIn: yield* readNames(organizationId, rows) }
})
