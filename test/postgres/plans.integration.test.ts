/** That a Postgres server plans the statements of hot paths once for a session, and not again at each call. */
import {
  ApiKeyStore,
  ArchiveStore,
  CellId,
  CellStore,
  createApiKey,
  DeliveryStore,
  initialize,
  KeywordStore,
  OrganizationId,
  ScanStore,
  ScoreStore,
  SourceStore,
  UsageStore
} from "@sov/core"
import { layerServer, layerStores } from "@sov/core/postgres"
import { at, newId, scan as makeScan } from "@sov/core/testing"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { auditEntry } from "../contracts/auditLogContract.ts"
import { postgresUrl } from "../support/homes.ts"
import { seedArchive } from "../support/seedArchive.ts"
import { freshDatabase } from "../support/storage.ts"
import { withSecureRandom } from "../support/tenants.ts"

const keywords = 10
/**
 * Postgres plans a statement again at its first five calls, and after that where a plan without values seems to cost
 * more.
 */
const firstPlans = 5
const calls = 2 * firstPlans + 2

/** An organization with an archive, and what the hot paths of REST and the tools ask stores for it. */
const prepare = Effect.gen(function*() {
  const { keywords: asked, organization: { id } } = yield* initialize({
    name: "Acme",
    plan: "pro",
    tracking: {
      brand: { name: "Acme" },
      keywords: Array.from({ length: keywords }, (_, n) => ({ text: `best anvil, number ${n}?` }))
    }
  })
  yield* seedArchive({ keywords, scans: 30 })
  yield* createApiKey(id, "hot")
  const sql = yield* SqlClient.SqlClient
  yield* sql`analyze`
  const archive = yield* ArchiveStore
  const [row] = yield* archive.page(id, {}, { limit: 1 })
  const { keywordId, scanId } = row!
  const { newest, newestWithSources } = yield* ScoreStore
  const others = Array.from({ length: 5 }, () => OrganizationId.make(randomUUID()))
  const scans = yield* ScanStore
  const { stateOf } = yield* SourceStore
  const scanIds = (yield* scans.list(id, { limit: 4 })).map((scan) => scan.id)
  const state = yield* stateOf(id, scanIds)
  /** Of all, with the state of this many scans, where this many sources were counted last. */
  const readAllStated = (count: number, derived: number) =>
    Effect.forEach([id, ...others], (of) => newestWithSources(of, scanIds.slice(0, count), { ...state, derived }), {
      concurrency: "unbounded"
    })
  /** Each start has another scan, and another key. */
  const begin = (how: "named" | null) =>
    withSecureRandom(Effect.gen(function*() {
      const made = yield* makeScan({ quotaPeriod: "2026-01" })
      const cells = yield* Effect.forEach(asked, ({ id: keywordId }) =>
        Effect.map(newId(CellId), (cell) => ({
          id: cell,
          scanId: made.id,
          keywordId,
          platform: "assistant_a" as const,
          sample: 1
        })))
      const record = { fingerprint: new Uint8Array(32), scanId: made.id, estimatedSeconds: 1, createdAt: at(10) }
      return yield* scans.start(id, {
        scan: made,
        cells,
        dueAt: at(0),
        quota: { period: "2026-01", limit: 99 },
        named: how === null ? null : { record: { ...record, key: made.id }, since: at(0) },
        entries: [yield* auditEntry(1)],
        notification: { channel: "sov_work", payload: "" }
      })
    }))
  const page = (filters: Parameters<typeof archive.history>[1], options: object = {}) =>
    archive.history(id, filters, { limit: 50, textBytes: 4_000_000, ...options })
  const paths: { readonly [name: string]: Effect.Effect<unknown, unknown> } = {
    "current score": newest(id),
    // One is read at once, the others together by the next statement
    "current scores": Effect.forEach([id, ...others], newest, { concurrency: "unbounded" }),
    "current score with the state of sources": newestWithSources(id, scanIds, state),
    "current scores with the state of sources": readAllStated(4, 0),
    "first page": page({}),
    "next page": page({}, { after: row! }),
    "page with sources": page({}, { limit: 10, provenance: true }),
    "page of a keyword": page({ keywordId }),
    "page of a platform": page({ platform: "assistant_c" }),
    "page of both": page({ keywordId, platform: "assistant_c" }),
    "scans": scans.list(id, { limit: 20 }),
    "what a scan starts from": scans.readBasis(id, null),
    "what a scan with a key starts from": scans.readBasis(id, { key: "retry-1", since: at(0) }),
    "start of a scan": begin(null),
    "start of a scan with a key": begin("named"),
    "keywords": (yield* KeywordStore).summaries(id, { statuses: ["active"] }, { limit: 50 }),
    "key": (yield* ApiKeyStore).findByHash(new Uint8Array(32)),
    "queue of a scan": (yield* CellStore).queues("assistant_a", false, [], [{ organizationId: id, scanId }]),
    "deliveries of an organization": (yield* DeliveryStore).queues(new Map(), [id]),
    "recent answers": (yield* UsageStore).recent(false),
    "state of sources": stateOf(id, [scanId])
  }
  return { paths, readAllStated }
})

it.skipIf(postgresUrl === null)(
  "a frequent statement is planned only during its first calls",
  () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const connect = layerServer({ url: Redacted.make(url), maxConnections: 1 })
      const stores = layerStores.pipe(Layer.provideMerge(connect), Layer.provideMerge(SecureRandom.layerWebCrypto))
      yield* Effect.gen(function*() {
        const { paths, readAllStated } = yield* prepare
        const sql = yield* SqlClient.SqlClient
        yield* sql`deallocate all`
        const planned: Record<string, ReadonlyArray<{ readonly custom: number }>> = {}
        for (const [name, path] of Object.entries(paths)) {
          yield* Effect.repeat(path, { times: calls - 1 })
          planned[name] = yield* sql<{ readonly custom: number }>`
          select custom_plans::int as custom from pg_prepared_statements
          where generic_plans + custom_plans = ${calls}::int
        `
          yield* sql`deallocate all`
        }
        expect(Object.entries(planned).map(([name, statements]) => [name, statements.length])).toEqual(
          Object.keys(paths).map((name) => [name, 1])
        )
        expect(Object.entries(planned).filter(([, statements]) => statements.some(({ custom }) => custom > firstPlans)))
          .toEqual([])

        // Callers that ask together are answered together, unless there is much to count. By statements that are new:
        // one that was deallocated fails at its next call, and is then read for each alone
        const sizes = Effect.map(
          sql<{ readonly size: string }>`
            select substring(statement from 'generate_series[(]0, ([0-9]+)[)]') as size from pg_prepared_statements
            where statement like '%wanted.place%' and statement not like '%pg_prepared_statements%' order by 1
          `,
          (rows) => rows.map(({ size }) => size)
        )
        yield* readAllStated(2, 100_000)
        expect(yield* sizes).toEqual(["0"])
        yield* readAllStated(2, 0)
        expect(yield* sizes).toEqual(["0", "7"])
      }).pipe(Effect.provide(stores))
    })))
)
