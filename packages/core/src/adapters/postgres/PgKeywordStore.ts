import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer } from "effect"
import type { KeywordId } from "../../domain/ids.ts"
import type { Keyword, KeywordStatus } from "../../domain/Keyword.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { StoreError } from "../../ports/StoreError.ts"
import { guarded } from "./sqlErrors.ts"
import { inBatches } from "./values.ts"

interface KeywordRow {
  readonly id: string
  readonly text: string
  readonly status: string
  readonly created_at: Date
}

const fromRow = (row: KeywordRow): Keyword => ({
  id: row.id as KeywordId,
  text: row.text,
  status: row.status as KeywordStatus,
  createdAt: row.created_at
})

const firstOrNull = ([row]: ReadonlyArray<KeywordRow>): Keyword | null => row === undefined ? null : fromRow(row)

/** Tracked prompts in table `keyword`. */
export const PgKeywordStore = Layer.effect(
  KeywordStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return KeywordStore.of({
      add: Effect.fnUntraced(function*(organizationId, keywords) {
        // One row a text, in one order for everybody: two that add the same texts wait instead of deadlocking
        const byText = new Map(keywords.toReversed().map((keyword) => [keyword.text, keyword]))
        const rows = [...byText.values()].sort((a, b) => a.text < b.text ? -1 : 1)
        const stored = yield* inBatches(sql, rows, (batch) =>
          sql<KeywordRow>`
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
          `).pipe(guarded("add keywords"))
        const found = new Map(stored.flat().map((row) => [row.text, fromRow(row)]))
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
        sql<KeywordRow>`
          select id, text, status, created_at from keyword
          where organization_id = ${organizationId} and ${sql.in("status", statuses)}
          order by created_at, id
        `.pipe(Effect.map((rows) => rows.map(fromRow)), guarded("list keywords")),

      find: (organizationId, id) =>
        sql<KeywordRow>`
          select id, text, status, created_at from keyword
          where organization_id = ${organizationId} and id = ${id}
        `.pipe(Effect.map(firstOrNull), guarded("find keyword")),

      setStatus: (organizationId, id, status) =>
        sql<KeywordRow>`
          update keyword set status = ${status}
          where organization_id = ${organizationId} and id = ${id}
          returning id, text, status, created_at
        `.pipe(Effect.map(firstOrNull), guarded("set keyword status"))
    })
  })
)
