/** Anchors: what they are recorded and sent with, and that they find a past which its owner has rewritten. */
import {
  anchorChain,
  type ArchiveProblem,
  ArchiveStore,
  hashLeaf,
  type Leaf,
  listDeliveries,
  makeSeal,
  type NotedSeal,
  type OrganizationId,
  readAuditLog,
  type Seal,
  SealStore,
  stampAnchor,
  toNotedSeal,
  verifyArchive,
  wholeHistory
} from "@sov/core"
import { layerTimeStamps } from "@sov/core/outbound"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { seedEndpoint } from "../../contracts/webhookSeeds.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"
import { startAuthority } from "../../support/timeStampAuthority.ts"

const text = (keyword: number, platform: string) => `${platform}: Acme Forge makes the best anvil number ${keyword}.`

const verify = Effect.fnUntraced(function*(organizationId: OrganizationId, noted: ReadonlyArray<NotedSeal> = []) {
  const problems: Array<ArchiveProblem> = []
  const onProblem = (problem: ArchiveProblem) => Effect.sync(() => void problems.push(problem))
  yield* verifyArchive(organizationId, { onProblem, onAnswers: () => undefined }, noted, { payloads: false })
  return problems
})

/** What the owner of the database can do: the text of one answer, its leaf, and every seal from there on. */
const rewrite = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const [sql, seals, archive] = yield* Effect.all([SqlClient.SqlClient, SealStore, ArchiveStore])
  const chain = yield* seals.page(organizationId, { after: null, limit: 100 })
  const id = chain[0]!.leaves[3]!.id
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`set local session_replication_role = replica`
    yield* sql`update answer set raw_response = 'Globex makes the best anvil.' where id = ${id}`
    const [changed] = yield* archive.listSealed(organizationId, [id])
    const hash = hashLeaf(changed!)
    yield* sql`update answer set leaf_hash = ${hash} where id = ${id}`
    let head: Seal | null = null
    for (const { facts, leaves, scanId, sealedAt, sequence } of chain) {
      const anew: ReadonlyArray<Leaf> = leaves.map((leaf) => leaf.id === id ? { id, hash } : leaf)
      head = makeSeal({ scanId, leaves: anew, head, sealedAt, facts: facts! })
      const hashes = Buffer.concat(head.leaves.map((leaf) => leaf.hash))
      yield* sql`update seal set leaf_hashes = ${hashes}, root = ${head.root}, previous = ${head.previous}, hash = ${head.hash}
        where organization_id = ${organizationId} and sequence = ${sequence}`
    }
  }))
})

const recorded = (organizationId: OrganizationId) =>
  Effect.map(
    readAuditLog(organizationId, wholeHistory, { action: "archive.anchored" }, { limit: 9 }),
    ({ entries }) => entries.map(({ detail }) => detail)
  )

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  // Its owner, since nobody else can change what is archived
  const storage = openStorage(home, "superuser")
  afterAll(storage.close)

  it("without a seal, no anchor is created and nothing is recorded", () =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seed
      expect(yield* anchorChain(organizationId)).toBeNull()
      expect(yield* recorded(organizationId)).toEqual([])
    })))

  it("an anchor is recorded, and sent to the endpoints that subscribe to it", () =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seed
      yield* scanWith(organizationId, 10, text)
      const endpoint = yield* seedEndpoint(organizationId, { events: ["archive.anchored"] })
      yield* seedEndpoint(organizationId, { events: ["sov.dropped"] })
      const anchor = yield* anchorChain(organizationId)
      expect(anchor).toMatchObject({ sov_anchor: 1, organization_id: organizationId, sequence: 1 })
      expect(yield* recorded(organizationId)).toEqual([{ head: `1:${anchor!.hash}`, tsa: null }])
      const deliveries = yield* listDeliveries(organizationId, { limit: 9 })
      expect(deliveries).toMatchObject([{ endpointId: endpoint.id, event: "archive.anchored" }])
      const sql = yield* SqlClient.SqlClient
      const [event] = yield* sql<{ readonly body: Uint8Array }>`select body from event where id = ${
        deliveries[0]!.eventId
      }`
      expect(JSON.parse(Buffer.from(event!.body).toString("utf8"))).toEqual({
        event: "archive.anchored",
        organization_id: organizationId,
        timestamp: anchor!.anchored_at,
        data: anchor
      })
    })))

  it("a stamped anchor is recorded with its authority, and nothing is recorded if the authority fails", () =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seed
      yield* scanWith(organizationId, 10, text)
      const anchorAt = (url: string) =>
        anchorChain(organizationId, (anchor) => stampAnchor(anchor, url)).pipe(Effect.provide(layerTimeStamps()))
      expect(yield* Effect.flip(anchorAt("http://127.0.0.1:1/"))).toMatchObject({ reason: "unreachable" })
      expect(yield* Effect.flip(anchorAt("ftp://127.0.0.1/"))).toMatchObject({ _tag: "Rejected", field: "tsa" })
      expect(yield* Effect.flip(anchorAt("http://me:pw@127.0.0.1/"))).toMatchObject({ _tag: "Rejected", field: "tsa" })
      expect(yield* recorded(organizationId)).toEqual([])
      const { url } = yield* Effect.promise(() => startAuthority())
      const anchor = yield* anchorAt(`${url}?token=secret`)
      expect(anchor!.time_stamp!.tsa).toBe(url)
      expect(yield* recorded(organizationId)).toEqual([{ head: `1:${anchor!.hash}`, tsa: url }])
    })))

  it("a history that its owner rewrote consistently passes the chain check, but matches no older anchor", () =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seed
      yield* scanWith(organizationId, 10, text)
      const first = toNotedSeal((yield* anchorChain(organizationId))!, 1)
      yield* scanWith(organizationId, 50, text)
      const second = toNotedSeal((yield* anchorChain(organizationId))!, 2)
      expect(yield* verify(organizationId, [first, second])).toEqual([])

      yield* rewrite(organizationId)
      expect(yield* verify(organizationId)).toEqual([])
      expect(yield* verify(organizationId, [first, second])).toEqual([
        { what: "seal", id: "1", problem: "changed", detail: `its hash is not the one in ${first.where}` },
        { what: "seal", id: "2", problem: "changed", detail: `its hash is not the one in ${second.where}` }
      ])
      expect(yield* verify(organizationId, [{ ...second, sequence: 3 }])).toEqual([
        {
          what: "seal",
          id: "3",
          problem: "removed",
          detail: `it is in ${second.where}, and the chain does not hold it`
        }
      ])
      // An anchor that was made after the act says nothing of what was before
      const later = toNotedSeal((yield* anchorChain(organizationId))!, 3)
      expect(yield* verify(organizationId, [later])).toEqual([])
    })))
})
