import { type Schedule, type ScheduledRun, ScheduleStore, StoreError, Transaction } from "@sov/core"
import { at, hostileTexts, seedOrganization, seedScan } from "@sov/core/testing"
import { Deferred, Effect, Fiber } from "effect"
import assert from "node:assert/strict"
import { failureOf, storeContract } from "./storeContract.ts"

/** A schedule, not stored; due at `at(60)`. */
export const scheduleOf = (fields: Partial<Schedule> = {}): Schedule => ({
  cron: "0 7 * * 1",
  timeZone: "Europe/Berlin",
  platforms: ["assistant_a", "assistant_c"],
  samples: 2,
  paused: false,
  nextAt: at(60),
  ...fields
})

/** A run that started no scan, not stored. */
export const skippedRun = (fields: Partial<ScheduledRun> = {}): ScheduledRun => ({
  scheduledAt: at(60),
  ranAt: at(61),
  scanId: null,
  skipped: { reason: "not_ready", message: hostileTexts[1]! },
  ...fields
})

/** What every ScheduleStore must keep. */
export const scheduleStoreContract = storeContract("ScheduleStore", {
  "keeps one schedule for each organization, as it is": Effect.fnUntraced(function*() {
    const store = yield* ScheduleStore
    const [{ id }, other] = [yield* seedOrganization(), yield* seedOrganization()]
    assert.equal(yield* store.find(id), null)
    yield* store.save(id, scheduleOf())
    yield* store.save(other.id, scheduleOf({ cron: "* * * * *" }))
    assert.deepEqual(yield* store.find(id), scheduleOf())
    const asked = [id, other.id, (yield* seedOrganization()).id]
    assert.deepEqual(yield* store.nextOf(asked), new Map([[id, at(60)], [other.id, at(60)]]))
    assert.deepEqual(yield* store.nextOf([id]), new Map([[id, at(60)]]))
    const paused = scheduleOf({ cron: hostileTexts[1]!, platforms: null, samples: 5, paused: true, nextAt: null })
    yield* store.save(id, paused)
    assert.deepEqual(yield* store.find(id), paused)
    assert.deepEqual(yield* store.nextOf(asked), new Map([[other.id, at(60)]]))
    assert.equal(yield* store.remove(id), true)
    assert.equal(yield* store.remove(id), false)
    assert.equal(yield* store.find(id), null)
    assert.deepEqual(yield* store.find(other.id), scheduleOf({ cron: "* * * * *" }))
    const error = yield* failureOf(store.save(id, scheduleOf({ paused: true })))
    assert.ok(error instanceof StoreError && error.reason === "constraint", "a paused schedule has no next run")
  }),

  "names what is due until a time, the longest due first": Effect.fnUntraced(function*() {
    const store = yield* ScheduleStore
    // The database is one for all tests: far from the times of the others
    const century = (seconds: number) => new Date(at(seconds).getTime() - 100 * 365 * 86_400_000)
    const [a, b, c] = [yield* seedOrganization(), yield* seedOrganization(), yield* seedOrganization()]
    yield* store.save(a.id, scheduleOf({ nextAt: century(2) }))
    yield* store.save(b.id, scheduleOf({ nextAt: century(1) }))
    yield* store.save(c.id, scheduleOf({ paused: true, nextAt: null }))
    assert.deepEqual(yield* store.listDue(century(0)), [])
    assert.deepEqual(yield* store.listDue(century(1)), [{ organizationId: b.id, dueAt: century(1) }])
    assert.deepEqual(yield* store.listDue(century(2)), [
      { organizationId: b.id, dueAt: century(1) },
      { organizationId: a.id, dueAt: century(2) }
    ])
    yield* store.remove(a.id)
    yield* store.remove(b.id)
    assert.deepEqual(yield* store.listDue(century(2)), [])
  }),

  "keeps the first run of a scheduled time, also when the schedule is gone": Effect.fnUntraced(function*() {
    const store = yield* ScheduleStore
    const [{ organizationId, scan }, other] = [yield* seedScan(), yield* seedScan()]
    yield* store.save(organizationId, scheduleOf())
    assert.equal(yield* store.lastRun(organizationId), null)
    const started: ScheduledRun = { scheduledAt: at(60), ranAt: at(61), scanId: scan.id, skipped: null }
    assert.equal(yield* store.record(organizationId, started), true)
    assert.equal(yield* store.record(organizationId, skippedRun()), false)
    yield* store.remove(organizationId)
    assert.equal(yield* store.record(organizationId, { ...started, ranAt: at(99) }), false)
    assert.deepEqual(yield* store.lastRun(organizationId), started)
    const later = skippedRun({ scheduledAt: at(120), skipped: { reason: "still_running", message: "" } })
    assert.equal(yield* store.record(organizationId, later), true)
    assert.deepEqual(yield* store.lastRun(organizationId), later)
    assert.deepEqual(yield* store.lastRun(organizationId, { started: true }), started)
    assert.equal(yield* store.lastRun(other.organizationId), null)
    const error = yield* failureOf(
      store.record(organizationId, { ...started, scheduledAt: at(1), scanId: other.scan.id })
    )
    assert.ok(error instanceof StoreError && error.reason === "constraint", "the scan is its own organization's")
  }),

  "lets nobody else have a locked schedule until the transaction ends": Effect.fnUntraced(function*() {
    const store = yield* ScheduleStore
    const { run } = yield* Transaction
    const { id } = yield* seedOrganization()
    assert.equal(yield* run(store.lock(id)), null)
    yield* store.save(id, scheduleOf())
    const locked = yield* Deferred.make<void>()
    const first = yield* Effect.forkChild(run(Effect.gen(function*() {
      assert.deepEqual(yield* store.lock(id), scheduleOf())
      yield* Deferred.succeed(locked, undefined)
      yield* Effect.sleep("100 millis")
      yield* store.save(id, scheduleOf({ nextAt: at(120) }))
    })))
    yield* Deferred.await(locked)
    assert.deepEqual(yield* run(store.lock(id)), scheduleOf({ nextAt: at(120) }))
    yield* Fiber.join(first)
    yield* store.remove(id)
  })
})
