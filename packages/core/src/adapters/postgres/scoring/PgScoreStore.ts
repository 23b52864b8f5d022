import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { OrganizationId, ScanId } from "../../../domain/ids.ts"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import type { Scan } from "../../../domain/scanning/Scan.ts"
import type { Score } from "../../../domain/scoring/Score.ts"
import { scoreDetailVersion } from "../../../domain/scoring/scoreDetail.ts"
import { type NewestScores, type ScoredScan, ScoreStore } from "../../../ports/ScoreStore.ts"
import { groupReads } from "../groupReads.ts"
import { isScopedClient } from "../roles/scopedClient.ts"
import { decodeFirst, decodeRows, jsonOf, mapRow, rowOf, toColumns } from "../rows.ts"
import { narrowed } from "../scanning/narrowed.ts"
import { inSeries, scanColumns, toScan } from "../scanning/scanRow.ts"
import { selectSourceState, SourceStateRow } from "../sources/sourceState.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { upsert } from "../upsert.ts"
import { formatUuidArray, literalBoolean, literalInteger, literalLimit } from "../values.ts"
import { keptDetailColumns, KeptDetailRow } from "./keptDetail.ts"

const scoreColumns = {
  scanId: ScanId,
  measureVersion: Schema.Int,
  trackedSetVersion: Schema.Int,
  icuVersion: Schema.NullOr(Schema.String),
  avgSov: Schema.NullOr(Schema.Number),
  platformBreakdown: jsonOf<Score["platformBreakdown"]>(),
  lowCoverage: Schema.Array(PlatformId),
  competitors: jsonOf<Score["competitors"]>(),
  nobody: Schema.NullOr(Schema.Number),
  brandedOnly: Schema.Boolean,
  resultsCount: Schema.Int,
  unmeasuredCount: Schema.Int,
  failedCount: Schema.Int,
  noOverviewCount: Schema.Int,
  mentionedCount: Schema.Int,
  uncertainty: jsonOf<Score["uncertainty"]>()
}
const ScoreRow = rowOf(scoreColumns)

const scoredColumns = { ...scanColumns, score: ScoreRow }

const ScoredRow = rowOf(scoredColumns).pipe(mapRow(({ score, ...scan }): ScoredScan => ({ scan: toScan(scan), score })))

const earlierColumns = { ...scanColumns, measuredCount: Schema.NullOr(Schema.Int) }
const EarlierRow = rowOf(earlierColumns).pipe(
  mapRow(({ measuredCount, ...scan }) => ({ scan: toScan(scan), measuredCount }))
)

/** A headline scan with its score, or a scan before it without. */
const OwnedRow = rowOf({ organizationId: OrganizationId, ...earlierColumns, score: Schema.NullOr(ScoreRow) }).pipe(
  mapRow(({ measuredCount, organizationId, score, ...scan }) => ({
    organizationId,
    scan: toScan(scan),
    score,
    measuredCount
  }))
)

const newestColumns = {
  ...scoredColumns,
  /** Present only in the first row. */
  keywords: Schema.NullOr(Schema.Struct({ active: Schema.Int, asked: Schema.Int }))
}

const toNewest = ({ keywords, score, ...scan }: Schema.Struct.Type<typeof newestColumns>) => ({
  scored: { scan: toScan(scan), score },
  keywords
})
type Newest = ReturnType<typeof toNewest>

const NewestRow = rowOf(newestColumns).pipe(mapRow(toNewest))

const OwnedNewestRow = rowOf({ wanted: OrganizationId, ...newestColumns }).pipe(
  mapRow(({ wanted, ...newest }) => ({ wanted, ...toNewest(newest) }))
)

const toNewestScores = ([latest, second]: ReadonlyArray<Newest>): NewestScores | null =>
  latest === undefined ? null : {
    latest: latest.scored,
    second: second?.scored ?? null,
    keywords: latest.keywords
  }

