/**
 * Every method of every store, called for one organization with another one's ids: it gets nothing and changes nothing.
 * The methods are read off the services themselves: one that the table does not know fails the suite.
 */
import {
  type ApiKeyId,
  ApiKeyStore,
  type ArchivedAnswer,
  type ArchivedCounts,
  ArchiveStore,
  type Backlog,
  BacklogStore,
  BusinessCardStore,
  type CellId,
  CellStore,
  HealthStore,
  IdempotencyStore,
  InstanceStore,
  KeywordStore,
  makeSeal,
  MeasurementStore,
  Notifications,
  OrganizationStore,
  QuotaLedger,
  RateLimiter,
  type ScanId,
  ScanStore,
  ScoreStore,
  SealStore,
  ServerRegistry,
  type StartRecord,
  StoreError,
  TrackedSetStore,
  TrafficStore,
  Transaction,
  UsageStore,
  WorkerRegistry
} from "@sov/core"
import {
  addScan,
  answerTo,
  at,
  cardEdit,
  keywords,
  measurementOf,
  scan,
  scoreOf,
  seedAnswers,
  type SeededScan,
  seedOrganization,
  seedScan,
  type Stores,
  trackedSet,
  trafficLine
} from "@sov/core/testing"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { openStorage } from "../support/storage.ts"

const ports = {
  TrafficStore,
  ApiKeyStore,
  ArchiveStore,
  BacklogStore,
  BusinessCardStore,
  CellStore,
  HealthStore,
  IdempotencyStore,
  InstanceStore,
  KeywordStore,
  MeasurementStore,
  Notifications,
  OrganizationStore,
  QuotaLedger,
  RateLimiter,
  ScanStore,
  ScoreStore,
  SealStore,
  ServerRegistry,
  TrackedSetStore,
  Transaction,
  UsageStore,
  WorkerRegistry
}

/** What organization A has, and the organization B that asks for it. */
interface Tenants {
  readonly a: SeededScan & {
    readonly answers: ReadonlyArray<ArchivedAnswer>
    readonly keyId: ApiKeyId
    readonly endedId: ScanId
  }
  readonly b: SeededScan["organizationId"]
}

/**
 * What B's call must give: exactly this value · `refused` a constraint of the schema stops it · `own` it works on B's
 * own rows.
 */
type Outcome =
  | null
  | false
  | 0
  | ArchivedCounts
  | { readonly answers: 0; readonly measured: 0 }
  | Backlog
  | { readonly rows: ReadonlyArray<never>; readonly begin: Date }
  | ReadonlyArray<never>
  | ReadonlySet<never>
  | ReadonlyMap<unknown, unknown>
  | undefined
  | "refused"
  | "own"
type Case = readonly [args: ReadonlyArray<unknown> | Effect.Effect<ReadonlyArray<unknown>, unknown, never>, Outcome]

const versions = { measureVersion: 1, trackedSetVersion: 1 }
const failure = { reason: "timeout", message: "late", excerpt: null, status: null } as const
const period = "2026-01"
const made = <A>(effect: Effect.Effect<A, unknown, SecureRandom.SecureRandom>) =>
  Effect.provide(effect, SecureRandom.layerWebCrypto)

const startRecord = (scanId: ScanId): StartRecord => ({
  key: "retry-1",
  fingerprint: new Uint8Array(32),
  scanId,
  estimatedSeconds: 1,
  createdAt: at(10)
})

/** These look across organizations by their nature, or have no rows of any. */
const across = null

