import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Seal, SealHeader } from "../../../domain/archive/Seal.ts"
import type { AnswerId, OrganizationId, ScanId } from "../../../domain/ids.ts"
import type { ScanStatus } from "../../../domain/scanning/Scan.ts"
import { SealStore } from "../../../ports/SealStore.ts"
import { withStoreErrors } from "../sqlErrors.ts"
import { formatUuidArray } from "../values.ts"

interface HeaderRow {
  readonly sequence: number
  readonly scan_id: string
  readonly leaf_count: number
  readonly root: Uint8Array
  readonly previous: Uint8Array | null
  readonly sealed_at: Date
  readonly hash: Uint8Array
}
interface SealRow extends Omit<HeaderRow, "leaf_count"> {
  readonly leaf_ids: ReadonlyArray<string | null>
  readonly leaf_hashes: Uint8Array
}

const headerFromRow = (row: HeaderRow): SealHeader => ({
  sequence: row.sequence,
  scanId: row.scan_id as ScanId,
  leafCount: row.leaf_count,
  root: row.root,
  previous: row.previous,
  sealedAt: row.sealed_at,
  hash: row.hash
})

const headerColumns = "sequence, scan_id, cardinality(leaf_ids) as leaf_count, root, previous, sealed_at, hash"

interface CoverageRow {
  readonly scan_id: string
  readonly status: string | null
  readonly seals: number
  readonly late_leaves: number
  readonly unsealed: ReadonlyArray<string>
}

const hashBytes = 32

const nilId = "00000000-0000-0000-0000-000000000000"

/** As many leaves as there are ids or hashes: what a superuser cut off or added is there to be named. */
const leavesFromRow = ({ leaf_hashes, leaf_ids }: SealRow) =>
  Array.from({ length: Math.max(leaf_ids.length, Math.ceil(leaf_hashes.length / hashBytes)) }, (_, i) => ({
    id: (leaf_ids[i] ?? nilId) as AnswerId,
    hash: leaf_hashes.slice(i * hashBytes, (i + 1) * hashBytes)
  }))

const sealFromRow = (row: SealRow): Seal => ({
  sequence: row.sequence,
  scanId: row.scan_id as ScanId,
  leaves: leavesFromRow(row),
  root: row.root,
  previous: row.previous,
  sealedAt: row.sealed_at,
  hash: row.hash
})

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
    /** The first scan by id that has a row, or that an answer names. */
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
      // Locks the organization's row instead of the chain: a chain without a seal has no row to lock
      lockHead: (organizationId) =>
        sql`select 1 as locked from organization where id = ${organizationId} for no key update`.pipe(
          Effect.andThen(sql<SealRow>`
            select * from seal where organization_id = ${organizationId} order by sequence desc limit 1
          `),
          Effect.map(([row]) => row === undefined ? null : sealFromRow(row)),
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
            hash: seal.hash
          })
        }`.pipe(Effect.asVoid, withStoreErrors("add seal")),

      ofScan: (organizationId, scanId) =>
        sql<SealRow>`
          select * from seal where organization_id = ${organizationId} and scan_id = ${scanId} order by sequence
        `.pipe(Effect.map((rows) => rows.map(sealFromRow)), withStoreErrors("read seals")),

      ofAnswer: (organizationId, scanId, id) =>
        sql<HeaderRow>`
          select ${sql.literal(headerColumns)} from seal
          where organization_id = ${organizationId} and scan_id = ${scanId} and ${id}::uuid = any(leaf_ids)
          order by sequence limit 1
        `.pipe(Effect.map(([row]) => row === undefined ? null : headerFromRow(row)), withStoreErrors("find seal")),

      head: (organizationId) =>
        sql<HeaderRow>`
          select ${sql.literal(headerColumns)} from seal
          where organization_id = ${organizationId} order by sequence desc limit 1
        `.pipe(Effect.map(([row]) => row === undefined ? null : headerFromRow(row)), withStoreErrors("read seals")),

      page: (organizationId, { after, limit }) =>
        sql<SealRow>`
          select * from seal
          where organization_id = ${organizationId} and (${after}::int is null or sequence > ${after}::int)
          order by sequence limit ${limit}
        `.pipe(Effect.map((rows) => rows.map(sealFromRow)), withStoreErrors("read seals")),

      headers: (organizationId, { after, limit }) =>
        sql<HeaderRow>`
          select ${
          sql.literal(headerColumns)
        } from seal where organization_id = ${organizationId} and sequence > ${after}
          order by sequence limit ${limit}
        `.pipe(Effect.map((rows) => rows.map(headerFromRow)), withStoreErrors("read seals")),

      // The scans are found one by one by their indexes: those that have a row, and those that only answers name
      coverage: (organizationId, { after, limit }) =>
        sql<CoverageRow>`
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
          Effect.map((rows) =>
            rows.map((row) => ({
              scanId: row.scan_id as ScanId,
              status: row.status as ScanStatus | null,
              seals: row.seals,
              lateLeaves: row.late_leaves,
              unsealed: row.unsealed as ReadonlyArray<AnswerId>
            }))
          ),
          withStoreErrors("read seals")
        )
    })
  })
)
