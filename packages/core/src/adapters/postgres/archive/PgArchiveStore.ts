import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema, Struct } from "effect"
import type { Statement } from "effect/sql"
import type { AnswerNeighbour } from "../../../domain/archive/AnswerDetail.ts"
import {
  type AnswerFilters,
  type ArchiveCondition,
  type FilteredField,
  listArchiveConditions,
  notJudged
} from "../../../domain/archive/ArchiveFilters.ts"
import type { ArchivePosition, ArchiveRow } from "../../../domain/archive/ArchiveRow.ts"
import { AnswerId, type OrganizationId } from "../../../domain/ids.ts"
import { PlatformId } from "../../../domain/platforms/Platform.ts"
import { standardView } from "../../../domain/tracking/ViewInput.ts"
import {
  type ArchiveHistoryOptions,
  ArchiveStore,
  searchedAnswers,
  searchedTexts
} from "../../../ports/ArchiveStore.ts"
import { decodeFirst, decodeOne, decodeRows, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray, literalLimit } from "../values.ts"
import { CallRow, NeighbourRow, selectNeighbours } from "./answerDetail.ts"
import {
  answerRow,
  answerRowInUtf8,
  PageRow,
  sealedAnswers,
  SealedRow,
  selectInUtf8,
  selectNewestMeasured
} from "./archiveRows.ts"
import { estimateAnswers } from "./estimateAnswers.ts"
import { makeAnswerWrites } from "./makeAnswerWrites.ts"
import { matchWords } from "./matchWords.ts"
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
  rawResponse: "answer.raw_response",
  brandMentioned: measuredColumn("brand_mentioned"),
  sentiment: measuredColumn(`case when brand_mentioned then coalesce(sentiment, '${notJudged}') end`),
  view: `coalesce(answer.asked ->> 'view', '${standardView}')`
}
const operatorOf: { readonly [Comparison in Exclude<ArchiveCondition["comparison"], "oneOf" | "contains">]: string } = {
  equal: "=",
  atLeast: ">=",
  atMost: "<="
}

const PayloadRow = rowOf({ payload: Schema.Uint8Array })
const OriginRow = rowOf({ adapter: Schema.String, model: Schema.String })
const LeafRow = rowOf({ id: AnswerId, hash: Schema.Uint8Array })
const CountsRow = rowOf({ answers: Schema.Int, mentioned: Schema.Int })
const StatsRow = rowOf({
  platform: PlatformId,
  answers: Schema.Int,
  simulated: Schema.Int,
  textBytes: Schema.Number,
  first: Schema.Date,
  last: Schema.Date
})
const OldestRow = rowOf({ oldest: Schema.NullOr(Schema.Date) })
const CountRow = rowOf({ answers: Schema.Number })
const IdRow = rowOf({ id: AnswerId })

/**
 * Whether a condition is supported by no index, so that answers are read from the newest backwards until enough match.
 */
const isSearched = ({ comparison, field }: ArchiveCondition): boolean =>
  comparison === "oneOf" || comparison === "contains" || field === "brandMentioned" || field === "sentiment" ||
  field === "view"

/** Compares rows with values, because an index scan can start there. */
const withinReach = `(answer.created_at, answer.id) >= (
  coalesce((select created_at from reach), '-infinity'),
  coalesce((select id from reach), '00000000-0000-0000-0000-000000000000')
)`

/**
 * The archive in table `answer`, which the database keeps append-only. In a provider's texts other than the answer
 * itself (model, citations), characters that no column accepts become U+FFFD, so that an answer that was paid for is
 * never refused.
 */
