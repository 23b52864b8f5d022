import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { AnswerId, ScanId } from "../../domain/ids.ts"
import type { Seal } from "../../domain/Seal.ts"
import { SealStore } from "../../ports/SealStore.ts"
import { guarded } from "./sqlErrors.ts"
import { uuidArray } from "./values.ts"

interface SealRow {
  readonly sequence: number
  readonly scan_id: string
  readonly leaf_ids: ReadonlyArray<string>
  readonly leaf_hashes: Uint8Array
  readonly root: Uint8Array
  readonly previous: Uint8Array | null
  readonly sealed_at: Date
  readonly hash: Uint8Array
}

const hashBytes = 32

const fromRow = (row: SealRow): Seal => ({
  sequence: row.sequence,
  scanId: row.scan_id as ScanId,
  leaves: row.leaf_ids.map((id, i) => ({
    id: id as AnswerId,
    hash: row.leaf_hashes.slice(i * hashBytes, (i + 1) * hashBytes)
  })),
  root: row.root,
  previous: row.previous,
  sealedAt: row.sealed_at,
  hash: row.hash
})

const concatenate = (hashes: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(hashes.length * hashBytes)
  for (const [i, hash] of hashes.entries()) all.set(hash, i * hashBytes)
  return all
}

/** The chain of seals in table `seal`, which the database keeps append-only. */
export const PgSealStore = Layer.effect(
  SealStore,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    return SealStore.of({
      // The organization's row stands for its chain: a chain without a seal has no row of its own to lock
      lockHead: (organizationId) =>
        sql`select 1 as locked from organization where id = ${organizationId} for no key update`.pipe(
          Effect.andThen(sql<SealRow>`
            select * from seal where organization_id = ${organizationId} order by sequence desc limit 1
          `),
          Effect.map(([row]) => row === undefined ? null : fromRow(row)),
          guarded("lock seals")
        ),

      insert: (organizationId, seal) =>
        sql`insert into seal ${
          sql.insert({
            organization_id: organizationId,
            sequence: seal.sequence,
            scan_id: seal.scanId,
            leaf_ids: uuidArray(seal.leaves.map((leaf) => leaf.id)),
            leaf_hashes: concatenate(seal.leaves.map((leaf) => leaf.hash)),
            root: seal.root,
            previous: seal.previous,
            sealed_at: seal.sealedAt,
            hash: seal.hash
          })
        }`.pipe(Effect.asVoid, guarded("add seal")),

      ofScan: (organizationId, scanId) =>
        sql<SealRow>`
          select * from seal where organization_id = ${organizationId} and scan_id = ${scanId} order by sequence
        `.pipe(Effect.map((rows) => rows.map(fromRow)), guarded("read seals"))
    })
  })
)
