/** The statements that add answers to the archive. */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect } from "effect"
import type { ArchivedAnswer } from "../../../domain/archive/ArchiveRow.ts"
import type { AnswerId, OrganizationId } from "../../../domain/ids.ts"
import type { ArchiveStore } from "../../../ports/ArchiveStore.ts"
import type { StoredMeasurement } from "../../../ports/MeasurementStore.ts"
import { groupWrites } from "../groupWrites.ts"
import { insertRows } from "../insertRows.ts"
import { measurementColumns } from "../measuring/measurementColumns.ts"
import { RowScope } from "../roles/rowScope.ts"
import { sourceColumns, sourceTypes } from "../sources/sourceColumns.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { tryElsewhere } from "../tryElsewhere.ts"
import { formatUuidArray, toInt4, toStorableText } from "../values.ts"

/** Column types for values whose type Postgres cannot infer. */
const answerTypes = {
  organization_id: "uuid",
  id: "uuid",
  scan_id: "uuid",
  cell_id: "uuid",
  keyword_id: "uuid",
  platform: "text",
  sample: "integer",
  prompt_used: "text",
  raw_response: "text",
  payload: "bytea",
  payload_sha256: "bytea",
  leaf_hash: "bytea",
  leaf_version: "smallint",
  adapter: "text",
  model: "text",
  latency_ms: "integer",
  finish: "text",
  input_tokens: "integer",
  output_tokens: "integer",
  cost_usd: "double precision",
  requests: "integer",
  searches: "integer",
  citations: "jsonb",
  search: "text",
  asked: "jsonb",
  simulated: "boolean",
  created_at: "timestamptz"
}
const measurementTypes = {
  organization_id: "uuid",
  answer_id: "uuid",
  measure_version: "integer",
  tracked_set_version: "integer",
  icu_version: "text",
  brand_mentioned: "boolean",
  mention_count: "integer",
  mention_position: "integer",
  sentiment: "text",
  sentiment_by: "text",
  sov_score: "double precision",
  competitors_mentioned: "uuid[]",
  mentions: "jsonb",
  measured_at: "timestamptz"
}

/** An answer that completes its cell, and its measurement. */
interface AnswerOfCell {
  readonly organizationId: OrganizationId
  readonly answer: ArchivedAnswer
  readonly measurement: StoredMeasurement | null
}