export const PgArchiveStore = Layer.effect(
  ArchiveStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient

    const matchConditions = (
      organizationId: OrganizationId,
      conditions: ReadonlyArray<ArchiveCondition>
    ): Statement.Fragment =>
      sql.and([
        sql`answer.organization_id = ${organizationId}`,
        ...conditions.map(({ comparison, field, value }) =>
          comparison === "contains"
            ? matchWords(sql, columnOf[field], value as string)
            : comparison === "oneOf"
            ? sql`${sql.literal(columnOf[field])} = any(${formatUuidArray(value as ReadonlyArray<string>)}::uuid[])`
            : sql`${sql.literal(`${columnOf[field]} ${operatorOf[comparison]}`)} ${value as string | boolean | Date}`
        )
      ])

    const matchAfter = (where: Statement.Fragment, after: ArchivePosition | undefined): Statement.Fragment =>
      after === undefined
        ? where
        : sql`${where} and (answer.created_at, answer.id) < (${after.createdAt}, ${after.id}::uuid)`

    const matchFilters = (organizationId: OrganizationId, filters: AnswerFilters) =>
      matchConditions(organizationId, listArchiveConditions(filters))

    const selectPage = (
      organizationId: OrganizationId,
      filters: AnswerFilters,
      { after, limit, provenance = false, searched = false }: {
        readonly limit: number
        readonly after?: ArchivePosition
        readonly provenance?: boolean
        /** The table expression `reach` returns the row at which the search stops. */
        readonly searched?: boolean
      }
    ) => {
      const where = matchAfter(matchFilters(organizationId, filters), after)
      return sql`
        ${sql.literal(selectNewestMeasured(provenance))}
        where ${searched ? sql`${where} and ${sql.literal(withinReach)}` : where}
        order by answer.created_at desc, answer.id desc limit ${literalLimit(limit)}
      `
    }

    // Without a matching answer, returns one row whose answer columns are null. Postgres knows a text's length without
    // reading it
    const readHistory = <Text>(
      organizationId: OrganizationId,
      filters: AnswerFilters,
      { after, limit, provenance = false, textBytes }: ArchiveHistoryOptions,
      columns: string,
      row: Schema.Decoder<ArchiveRow<Text>>
    ) => {
      const conditions = listArchiveConditions(filters)
      const searched = conditions.some(isSearched)
      const served = conditions.filter((condition) => !isSearched(condition))
      const atMost = filters.words === undefined ? searchedAnswers : searchedTexts
      return sql`
        ${
        searched
          ? sql`with reach as materialized (
            select created_at, id from answer where ${matchAfter(matchConditions(organizationId, served), after)}
            order by created_at desc, id desc offset ${literalLimit(atMost - 1)} limit 1
          )`
          : sql.literal("")
      }
        select least(
          organization.created_at, (select min(created_at) from answer where organization_id = ${organizationId})
        ) as history_begin, ${
        sql.literal(
          searched
            ? "(select created_at from reach) as reached_at, (select id from reach) as reached_id, "
            : ""
        )
      }${sql.literal(columns)}
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
          searched,
          ...(after === undefined ? {} : { after })
        })
      }) found
            window before as (order by created_at desc, id desc rows between unbounded preceding and 1 preceding)
          ) sized
          where coalesce(bytes_before, 0) < ${textBytes}
        ) page on true
        where organization.id = ${organizationId} order by page.created_at desc, page.id desc
      `.pipe(
        Effect.flatMap(Effect.fnUntraced(function*(found) {
          const pages = yield* Effect.succeed(found).pipe(decodeRows(PageRow))
          const [page] = pages
          if (page === undefined) return null
          const rows = page.id === null ? [] : yield* Effect.succeed(found.slice(0, limit)).pipe(decodeRows(row))
          const more = pages[rows.length - 1]?.followed === true
          const { begin, reachedAt = null, reachedId = null } = page
          const reached = more || reachedAt === null || reachedId === null
            ? null
            : { createdAt: reachedAt, id: reachedId }
          return { begin, rows, more, reached }
        })),
        withStoreErrors("read archive")
      )
    }

    const writes = yield* makeAnswerWrites(sql)

    return ArchiveStore.of({
      archive: writes.archive,

      append: writes.append,

      find: (organizationId, id) =>
        sql`
          ${
          sql.literal(selectNewestMeasured(true))
        } where answer.organization_id = ${organizationId} and answer.id = ${id}
        `.pipe(decodeFirst(answerRow(true)), withStoreErrors("find answer")),

      payload: (organizationId, id) =>
        sql`
          select payload from answer where organization_id = ${organizationId} and id = ${id}
        `.pipe(decodeFirst(PayloadRow), Effect.map((row) => row?.payload ?? null), withStoreErrors("read payload")),

      origin: (organizationId, id) =>
        sql`
          select adapter, model from answer where organization_id = ${organizationId} and id = ${id}
        `.pipe(decodeFirst(OriginRow), withStoreErrors("find answer")),

      page: (organizationId, filters, options) =>
        selectPage(organizationId, filters, options).pipe(
          decodeRows(answerRow(options.provenance === true)),
          withStoreErrors("read archive")
        ),

      call: (organizationId, id) =>
        sql`
          select adapter, model, sample, latency_ms, finish, input_tokens, output_tokens, cost_usd, requests, searches
          from answer where organization_id = ${organizationId} and id = ${id}
        `.pipe(decodeFirst(CallRow), withStoreErrors("find answer")),

      neighbours: (organizationId, id) =>
        sql`${sql.literal(selectNeighbours)} ${organizationId} and own.id = ${id}`.pipe(
          decodeRows(NeighbourRow),
          Effect.map((rows) => {
            const find = (side: "before" | "after"): AnswerNeighbour | null => {
              const row = rows.find((one) => one.side === side)
              return row === undefined ? null : Struct.omit(row, ["side"])
            }
            return { before: find("before"), after: find("after") }
          }),
          withStoreErrors("find answers beside")
        ),

      history: (organizationId, filters, options) =>
        readHistory(organizationId, filters, options, "page.*", answerRow(options.provenance === true)),

      historyInUtf8: (organizationId, filters, options) => {
        const provenance = options.provenance === true
        return readHistory(organizationId, filters, options, selectInUtf8(provenance), answerRowInUtf8(provenance))
      },

      leaves: (organizationId, scanId) =>
        sql`
          select id, leaf_hash as hash from answer
          where organization_id = ${organizationId} and scan_id = ${scanId} order by id
        `.pipe(
          decodeRows(LeafRow),
          withStoreErrors("read leaves")
        ),

      counts: (organizationId, scanId) =>
        sql`
          select count(*)::int as answers, count(*) filter (where newest.brand_mentioned)::int as mentioned
          from answer
          left join lateral (
            select brand_mentioned from measurement
            where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
            order by tracked_set_version desc, measure_version desc limit 1
          ) newest on true
          where answer.organization_id = ${organizationId} and answer.scan_id = ${scanId}
        `.pipe(decodeOne(CountsRow), withStoreErrors("count answers")),

      stats: (organizationId) =>
        sql`
          select platform, count(*)::int as answers, count(*) filter (where simulated)::int as simulated,
            sum(octet_length(raw_response))::float8 as text_bytes, min(created_at) as first, max(created_at) as last
          from answer where organization_id = ${organizationId} group by platform order by platform
        `.pipe(
          decodeRows(StatsRow),
          withStoreErrors("read archive statistics")
        ),

      oldest: (organizationId) =>
        sql`
          select min(created_at) as oldest from answer where organization_id = ${organizationId}
        `.pipe(decodeOne(OldestRow), Effect.map(({ oldest }) => oldest), withStoreErrors("read archive")),

      count: (organizationId, filters) =>
        sql`
          select count(*)::float8 as answers from answer where ${matchFilters(organizationId, filters)}
        `.pipe(decodeOne(CountRow), Effect.map(({ answers }) => answers), withStoreErrors("count answers")),

      estimate: (organizationId, filters) =>
        estimateAnswers(sql, organizationId, filters).pipe(withStoreErrors("estimate answers")),

      listSealed: (organizationId, ids, { payloads } = { payloads: false }) =>
        sql`
          ${sql.literal(sealedAnswers(payloads))}
          where organization_id = ${organizationId} and id = any(${formatUuidArray(ids)}::uuid[])
        `.pipe(decodeRows(SealedRow), withStoreErrors("read answers")),

      filterIds: (organizationId, filters, ids) =>
        sql`
          select id from answer where ${matchFilters(organizationId, filters)} and id = any(${
          formatUuidArray(ids)
        }::uuid[])
        `.pipe(
          decodeRows(IdRow),
          Effect.map((rows) => new Set(rows.map(({ id }) => id))),
          withStoreErrors("read answers")
        ),

      restore: (organizationId, answers) =>
        restoreAnswers(sql, organizationId, answers).pipe(withStoreErrors("restore answers"))
    })
  })
)
