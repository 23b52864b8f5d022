import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import {
  type AnswerFilters,
  type ArchiveCondition,
  type FilteredField,
  listArchiveConditions
} from "../../../domain/archive/ArchiveFilters.ts"
import type { ArchivePosition } from "../../../domain/archive/ArchiveRow.ts"
import type { AnswerId, OrganizationId } from "../../../domain/ids.ts"
import type { PlatformId } from "../../../domain/platforms/Platform.ts"
import { type ArchiveHistoryOptions, ArchiveStore } from "../../../ports/ArchiveStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray, literalLimit } from "../values.ts"
import { callFromRow, type CallRow, neighbourFromRow, type NeighbourRow, selectNeighbours } from "./answerDetail.ts"
import {
  fromRow,
  type HistoryRow,
  type Row,
  sealedAnswers,
  sealedFromRow,
  type SealedRow,
  selectInUtf8,
  selectNewestMeasured
} from "./archiveRows.ts"
import { estimateAnswers } from "./estimateAnswers.ts"
import { makeAnswerWrites } from "./makeAnswerWrites.ts"
import { restoreAnswers } from "./restoreAnswers.ts"

const measuredColumn = (column: string): string =>
  `(
  select ${column} from measurement
  where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
  order by tracked_set_version desc, measure_version desc limit 1
)`
const columnOf: { readonly [Field in FilteredField]: string } = {
  keywordId: "answer.keyword_id",
  platform: "answer.platform",
  scanId: "answer.scan_id",
  createdAt: "answer.created_at",
  brandMentioned: measuredColumn("brand_mentioned"),
  sentiment: measuredColumn("sentiment")
}
const operatorOf: { readonly [Comparison in Exclude<ArchiveCondition["comparison"], "oneOf">]: string } = {
  equal: "=",
  atLeast: ">=",
  atMost: "<="
}

interface StatsRow {
  readonly platform: string
  readonly answers: number
  readonly simulated: number
  readonly text_bytes: bigint
  readonly first: Date
  readonly last: Date
}

/**
 * The archive in table `answer`, which the database keeps append-only. Text of a provider beside the answer itself
 * (model, citations) is stored with U+FFFD for what no column takes: an answer that was paid for is never refused.
 */