const table: { readonly [store: string]: { readonly [method: string]: ((tenants: Tenants) => Case) | null } } = {
  InstanceStore: { cursorKey: across },
  Notifications: { send: across, listen: across },
  Transaction: { run: across },
  TrafficStore: {
    add: ({ b }) => [[b, [trafficLine({ id: "ofTenant" })], "v1"], "own"],
    fresh: ({ b }) => [[b, [trafficLine({ id: "ofTenant" })]], "own"],
    days: ({ b }) => [[b, { from: null, to: null }], []],
    pages: ({ b }) => [[b, { from: null, to: null }, 9], []],
    sources: ({ b }) => [[b, { from: null, to: null }], []]
  },
  HealthStore: { save: across, list: across },
  UsageStore: { recent: across, spentSince: across, ofScan: ({ a, b }) => [[b, a.scan.id], []] },
  WorkerRegistry: { enter: across, seen: across, leave: across, list: across },
  ServerRegistry: { seen: across, leave: across, list: across },
  IdempotencyStore: {
    find: ({ b }) => [[b, "retry-1", at(0)], null],
    add: ({ a, b }) => [[b, startRecord(a.scan.id), at(0)], "refused"]
  },
  OrganizationStore: {
    create: across,
    list: across,
    find: across,
    findBySlug: across,
    setPlan: ({ b }) => [[b, "business"], "own"],
    setScanQuota: ({ b }) => [[b, 3], "own"]
  },
  ApiKeyStore: {
    findByHash: across,
    insert: ({ a, b }) => [
      [b, {
        id: a.keyId,
        name: "b",
        prefix: "p",
        lastFour: "4444",
        createdAt: at(1),
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null
      }, new Uint8Array(32).fill(2)],
      "own"
    ],
    list: ({ b }) => [[b], []],
    used: ({ a, b }) => [[b, a.keyId, at(50)], undefined],
    revoke: ({ a, b }) => [[b, a.keyId, at(50)], null]
  },
  TrackedSetStore: {
    current: ({ b }) => [[b], null],
    find: ({ a, b }) => [[b, a.set.version], null],
    append: ({ b }) => [made(Effect.map(trackedSet(7), (set) => [b, set])), "own"]
  },
  BusinessCardStore: {
    current: ({ b }) => [[b], new Map()],
    lock: ({ b }) => [[b], new Map()],
    append: ({ b }) => [[b, [cardEdit()], at(50)], "own"],
    history: ({ b }) => [[b, { limit: 9 }], []],
    attest: ({ b }) => [[b, { by: "b", at: at(50), cardHash: "b".repeat(64) }], "own"],
    attestation: ({ b }) => [[b], null]
  },
  KeywordStore: {
    add: ({ a, b }) => [made(Effect.map(keywords(a.keywords.map(({ text }) => text)), (list) => [b, list])), "own"],
    list: ({ b }) => [[b, ["active", "paused", "archived"]], []],
    standings: ({ b }) => [[b, { statuses: ["active", "paused", "archived"] }, { limit: 9 }], []],
    find: ({ a, b }) => [[b, a.keywords[0]!.id], null],
    setStatus: ({ a, b }) => [[b, a.keywords[0]!.id, "archived"], null]
  },
  QuotaLedger: {
    take: ({ b }) => [[b, period, 5], "own"],
    giveBack: ({ b }) => [[b, period], undefined],
    used: ({ b }) => [[b, period], 0]
  },
  RateLimiter: {
    take: ({ a, b }) => [[b, a.keyId, { count: 1, limit: 1, windowMs: 60_000 }], "refused"]
  },
  ScanStore: {
    running: across,
    settled: across,
    insert: ({ b }) => [made(Effect.map(scan(), (row) => [b, row])), "refused"],
    find: ({ a, b }) => [[b, a.scan.id], null],
    list: ({ b }) => [[b, { limit: 9 }], []],
    lock: ({ a, b }) => [[b, a.scan.id], null],
    end: ({ a, b }) => [[b, a.scan.id, "cancelled", at(50)], false],
    releaseQuota: ({ a, b }) => [[b, a.scan.id], null]
  },
  CellStore: {
    insert: ({ a, b }) => [
      made(Effect.map(SecureRandom.SecureRandom.use((random) => random.uuidV7()), (id) => [
        b,
        [{ ...a.cells[0]!, id: id as string as CellId }],
        at(50)
      ])),
      "refused"
    ],
    lanes: across,
    claim: ({ a, b }) => [
      [{ organizationId: b, scanId: a.scan.id }, "assistant_b", { now: at(99), limit: 9, inFlight: [] }],
      []
    ],
    anyOpen: ({ a, b }) => [[b, a.scan.id], false],
    failOpen: ({ a, b }) => [[{ organizationId: b, scanId: a.scan.id }, "assistant_b", [], failure], undefined],
    failed: ({ a, b }) => [[b, a.cells[3]!.id, failure], undefined],
    postpone: ({ a, b }) => [[b, a.cells[3]!.id, at(60), failure], undefined],
    cancelOpen: ({ a, b }) => [[b, a.scan.id], undefined],
    counts: ({ a, b }) => [[b, a.scan.id], []],
    keywordIds: ({ a, b }) => [[b, a.scan.id], new Set()],
    listFailed: ({ a, b }) => [[b, a.endedId], []],
    results: ({ a, b }) => [[b, a.scan.id, {}, { limit: 9 }], []]
  },
  ArchiveStore: {
    archive: ({ a, b }) => [
      made(Effect.map(answerTo(a.cells[3]!), (answer) => [b, answer, measurementOf(answer)])),
      false
    ],
    counts: ({ a, b }) => [[b, a.scan.id], { answers: 0, mentioned: 0 }],
    append: ({ a, b }) => [made(Effect.map(answerTo(a.cells[3]!), (answer) => [b, answer])), "refused"],
    find: ({ a, b }) => [[b, a.answers[0]!.id], null],
    payload: ({ a, b }) => [[b, a.answers[0]!.id], null],
    page: (
      { a, b }
    ) => [[b, { scanId: a.scan.id }, { limit: 9, after: { createdAt: at(99), id: a.answers[0]!.id } }], []],
    history: ({ a, b }) => [[b, { scanId: a.scan.id }, { limit: 9 }], { rows: [], begin: at(0) }],
    leaves: ({ a, b }) => [[b, a.scan.id], []],
    stats: ({ b }) => [[b], []],
    oldest: ({ b }) => [[b], null]
  },
  BacklogStore: {
    archived: ({ b }) => [[b], 0],
    ofScan: ({ a, b }) => [[b, a.scan.id, at(99)], { platforms: [], lastActivityAt: null }]
  },
  MeasurementStore: {
    insert: ({ a, b }) => [[b, [measurementOf(a.answers[0]!, { measureVersion: 5 })]], "refused"],
    unmeasured: ({ a, b }) => [[b, a.scan.id, { ...versions, measureVersion: 5 }, 9], []],
    counts: ({ a, b }) => [[b, a.scan.id, versions], { answers: 0, measured: 0 }],
    newest: ({ a, b }) => [[b, a.scan.id, 9], []],
    rows: ({ a, b }) => [[b, a.scan.id, versions], []]
  },
  ScoreStore: {
    insert: ({ a, b }) => [[b, scoreOf(a.scan.id, { measureVersion: 5 }), at(50)], "refused"],
    ofScan: ({ a, b }) => [[b, a.endedId], null],
    history: ({ b }) => [[b, 9], []]
  },
  SealStore: {
    lockHead: ({ b }) => [[b], null],
    insert: ({ a, b }) => [
      [b, makeSeal({ scanId: a.scan.id, leaves: [], head: null, sealedAt: at(50) })],
      "refused"
    ],
    ofScan: ({ a, b }) => [[b, a.endedId], []]
  }
}

