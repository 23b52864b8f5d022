import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer, Schema } from "effect"
import { KeywordId } from "../../../domain/ids.ts"
import { View } from "../../../domain/platforms/surface.ts"
import { Keyword } from "../../../domain/tracking/Keyword.ts"
import { KeywordStore } from "../../../ports/KeywordStore.ts"
import { StoreError } from "../../../ports/StoreError.ts"
import { decodeFirst, decodeRows, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { tryElsewhere } from "../tryElsewhere.ts"
import { formatUuidArray, inBatches, literalLimit } from "../values.ts"
import { addTags, removeTags, TagRow } from "./keywordTags.ts"

const KeywordRow = rowOf(Keyword.fields)

const SummaryRow = rowOf({
  ...Keyword.fields,
  lastScannedAt: Schema.NullOr(Schema.Date),
  lastMentioned: Schema.NullOr(Schema.Boolean),
  simulated: Schema.NullOr(Schema.Boolean)
}).pipe(mapRow(({ lastMentioned, lastScannedAt, simulated, ...keyword }) => ({
  keyword,
  lastScannedAt,
  lastMentioned,
  simulated: simulated === true
})))

const ViewRow = rowOf(View.fields)
const WordingRow = rowOf({ keywordId: KeywordId, text: Schema.String })

/** Tracked prompts in table `keyword`; their tags in `keyword_tag`. */
export const PgKeywordStore = Layer.effect(
  KeywordStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return KeywordStore.of({
      add: Effect.fnUntraced(function*(organizationId, keywords) {
        // Keeps one row per text, in a fixed order: concurrent additions of the same texts wait instead of deadlocking
        const byText = new Map(keywords.toReversed().map((keyword) => [keyword.text, keyword]))
        const rows = [...byText.values()].sort((a, b) => a.text < b.text ? -1 : 1)
        const stored = yield* inBatches(sql, rows, (batch) =>
          sql`
            insert into keyword ${
            sql.insert(Array.map(batch, ({ createdAt, id, status, text }) => ({
              organization_id: organizationId,
              id,
              text,
              status,
              created_at: createdAt
            })))
          }
            on conflict (organization_id, md5(text)) do update
            set status = case keyword.status when 'archived' then 'active' else keyword.status end
            returning id, text, status, created_at
          `.pipe(decodeRows(KeywordRow))).pipe(withStoreErrors("add keywords"))
        const found = new Map(stored.flat().map((keyword) => [keyword.text, keyword]))
        return yield* Effect.forEach(keywords, ({ text }) => {
          const keyword = found.get(text)
          return keyword === undefined
            ? Effect.fail(
              new StoreError({ reason: "constraint", message: "add keywords: the text collides with another one" })
            )
            : Effect.succeed(keyword)
        })
      }),

      list: (organizationId, statuses) =>
        sql`
          select id, text, status, created_at from keyword
          where organization_id = ${organizationId} and ${sql.in("status", statuses)}
          order by created_at, id
        `.pipe(decodeRows(KeywordRow), withStoreErrors("list keywords")),

      // The newest answer and measurements are looked up only for the keywords of the page
      summaries: (organizationId, { ids, query, statuses }, { after, limit }) => {
        // Stored text cannot contain U+0000, and Postgres refuses it even in a comparison
        const matches = (part: string) =>
          part.includes("\0") ? sql`false` : sql`strpos(lower(text), lower(${part})) > 0`
        const where = sql.and([
          sql`organization_id = ${organizationId}`,
          sql.in("status", statuses),
          ...(query === undefined ? [] : [matches(query)]),
          ...(ids === undefined ? [] : [sql`id = any(${formatUuidArray(ids)}::uuid[])`]),
          ...(after === undefined ? [] : [sql`(created_at, id) > (${after.createdAt}, ${after.id}::uuid)`])
        ])
        return sql`
          select page.*, newest.created_at as last_scanned_at, newest.simulated, said.mentioned as last_mentioned
          from (
            select id, text, status, created_at from keyword where ${where} order by created_at, id limit ${
          literalLimit(limit)
        }
          ) page
          left join lateral (
            select scan_id, created_at, simulated from answer
            where organization_id = ${organizationId} and keyword_id = page.id and asked ->> 'view' is null
            order by created_at desc, id desc limit 1
          ) newest on true
          left join lateral (
            select bool_or(measured.brand_mentioned) as mentioned from answer
            join lateral (
              select brand_mentioned from measurement
              where measurement.organization_id = answer.organization_id and measurement.answer_id = answer.id
              order by tracked_set_version desc, measure_version desc limit 1
            ) measured on true
            where answer.organization_id = ${organizationId} and answer.scan_id = newest.scan_id
              and answer.keyword_id = page.id
          ) said on true
          order by page.created_at, page.id
        `.pipe(
          decodeRows(SummaryRow),
          withStoreErrors("list keywords")
        )
      },

      find: (organizationId, id) =>
        sql`
          select id, text, status, created_at from keyword
          where organization_id = ${organizationId} and id = ${id}
        `.pipe(decodeFirst(KeywordRow), withStoreErrors("find keyword")),

      setStatus: (organizationId, id, status) =>
        sql`
          update keyword set status = ${status}
          where organization_id = ${organizationId} and id = ${id}
          returning id, text, status, created_at
        `.pipe(decodeFirst(KeywordRow), withStoreErrors("set keyword status")),

      // Locks rows in a fixed order: concurrent changes of the same keywords wait instead of deadlocking
      setStatuses: (organizationId, changes) =>
        sql`
          update keyword set status = wanted.status
          from (
            select keyword.organization_id, keyword.id, given.status
            from unnest(${formatUuidArray(changes.map(({ id }) => id))}::uuid[], ${
          changes.map(({ status }) => status)
        }::text[]) given (id, status)
            join keyword on keyword.organization_id = ${organizationId} and keyword.id = given.id
            order by keyword.id for update of keyword
          ) wanted
          where keyword.organization_id = wanted.organization_id and keyword.id = wanted.id
        `.pipe(Effect.asVoid, withStoreErrors("set keyword statuses")),

      addTags: (organizationId, tagged) => addTags(sql, organizationId, tagged).pipe(withStoreErrors("add tags")),

      removeTags: (organizationId, tagged) =>
        removeTags(sql, organizationId, tagged).pipe(withStoreErrors("remove tags")),

      listViews: (organizationId) =>
        sql`
          select name, country, language, context from buyer_view where organization_id = ${organizationId} order by name
        `.pipe(tryElsewhere(sql), decodeRows(ViewRow), withStoreErrors("list views")),

      addView: (organizationId, view, at) =>
        sql`
          insert into buyer_view ${sql.insert({ organization_id: organizationId, ...view, created_at: at })}
          on conflict do nothing returning name
        `.pipe(Effect.map((rows) => rows.length === 1), withStoreErrors("add view")),

      removeView: (organizationId, name) =>
        sql`delete from buyer_view where organization_id = ${organizationId} and name = ${name} returning name`.pipe(
          Effect.map((rows) => rows.length === 1),
          withStoreErrors("remove view")
        ),

      setWording: (organizationId, { keywordId, text, view }) =>
        (text === null
          ? sql`
            delete from view_wording
            where organization_id = ${organizationId} and view = ${view} and keyword_id = ${keywordId}
          `
          : sql`
            insert into view_wording ${
            sql.insert({ organization_id: organizationId, view, keyword_id: keywordId, text })
          }
            on conflict (organization_id, view, keyword_id) do update set text = excluded.text
          `).pipe(Effect.asVoid, withStoreErrors("set wording")),

      listWordings: (organizationId, view) =>
        sql`
          select keyword_id, text from view_wording where organization_id = ${organizationId} and view = ${view}
          order by keyword_id
        `.pipe(decodeRows(WordingRow), withStoreErrors("list wordings")),

      listTags: (organizationId) =>
        sql`
          select keyword_id, tag from keyword_tag
          where organization_id = ${organizationId} order by keyword_id, key collate "C"
        `.pipe(tryElsewhere(sql), decodeRows(TagRow), withStoreErrors("list tags"))
    })
  })
)
