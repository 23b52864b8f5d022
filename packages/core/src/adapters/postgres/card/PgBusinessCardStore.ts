import { PgClient } from "@effect/sql-pg"
import { Array, Effect, Layer } from "effect"
import type {
  BusinessCard,
  CardAttestation,
  CardChange,
  CardField,
  CardValue
} from "../../../domain/card/BusinessCard.ts"
import type { OrganizationId } from "../../../domain/ids.ts"
import { BusinessCardStore } from "../../../ports/BusinessCardStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { inBatches } from "../values.ts"

interface FactRow {
  readonly field: string
  readonly value: CardValue | null
  readonly source: string
  readonly updated_at: Date
}

interface ChangeRow extends FactRow {
  readonly sequence: number
  readonly previous: CardValue | null
  readonly changed_at: Date
}

interface AttestationRow {
  readonly attested_by: string
  readonly attested_at: Date
  readonly card_hash: string
}

const cardFromRows = (rows: ReadonlyArray<FactRow>): BusinessCard =>
  new Map(
    rows.flatMap(({ field, source, updated_at: updatedAt, value }) =>
      value === null ? [] : [[field as CardField, { value, source, updatedAt }] as const]
    )
  )

const changeFromRow = (row: ChangeRow): CardChange => ({
  sequence: row.sequence,
  field: row.field as CardField,
  value: row.value,
  previous: row.previous,
  source: row.source,
  updatedAt: row.updated_at,
  changedAt: row.changed_at
})

/** Edits in table `card_change`, attestations in `card_attestation`; the database keeps both append-only. */
export const PgBusinessCardStore = Layer.effect(
  BusinessCardStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient

    const current = (organizationId: OrganizationId) =>
      sql<FactRow>`
        select distinct on (field) field, value, source, updated_at from card_change
        where organization_id = ${organizationId} order by field, sequence desc
      `.pipe(Effect.map(cardFromRows), withStoreErrors("read business card"))

    const nextSequence = (table: string, organizationId: OrganizationId) =>
      sql<{ readonly next: number }>`
        select coalesce(max(sequence), 0) + 1 as next from ${sql(table)} where organization_id = ${organizationId}
      `.pipe(Effect.map(([row]) => row?.next ?? 1))

    return BusinessCardStore.of({
      current,

      // Locks the organization's row instead of the card: an empty card has no row to lock
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
          (batch) => sql`insert into card_change ${sql.insert(Array.map(batch, (row) => row))}`
        )
      }, withStoreErrors("edit business card")),

      history: (organizationId, { before, field, limit, since = null }) =>
        sql<ChangeRow>`
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
        `.pipe(Effect.map((rows) => rows.map(changeFromRow)), withStoreErrors("read history of the business card")),

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
        sql<AttestationRow>`
          select attested_by, attested_at, card_hash from card_attestation
          where organization_id = ${organizationId} order by sequence desc limit 1
        `.pipe(
          Effect.map(([row]): CardAttestation | null =>
            row === undefined ? null : { by: row.attested_by, at: row.attested_at, cardHash: row.card_hash }
          ),
          withStoreErrors("read attestation")
        )
    })
  })
)