/** A has rows in every table: a completed scan with all that belongs to it, and a running one with open cells. */
const tenants = Effect.gen(function*() {
  const ended = yield* seedScan()
  const { organizationId } = ended
  yield* seedAnswers({ ...ended, cells: ended.cells.slice(0, 3) })
  yield* (yield* CellStore).failed(organizationId, ended.cells[3]!.id, failure)
  yield* (yield* ScoreStore).insert(organizationId, scoreOf(ended.scan.id), at(30))
  yield* (yield* SealStore).insert(
    organizationId,
    makeSeal({ scanId: ended.scan.id, leaves: [], head: null, sealedAt: at(30) })
  )
  yield* (yield* ScanStore).end(organizationId, ended.scan.id, "completed", at(30))
  yield* (yield* QuotaLedger).take(organizationId, period, 5)
  yield* (yield* IdempotencyStore).add(organizationId, startRecord(ended.scan.id), at(0))
  yield* (yield* BusinessCardStore).append(organizationId, [cardEdit()], at(30))
  yield* (yield* BusinessCardStore).attest(organizationId, { by: "a", at: at(30), cardHash: "a".repeat(64) })
  yield* (yield* TrafficStore).add(organizationId, [trafficLine({ id: "ofTenant" })], "v1")
  const keyId = ended.organization.id as string as ApiKeyId
  yield* (yield* ApiKeyStore).insert(organizationId, {
    id: keyId,
    name: "a",
    prefix: "p",
    lastFour: "4444",
    createdAt: at(1),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null
  }, Buffer.from(keyId.replaceAll("-", "").repeat(2), "hex"))
  yield* (yield* RateLimiter).take(organizationId, keyId, { count: 1, limit: 1, windowMs: 60_000 })
  const running = yield* seedRunning(ended)
  const found: Tenants = {
    a: { ...ended, ...running, endedId: ended.scan.id, keyId },
    b: (yield* seedOrganization()).id
  }
  return found
})

