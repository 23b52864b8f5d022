/** Schedules on a real database of each home, in a time that the test moves: each scheduled time has one run. */
import {
  cancelScan,
  initialize,
  KeywordStore,
  makeScheduleKind,
  type OrganizationId,
  OrganizationStore,
  pauseSchedule,
  type Placement,
  type PlatformId,
  readQuota,
  readSchedule,
  registerWorker,
  removeSchedule,
  resumeSchedule,
  runErrands,
  runSchedules,
  ScanStore,
  type ScheduleRequest,
  ScheduleStore,
  setSchedule,
  startScan,
  startWorker,
  StoreError
} from "@sov/core"
import { type Stores } from "@sov/core/testing"
import { Clock, Effect, type Layer, Logger, References } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import {
  layerLocalPlacement,
  layerPlatforms,
  scanRequest,
  scriptedAnswer,
  scriptedPlatform
} from "../../support/scriptedPlatforms.ts"
import { openStorage } from "../../support/storage.ts"
import { advanceClockUntil } from "../../support/testClock.ts"

const configured = layerPlatforms(
  ...(["assistant_a", "assistant_b"] as const).map((id) =>
    scriptedPlatform(id, () => Effect.succeed(scriptedAnswer("Acme.")))
  )
)

let made = 0
const organization = Effect.suspend(() =>
  Effect.map(
    initialize({
      name: `Scheduled ${process.pid} ${made++}`,
      plan: "free",
      tracking: { brand: { name: "Acme" }, keywords: [{ text: "best anvil?" }] }
    }),
    ({ organization }) => organization.id
  )
)

const daily: ScheduleRequest = { cron: "30 2 * * *", timeZone: "Europe/Berlin", samples: 1 }
const everyMinute: ScheduleRequest = { cron: "* * * * *", timeZone: "UTC", samples: 1 }

/** An organization with a schedule, set at that time. */
const scheduled = Effect.fnUntraced(function*(time: string, schedule: ScheduleRequest) {
  yield* TestClock.setTime(Date.parse(time))
  const id = yield* organization
  yield* setSchedule(id, schedule)
  return id
})

/** Lets the given milliseconds pass, in about seventy steps. */
const pass = Effect.fnUntraced(function*(ms: number) {
  const end = (yield* Clock.currentTimeMillis) + ms
  yield* advanceClockUntil(Effect.map(Clock.currentTimeMillis, (at) => at >= end), { stepMs: ms / 70, maxSteps: 99 })
})

const scansOf = (id: OrganizationId) =>
  Effect.flatMap(ScanStore, (store) => Effect.map(store.list(id, { limit: 99 }), (list) => list.toReversed()))
const startsOf = (id: OrganizationId) =>
  Effect.map(scansOf(id), (scans) => scans.map(({ startedAt }) => startedAt.toISOString().slice(5, 16)))
const lastRun = (id: OrganizationId) => Effect.map(readSchedule(id), (report) => report.lastRun)

