import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { OrganizationId, ScanId } from "../../../domain/ids.ts"
import { isNarrowed } from "../../../domain/scoring/asked.ts"
import { ScanStore } from "../../../ports/ScanStore.ts"
import { decodeFirst, decodeRows, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { tryElsewhere } from "../tryElsewhere.ts"
import { literalBoolean, literalLimit } from "../values.ts"
import { formatStart } from "./formatStart.ts"
import { narrowed } from "./narrowed.ts"
import { readBasis } from "./readBasis.ts"
import { inSeries, OwnedScanRow, ScanRow, toScanColumns } from "./scanRow.ts"

const PeriodRow = rowOf({ quotaPeriod: Schema.String }).pipe(mapRow(({ quotaPeriod }) => quotaPeriod))
const SettledRow = rowOf({ organizationId: OrganizationId, scanId: ScanId })

/** Maximum number of scans whose cells are read to find comparable scans. */
const maxScansRead = 100

/** Scans in table `scan`, whose trigger refuses to change a terminal state. */
export const PgScanStore = Layer.effect(
  ScanStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return ScanStore.of({
      insert: (organizationId, scan) =>
        sql`insert into scan ${sql.insert(toScanColumns(sql, organizationId, scan))}`.pipe(
          Effect.asVoid,
          withStoreErrors("add scan")
        ),

      readBasis: (organizationId, named) =>
        readBasis(sql, organizationId, named).pipe(tryElsewhere(sql), withStoreErrors("read what a scan starts from")),

      start: (organizationId, start) =>
        formatStart(sql, organizationId, start).pipe(
          tryElsewhere(sql),
          Effect.map(([row]) => row === undefined ? null : { used: row.used }),
          withStoreErrors("start scan"),
          // Another session, which seemed stuck, had already started the scan
          Effect.catchIf(
            ({ reason }) => reason === "constraint",
            (error) =>
              sql`select from scan where organization_id = ${organizationId} and id = ${start.scan.id}`.pipe(
                withStoreErrors("find scan"),
                Effect.flatMap((rows) => rows.length === 0 ? Effect.fail(error) : Effect.succeed({ used: null }))
              )
          )
        ),

      find: (organizationId, id) =>
        sql`select * from scan where organization_id = ${organizationId} and id = ${id}`.pipe(
          decodeFirst(ScanRow),
          withStoreErrors("find scan")
        ),

      list: (organizationId, { before, limit, series, simulated, since = null, standard, status, wholeOnly = false }) =>
        sql`
          select * from scan
          where organization_id = ${organizationId} ${status === undefined ? sql`` : sql`and status = ${status}`}
          ${standard === true ? sql`and view is null` : sql``}
          ${series === undefined ? sql`` : sql`and ${inSeries(sql, series)}`}
          ${simulated === undefined ? sql`` : sql`and simulated = ${literalBoolean(simulated)}`}
          ${before === undefined ? sql`` : sql`and (started_at, id) < (${before.startedAt}, ${before.id})`}
          ${since === null ? sql`` : sql`and started_at >= ${since}`}
          ${wholeOnly ? sql`and not ${narrowed()}` : sql``}
          order by started_at desc, id desc limit ${literalLimit(limit)}
        `.pipe(decodeRows(ScanRow), withStoreErrors("list scans")),

      listComparable: (organizationId, scan, limit) => {
        const { id, platforms, simulated, startedAt } = scan
        // Reads scan by scan until there are enough. A scan is skipped without reading its cells if its platforms
        // already exclude it. A join with `mine` would be planned by statistics, which the embedded database never
        // gathers: each cell would be compared with all cells of this scan
        const last = (mayShare: Statement.Fragment, shares: Statement.Fragment) =>
          sql`
            select scan.* from (
              select * from scan
              where organization_id = ${organizationId} and status = 'completed' and simulated = ${simulated}
                and (started_at, id) < (${startedAt}, ${id}) and ${inSeries(sql, scan)} and ${mayShare}
              order by started_at desc, id desc limit ${maxScansRead}
            ) scan cross join lateral (
              select count(*) as asked, count(*) filter (
                where (keyword_id, platform) in (select keyword_id, platform from mine)
              ) as shared
              from cell
              where cell.organization_id = scan.organization_id and cell.scan_id = scan.id and cell.sample = 1
            ) both_of_them
            where ${shares} order by scan.started_at desc, scan.id desc limit ${limit}
          `
        const half = sql`
          ${isNarrowed(scan) ? sql`` : sql`not ${narrowed()} and`}
          2 * (select count(*) from unnest(platforms) platform where platform = any (${platforms}::text[]))
            >= greatest(cardinality(platforms), cardinality(${platforms}::text[]))
        `
        return sql`
          with mine as materialized (
            select keyword_id, platform from cell
            where organization_id = ${organizationId} and scan_id = ${id} and sample = 1
          )
          (${last(sql`platforms && ${platforms}::text[]`, sql`shared > 0`)})
          union
          (${last(half, sql`2 * shared >= greatest(asked, (select count(*) from mine))`)})
          order by started_at desc, id desc
        `.pipe(decodeRows(ScanRow), withStoreErrors("list comparable scans"))
      },

      listRunning: sql`select * from scan where status = 'running' order by started_at, id`.pipe(
        decodeRows(OwnedScanRow),
        withStoreErrors("list running scans")
      ),

      listSettled: sql`
        select organization_id, id as scan_id from scan
        where status = 'running' and not exists (
          select 1 from cell
          where cell.organization_id = scan.organization_id and cell.scan_id = scan.id and cell.state = 'open'
        )
        order by started_at, id
      `.pipe(
        decodeRows(SettledRow),
        withStoreErrors("list settled scans")
      ),

      // `no key update`, so that inserts of answers, which refer to this row by a foreign key, do not wait
      lock: (organizationId, id) =>
        sql`
          select * from scan where organization_id = ${organizationId} and id = ${id} for no key update
        `.pipe(decodeFirst(ScanRow), withStoreErrors("lock scan")),

      end: (organizationId, id, status, at) =>
        sql`
          update scan set status = ${status}, completed_at = ${at}
          where organization_id = ${organizationId} and id = ${id} and status = 'running'
          returning id
        `.pipe(Effect.map((rows) => rows.length === 1), withStoreErrors("end scan")),

      releaseQuota: (organizationId, id) =>
        sql`
          with held as (
            select quota_period from scan
            where organization_id = ${organizationId} and id = ${id} and quota_period is not null
            for no key update
          )
          update scan set quota_period = null from held
          where scan.organization_id = ${organizationId} and scan.id = ${id}
          returning held.quota_period
        `.pipe(decodeFirst(PeriodRow), withStoreErrors("release quota"))
    })
  })
)