/** Creates `ArchiveStore.archive` and `ArchiveStore.append`. */
export const makeAnswerWrites = Effect.fnUntraced(function*(sql: PgClient.PgClient) {
  const toAnswerColumns = (organizationId: OrganizationId, answer: ArchivedAnswer) => ({
    organization_id: organizationId,
    id: answer.id,
    scan_id: answer.scanId,
    cell_id: answer.cellId,
    keyword_id: answer.keywordId,
    platform: answer.platform,
    sample: answer.sample,
    prompt_used: answer.promptUsed,
    raw_response: answer.rawResponse,
    payload: answer.payload,
    payload_sha256: answer.capture === undefined ? null : Buffer.from(answer.capture.payloadSha256, "hex"),
    leaf_hash: answer.leafHash,
    leaf_version: answer.capture === undefined ? 1 : answer.capture.asked === undefined ? 2 : 3,
    adapter: answer.adapter,
    model: toStorableText(answer.model),
    latency_ms: toInt4(answer.latencyMs),
    finish: answer.finish,
    input_tokens: toInt4(answer.usage.inputTokens),
    output_tokens: toInt4(answer.usage.outputTokens),
    cost_usd: answer.usage.costUsd,
    requests: toInt4(answer.usage.requests ?? 1),
    searches: toInt4(answer.usage.searches ?? null),
    citations: sql.json(answer.citations.map(({ position, title, url }) => ({
      url: toStorableText(url),
      title: toStorableText(title),
      position
    }))),
    search: answer.capture?.search ?? null,
    asked: answer.capture?.asked === undefined ? null : sql.json(answer.capture.asked),
    simulated: answer.simulated,
    created_at: answer.createdAt
  })

  /**
   * Adds rows that belong to answers as another part of the same statement. Only rows of answers in `added` are added.
   */
  const addBeside = <A extends object>(
    table: string,
    types: { readonly [K in keyof A]: string },
    rows: ReadonlyArray<A>
  ) =>
    rows.length === 0
      ? sql.literal("")
      : sql`, ${sql.literal(`added_${table}`)} as (${
        insertRows(sql, table, types, rows, "join added on added.id = given.answer_id")
      })`

  const addSources = (organizationId: OrganizationId, answers: ReadonlyArray<ArchivedAnswer>) =>
    addBeside(
      "answer_sources",
      sourceTypes,
      answers.flatMap(({ capture, createdAt, id }) =>
        capture === undefined ? [] : [sourceColumns(sql, organizationId, {
          ...capture.found,
          answerId: id,
          sourceVersion: capture.sourceVersion,
          derivedAt: createdAt
        })]
      )
    )

  /**
   * Completes cells and adds their answers in a single statement, and so in one round trip: on the embedded home, a
   * transaction would block the only session. Returns the ids of the added answers. A single answer waits for a
   * transaction that has locked its cell. Several answers skip locked cells, because two statements that wait for each
   * other's cells would deadlock.
   */
  const archiveAnswers = (
    organizationId: OrganizationId,
    items: ReadonlyArray<Omit<AnswerOfCell, "organizationId">>
  ) => {
    const answers = items.map(({ answer }) => answer)
    const measured = items.flatMap(({ measurement }) =>
      measurement === null ? [] : [measurementColumns(sql, organizationId, measurement)]
    )
    return sql<{ readonly id: AnswerId }>`
      with picked as materialized (
        select id from cell
        where organization_id = ${organizationId} and state = 'open'
          and id = any(${formatUuidArray(answers.map(({ cellId }) => cellId))}::uuid[])
        ${sql.literal(items.length === 1 ? "" : "for update skip locked")}
      ), ended as (
        update cell set state = 'answered' from picked
        where cell.organization_id = ${organizationId} and cell.id = picked.id and state = 'open'
        returning cell.id
      ), added as (
        ${
      insertRows(
        sql,
        "answer",
        answerTypes,
        answers.map((answer) => toAnswerColumns(organizationId, answer)),
        "join ended on ended.id = given.cell_id"
      )
    } returning id
      )
      ${addSources(organizationId, answers)}
      ${addBeside("measurement", measurementTypes, measured)}
      select id from added
    `.pipe(withStoreErrors("archive answer"))
  }

  const archiveOne = ({ organizationId, ...item }: AnswerOfCell) =>
    Effect.map(tryElsewhere(sql)(archiveAnswers(organizationId, [item])), (rows) => rows.length === 1)

  const archiveGrouped = yield* groupWrites({
    // All answers of one statement add the same kinds of rows; otherwise every mixture of kinds would be another
    // prepared statement
    groupOf: ({ answer, measurement, organizationId }: AnswerOfCell) =>
      `${organizationId} ${answer.capture === undefined} ${measurement === null}`,
    writeOne: archiveOne,
    writeMany: (items) => {
      const { organizationId } = items[0]!
      return archiveAnswers(organizationId, items).pipe(
        Effect.map((rows) => {
          const added = new Set(rows.map(({ id }) => id))
          return new Set(items.filter(({ answer }) => added.has(answer.id)))
        }),
        Effect.provideService(RowScope, organizationId)
      )
    }
  })

  const archive: ArchiveStore["Service"]["archive"] = (organizationId, answer, measurement) =>
    Effect.withFiber((fiber) =>
      // A write within a transaction must run in that transaction
      (Context.getOrUndefined(fiber.context, sql.transactionService) === undefined ? archiveGrouped : archiveOne)({
        organizationId,
        answer,
        measurement
      })
    )

  const append: ArchiveStore["Service"]["append"] = (organizationId, answer) =>
    sql`
      with added as (
        ${insertRows(sql, "answer", answerTypes, [toAnswerColumns(organizationId, answer)], "")}
        on conflict do nothing returning id
      )
      ${addSources(organizationId, [answer])}
      select 1 from added
    `.pipe(Effect.map((rows) => rows.length === 1), withStoreErrors("archive answer"))

  return { archive, append }
})
