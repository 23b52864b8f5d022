import { PgClient } from "@effect/sql-pg"
import { Array, Duration, Effect, Layer, Schema, Struct } from "effect"
import { AnswerId, CellId, CompetitorId, KeywordId, OrganizationId, ScanId } from "../../../domain/ids.ts"
import { Sentiment } from "../../../domain/measuring/Measurement.ts"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import { maxAttempts, retryWindow } from "../../../domain/platforms/retryPolicy.ts"
import type { View } from "../../../domain/platforms/surface.ts"
import { Cell, CellFailureReason, CellState, FailedCell } from "../../../domain/scanning/Cell.ts"
import { type CellFailure, CellStore, type NamedScan } from "../../../ports/CellStore.ts"
import { decodeOne, decodeRows, jsonOf, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { tryElsewhere } from "../tryElsewhere.ts"
import { formatUuidArray, inBatches, literalLimit, toStorableText } from "../values.ts"

const ClaimedRow = rowOf({ ...Cell.fields, view: Schema.NullOr(jsonOf<View>()), exhausted: Schema.Boolean }).pipe(
  mapRow(({ exhausted, view, ...cell }) => ({ cell: view === null ? cell : { ...cell, view }, exhausted }))
)

const question = Struct.pick(Cell.fields, ["keywordId", "platform", "sample"])

const ResultRow = rowOf({
  cellId: CellId,
  ...question,
  reason: Schema.NullOr(CellFailureReason),
  answerId: Schema.NullOr(AnswerId),
  brandMentioned: Schema.NullOr(Schema.Boolean),
  mentionCount: Schema.NullOr(Schema.Int),
  mentionPosition: Schema.NullOr(Schema.Int),
  sentiment: Schema.NullOr(Sentiment),
  sentimentBy: Schema.NullOr(Schema.String),
  sovScore: Schema.NullOr(Schema.Number),
  trackedSetVersion: Schema.NullOr(Schema.Int),
  competitorsMentioned: Schema.NullOr(Schema.Array(CompetitorId))
}, { cellId: "id" }).pipe(mapRow(({ answerId: id, cellId, keywordId, platform, reason, sample, ...measured }) => ({
  cellId,
  keywordId,
  platform,
  sample,
  answer: id === null ? null : { id, ...measured },
  failure: id === null ? reason : null
})))

const QueueRow = rowOf({
  organizationId: OrganizationId,
  scanId: ScanId,
  trackedSetVersion: Schema.Int,
  startedAt: Schema.Date,
  dueAt: Schema.Date
}, { scanId: "id" })

const FailedRow = rowOf({ ...FailedCell.fields, excerpt: Schema.NullOr(Schema.String) }, { cellId: "id" })

const OpenRow = rowOf({ organizationId: OrganizationId, platform: PlatformId, open: Schema.Int })
const totals = {
  open: Schema.Int,
  answered: Schema.Int,
  failed: Schema.Int,
  noOverview: Schema.Int,
  cancelled: Schema.Int
}
const countTotals = `
  count(*) filter (where state = 'open')::int as open,
  count(*) filter (where state = 'answered')::int as answered,
  count(*) filter (where state = 'failed' and reason is distinct from 'no_overview')::int as failed,
  count(*) filter (where state = 'failed' and reason = 'no_overview')::int as no_overview,
  count(*) filter (where state = 'cancelled')::int as cancelled`
const TotalsRow = rowOf({ scanId: ScanId, ...totals })
const CountsRow = rowOf({ platform: PlatformId, ...totals, calls: Schema.Int })
const AskedRow = rowOf({ active: Schema.Int, asked: Schema.Int })
const KeywordRow = rowOf({ keywordId: KeywordId })

const KeywordCellRow = rowOf({
  ...Struct.pick(Cell.fields, ["scanId", "platform", "sample"]),
  state: CellState,
  answerId: Schema.NullOr(AnswerId),
  brandMentioned: Schema.NullOr(Schema.Boolean)
})

const cellColumns = `
  cell.id, cell.scan_id, cell.keyword_id, cell.platform, cell.sample, cell.attempts, cell.first_attempt_at, scan.view,
  concat_ws(E'\\n\\n', scan.view ->> 'context', coalesce((
    select text from view_wording
    where view_wording.organization_id = cell.organization_id and view_wording.view = scan.view ->> 'name'
      and view_wording.keyword_id = cell.keyword_id
  ), keyword.text)) as prompt`

/** The columns of a failure. Text from outside may contain characters that no text column accepts. */
const toFailureColumns = (failure: CellFailure) => ({
  reason: failure.reason,
  message: toStorableText(failure.message),
  excerpt: toStorableText(failure.excerpt),
  status: failure.status
})

/** The cells of running scans in table `cell`. */
export const PgCellStore = Layer.effect(
  CellStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const columns = sql.literal(cellColumns)

    /**
     * Finds each of these scans by its key instead of reading the whole index of running scans. The scans are passed as
     * JSON, because Postgres knows the length of an array and would plan again for each array.
     */
    const selectNamed = (scans: ReadonlyArray<NamedScan>) =>
      sql`jsonb_to_recordset(
            ${
        sql.json(scans.map(({ organizationId, scanId }) => ({ organization_id: organizationId, id: scanId })))
      }::jsonb
          ) as named (organization_id uuid, id uuid) cross join lateral (
            select * from scan
            where scan.organization_id = named.organization_id and scan.id = named.id limit all offset 0
          ) scan`

    return CellStore.of({
      insert: (organizationId, cells, dueAt) =>
        inBatches(sql, cells, (batch) =>
          sql`insert into cell ${
            sql.insert(Array.map(batch, (cell) => ({
              organization_id: organizationId,
              id: cell.id,
              scan_id: cell.scanId,
              keyword_id: cell.keywordId,
              platform: cell.platform,
              sample: cell.sample,
              state: "open",
              due_at: dueAt
            })))
          }`).pipe(Effect.asVoid, withStoreErrors("add cells")),

      queues: (platform, simulated, inFlight, which) =>
        sql`
          select scan.organization_id, scan.id, scan.tracked_set_version, scan.started_at, first.due_at
          from ${which === "all" ? sql`scan` : selectNamed(which)} cross join lateral (
            select cell.due_at from cell
            where cell.organization_id = scan.organization_id and cell.scan_id = scan.id
              and cell.platform = ${platform} and cell.state = 'open' and cell.id <> all (${
          formatUuidArray(inFlight)
        }::uuid[])
            order by cell.due_at limit 1
          ) first
          where scan.status = 'running' and scan.simulated = ${simulated} and ${platform} = any (scan.platforms)
          order by scan.started_at, scan.id
        `.pipe(decodeRows(QueueRow), withStoreErrors("list open work")),

      listOpen: (simulated) =>
        sql`
          select scan.organization_id, cell.platform, count(*)::int as open from scan
          join cell on cell.organization_id = scan.organization_id and cell.scan_id = scan.id and cell.state = 'open'
          where scan.status = 'running' and scan.simulated = ${simulated}
          group by scan.organization_id, scan.id, cell.platform
        `.pipe(tryElsewhere(sql), decodeRows(OpenRow), withStoreErrors("count open cells")),

      claim: ({ organizationId, scanId }, platform, { inFlight, limit, now }) =>
        sql`
          with picked as materialized (
            select id, attempts >= ${maxAttempts} as exhausted from cell
            where organization_id = ${organizationId} and scan_id = ${scanId} and platform = ${platform}
              and state = 'open' and due_at <= ${now} and id <> all (${formatUuidArray(inFlight)}::uuid[])
            order by due_at, id limit ${limit} for update skip locked
          )
          update cell set
            attempts = cell.attempts + case when picked.exhausted then 0 else 1 end,
            -- A cell that was left alone for longer gets a new window of retries
            first_attempt_at = case when cell.due_at < ${new Date(now.getTime() - Duration.toMillis(retryWindow))}
              then ${now} else coalesce(cell.first_attempt_at, ${now}) end
          from picked, keyword, scan
          where cell.organization_id = ${organizationId} and cell.id = picked.id
            and keyword.organization_id = cell.organization_id and keyword.id = cell.keyword_id
            -- Not by the cell's columns: without statistics, Postgres would then read each cell of the scan
            and scan.organization_id = ${organizationId} and scan.id = ${scanId}
          returning ${columns}, picked.exhausted
        `.pipe(decodeRows(ClaimedRow), withStoreErrors("claim cells")),

      hasOpen: (organizationId, scanId) =>
        sql`
          select 1 from cell
          where organization_id = ${organizationId} and scan_id = ${scanId} and state = 'open' limit 1
        `.pipe(tryElsewhere(sql), Effect.map((rows) => rows.length === 1), withStoreErrors("look for open cells")),

      failOpen: ({ organizationId, scanId }, platform, inFlight, failure) =>
        sql`
          update cell set ${sql.update({ state: "failed", ...toFailureColumns(failure) })}
          where organization_id = ${organizationId} and scan_id = ${scanId} and platform = ${platform}
            and state = 'open' and id <> all (${formatUuidArray(inFlight)}::uuid[])
        `.pipe(Effect.asVoid, withStoreErrors("end cells")),

      fail: (organizationId, id, failure) =>
        sql`
          update cell set ${sql.update({ state: "failed", ...toFailureColumns(failure) })}
          where organization_id = ${organizationId} and id = ${id} and state = 'open'
        `.pipe(Effect.asVoid, withStoreErrors("end cell")),

      postpone: (organizationId, id, dueAt, failure) =>
        sql`
          update cell set ${sql.update({ due_at: dueAt, ...(failure === null ? {} : toFailureColumns(failure)) })}
          where organization_id = ${organizationId} and id = ${id} and state = 'open'
        `.pipe(Effect.asVoid, withStoreErrors("postpone cell")),

      cancelOpen: (organizationId, scanId) =>
        sql`
          update cell set state = 'cancelled'
          where organization_id = ${organizationId} and scan_id = ${scanId} and state = 'open'
        `.pipe(Effect.asVoid, withStoreErrors("cancel cells")),

      counts: (organizationId, scanId) =>
        sql`
          select platform, ${sql.literal(countTotals)},
            sum(attempts)::int as calls
          from cell where organization_id = ${organizationId} and scan_id = ${scanId}
          group by platform order by platform
        `.pipe(decodeRows(CountsRow), withStoreErrors("count cells")),

      totals: (organizationId, scanIds) =>
        sql`
          select scan_id, ${sql.literal(countTotals)}
          from cell where organization_id = ${organizationId} and scan_id = any(${formatUuidArray(scanIds)}::uuid[])
          group by scan_id
        `.pipe(
          decodeRows(TotalsRow),
          Effect.map((rows) => new Map(rows.map(({ scanId, ...its }) => [scanId, its]))),
          withStoreErrors("count cells")
        ),

      ofKeyword: (organizationId, keywordId, scanIds) =>
        sql`
          select cell.scan_id, cell.platform, cell.sample, cell.state, answer.id as answer_id, (
              select brand_mentioned from measurement
              where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
              order by tracked_set_version desc, measure_version desc limit 1
            ) as brand_mentioned
          from unnest(${formatUuidArray(scanIds)}::uuid[]) wanted (id)
          cross join lateral (
            select * from cell
            where organization_id = ${organizationId} and scan_id = wanted.id and keyword_id = ${keywordId}
            limit all offset 0
          ) cell
          left join lateral (
            select organization_id, id from answer
            where answer.organization_id = ${organizationId} and answer.cell_id = cell.id
            limit 1
          ) answer on true
          order by cell.scan_id, cell.platform, cell.sample
        `.pipe(decodeRows(KeywordCellRow), withStoreErrors("read a keyword's questions")),

      countAsked: (organizationId, scanId) =>
        sql`
          select count(*)::int as active, count((
            select 1 from cell
            where cell.organization_id = ${organizationId} and cell.scan_id = ${scanId} and cell.keyword_id = keyword.id
            limit 1 offset 0
          ))::int as asked
          from keyword where organization_id = ${organizationId} and status = 'active'
        `.pipe(decodeOne(AskedRow), withStoreErrors("count the keywords of a scan")),

      keywordIds: (organizationId, scanId) =>
        sql`
          select distinct keyword_id from cell where organization_id = ${organizationId} and scan_id = ${scanId}
        `.pipe(
          decodeRows(KeywordRow),
          Effect.map((rows) => new Set(rows.map((row) => row.keywordId))),
          withStoreErrors("list the scan's keywords")
        ),

      results: (organizationId, scanId, { keywordId, keywordIds, mentionedOnly, platform }, { after, limit }) => {
        const where = sql.and([
          sql`cell.organization_id = ${organizationId}`,
          sql`cell.scan_id = ${scanId}`,
          sql`cell.state in ('answered', 'failed')`,
          ...(keywordId === undefined ? [] : [sql`cell.keyword_id = ${keywordId}`]),
          ...(keywordIds === undefined ? [] : [sql`cell.keyword_id = any(${formatUuidArray(keywordIds)}::uuid[])`]),
          ...(platform === undefined ? [] : [sql`cell.platform = ${platform}`]),
          ...(mentionedOnly === true ? [sql`newest.brand_mentioned`] : []),
          ...(after === undefined ? [] : [
            sql`(cell.keyword_id, cell.platform, cell.sample) > (
              select keyword_id, platform, sample from cell where organization_id = ${organizationId} and id = ${after}
            )`
          ])
        ])
        return sql`
          select cell.id, cell.keyword_id, cell.platform, cell.sample, cell.reason, answer.id as answer_id,
            newest.brand_mentioned, newest.mention_count, newest.mention_position, newest.sentiment,
            newest.sentiment_by, newest.sov_score, newest.tracked_set_version, newest.competitors_mentioned
          from cell
          left join answer on cell.state = 'answered' and answer.organization_id = cell.organization_id
            and answer.scan_id = cell.scan_id and answer.keyword_id = cell.keyword_id
            and answer.platform = cell.platform and answer.sample = cell.sample
          left join lateral (
            select brand_mentioned, mention_count, mention_position, sentiment, sentiment_by, sov_score,
              tracked_set_version, competitors_mentioned
            from measurement
            where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
            order by tracked_set_version desc, measure_version desc limit 1
          ) newest on true
          where ${where}
          order by cell.keyword_id, cell.platform, cell.sample limit ${literalLimit(limit)}
        `.pipe(decodeRows(ResultRow), withStoreErrors("read results"))
      },

      listFailed: (organizationId, scanId) =>
        sql`
          select id, keyword_id, platform, sample, attempts, reason, message, excerpt, status from cell
          where organization_id = ${organizationId} and scan_id = ${scanId} and state = 'failed'
          order by platform, keyword_id, sample
        `.pipe(decodeRows(FailedRow), withStoreErrors("list failed cells")),

      restoreFailed: (organizationId, scanId, cells) =>
        sql`
          insert into cell (organization_id, id, scan_id, keyword_id, platform, sample, state, attempts, due_at, reason,
            message, status)
          select ${organizationId}::uuid, "cellId", ${scanId}::uuid, "keywordId", platform, sample, 'failed', attempts,
            (select started_at from scan where organization_id = ${organizationId}::uuid and id = ${scanId}::uuid),
            reason, message, status
          from json_to_recordset(${
          JSON.stringify(cells.map((cell) => ({ ...cell, message: toStorableText(cell.message) })))
        }::text::json) as r(
            "cellId" uuid, "keywordId" uuid, platform text, sample integer, attempts integer, reason text, message text,
            status integer
          )
        `.pipe(Effect.asVoid, withStoreErrors("restore failed cells"))
    })
  })
)