/** A second scan of the same organization, three of whose cells are answered; `cells[3]` stays open. */
const seedRunning = Effect.fnUntraced(function*(seed: SeededScan) {
  const { cells, scan: row } = yield* addScan(seed.organizationId, seed.keywords, { startedAt: at(40) })
  const answers = yield* seedAnswers({ ...seed, cells: cells.slice(0, 3) }, 41)
  return { cells, scan: row, answers }
})

/** Every row of an organization, in every table that has any. */
const rowsOf = Effect.fnUntraced(function*(organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select table_name::text as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'organization_id' order by 1
  `
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql<{ readonly row: unknown }>`
        select to_jsonb(t) as row from ${sql(name)} t where organization_id = ${organizationId} order by t::text
      `,
      (found) => [name, found.map(({ row }) => row)] as const
    ))
  const [own] = yield* sql`select * from organization where id = ${organizationId}`
  return { own, tables: Object.fromEntries(rows) }
})

const uuids = (value: unknown): ReadonlySet<string> =>
  new Set(
    JSON.stringify(value, (_, inner: unknown) => inner instanceof Set ? [...inner] : inner)
      ?.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)
  )

type AnyMethod = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/** A service with its methods by name. */
const serviceOf = (port: keyof typeof ports) =>
  ports[port] as unknown as Effect.Effect<Record<string, AnyMethod>, never, Stores>

describe.each(homes)("tenancy on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  describe.each(Object.keys(ports) as Array<keyof typeof ports>)("%s", (port) => {
    it("has every method in the table, and no other", async () => {
      const service = await storage.run(serviceOf(port))
      expect(Object.keys(table[port] ?? {}).toSorted()).toEqual(Object.keys(service).toSorted())
    })

    const cases = Object.entries(table[port] ?? {}).flatMap(([method, make]) => make === null ? [] : [{ method, make }])
    it.each(cases)(
      "$method gives and changes nothing of another organization",
      ({ make, method }) =>
        storage.run(Effect.gen(function*() {
          const found = yield* tenants
          const before = yield* rowsOf(found.a.organizationId)
          for (const [name, rows] of Object.entries(before.tables)) {
            expect(rows, `A has rows in ${name}`).not.toEqual([])
          }

          const [given, expected] = make(found)
          const args = Effect.isEffect(given) ? yield* given : given
          const service = yield* serviceOf(port)
          const result = yield* Effect.result(service[method]!(...args))

          expect(yield* rowsOf(found.a.organizationId)).toEqual(before)
          if (expected === "refused") {
            expect(result._tag).toBe("Failure")
            expect(result._tag === "Failure" && result.failure).toMatchObject({
              _tag: "StoreError",
              reason: "constraint"
            })
            expect(result._tag === "Failure" && result.failure).toBeInstanceOf(StoreError)
            return
          }
          expect(result._tag).toBe("Success")
          const value = result._tag === "Success" ? result.success : undefined
          if (expected !== "own") expect(value).toEqual(expected)
          const theirs = uuids(before)
          for (const id of uuids(value ?? null)) expect(theirs).not.toContain(id)
        }))
    )
  })
})
