import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { cardFieldNames, type CardValue } from "../../../domain/card/BusinessCard.ts"
import type { CardDecision } from "../../../domain/card/claims/judgedFacts.ts"
import { AnswerId, type OrganizationId } from "../../../domain/ids.ts"
import { BusinessCardStore } from "../../../ports/BusinessCardStore.ts"
import { decodeFirst, decodeOne, decodeRows, jsonOf, listColumns, mapRow, rowOf, toColumns } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray, formatWordArray, inBatches, toStorableText } from "../values.ts"

const editColumns = {
  field: Schema.Literals(cardFieldNames),
  value: jsonOf<CardValue | null>(),
  source: Schema.String,
  updatedAt: Schema.Date
}
const EditRow = rowOf(editColumns)
const ChangeRow = rowOf({
  ...editColumns,
  sequence: Schema.Int,
  previous: jsonOf<CardValue | null>(),
  changedAt: Schema.Date
})
const NextRow = rowOf({ next: Schema.Int }).pipe(mapRow(({ next }) => next))
const AttestationRow = rowOf(
  { by: Schema.String, at: Schema.Date, cardHash: Schema.String },
  { by: "attested_by", at: "attested_at" }
)

const decisionColumns = {
  answerId: AnswerId,
  factHash: Schema.String,
  fact: Schema.String,
  says: Schema.String,
  verdict: Schema.Literals(["agrees", "contradicts", "not_stated", "unusable"]),
  quote: Schema.NullOr(Schema.String),
  start: Schema.NullOr(Schema.Int),
  judgedBy: Schema.String,
  judgedAt: Schema.Date
}
const DecisionRow: Schema.Decoder<CardDecision> = rowOf(decisionColumns)

/**
 * Edits in table `card_change`, attestations in `card_attestation`, a judge's decisions in `card_decision`; the
 * database keeps all three append-only.
 */
export const PgBusinessCardStore = Layer.effect(
  BusinessCardStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient

    const current = (organizationId: OrganizationId) =>
      sql`
        select distinct on (field) field, value, source, updated_at from card_change
        where organization_id = ${organizationId} order by field, sequence desc
      `.pipe(
        decodeRows(EditRow),
        Effect.map((rows) =>
          new Map(
            rows.flatMap(({ field, value, ...fact }) => value === null ? [] : [[field, { ...fact, value }] as const])
          )
        ),
        withStoreErrors("read business card")
      )

    const nextSequence = (table: string, organizationId: OrganizationId) =>
      sql`
        select coalesce(max(sequence), 0) + 1 as next from ${sql(table)} where organization_id = ${organizationId}
      `.pipe(decodeOne(NextRow))

    return BusinessCardStore.of({
      current,

      // Locks the organization's row instead of the card, because an empty card has no row to lock
      lock: (organizationId) =>
        sql`select 1 as locked from organization where id = ${organizationId} for no key update`.pipe(
          withStoreErrors("lock business card"),
          Effect.andThen(current(organizationId))
        ),

      append: Effect.fnUntraced(function*(organizationId, edits, changedAt) {
        const first = yield* nextSequence("card_change", organizationId)
        const rows = edits.map(({ field, source, updatedAt, value }, n) => ({
          organization_id: organizationId,
          sequence: first + n,
          field,
          value: value === null ? null : sql.json(value),
          source,
          updated_at: updatedAt,
          changed_at: changedAt
        }))
        yield* inBatches(
          sql,
          rows,
          (batch) => sql`insert into card_change ${sql.insert(batch)}`
        )
      }, withStoreErrors("edit business card")),

      history: (organizationId, { before, field, limit, since = null }) =>
        sql`
          select c.sequence, c.field, c.value, c.source, c.updated_at, c.changed_at, before.value as previous
          from card_change c left join lateral (
            select b.value from card_change b
            where b.organization_id = c.organization_id and b.field = c.field and b.sequence < c.sequence
            order by b.sequence desc limit 1
          ) before on true
          where c.organization_id = ${organizationId} and ${field === undefined ? sql`true` : sql`c.field = ${field}`}
            ${since === null ? sql`` : sql`and c.changed_at >= ${since}`}
            ${before === undefined ? sql`` : sql`and c.sequence < ${before}`}
          order by c.sequence desc limit ${limit}
        `.pipe(decodeRows(ChangeRow), withStoreErrors("read history of the business card")),

      attest: Effect.fnUntraced(function*(organizationId, { at, by, cardHash }) {
        const sequence = yield* nextSequence("card_attestation", organizationId)
        yield* sql`insert into card_attestation ${
          sql.insert({
            organization_id: organizationId,
            sequence,
            attested_by: by,
            attested_at: at,
            card_hash: cardHash
          })
        }`
      }, withStoreErrors("attest business card")),

      attestation: (organizationId) =>
        sql`
          select attested_by, attested_at, card_hash from card_attestation
          where organization_id = ${organizationId} order by sequence desc limit 1
        `.pipe(decodeFirst(AttestationRow), withStoreErrors("read attestation")),

      addDecisions: (organizationId, decisions) =>
        inBatches(
          sql,
          decisions.map((one) => ({
            organization_id: organizationId,
            ...toColumns(decisionColumns, { ...one, quote: toStorableText(one.quote) })
          })),
          (batch) => sql`insert into card_decision ${sql.insert(batch)} on conflict do nothing`
        ).pipe(Effect.asVoid, withStoreErrors("add decisions on the business card")),

      decisions: (organizationId, answerIds, factHashes) =>
        sql`
          select ${sql.literal(listColumns(decisionColumns))} from card_decision
          where organization_id = ${organizationId} and answer_id = any(${formatUuidArray(answerIds)}::uuid[])
            and fact_hash = any(${formatWordArray(factHashes)}::text[])
          order by answer_id, fact_hash
        `.pipe(decodeRows(DecisionRow), withStoreErrors("read decisions on the business card"))
    })
  })
)
