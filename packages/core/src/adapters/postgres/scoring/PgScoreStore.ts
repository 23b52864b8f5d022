import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { OrganizationId, ScanId } from "../../../domain/ids.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { AskedKeywords } from "../../../domain/scoring/asked.ts"
import type { Score } from "../../../domain/scoring/Score.ts"
import { scoreDetailVersion } from "../../../domain/scoring/scoreDetail.ts"
import { type NewestScores, type NewestWithSources, type ScoredScan, ScoreStore } from "../../../ports/ScoreStore.ts"
import type { SourceState } from "../../../ports/SourceStore.ts"
import { groupReads } from "../groupReads.ts"
import { isScopedClient } from "../roles/scopedClient.ts"
import { scanFromRow, type ScanRow } from "../scanning/scanRow.ts"
import { selectSourceState } from "../sources/sourceState.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray, literalBoolean, literalInteger, literalLimit } from "../values.ts"
import { keptDetailColumns, keptDetailFromRow, type KeptDetailRow } from "./keptDetail.ts"

interface ScoreRow {
  readonly scan_id: string
  readonly measure_version: number
  readonly tracked_set_version: number
  readonly icu_version: string | null
  readonly avg_sov: number | null
  readonly platform_breakdown: Score["platformBreakdown"]
  readonly low_coverage: ReadonlyArray<string>
  readonly competitors: Score["competitors"]
  readonly nobody: number | null
  readonly branded_only: boolean
  readonly results_count: number
  readonly unmeasured_count: number
  readonly failed_count: number
  readonly mentioned_count: number
  readonly uncertainty: Score["uncertainty"]
}

const scoreFromRow = (row: ScoreRow): Score => ({
  scanId: row.scan_id as ScanId,
  measureVersion: row.measure_version,
  trackedSetVersion: row.tracked_set_version,
  icuVersion: row.icu_version,
  avgSov: row.avg_sov,
  platformBreakdown: row.platform_breakdown,
  lowCoverage: row.low_coverage as ReadonlyArray<PlatformId>,
  competitors: row.competitors,
  nobody: row.nobody,
  brandedOnly: row.branded_only,
  resultsCount: row.results_count,
  unmeasuredCount: row.unmeasured_count,
  failedCount: row.failed_count,
  mentionedCount: row.mentioned_count,
  uncertainty: row.uncertainty
})

interface ScoredRow extends ScanRow {
  readonly score: ScoreRow
}

const scoredFromRow = (row: ScoredRow): ScoredScan => ({ scan: scanFromRow(row), score: scoreFromRow(row.score) })

interface NewestRow extends ScoredRow {
  /** Of the first row. */
  readonly keywords: AskedKeywords | null
}

const newestFromRows = ([latest, second]: ReadonlyArray<NewestRow>): NewestScores | null =>
  latest === undefined ? null : {
    latest: scoredFromRow(latest),
    second: second === undefined ? null : scoredFromRow(second),
    keywords: latest.keywords
  }

/** Beside the state of an organization's sources; no row of a scan where none is completed. */
type StatedRow = SourceState & { readonly place: number } & (NewestRow | { readonly id: null })

const isScanRow = (row: StatedRow): row is StatedRow & NewestRow => row.id !== null

const withSourcesFromRows = (rows: ReadonlyArray<StatedRow>): NewestWithSources => {
  const [{ derived, resolvedUrls, scores, trackedSetVersion }] = rows as readonly [StatedRow]
  return {
    newest: newestFromRows(rows.filter(isScanRow)),
    state: { scores, trackedSetVersion, resolvedUrls, derived }
  }
}

/** An organization, and the scans of which the state of the sources is read, as one key of a group. */
type StatedKey = `${OrganizationId} ${string}`

/** Rows that are counted for one of a group, about 2 µs each: who waits for more of them waits for its own. */
const maxCountedInGroups = 500