/** Looks for runs at each of the times, and ends what was started. */
const runSchedulesAt = Effect.fnUntraced(function*(id: OrganizationId, ...times: ReadonlyArray<string>) {
  for (const time of times) {
    yield* TestClock.setTime(Date.parse(time))
    yield* runSchedules()
    for (const scan of yield* scansOf(id)) if (scan.status === "running") yield* cancelScan(id, scan.id)
  }
})

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  const forget = Effect.gen(function*() {
    for (const { id } of yield* (yield* OrganizationStore).list) yield* (yield* ScheduleStore).remove(id)
  })
  const run = <A, E>(
    program: Effect.Effect<A, E, Stores | Placement | SqlClient.SqlClient | Layer.Success<typeof configured>>
  ): Promise<A> =>
    storage.run(
      Effect.ensuring(program, Effect.orDie(forget)).pipe(
        Effect.provide([configured, layerLocalPlacement, TestClock.layer()]),
        Effect.provideService(References.MinimumLogLevel, "None")
      )
    )

  it("a local time that does not exist runs once, later, and a time that occurs twice runs once", () =>
    run(Effect.gen(function*() {
      const spring = yield* scheduled("2026-03-28T12:00:00Z", daily)
      const hours = (day: string) => ["00:30", "01:00", "01:29", "01:30", "02:30"].map((hour) => `${day}T${hour}:00Z`)
      yield* runSchedulesAt(spring, ...hours("2026-03-29"), "2026-03-30T00:30:00Z")
      expect(yield* startsOf(spring)).toEqual(["03-29T01:30", "03-30T00:30"])
      const autumn = yield* scheduled("2026-10-24T12:00:00Z", daily)
      yield* runSchedulesAt(
        autumn,
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:30:00Z",
        "2026-10-26T00:30:00Z",
        "2026-10-26T01:30:00Z"
      )
      expect(yield* startsOf(autumn)).toEqual(["10-25T00:30", "10-26T01:30"])
    })))

  it("only the latest missed run is made up for, once, unless it is older than a day", () =>
    run(Effect.gen(function*() {
      const id = yield* scheduled("2026-01-05T10:00:30Z", { ...everyMinute, cron: "0 * * * *" })
      yield* runSchedulesAt(id, "2026-01-05T18:20:00Z", "2026-01-05T18:21:00Z", "2026-01-05T19:00:00Z")
      expect(yield* startsOf(id)).toEqual(["01-05T18:20", "01-05T19:00"])
      expect(yield* lastRun(id)).toMatchObject({ scheduledAt: new Date("2026-01-05T19:00:00Z"), skipped: null })
      const weekly = yield* scheduled("2026-01-06T00:00:00Z", { ...everyMinute, cron: "0 7 * * 1" })
      yield* runSchedulesAt(weekly, "2026-01-13T07:00:01Z")
      expect(yield* startsOf(weekly)).toEqual([])
      expect(yield* lastRun(weekly)).toMatchObject({
        scheduledAt: new Date("2026-01-12T07:00:00Z"),
        skipped: { reason: "too_late" }
      })
      yield* runSchedulesAt(weekly, "2026-01-19T07:00:00Z", "2026-01-27T07:00:00Z")
      expect(yield* startsOf(weekly)).toEqual(["01-19T07:00", "01-27T07:00"])
    })))

  it("each time starts one scan, however many workers check at once, and uses no quota", () =>
    run(Effect.gen(function*() {
      const id = yield* scheduled("2026-01-05T10:00:30Z", { ...everyMinute, platforms: ["assistant_b"], samples: 2 })
      for (const minute of ["01", "02", "03"]) {
        yield* TestClock.setTime(Date.parse(`2026-01-05T10:${minute}:00Z`))
        yield* Effect.all(Array.from({ length: 6 }, () => runSchedules()), { concurrency: "unbounded" })
        for (const scan of yield* scansOf(id)) if (scan.status === "running") yield* cancelScan(id, scan.id)
      }
      expect(yield* startsOf(id)).toEqual(["01-05T10:01", "01-05T10:02", "01-05T10:03"])
      expect((yield* scansOf(id))[0]).toMatchObject({
        scanType: "scheduled",
        platforms: ["assistant_b"],
        samples: 2,
        cellCount: 2,
        quotaPeriod: null
      })
      expect(yield* readQuota(id)).toMatchObject({ used: 0 })
    })))

  it("a time never runs twice, even if its schedule is moved back, or removed and added again", () =>
    run(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const id = yield* scheduled("2026-01-05T10:00:30Z", everyMinute)
      yield* runSchedulesAt(id, "2026-01-05T10:01:00Z")
      yield* sql`update schedule set next_at = ${new Date("2026-01-05T10:01:00Z")} where organization_id = ${id}`
      yield* runSchedulesAt(id, "2026-01-05T10:01:30Z")
      // A clock that was ahead
      yield* TestClock.setTime(Date.parse("2026-01-05T10:00:40Z"))
      yield* removeSchedule(id)
      yield* setSchedule(id, everyMinute)
      yield* runSchedulesAt(id, "2026-01-05T10:01:00Z", "2026-01-05T10:02:00Z")
      expect(yield* startsOf(id)).toEqual(["01-05T10:01", "01-05T10:02"])
      // What was begun for the second is gone, too
      expect(yield* sql`select id from cell where organization_id = ${id}`).toHaveLength(4)
    })))

  it("a run is skipped while an earlier run's scan is still running, and the reason is recorded", () =>
    run(Effect.gen(function*() {
      const id = yield* scheduled("2026-01-05T10:00:30Z", everyMinute)
      const manual = yield* startScan(id, scanRequest)
      for (const minute of ["01", "02", "03"]) {
        yield* TestClock.setTime(Date.parse(`2026-01-05T10:${minute}:00Z`))
        yield* runSchedules()
      }
      const [, first, ...more] = yield* scansOf(id)
      expect(more).toEqual([])
      const report = yield* readSchedule(id)
      expect(report.lastRun).toMatchObject({
        scheduledAt: new Date("2026-01-05T10:03:00Z"),
        scan: null,
        skipped: { reason: "still_running", message: expect.stringContaining(first!.id) }
      })
      expect(report.lastStarted).toMatchObject({
        scheduledAt: new Date("2026-01-05T10:01:00Z"),
        scan: { id: first!.id, status: "running" }
      })
      yield* cancelScan(id, first!.id)
      yield* runSchedulesAt(id, "2026-01-05T10:04:00Z")
      expect(yield* startsOf(id)).toEqual(["01-05T10:00", "01-05T10:01", "01-05T10:04"])
      expect(manual.scanType).toBe("manual")
    })))

  it("a paused schedule runs nothing, and its missed runs are not made up for", () =>
    run(Effect.gen(function*() {
      const id = yield* scheduled("2026-01-05T10:00:30Z", everyMinute)
      expect(yield* pauseSchedule(id)).toMatchObject({ paused: true, nextAt: null })
      yield* runSchedulesAt(id, "2026-01-05T10:01:00Z", "2026-01-05T10:05:30Z")
      expect(yield* resumeSchedule(id)).toMatchObject({ paused: false, nextAt: new Date("2026-01-05T10:06:00Z") })
      yield* runSchedulesAt(id, "2026-01-05T10:05:40Z", "2026-01-05T10:06:00Z")
      expect(yield* startsOf(id)).toEqual(["01-05T10:06"])
      // A schedule that is not paused keeps what it missed
      yield* TestClock.setTime(Date.parse("2026-01-05T10:08:30Z"))
      expect(yield* resumeSchedule(id)).toMatchObject({ nextAt: new Date("2026-01-05T10:07:00Z") })
      yield* removeSchedule(id)
      const errors = [
        yield* Effect.flip(pauseSchedule(id)),
        yield* Effect.flip(resumeSchedule(id)),
        yield* Effect.flip(removeSchedule(id)),
        yield* Effect.flip(readSchedule(id))
      ]
      expect(errors.map(({ _tag }) => _tag)).toEqual(Array.from({ length: 4 }, () => "NoSchedule"))
    })))

  it("a schedule keeps its time zone unless another is given, and an invalid one is refused", () =>
    run(Effect.gen(function*() {
      const id = yield* scheduled("2026-01-05T10:00:30Z", { cron: "daily", samples: 1 })
      expect(yield* readSchedule(id)).toMatchObject({ schedule: { timeZone: "UTC" }, lastRun: null, attended: false })
      yield* setSchedule(id, daily)
      expect(yield* setSchedule(id, { cron: "hourly", samples: 3 }))
        .toEqual({
          cron: "0 * * * *",
          timeZone: "Europe/Berlin",
          platforms: null,
          samples: 3,
          paused: false,
          nextAt: new Date("2026-01-05T11:00:00Z")
        })
      expect(yield* Effect.flip(setSchedule(id, { ...daily, cron: "0 25 * * *" })))
        .toMatchObject({ _tag: "Rejected", field: "cron", message: expect.stringContaining("hour") })
      expect((yield* readSchedule(id)).schedule.cron).toBe("0 * * * *")
    })))

  it("a run that could not start a scan records why, and the next run starts", () =>
    run(Effect.gen(function*() {
      const id = yield* scheduled("2026-01-05T10:00:30Z", { ...everyMinute, platforms: ["assistant_e" as PlatformId] })
      const organizations = yield* OrganizationStore
      const keywords = yield* KeywordStore
      const says = Effect.fnUntraced(function*(time: string, reason: string, message: RegExp) {
        yield* runSchedulesAt(id, time)
        const found = yield* lastRun(id)
        expect(found).toMatchObject({ scheduledAt: new Date(time), skipped: { reason } })
        expect(found?.skipped?.message).toMatch(message)
      })
      yield* says("2026-01-05T10:01:00Z", "not_ready", /assistant_e, which is not configured/)
      yield* setSchedule(id, everyMinute)
      const [keyword] = yield* keywords.list(id, ["active"])
      yield* keywords.setStatus(id, keyword!.id, "paused")
      yield* says("2026-01-05T10:02:00Z", "not_ready", /at least one keyword/)
      yield* keywords.setStatus(id, keyword!.id, "active")
      yield* organizations.setScanQuota(id, 0)
      yield* says("2026-01-05T10:03:00Z", "plan", /allow no scan/)
      yield* organizations.setScanQuota(id, null)
      yield* runSchedulesAt(id, "2026-01-05T10:04:00Z")
      expect(yield* startsOf(id)).toEqual(["01-05T10:04"])
    })))

  it("a start that the database interrupts leaves no trace, is retried, and does not delay others", () =>
    run(Effect.gen(function*() {
      const [one, two] = [
        yield* scheduled("2026-01-05T10:00:20Z", everyMinute),
        yield* scheduled("2026-01-05T10:00:30Z", everyMinute)
      ]
      const scans = yield* ScanStore
      const cut = new StoreError({ reason: "unavailable", message: "cut" })
      yield* TestClock.setTime(Date.parse("2026-01-05T10:01:00Z"))
      const warnings: Array<unknown> = []
      const listening = Logger.layer([
        Logger.make(({ logLevel, message }) => void (logLevel === "Warn" && warnings.push(message)))
      ])
      const look = runErrands(makeScheduleKind(true)).pipe(
        Effect.provideService(ScanStore, {
          ...scans,
          start: (id, start) => id === one ? Effect.fail(cut) : scans.start(id, start)
        }),
        Effect.provide(listening),
        Effect.provideService(References.MinimumLogLevel, "Warn")
      )
      yield* look
      // Its next try is due in two seconds
      yield* look
      yield* TestClock.setTime(Date.parse("2026-01-05T10:01:02Z"))
      yield* look
      // Said once, however often it fails
      expect(warnings.map(String)).toEqual([
        expect.stringContaining(`the schedule of organization ${one} failed`)
      ])
      expect([yield* startsOf(one), yield* startsOf(two)]).toEqual([[], ["01-05T10:01"]])
      yield* runSchedulesAt(one, "2026-01-05T10:01:04Z")
      expect([yield* startsOf(one), yield* startsOf(two)]).toEqual([["01-05T10:01"], ["01-05T10:01"]])
    })))

  const counting = (id: OrganizationId, count: number) => Effect.map(scansOf(id), (scans) => scans.length === count)

  it("the schedules wake for the next run and for every change", () =>
    run(Effect.scoped(Effect.gen(function*() {
      yield* TestClock.setTime(Date.parse("2026-01-05T10:00:45Z"))
      yield* startWorker()
      const id = yield* organization
      yield* pass(500)
      yield* setSchedule(id, everyMinute)
      yield* advanceClockUntil(counting(id, 1), { stepMs: 500, maxSteps: 200 })
      yield* advanceClockUntil(counting(id, 2), { stepMs: 500, maxSteps: 200 })
      const [first, second] = yield* scansOf(id)
      expect(first!.startedAt.getTime() - Date.parse("2026-01-05T10:01:00Z")).toBeLessThan(12_000)
      expect(second!.startedAt.getTime() - Date.parse("2026-01-05T10:02:00Z")).toBeLessThan(12_000)
      expect((yield* readSchedule(id)).attended).toBe(true)
    }))))

  it("a worker that exits with its scan runs no schedule unless another worker stays", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const id = yield* scheduled("2026-01-05T10:00:30Z", everyMinute)
      yield* startWorker({ stays: false })
      yield* pass(70_000)
      expect(yield* scansOf(id)).toEqual([])
      expect((yield* readSchedule(id)).attended).toBe(false)
      yield* Effect.scoped(
        Effect.andThen(registerWorker(), advanceClockUntil(counting(id, 1), { stepMs: 1_000, maxSteps: 60 }))
      )
    }))))
})