const stateColumns = { place: Schema.Int, state: SourceStateRow }

/**
 * The state of an organization's sources with a completed scan. If there are no scans, there is one row without a scan.
 */
const StatedRow: Schema.Decoder<Schema.Struct.Type<typeof stateColumns> & { readonly newest: Newest | null }> = Schema
  .Union([
    rowOf({ ...stateColumns, id: Schema.Null }).pipe(
      mapRow(({ place, state }) => ({ place, state, newest: null }))
    ),
    rowOf({ ...stateColumns, ...newestColumns }).pipe(
      mapRow(({ place, state, ...newest }) => ({ place, state, newest: toNewest(newest) }))
    )
  ])

/** Key of a grouped read: an organization and the scans whose sources are counted. */
type StatedKey = `${OrganizationId} ${string}`

/**
 * Maximum number of rows that a grouped read may count, at about 2 µs per row. Reads with more rows run alone, so that
 * the others do not wait for them.
 */
const maxCountedInGroups = 500

/** Scores in table `score`, which the database keeps append-only. */
export const PgScoreStore = Layer.effect(
  ScoreStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const newestFirst = sql.literal(
      "tracked_set_version desc, measure_version desc, results_count - unmeasured_count desc"
    )
    const ofStandardView = sql.literal("scan.view is null")
    const within = (alias: string, since: Date | null, until: Date | null) => {
      const startedAt = sql.literal(`${alias}.started_at`)
      return sql`${since === null ? sql`` : sql`and ${startedAt} >= ${since}`}
        ${until === null ? sql`` : sql`and ${startedAt} <= ${until}`}`
    }
    // Each subquery runs at most once, for the first narrowed scan of its kind
    const carriesHeadline = (
      organizationId: OrganizationId | Statement.Fragment,
      since: Date | null,
      until: Date | null
    ) => {
      const noWhole = (simulated: boolean) =>
        sql`not exists (
          select from scan whole
          where whole.organization_id = ${organizationId} and whole.status = 'completed' and whole.view is null
            and whole.simulated = ${literalBoolean(simulated)} and not ${narrowed("whole")}
            and exists (
              select from score where score.organization_id = whole.organization_id and score.scan_id = whole.id
            )
            ${within("whole", since, until)}
        )`
      return sql`(not ${narrowed()} or case when scan.simulated then ${noWhole(true)} else ${noWhole(false)} end)`
    }
    const listHistory = (
      organizationId: OrganizationId | Statement.Fragment,
      limit: number,
      since: Date | null = null,
      until: Date | null = null,
      headlines = false,
      series: string | null | Pick<Scan, "surface" | "view"> = null
    ) =>
      sql`
        select scan.*, to_jsonb(newest) as score from scan
        join lateral (
          select * from score where score.organization_id = scan.organization_id and score.scan_id = scan.id
          order by ${newestFirst} limit 1
        ) newest on true
        where scan.organization_id = ${organizationId} and scan.status = 'completed'
          and ${
        series === null
          ? ofStandardView
          : typeof series === "string"
          ? sql`scan.view ->> 'name' = ${series}`
          : inSeries(sql, series)
      }
          ${within("scan", since, until)}
          ${headlines ? sql`and ${carriesHeadline(organizationId, since, until)}` : sql``}
        order by scan.started_at desc, scan.id desc limit ${literalLimit(limit)}
      `
    const selectNewest = (organizationId: OrganizationId | Statement.Fragment) =>
      sql`
        select page.*, case when page.askable_keywords is null
          and row_number() over (order by page.started_at desc, page.id desc) = 1 then (
          select json_build_object('active', count(*), 'asked', count((
            select 1 from cell
            where cell.organization_id = ${organizationId} and cell.scan_id = page.id and cell.keyword_id = keyword.id
            limit 1 offset 0
          ))) from keyword
          where keyword.organization_id = ${organizationId} and keyword.status = 'active'
        ) end as keywords
        from (${listHistory(organizationId, 2, null, null, true)}) page
        order by page.started_at desc, page.id desc
      `
    const readNewest = (organizationId: OrganizationId) =>
      selectNewest(organizationId).pipe(
        decodeRows(NewestRow),
        Effect.map(toNewestScores),
        withStoreErrors("read the newest score")
      )

    // Postgres plans once for each number of ids. The list is padded to a power of two to keep these numbers few; null
    // matches nothing
    const readNewestOfMany = (organizationIds: ReadonlyArray<OrganizationId>) => {
      const size = 2 ** Math.ceil(Math.log2(organizationIds.length))
      const ids = Array.from({ length: size }, (_, n) => organizationIds[n] ?? "NULL")
      return sql`
        select wanted.id as wanted, found.*
        from (select unnest(${formatUuidArray(ids)}::uuid[]) as id limit ${literalInteger(size)}) wanted
        cross join lateral (${selectNewest(sql.literal("wanted.id"))}) found
        order by wanted.id, found.started_at desc, found.id desc
      `.pipe(
        decodeRows(OwnedNewestRow),
        Effect.map((rows) =>
          new Map(
            [...Map.groupBy(rows, ({ wanted }) => wanted)].map(([id, its]) => [id, toNewestScores(its)])
          )
        ),
        withStoreErrors("read the newest scores")
      )
    }
    const readInGroups = groupReads({ readOne: readNewest, readMany: readNewestOfMany, none: null })
    const isScoped = isScopedClient(sql)
    /** Runs `alone` in a transaction, or if statements may see only one organization; otherwise reads in groups. */
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
      return sql`
        select wanted.place, to_jsonb(state) as state, found.*
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
        decodeRows(StatedRow),
        Effect.map((rows) => {
          const byPlace = Map.groupBy(rows, ({ place }) => place)
          return new Map(keys.map((key, place) => {
            const its = byPlace.get(place)!
            const newest = toNewestScores(its.flatMap((row) => row.newest ?? []))
            return [key, { newest, state: its[0]!.state }]
          }))
        }),
        withStoreErrors("read the newest score and the state of sources")
      )
    }
    const readOneStated = (key: StatedKey) => Effect.map(readStated([key]), (found) => found.get(key)!)
    const readStatedInGroups = groupReads({
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
            ...toColumns(scoreColumns, score),
            platform_breakdown: sql.json(score.platformBreakdown),
            competitors: sql.json(score.competitors),
            uncertainty: score.uncertainty === null ? null : sql.json(score.uncertainty),
            created_at: at
          })
        } on conflict do nothing returning organization_id
        ) delete from score_detail where organization_id in (select organization_id from added)
        `.pipe(Effect.asVoid, withStoreErrors("add score")),

      ofScan: (organizationId, scanId, versions) =>
        sql`
          select * from score where organization_id = ${organizationId} and scan_id = ${scanId} ${
          matchVersions(versions)
        }
          order by ${newestFirst} limit 1
        `.pipe(decodeFirst(ScoreRow), withStoreErrors("read score")),

      ofScans: (organizationId, scanIds, versions) =>
        sql`
          select newest.* from unnest(${formatUuidArray(scanIds)}::uuid[]) wanted (id)
          cross join lateral (
            select * from score
            where organization_id = ${organizationId} and scan_id = wanted.id ${matchVersions(versions)}
            order by ${newestFirst} limit 1
          ) newest
        `.pipe(decodeRows(ScoreRow), withStoreErrors("read scores")),

      newestOf: (organizationIds, limit) =>
        sql`
          with latest as materialized (
            select found.* from unnest(${formatUuidArray(organizationIds)}::uuid[]) wanted (id)
            cross join lateral (
              select scan.*, to_jsonb(newest) as score, null::int as measured_count from scan
              join lateral (
                select * from score where score.organization_id = scan.organization_id and score.scan_id = scan.id
                order by ${newestFirst} limit 1
              ) newest on true
              where scan.organization_id = wanted.id and scan.status = 'completed' and ${ofStandardView}
                and ${carriesHeadline(sql.literal("wanted.id"), null, null)}
              order by scan.started_at desc, scan.id desc limit 1
            ) found
          )
          select * from latest
          union all
          select before.* from latest cross join lateral (
            select scan.*, null::jsonb as score, (
              select max(results_count - unmeasured_count) from score
              where score.organization_id = scan.organization_id and score.scan_id = scan.id
                and tracked_set_version = (latest.score ->> 'tracked_set_version')::int
                and measure_version = (latest.score ->> 'measure_version')::int
            ) as measured_count
            from scan
            where scan.organization_id = latest.organization_id and scan.status = 'completed'
              and scan.simulated = latest.simulated and (scan.started_at, scan.id) < (latest.started_at, latest.id)
              and (scan.surface is not distinct from 'app') = (latest.surface is not distinct from 'app')
              and ${ofStandardView} and (${narrowed("latest")} or not ${narrowed()})
            order by scan.started_at desc, scan.id desc limit ${literalLimit(limit)}
          ) before
          order by started_at desc, id desc
        `.pipe(
          decodeRows(OwnedRow),
          Effect.map((rows) =>
            new Map(
              [...Map.groupBy(rows, ({ organizationId }) => organizationId)].map(([id, own]) => {
                const [latest] = own.flatMap(({ scan, score }) => score === null ? [] : [{ scan, score }])
                const before = own.flatMap(({ measuredCount, scan, score }) =>
                  score === null ? [{ scan, measuredCount }] : []
                )
                return [id, { latest: latest!, before }]
              })
            )
          ),
          withStoreErrors("read the newest scores")
        ),

      history: (organizationId, limit, since, until, series) =>
        listHistory(organizationId, limit, since, until, false, series).pipe(
          decodeRows(ScoredRow),
          withStoreErrors("read history")
        ),

      headline: (organizationId, since = null, until = null) =>
        listHistory(organizationId, 1, since, until, true).pipe(
          decodeFirst(ScoredRow),
          withStoreErrors("read the headline")
        ),

      listBefore: (organizationId, scan, { measureVersion, trackedSetVersion }, limit, wholeOnly = false) =>
        sql`
          select scan.*, (
            select max(results_count - unmeasured_count) from score
            where score.organization_id = scan.organization_id and score.scan_id = scan.id
              and tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}
          ) as measured_count
          from scan
          where organization_id = ${organizationId} and status = 'completed' and simulated = ${
          literalBoolean(scan.simulated)
        }
            and (started_at, id) < (${scan.startedAt}, ${scan.id}) and ${inSeries(sql, scan)}
            ${wholeOnly ? sql`and not ${narrowed()}` : sql``}
          order by started_at desc, id desc limit ${literalLimit(limit)}
        `.pipe(
          decodeRows(EarlierRow),
          withStoreErrors("list earlier scans")
        ),

      findDetail: (organizationId, { measureVersion, scanId, trackedSetVersion }) =>
        sql`
          select scan_ids, detail, series from score_detail
          where organization_id = ${organizationId} and scan_id = ${scanId} and detail_version = ${scoreDetailVersion}
            and tracked_set_version = ${trackedSetVersion} and measure_version = ${measureVersion}
        `.pipe(
          decodeFirst(KeptDetailRow),
          withStoreErrors("find the detail of a score")
        ),

      keepDetail: (organizationId, { measureVersion, scanId, trackedSetVersion }, kept) =>
        upsert(sql, "score_detail", ["organization_id"], {
          organization_id: organizationId,
          scan_id: scanId,
          measure_version: measureVersion,
          tracked_set_version: trackedSetVersion,
          detail_version: scoreDetailVersion,
          ...keptDetailColumns(sql, kept)
        }).pipe(Effect.asVoid, withStoreErrors("keep the detail of a score")),

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