/** Scores in table `score`, which the database keeps append-only. */
export const PgScoreStore = Layer.effect(
  ScoreStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const newestFirst = sql.literal(
      "tracked_set_version desc, measure_version desc, results_count - unmeasured_count desc"
    )
    const listHistory = (
      organizationId: OrganizationId | Statement.Fragment,
      limit: number,
      since: Date | null = null,
      until: Date | null = null
    ) =>
      sql<ScoredRow>`
        select scan.*, to_jsonb(newest) as score from scan
        join lateral (
          select * from score where score.organization_id = scan.organization_id and score.scan_id = scan.id
          order by ${newestFirst} limit 1
        ) newest on true
        where scan.organization_id = ${organizationId} and scan.status = 'completed'
          ${since === null ? sql`` : sql`and scan.started_at >= ${since}`}
          ${until === null ? sql`` : sql`and scan.started_at <= ${until}`}
        order by scan.started_at desc, scan.id desc limit ${literalLimit(limit)}
      `
    const selectNewest = (organizationId: OrganizationId | Statement.Fragment) =>
      sql<NewestRow>`
        select page.*, case when page.askable_keywords is null
          and row_number() over (order by page.started_at desc, page.id desc) = 1 then (
          select json_build_object('active', count(*), 'asked', count((
            select 1 from cell
            where cell.organization_id = ${organizationId} and cell.scan_id = page.id and cell.keyword_id = keyword.id
            limit 1 offset 0
          ))) from keyword
          where keyword.organization_id = ${organizationId} and keyword.status = 'active'
        ) end as keywords
        from (${listHistory(organizationId, 2)}) page
        order by page.started_at desc, page.id desc
      `
    const readNewest = (organizationId: OrganizationId) =>
      selectNewest(organizationId).pipe(Effect.map(newestFromRows), withStoreErrors("read the newest score"))

    // Postgres plans once for each number of ids that it is to expect: they are few, since null finds nothing
    const readNewestOfMany = (organizationIds: ReadonlyArray<OrganizationId>) => {
      const size = 2 ** Math.ceil(Math.log2(organizationIds.length))
      const ids = Array.from({ length: size }, (_, n) => organizationIds[n] ?? "NULL")
      return sql<NewestRow & { readonly wanted: OrganizationId }>`
        select wanted.id as wanted, found.*
        from (select unnest(${formatUuidArray(ids)}::uuid[]) as id limit ${literalInteger(size)}) wanted
        cross join lateral (${selectNewest(sql.literal("wanted.id"))}) found
        order by wanted.id, found.started_at desc, found.id desc
      `.pipe(
        Effect.map((rows) =>
          new Map(
            [...Map.groupBy(rows, ({ wanted }) => wanted)].map(([id, its]) => [id, newestFromRows(its)])
          )
        ),
        withStoreErrors("read the newest scores")
      )
    }
    const readInGroups = yield* groupReads({ readOne: readNewest, readMany: readNewestOfMany, none: null })
    const isScoped = isScopedClient(sql)
    /** The one where a statement may see one organization only, or belongs to a transaction. */
    const aloneOrInGroups = <A, E>(alone: () => Effect.Effect<A, E>, inGroups: () => Effect.Effect<A, E>) =>
      Effect.withFiber<A, E>((fiber) =>
        isScoped || Context.getOrUndefined(fiber.context, sql.transactionService) !== undefined ? alone() : inGroups()
      )

    const readStated = (keys: ReadonlyArray<StatedKey>) => {
      const size = 2 ** Math.ceil(Math.log2(keys.length))
      const named = keys.map((key) => key.split(" ") as [id: string, scans: string])
      const ids = Array.from({ length: size }, (_, n) => named[n]?.[0] ?? "NULL")
      const scans = Array.from({ length: size }, (_, n) => `"{${named[n]?.[1] ?? ""}}"`)
      const count = Math.max(...named.map(([, its]) => its.split(",").length))
      return sql<StatedRow>`
        select wanted.place, state.*, found.*
        from (
          select unnest(${formatUuidArray(ids)}::uuid[]) as id, unnest(${`{${scans.join(",")}}`}::text[]) as scans,
            generate_series(0, ${literalInteger(size - 1)}) as place
          limit ${literalInteger(size)}
        ) wanted
        cross join lateral (
          ${selectSourceState(sql, sql.literal("wanted.id"), sql`wanted.scans::uuid[]`, count)}
        ) state
        left join lateral (${selectNewest(sql.literal("wanted.id"))}) found on true
        order by wanted.place, found.started_at desc, found.id desc
      `.pipe(
        Effect.map((rows) => {
          const byPlace = Map.groupBy(rows, ({ place }) => place)
          return new Map(keys.map((key, place) => [key, withSourcesFromRows(byPlace.get(place)!)]))
        }),
        withStoreErrors("read the newest score and the state of sources")
      )
    }
    const readOneStated = (key: StatedKey) => Effect.map(readStated([key]), (found) => found.get(key)!)
    const readStatedInGroups = yield* groupReads({
      readOne: readOneStated,
      readMany: readStated,
      none: { newest: null, state: { scores: 0, trackedSetVersion: 0, resolvedUrls: 0, derived: 0 } }
    })

    const matchVersions = (versions: Pick<Score, "measureVersion" | "trackedSetVersion"> | undefined) =>
      versions === undefined ? sql`` : sql`
        and tracked_set_version = ${versions.trackedSetVersion} and measure_version = ${versions.measureVersion}`
    return ScoreStore.of({
      insert: (organizationId, score, at) =>
        sql`with added as (
          insert into score ${
          sql.insert({
            organization_id: organizationId,
            scan_id: score.scanId,
            measure_version: score.measureVersion,
            tracked_set_version: score.trackedSetVersion,
            icu_version: score.icuVersion,
            avg_sov: score.avgSov,
            platform_breakdown: sql.json(score.platformBreakdown),
            low_coverage: score.lowCoverage,
            competitors: sql.json(score.competitors),
            nobody: score.nobody,
            branded_only: score.brandedOnly,
            results_count: score.resultsCount,
            unmeasured_count: score.unmeasuredCount,
            failed_count: score.failedCount,
            mentioned_count: score.mentionedCount,
            uncertainty: score.uncertainty === null ? null : sql.json(score.uncertainty),
            created_at: at
          })
        } on conflict do nothing returning organization_id
        ) delete from score_detail where organization_id in (select organization_id from added)
        `.pipe(Effect.asVoid, withStoreErrors("add score")),

      ofScan: (organizationId, scanId, versions) =>
        sql<ScoreRow>`
          select * from score where organization_id = ${organizationId} and scan_id = ${scanId} ${
          matchVersions(versions)
        }
          order by ${newestFirst} limit 1
        `.pipe(Effect.map(([row]) => row === undefined ? null : scoreFromRow(row)), withStoreErrors("read score")),

      ofScans: (organizationId, scanIds, versions) =>
        sql<ScoreRow>`
          select newest.* from unnest(${formatUuidArray(scanIds)}::uuid[]) wanted (id)
          cross join lateral (
            select * from score
            where organization_id = ${organizationId} and scan_id = wanted.id ${matchVersions(versions)}
            order by ${newestFirst} limit 1
          ) newest
        `.pipe(Effect.map((rows) => rows.map(scoreFromRow)), withStoreErrors("read scores")),

      newestOf: (organizationIds) =>
        sql<ScoredRow>`
          select found.* from unnest(${formatUuidArray(organizationIds)}::uuid[]) wanted (id)
          cross join lateral (
            select scan.*, to_jsonb(newest) as score from scan
            join lateral (
              select * from score where score.organization_id = scan.organization_id and score.scan_id = scan.id
              order by ${newestFirst} limit 1
            ) newest on true
            where scan.organization_id = wanted.id and scan.status = 'completed'
            order by scan.started_at desc, scan.id desc limit 1
          ) found
        `.pipe(
          Effect.map((rows) => new Map(rows.map((row) => [row.organization_id as OrganizationId, scoredFromRow(row)]))),
          withStoreErrors("read the newest scores")
        ),

      history: (organizationId, limit, since, until) =>
        listHistory(organizationId, limit, since, until).pipe(
          Effect.map((rows) => rows.map(scoredFromRow)),
          withStoreErrors("read history")
        ),

      listBefore: (organizationId, scan, { measureVersion, trackedSetVersion }, limit) =>
        sql<ScanRow & { readonly is_scored: boolean }>`
          select scan.*, exists(
            select from score where score.organization_id = scan.organization_id and score.scan_id = scan.id
              and tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}
          ) as is_scored
          from scan
          where organization_id = ${organizationId} and status = 'completed' and simulated = ${
          literalBoolean(scan.simulated)
        }
            and (started_at, id) < (${scan.startedAt}, ${scan.id})
          order by started_at desc, id desc limit ${literalLimit(limit)}
        `.pipe(
          Effect.map((rows) => rows.map((row) => ({ scan: scanFromRow(row), isScored: row.is_scored }))),
          withStoreErrors("list earlier scans")
        ),

      findDetail: (organizationId, { measureVersion, scanId, trackedSetVersion }) =>
        sql<KeptDetailRow>`
          select scan_ids, detail, series from score_detail
          where organization_id = ${organizationId} and scan_id = ${scanId} and detail_version = ${scoreDetailVersion}
            and tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}
        `.pipe(
          Effect.map(([row]) => row === undefined ? null : keptDetailFromRow(row)),
          withStoreErrors("find the detail of a score")
        ),

      keepDetail: (organizationId, { measureVersion, scanId, trackedSetVersion }, kept) =>
        sql`
          insert into score_detail ${
          sql.insert({
            organization_id: organizationId,
            scan_id: scanId,
            measure_version: measureVersion,
            tracked_set_version: trackedSetVersion,
            detail_version: scoreDetailVersion,
            ...keptDetailColumns(sql, kept)
          })
        } on conflict (organization_id) do update set scan_id = excluded.scan_id,
            measure_version = excluded.measure_version, tracked_set_version = excluded.tracked_set_version,
            detail_version = excluded.detail_version, scan_ids = excluded.scan_ids, detail = excluded.detail,
            series = excluded.series
        `.pipe(Effect.asVoid, withStoreErrors("keep the detail of a score")),

      newest: (organizationId) => aloneOrInGroups(() => readNewest(organizationId), () => readInGroups(organizationId)),

      newestWithSources: (organizationId, scanIds, { derived, resolvedUrls, scores }) => {
        const key: StatedKey = `${organizationId} ${scanIds.join(",")}`
        return derived + resolvedUrls + scores > maxCountedInGroups
          ? readOneStated(key)
          : aloneOrInGroups(() => readOneStated(key), () => readStatedInGroups(key))
      }
    })
  })
)