export const PgArchiveStore = Layer.effect(
  ArchiveStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient

    const matchFilters = (
      organizationId: OrganizationId,
      filters: AnswerFilters
    ): Statement.Fragment =>
      sql.and([
        sql`answer.organization_id = ${organizationId}`,
        ...listArchiveConditions(filters).map(({ comparison, field, value }) =>
          comparison === "oneOf"
            ? sql`${sql.literal(columnOf[field])} = any(${formatUuidArray(value as ReadonlyArray<string>)}::uuid[])`
            : sql`${sql.literal(`${columnOf[field]} ${operatorOf[comparison]}`)} ${value as string | boolean | Date}`
        )
      ])

    const selectPage = (
      organizationId: OrganizationId,
      filters: AnswerFilters,
      { after, limit, provenance = false }: {
        readonly limit: number
        readonly after?: ArchivePosition
        readonly provenance?: boolean
      }
    ) => {
      const where = matchFilters(organizationId, filters)
      return sql<Row>`
        ${sql.literal(selectNewestMeasured(provenance))}
        where ${
        after === undefined
          ? where
          : sql`${where} and (answer.created_at, answer.id) < (${after.createdAt}, ${after.id}::uuid)`
      }
        order by answer.created_at desc, answer.id desc limit ${literalLimit(limit)}
      `
    }

    // An organization without a matching answer is one row of nulls. The length of a text is known without reading it
    const readHistory = <Text>(
      organizationId: OrganizationId,
      filters: AnswerFilters,
      { after, limit, provenance = false, textBytes }: ArchiveHistoryOptions,
      columns: string
    ) =>
      sql<HistoryRow<Text>>`
        select least(
          organization.created_at, (select min(created_at) from answer where organization_id = ${organizationId})
        ) as history_begin, ${sql.literal(columns)}
        from organization left join lateral (
          select * from (
            select found.*, sum(octet_length(raw_response)${
        sql.literal(provenance ? " + coalesce(octet_length(sources::text), 0)" : "")
      }) over before as bytes_before,
              lead(id) over before is not null as followed
            from (${
        selectPage(organizationId, filters, {
          limit: limit + 1,
          provenance,
          ...(after === undefined ? {} : { after })
        })
      }) found
            window before as (order by created_at desc, id desc rows between unbounded preceding and 1 preceding)
          ) sized
          where coalesce(bytes_before, 0) < ${textBytes}
        ) page on true
        where organization.id = ${organizationId} order by page.created_at desc, page.id desc
      `.pipe(
        Effect.map((rows) => {
          const [first] = rows
          if (first === undefined) return null
          const given = first.id === null ? [] : rows.slice(0, limit) as ReadonlyArray<HistoryRow<Text> & Row<Text>>
          return { begin: first.history_begin, rows: given.map(fromRow), more: given.at(-1)?.followed === true }
        }),
        withStoreErrors("read archive")
      )

    const writes = yield* makeAnswerWrites(sql)

    return ArchiveStore.of({
      archive: writes.archive,

      append: writes.append,

      find: (organizationId, id) =>
        sql<Row>`
          ${
          sql.literal(selectNewestMeasured(true))
        } where answer.organization_id = ${organizationId} and answer.id = ${id}
        `.pipe(Effect.map(([row]) => row === undefined ? null : fromRow(row)), withStoreErrors("find answer")),

      payload: (organizationId, id) =>
        sql<{ readonly payload: Uint8Array }>`
          select payload from answer where organization_id = ${organizationId} and id = ${id}
        `.pipe(Effect.map(([row]) => row?.payload ?? null), withStoreErrors("read payload")),

      origin: (organizationId, id) =>
        sql<{ readonly adapter: string; readonly model: string }>`
          select adapter, model from answer where organization_id = ${organizationId} and id = ${id}
        `.pipe(Effect.map(([row]) => row ?? null), withStoreErrors("find answer")),

      page: (organizationId, filters, options) =>
        selectPage(organizationId, filters, options).pipe(
          Effect.map((rows) => rows.map(fromRow)),
          withStoreErrors("read archive")
        ),

      call: (organizationId, id) =>
        sql<CallRow>`
          select adapter, model, sample, latency_ms, finish, input_tokens, output_tokens, cost_usd, requests, searches
          from answer where organization_id = ${organizationId} and id = ${id}
        `.pipe(Effect.map(([row]) => row === undefined ? null : callFromRow(row)), withStoreErrors("find answer")),

      neighbours: (organizationId, id) =>
        sql<NeighbourRow>`${sql.literal(selectNeighbours)} ${organizationId} and own.id = ${id}`.pipe(
          Effect.map((rows) => {
            const find = (side: NeighbourRow["side"]) => {
              const row = rows.find((one) => one.side === side)
              return row === undefined ? null : neighbourFromRow(row)
            }
            return { before: find("before"), after: find("after") }
          }),
          withStoreErrors("find answers beside")
        ),

      history: (organizationId, filters, options) => readHistory<string>(organizationId, filters, options, "page.*"),

      historyInUtf8: (organizationId, filters, options) =>
        readHistory<Uint8Array>(organizationId, filters, options, selectInUtf8(options.provenance === true)),

      leaves: (organizationId, scanId) =>
        sql<{ readonly id: string; readonly leaf_hash: Uint8Array }>`
          select id, leaf_hash from answer
          where organization_id = ${organizationId} and scan_id = ${scanId} order by id
        `.pipe(
          Effect.map((rows) => rows.map((row) => ({ id: row.id as AnswerId, hash: row.leaf_hash }))),
          withStoreErrors("read leaves")
        ),

      counts: (organizationId, scanId) =>
        sql<{ readonly answers: number; readonly mentioned: number }>`
          select count(*)::int as answers, count(*) filter (where newest.brand_mentioned)::int as mentioned
          from answer
          left join lateral (
            select brand_mentioned from measurement
            where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
            order by tracked_set_version desc, measure_version desc limit 1
          ) newest on true
          where answer.organization_id = ${organizationId} and answer.scan_id = ${scanId}
        `.pipe(Effect.map(([row]) => row!), withStoreErrors("count answers")),

      stats: (organizationId) =>
        sql<StatsRow>`
          select platform, count(*)::int as answers, count(*) filter (where simulated)::int as simulated,
            sum(octet_length(raw_response))::bigint as text_bytes, min(created_at) as first, max(created_at) as last
          from answer where organization_id = ${organizationId} group by platform order by platform
        `.pipe(
          Effect.map((rows) =>
            rows.map(({ platform, text_bytes, ...row }) => ({
              ...row,
              platform: platform as PlatformId,
              textBytes: Number(text_bytes)
            }))
          ),
          withStoreErrors("read archive statistics")
        ),

      oldest: (organizationId) =>
        sql<{ readonly oldest: Date | null }>`
          select min(created_at) as oldest from answer where organization_id = ${organizationId}
        `.pipe(Effect.map(([row]) => row?.oldest ?? null), withStoreErrors("read archive")),

      count: (organizationId, filters) =>
        sql<{ readonly answers: bigint }>`
          select count(*) as answers from answer where ${matchFilters(organizationId, filters)}
        `.pipe(Effect.map(([row]) => Number(row!.answers)), withStoreErrors("count answers")),

      estimate: (organizationId, filters) =>
        estimateAnswers(sql, organizationId, filters).pipe(withStoreErrors("estimate answers")),

      listSealed: (organizationId, ids, { payloads } = { payloads: false }) =>
        sql<SealedRow>`
          ${sql.literal(sealedAnswers(payloads))}
          where organization_id = ${organizationId} and id = any(${formatUuidArray(ids)}::uuid[])
        `.pipe(Effect.map((rows) => rows.map(sealedFromRow)), withStoreErrors("read answers")),

      filterIds: (organizationId, filters, ids) =>
        sql<{ readonly id: string }>`
          select id from answer where ${matchFilters(organizationId, filters)} and id = any(${
          formatUuidArray(ids)
        }::uuid[])
        `.pipe(Effect.map((rows) => new Set(rows.map(({ id }) => id as AnswerId))), withStoreErrors("read answers")),

      restore: (organizationId, answers) =>
        restoreAnswers(sql, organizationId, answers).pipe(withStoreErrors("restore answers"))
    })
  })
)
