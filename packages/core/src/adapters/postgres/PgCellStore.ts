import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer } from "effect"
import type { Cell, CellCounts } from "../../domain/Cell.ts"
import type { CellId, KeywordId, ScanId } from "../../domain/ids.ts"
import type { PlatformId } from "../../domain/Platform.ts"
import type { PlatformFailure } from "../../ports/AnswerPlatform.ts"
import { type CellFailure, CellStore, type FailedCell } from "../../ports/CellStore.ts"
import { guarded } from "./sqlErrors.ts"
import { inBatches, storableText } from "./values.ts"

interface CellRow {
  readonly id: string
  readonly scan_id: string
  readonly keyword_id: string
  readonly prompt: string
  readonly platform: string
  readonly sample: number
  readonly attempts: number
  readonly first_attempt_at: Date | null
}

const fromRow = (row: CellRow): Cell => ({
  id: row.id as CellId,
  scanId: row.scan_id as ScanId,
  keywordId: row.keyword_id as KeywordId,
  prompt: row.prompt,
  platform: row.platform as PlatformId,
  sample: row.sample,
  attempts: row.attempts,
  firstAttemptAt: row.first_attempt_at
})

const cellColumns =
  "cell.id, cell.scan_id, cell.keyword_id, keyword.text as prompt, cell.platform, cell.sample, cell.attempts, " +
  "cell.first_attempt_at"

interface FailedRow {
  readonly id: string
  readonly keyword_id: string
  readonly platform: string
  readonly attempts: number
  readonly reason: string
  readonly message: string
  readonly excerpt: string | null
  readonly status: number | null
}

const failedFromRow = (row: FailedRow): FailedCell => ({
  cellId: row.id as CellId,
  keywordId: row.keyword_id as KeywordId,
  platform: row.platform as PlatformId,
  attempts: row.attempts,
  reason: row.reason as PlatformFailure,
  message: row.message,
  excerpt: row.excerpt,
  status: row.status
})

/** What came from outside may hold what no text column takes. */
const failureColumns = (failure: CellFailure) => ({
  reason: failure.reason,
  message: storableText(failure.message),
  excerpt: storableText(failure.excerpt),
  status: failure.status
})

/** The work of running scans in table `cell`. */
export const PgCellStore = Layer.effect(
  CellStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const columns = sql.literal(cellColumns)
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
          }`).pipe(Effect.asVoid, guarded("add cells")),

      due: (organizationId, scanId, platform, now, limit) =>
        sql<CellRow>`
          select ${columns} from cell
          join keyword on keyword.organization_id = cell.organization_id and keyword.id = cell.keyword_id
          where cell.organization_id = ${organizationId} and cell.scan_id = ${scanId} and cell.platform = ${platform}
            and cell.state = 'open' and cell.due_at <= ${now}
          order by cell.due_at, cell.id limit ${limit}
        `.pipe(Effect.map((rows) => rows.map(fromRow)), guarded("list due cells")),

      beginAttempt: (organizationId, seen, now) =>
        sql<CellRow>`
          update cell set attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${now})
          from keyword
          where cell.organization_id = ${organizationId} and cell.id = ${seen.id} and cell.state = 'open'
            and cell.attempts = ${seen.attempts}
            and keyword.organization_id = cell.organization_id and keyword.id = cell.keyword_id
          returning ${columns}
        `.pipe(Effect.map(([row]) => row === undefined ? null : fromRow(row)), guarded("count call")),

      answered: (organizationId, id) =>
        sql`
          update cell set state = 'answered'
          where organization_id = ${organizationId} and id = ${id} and state = 'open'
          returning id
        `.pipe(Effect.map((rows) => rows.length === 1), guarded("end cell")),

      failed: (organizationId, id, failure) =>
        sql`
          update cell set ${sql.update({ state: "failed", ...failureColumns(failure) })}
          where organization_id = ${organizationId} and id = ${id} and state = 'open'
        `.pipe(Effect.asVoid, guarded("end cell")),

      postpone: (organizationId, id, dueAt, failure) =>
        sql`
          update cell set ${sql.update({ due_at: dueAt, ...(failure === null ? {} : failureColumns(failure)) })}
          where organization_id = ${organizationId} and id = ${id} and state = 'open'
        `.pipe(Effect.asVoid, guarded("postpone cell")),

      cancelOpen: (organizationId, scanId) =>
        sql`
          update cell set state = 'cancelled'
          where organization_id = ${organizationId} and scan_id = ${scanId} and state = 'open'
        `.pipe(Effect.asVoid, guarded("cancel cells")),

      counts: (organizationId, scanId) =>
        sql<CellCounts>`
          select cell.platform,
            count(*) filter (where cell.state = 'open')::int as open,
            count(*) filter (where cell.state = 'answered')::int as answered,
            count(*) filter (where cell.state = 'failed')::int as failed,
            count(*) filter (where cell.state = 'cancelled')::int as cancelled,
            count(answer.id)::int as archived,
            sum(cell.attempts)::int as calls,
            count(*) filter (where newest.brand_mentioned)::int as mentioned
          from cell
          left join answer on answer.organization_id = cell.organization_id and answer.cell_id = cell.id
          left join lateral (
            select brand_mentioned from measurement
            where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
            order by tracked_set_version desc, measure_version desc limit 1
          ) newest on true
          where cell.organization_id = ${organizationId} and cell.scan_id = ${scanId}
          group by cell.platform order by cell.platform
        `.pipe(guarded("count cells")),

      keywordIds: (organizationId, scanId) =>
        sql<{ readonly keyword_id: string }>`
          select distinct keyword_id from cell where organization_id = ${organizationId} and scan_id = ${scanId}
        `.pipe(
          Effect.map((rows) => new Set(rows.map((row) => row.keyword_id as KeywordId))),
          guarded("list the scan's keywords")
        ),

      listFailed: (organizationId, scanId) =>
        sql<FailedRow>`
          select id, keyword_id, platform, attempts, reason, message, excerpt, status from cell
          where organization_id = ${organizationId} and scan_id = ${scanId} and state = 'failed'
          order by platform, keyword_id, sample
        `.pipe(Effect.map((rows) => rows.map(failedFromRow)), guarded("list failed cells"))
    })
  })
)
