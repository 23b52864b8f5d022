import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { Seal, SealHeader } from "../../../domain/archive/Seal.ts"
import type { SealFacts } from "../../../domain/archive/SealFacts.ts"
import { AnswerId, type OrganizationId, ScanId } from "../../../domain/ids.ts"
import { ScanStatus } from "../../../domain/scanning/Scan.ts"
import { SealStore } from "../../../ports/SealStore.ts"
import { decodeFirst, decodeRows, jsonOf, mapRow, rowOf } from "../rows.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray } from "../values.ts"

const sealColumns = {
  sequence: Schema.Int,
  scanId: ScanId,
  root: Schema.Uint8Array,
  previous: Schema.NullOr(Schema.Uint8Array),
  // A superuser can store times outside the range of Date, and verification must still read such times
  sealedAt: Schema.instanceOf(Date),
  facts: Schema.NullOr(jsonOf<SealFacts>()),
  hash: Schema.Uint8Array
}

const withoutNull = <Row extends { readonly facts: SealFacts | null }>({ facts, ...row }: Row) => ({
  ...row,
  ...facts === null ? {} : { facts }
})

const HeaderRow = rowOf({ ...sealColumns, leafCount: Schema.Int }).pipe(mapRow((row): SealHeader => withoutNull(row)))

/** Smaller than every sequence number, so that a check also finds a seal that somebody inserted before the first. */
const belowAll = -2_147_483_649

const headerColumns = "sequence, scan_id, cardinality(leaf_ids) as leaf_count, root, previous, sealed_at, facts, hash"

const CoverageRow = rowOf({
  scanId: ScanId,
  status: Schema.NullOr(ScanStatus),
  seals: Schema.Int,
  lateLeaves: Schema.Int,
  unsealed: Schema.Array(AnswerId)
})

const hashBytes = 32

const nilId = AnswerId.make("00000000-0000-0000-0000-000000000000")

/**
 * Returns one leaf for each id or hash, whichever are more, so that a check reports ids and hashes that a superuser
 * removed or added.
 */
const SealRow = rowOf({
  ...sealColumns,
  leafIds: Schema.Array(Schema.NullOr(AnswerId)),
  leafHashes: Schema.Uint8Array
}).pipe(mapRow(({ leafHashes, leafIds, ...seal }): Seal => ({
  ...withoutNull(seal),
  leaves: Array.from({ length: Math.max(leafIds.length, Math.ceil(leafHashes.length / hashBytes)) }, (_, i) => ({
    id: leafIds[i] ?? nilId,
    hash: leafHashes.slice(i * hashBytes, (i + 1) * hashBytes)
  }))
})))

const concatHashes = (hashes: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(hashes.length * hashBytes)
  for (const [i, hash] of hashes.entries()) all.set(hash, i * hashBytes)
  return all
}

/** The chain of seals in table `seal`, which the database keeps append-only. */
export const PgSealStore = Layer.effect(
  SealStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    /** Selects the next scan id that occurs in `scan` or in an answer. */
    const selectNextScan = (organizationId: OrganizationId, operator: ">" | ">=", id: Statement.Fragment) =>
      sql`least(
        (select a.scan_id from answer a
          where a.organization_id = ${organizationId} and a.scan_id ${sql.literal(operator)} ${id}
          order by a.scan_id limit 1),
        (select s.id from scan s
          where s.organization_id = ${organizationId} and s.id ${sql.literal(operator)} ${id}
          order by s.id limit 1)
      )`
    return SealStore.of({
      // Locks the organization's row instead of the chain, because an empty chain has no row to lock
      lockHead: (organizationId) =>
        sql`select 1 as locked from organization where id = ${organizationId} for no key update`.pipe(
          Effect.andThen(sql`
            select * from seal where organization_id = ${organizationId} order by sequence desc limit 1
          `),
          decodeFirst(SealRow),
          withStoreErrors("lock seals")
        ),

      insert: (organizationId, seal) =>
        sql`insert into seal ${
          sql.insert({
            organization_id: organizationId,
            sequence: seal.sequence,
            scan_id: seal.scanId,
            leaf_ids: formatUuidArray(seal.leaves.map((leaf) => leaf.id)),
            leaf_hashes: concatHashes(seal.leaves.map((leaf) => leaf.hash)),
            root: seal.root,
            previous: seal.previous,
            sealed_at: seal.sealedAt,
            facts: seal.facts === undefined ? null : JSON.stringify(seal.facts),
            hash: seal.hash
          })
        }`.pipe(Effect.asVoid, withStoreErrors("add seal")),

      ofScan: (organizationId, scanId) =>
        sql`
          select * from seal where organization_id = ${organizationId} and scan_id = ${scanId} order by sequence
        `.pipe(decodeRows(SealRow), withStoreErrors("read seals")),

      ofAnswer: (organizationId, scanId, id) =>
        sql`
          select ${sql.literal(headerColumns)} from seal
          where organization_id = ${organizationId} and scan_id = ${scanId} and ${id}::uuid = any(leaf_ids)
          order by sequence limit 1
        `.pipe(decodeFirst(HeaderRow), withStoreErrors("find seal")),

      head: (organizationId) =>
        sql`
          select ${sql.literal(headerColumns)} from seal
          where organization_id = ${organizationId} order by sequence desc limit 1
        `.pipe(decodeFirst(HeaderRow), withStoreErrors("read seals")),

      registered: (organizationId) =>
        sql`
          select ${sql.literal(headerColumns)} from seal
          where organization_id = ${organizationId} and facts ->> 'version' = '4'
          order by sequence
        `.pipe(decodeRows(HeaderRow), withStoreErrors("read seals")),

      page: (organizationId, { after, limit }) =>
        sql`
          select * from seal
          where organization_id = ${organizationId} and sequence > ${after ?? belowAll}::bigint
          order by sequence limit ${limit}
        `.pipe(decodeRows(SealRow), withStoreErrors("read seals")),

      headers: (organizationId, { after, limit }) =>
        sql`
          select ${
          sql.literal(headerColumns)
        } from seal where organization_id = ${organizationId} and sequence > ${after}
          order by sequence limit ${limit}
        `.pipe(decodeRows(HeaderRow), withStoreErrors("read seals")),

      // Finds scans one by one through indexes: those with a row, and those that only answers name
      coverage: (organizationId, { after, limit }) =>
        sql`
          with recursive one(scan_id) as (
            select ${selectNextScan(organizationId, after === null ? ">=" : ">", sql`${after ?? nilId}::uuid`)}
            union all
            select ${
          selectNextScan(organizationId, ">", sql.literal("one.scan_id"))
        } from one where one.scan_id is not null
          ), page as (select scan_id from one limit ${limit})
          select page.scan_id, scan.status,
            (select count(*)::int from seal
              where seal.organization_id = ${organizationId} and seal.scan_id = page.scan_id) as seals,
            (select coalesce(sum(cardinality(leaf_ids)) - (array_agg(cardinality(leaf_ids) order by sequence))[1], 0)::int
              from seal where seal.organization_id = ${organizationId} and seal.scan_id = page.scan_id) as late_leaves,
            array(
              select answer.id from answer
              where answer.organization_id = ${organizationId} and answer.scan_id = page.scan_id
              except
              select unnest(leaf_ids) from seal
              where seal.organization_id = ${organizationId} and seal.scan_id = page.scan_id
            ) as unsealed
          from page left join scan on scan.organization_id = ${organizationId} and scan.id = page.scan_id
          where page.scan_id is not null
          order by page.scan_id
        `.pipe(
          decodeRows(CoverageRow),
          withStoreErrors("read seals")
        )
    })
  })
)
