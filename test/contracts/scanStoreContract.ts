import {
  CellId,
  CellStore,
  IdempotencyStore,
  KeywordStore,
  OrganizationId,
  QuotaLedger,
  type Scan,
  ScanId,
  type ScanStart,
  ScanStore,
  TrackedSetStore,
  Transaction
} from "@sov/core"
import { addScan, at, newId, seedOrganization, seedScan } from "@sov/core/testing"
import { Deferred, Effect, Fiber, Result } from "effect"
import assert from "node:assert/strict"
import { sameBytes, storeContract } from "./storeContract.ts"

/** What every ScanStore must keep. */
export const scanStoreContract = storeContract("ScanStore", {
  "gives back what was inserted": Effect.fnUntraced(function*() {
    const store = yield* ScanStore
    const { organizationId, scan } = yield* seedScan({ samples: 5, scanType: "scheduled", quotaPeriod: null })
    assert.deepEqual(yield* store.find(organizationId, scan.id), scan)
    assert.equal(yield* store.find(organizationId, yield* newId(ScanId)), null)
  }),

  "reads what decides about a start: its organization's newest tracked set, active keywords and record": Effect
    .fnUntraced(
      function*() {
        const [store, records, keywordStore, sets] = yield* Effect.all([
          ScanStore,
          IdempotencyStore,
          KeywordStore,
          TrackedSetStore
        ])
        const bare = yield* seedOrganization()
        const [one, other] = [yield* seedScan(), yield* seedScan()]
        const basis = { organization: one.organization, record: null }
        assert.equal(yield* store.readBasis(yield* newId(OrganizationId), null), null)
        assert.deepEqual(yield* store.readBasis(bare.id, null), {
          organization: bare,
          trackedSetVersion: null,
          keywordIds: [],
          record: null
        })
        const keywordIds = one.keywords.map(({ id }) => id)
        assert.deepEqual(yield* store.readBasis(one.organizationId, null), {
          ...basis,
          trackedSetVersion: 1,
          keywordIds
        })
        yield* sets.append(one.organizationId, { ...one.set, version: 2 })
        yield* keywordStore.setStatus(one.organizationId, keywordIds[0]!, "paused")
        const now = { ...basis, trackedSetVersion: 2, keywordIds: keywordIds.slice(1) }
        const record = { key: "a", fingerprint: new Uint8Array(32).fill(7), estimatedSeconds: 3, createdAt: at(10) }
        yield* records.add(one.organizationId, { ...record, scanId: one.scan.id }, at(0))
        yield* records.add(other.organizationId, { ...record, key: "b", scanId: other.scan.id }, at(0))
        const read = (key: string, since: Date) => store.readBasis(one.organizationId, { key, since })
        const { record: found, ...rest } = (yield* read("a", at(10)))!
        const { fingerprint, ...known } = found!
        sameBytes(fingerprint, record.fingerprint)
        assert.deepEqual({ ...rest, record: null }, now)
        assert.deepEqual(known, { key: "a", scanId: one.scan.id, estimatedSeconds: 3, createdAt: at(10) })
        assert.deepEqual(yield* read("a", at(11)), now)
        assert.deepEqual(yield* read("b", at(0)), now)
      }
    ),

  "starts all of a scan or nothing: the key's record, the unit, the cells": Effect.fnUntraced(function*() {
    const [store, cells, ledger, records] = yield* Effect.all([ScanStore, CellStore, QuotaLedger, IdempotencyStore])
    const { keywords, organizationId, scan: seeded } = yield* seedScan()
    const begin = Effect.fnUntraced(
      function*(limit: number | null, key: string | null, fields: Partial<ScanStart> = {}) {
        const id = yield* newId(ScanId)
        const asked = yield* Effect.forEach(keywords, ({ id: keywordId }) =>
          Effect.map(
            newId(CellId),
            (cell) => ({ id: cell, scanId: id, keywordId, platform: "assistant_a", sample: 1 } as const)
          ))
        const scan: Scan = { ...seeded, id, quotaPeriod: limit === null ? null : "2026-01" }
        const record = {
          key: key ?? "",
          fingerprint: new Uint8Array(32),
          scanId: id,
          estimatedSeconds: 1,
          createdAt: at(10)
        }
        const start: ScanStart = {
          scan,
          cells: asked,
          dueAt: at(0),
          quota: limit === null ? null : { period: "2026-01", limit },
          named: key === null ? null : { record, since: at(0) },
          entries: [],
          notification: { channel: "work", payload: "a scan" },
          ...fields
        }
        return { scan, cells: asked, outcome: yield* Effect.result(store.start(organizationId, start)) }
      }
    )
    const started = (used: number | null) => Result.succeed({ used })
    const one = yield* begin(2, "a")
    assert.deepEqual(one.outcome, started(1))
    assert.deepEqual(yield* store.find(organizationId, one.scan.id), one.scan)
    const claim = { now: at(1), limit: 99, inFlight: [] }
    const due = yield* cells.claim({ organizationId, scanId: one.scan.id }, "assistant_a", claim)
    assert.deepEqual(due.map(({ cell }) => cell.id).sort(), one.cells.map(({ id }) => id).sort())
    assert.equal((yield* records.find(organizationId, "a", at(0)))?.scanId, one.scan.id)
    // The key has its record
    assert.deepEqual((yield* begin(2, "a")).outcome, Result.succeed(null))
    assert.equal(yield* ledger.used(organizationId, "2026-01"), 1)
    // The same cell twice
    const broken = yield* begin(2, "b", { cells: [...one.cells, ...one.cells] })
    assert.equal(Result.isFailure(broken.outcome) && broken.outcome.failure.reason, "constraint")
    assert.equal(yield* ledger.used(organizationId, "2026-01"), 1)
    assert.deepEqual((yield* begin(2, null)).outcome, started(2))
    assert.deepEqual((yield* begin(null, null)).outcome, started(null))
    assert.deepEqual((yield* begin(2, null)).outcome, Result.succeed(null))
    // Its record is taken back, be it at the commit
    const late = yield* begin(2, "b")
    assert.equal(Result.isFailure(late.outcome) && late.outcome.failure.reason, "constraint")
    assert.equal(yield* records.find(organizationId, "b", at(0)), null)
    assert.equal(yield* store.find(organizationId, late.scan.id), null)
    assert.equal(yield* ledger.used(organizationId, "2026-01"), 2)
  }),

  "takes no start for done because another organization has a scan of the same id": Effect.fnUntraced(function*() {
    const store = yield* ScanStore
    const [{ scan: theirs }, own] = [yield* seedScan(), yield* seedOrganization()]
    const refused = yield* Effect.flip(store.start(own.id, {
      scan: theirs,
      cells: [],
      dueAt: at(1),
      quota: null,
      named: null,
      entries: [],
      notification: { channel: "work", payload: "" }
    }))
    assert.equal(refused.reason, "constraint")
    assert.equal(yield* store.find(own.id, theirs.id), null)
  }),

  "lists the newest first, by status and limit": Effect.fnUntraced(function*() {
    const store = yield* ScanStore
    const { keywords, organizationId, scan } = yield* seedScan()
    const { scan: newest } = yield* addScan(organizationId, keywords, { startedAt: at(12) })
    const { scan: twin } = yield* addScan(organizationId, keywords, { startedAt: at(12) })
    yield* store.end(organizationId, newest.id, "completed", at(30))
    const ids = (list: ReadonlyArray<{ readonly id: ScanId }>) => list.map(({ id }) => id)
    assert.deepEqual(ids(yield* store.list(organizationId, { limit: 9 })), [twin.id, newest.id, scan.id])
    assert.deepEqual(ids(yield* store.list(organizationId, { limit: 1 })), [twin.id])
    assert.deepEqual(ids(yield* store.list(organizationId, { limit: 9, status: "completed" })), [newest.id])
    assert.deepEqual(ids(yield* store.list(organizationId, { limit: 9, status: "failed" })), [])
    assert.deepEqual(ids(yield* store.list(organizationId, { limit: 9, before: twin })), [newest.id, scan.id])
    assert.deepEqual(ids(yield* store.list(organizationId, { limit: 9, before: scan })), [])
    assert.deepEqual(ids(yield* store.list(organizationId, { limit: 9, since: newest.startedAt })), [
      twin.id,
      newest.id
    ])
    const { scan: played } = yield* addScan(organizationId, keywords, { startedAt: at(13), simulated: true })
    assert.deepEqual(ids(yield* store.list(organizationId, { limit: 9, simulated: true })), [played.id])
    assert.deepEqual(ids(yield* store.list(organizationId, { limit: 1, simulated: false })), [twin.id])
  }),

  "finds the scans before that asked alike: the last of one question in common, and of half of them": Effect.fnUntraced(
    function*() {
      const store = yield* ScanStore
      const { keywords, organizationId } = yield* seedScan()
      const [first] = keywords
      const [a, b, c] = ["assistant_a", "assistant_b", "assistant_c"] as const
      const end = (id: ScanId) => store.end(organizationId, id, "completed", at(90))
      const asking = Effect.fnUntraced(function*(seconds: number, asked = keywords, fields: Partial<Scan> = {}) {
        const { scan } = yield* addScan(organizationId, asked, {
          startedAt: at(seconds),
          platforms: [a, b, c],
          ...fields
        })
        return scan
      })
      const full = yield* asking(20)
      const half = yield* asking(21, [first!])
      const most = yield* asking(22, keywords, { platforms: [b, a] })
      const one = yield* asking(23, keywords, { platforms: [a] })
      const two = yield* asking(23.5, [first!], { platforms: [c, a] })
      const other = yield* asking(24, keywords, { platforms: ["assistant_d"] })
      const played = yield* asking(25, keywords, { simulated: true })
      const current = yield* asking(26)
      const later = yield* asking(27)
      for (const { id } of [full, half, most, one, two, other, played, later]) yield* end(id)
      yield* asking(25)
      const found = (scan: Scan, limit: number) =>
        Effect.map(store.listComparable(organizationId, scan, limit), (scans) => scans.map(({ id }) => id))
      assert.deepEqual(yield* store.listComparable(organizationId, full, 9), [])
      assert.deepEqual(yield* found(current, 9), [two.id, one.id, most.id, half.id, full.id])
      assert.deepEqual(yield* found(current, 1), [two.id, most.id])
      assert.deepEqual(yield* found(current, 2), [two.id, one.id, most.id, half.id])
      assert.deepEqual(yield* found({ ...other, startedAt: at(28) }, 9), [other.id])
      assert.deepEqual(yield* found({ ...one, startedAt: at(28) }, 1), [later.id, two.id])
    }
  ),

  "knows the running scans of every organization, the oldest first": Effect.fnUntraced(function*() {
    const store = yield* ScanStore
    const [late, early, over] = [
      yield* seedScan({ startedAt: at(9) }),
      yield* seedScan({ startedAt: at(8) }),
      yield* seedScan()
    ]
    yield* store.end(over.organizationId, over.scan.id, "failed", at(30))
    const mine = (yield* store.listRunning).filter(({ scan }) =>
      [late, early, over].some((seed) => seed.scan.id === scan.id)
    )
    assert.deepEqual(mine, [early, late].map(({ organizationId, scan }) => ({ organizationId, scan })))
  }),

  "knows the running scans without open cells of every organization, the oldest first": Effect.fnUntraced(function*() {
    const store = yield* ScanStore
    const cells = yield* CellStore
    const seeds = [
      yield* seedScan({ startedAt: at(9) }),
      yield* seedScan({ startedAt: at(8) }),
      yield* seedScan(),
      yield* seedScan()
    ]
    const [late, early, over, open] = seeds
    for (const { organizationId, scan } of [late!, early!, over!]) yield* cells.cancelOpen(organizationId, scan.id)
    const [one] = open!.cells
    yield* cells.fail(open!.organizationId, one!.id, { reason: "auth", message: "", excerpt: null, status: null })
    yield* store.end(over!.organizationId, over!.scan.id, "failed", at(30))
    const mine = (yield* store.listSettled).filter(({ scanId }) => seeds.some((seed) => seed.scan.id === scanId))
    assert.deepEqual(mine, [early!, late!].map(({ organizationId, scan }) => ({ organizationId, scanId: scan.id })))
  }),

  "ends once; a terminal state stays": Effect.fnUntraced(function*() {
    const store = yield* ScanStore
    for (const status of ["completed", "failed", "cancelled"] as const) {
      const { organizationId, scan } = yield* seedScan()
      assert.equal(yield* store.end(organizationId, scan.id, status, at(30)), true)
      for (const other of ["completed", "failed", "cancelled"] as const) {
        assert.equal(yield* store.end(organizationId, scan.id, other, at(31)), false)
      }
      assert.deepEqual(yield* store.find(organizationId, scan.id), { ...scan, status, completedAt: at(30) })
    }
  }),

  "ends once when many try": Effect.fnUntraced(function*() {
    const store = yield* ScanStore
    const { organizationId, scan } = yield* seedScan()
    const ended = yield* Effect.replicateEffect(store.end(organizationId, scan.id, "completed", at(30)), 8, {
      concurrency: "unbounded"
    })
    assert.equal(ended.filter((did) => did).length, 1)
  }),

  "gives the quota mark to one of many, also after the end": Effect.fnUntraced(function*() {
    const store = yield* ScanStore
    const { organizationId, scan } = yield* seedScan({ quotaPeriod: "2026-01" })
    yield* store.end(organizationId, scan.id, "failed", at(30))
    const periods = yield* Effect.replicateEffect(store.releaseQuota(organizationId, scan.id), 8, {
      concurrency: "unbounded"
    })
    assert.deepEqual(periods.filter((period) => period !== null), ["2026-01"])
    assert.equal((yield* store.find(organizationId, scan.id))?.quotaPeriod, null)
    const free = yield* seedScan({ quotaPeriod: null })
    assert.equal(yield* store.releaseQuota(free.organizationId, free.scan.id), null)
  }),

  "gives the quota mark once, also to one who waits for another's transaction": Effect.fnUntraced(function*() {
    const store = yield* ScanStore
    const { run } = yield* Transaction
    const { organizationId, scan } = yield* seedScan({ quotaPeriod: "2026-01" })
    const released = yield* Deferred.make<void>()
    const first = yield* Effect.forkChild(run(Effect.gen(function*() {
      const period = yield* store.releaseQuota(organizationId, scan.id)
      yield* Deferred.succeed(released, undefined)
      yield* Effect.sleep("200 millis")
      return period
    })))
    yield* Deferred.await(released)
    assert.equal(yield* store.releaseQuota(organizationId, scan.id), null)
    assert.equal(yield* Fiber.join(first), "2026-01")
  }),

  "a lock holds others back until the transaction ends": Effect.fnUntraced(function*() {
    const store = yield* ScanStore
    const { run } = yield* Transaction
    const { organizationId, scan } = yield* seedScan()
    const locked = yield* Deferred.make<void>()
    const first = yield* Effect.forkChild(run(Effect.gen(function*() {
      assert.equal((yield* store.lock(organizationId, scan.id))?.status, "running")
      yield* Deferred.succeed(locked, undefined)
      yield* Effect.sleep("200 millis")
      yield* store.end(organizationId, scan.id, "completed", at(30))
    })))
    yield* Deferred.await(locked)
    const seen = yield* run(store.lock(organizationId, scan.id))
    assert.equal(seen?.status, "completed")
    yield* Fiber.join(first)
    assert.equal(yield* run(store.lock(organizationId, yield* newId(ScanId))), null)
  })
})
