/** A platform whose API or model has ended: its questions fail at once, and people are told. On a real database. */
import {
  CellStore,
  type EmailAddress,
  MailStore,
  makeEndedMailId,
  type OrganizationId,
  type PlatformError,
  readScan,
  startScan,
  startWorker,
  testPlatform
} from "@sov/core"
import { Clock, Effect } from "effect"
import { expect, it } from "vitest"
import { describeAtMonthEnd } from "../../support/platformSuite.ts"
import {
  type Ask,
  hasEnded,
  initializeOrganization,
  layerPlatforms,
  platformError,
  scanRequest,
  scriptedAnswer,
  scriptedPlatform
} from "../../support/scriptedPlatforms.ts"
import { advanceClockUntil } from "../../support/testClock.ts"

describeAtMonthEnd((run) => {
  const statusesOf = (organizationId: OrganizationId, at: number, reason?: "no_credit") =>
    Effect.flatMap(MailStore, ({ listStatuses }) =>
      listStatuses(organizationId, [
        makeEndedMailId(
          organizationId,
          { id: "assistant_d", adapter: "scripted", model: "gone" },
          new Date(at),
          reason
        )
      ]))

  it(
    "an account without credit is asked twice, then again after an hour or a successful test",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        let paid = false
        const unpaid: Ask = () =>
          Effect.suspend(() => {
            calls++
            return paid
              ? Effect.succeed(scriptedAnswer("Acme."))
              : Effect.delay(Effect.fail(platformError("no_credit", { status: 429 })), "2 seconds")
          })
        const organizationId = yield* initializeOrganization(50)
        yield* (yield* MailStore).setRecipients(organizationId, ["ops@acme.example" as EmailAddress], new Date())
        const platform = { ...scriptedPlatform("assistant_d", unpaid, 8), model: "gone" }
        const layer = layerPlatforms(platform)
        const begun = yield* Clock.currentTimeMillis
        const worker = yield* Effect.provide(startWorker(), layer)
        const scanOnce = Effect.gen(function*() {
          const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
          yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 60 })
          return (yield* readScan(organizationId, scan.id)).counts
        })
        expect(yield* scanOnce).toMatchObject([{ answered: 0, failed: 50 }])
        expect(calls).toBe(2)
        expect(yield* statusesOf(organizationId, begun, "no_credit")).toHaveLength(1)
        expect(yield* scanOnce).toMatchObject([{ answered: 0, failed: 50, calls: 0 }])
        expect(calls).toBe(2)
        yield* advanceClockUntil(Effect.map(Clock.currentTimeMillis, (now) => now - begun > 3_720_000), {
          stepMs: 60_000,
          maxSteps: 70
        })
        expect(yield* scanOnce).toMatchObject([{ answered: 0, failed: 50, calls: 2 }])
        paid = true
        expect(yield* scanOnce).toMatchObject([{ answered: 0, calls: 0 }])
        yield* Effect.provide(testPlatform(organizationId, platform, "ready?"), layer)
        expect(yield* scanOnce).toMatchObject([{ answered: 50 }])
        // It answered a moment ago, with eight calls in flight: two minutes later that is no proof
        paid = false
        const answeredAt = yield* Clock.currentTimeMillis
        yield* advanceClockUntil(Effect.map(Clock.currentTimeMillis, (now) => now - answeredAt > 120_000), {
          stepMs: 60_000,
          maxSteps: 5
        })
        expect(yield* scanOnce).toMatchObject([{ answered: 0, failed: 50, calls: 2 }])
        // The pause belongs to the installation, which the other tests share
        paid = true
        yield* Effect.provide(testPlatform(organizationId, platform, "ready?"), layer)
        yield* worker.stop("1 second")
      }))),
    60_000
  )

  it.each([403, 410, 404])(
    "a platform's questions fail at once when its API or model has ended (%i), and one e-mail a day is sent",
    (status) =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        const gone: Ask = () =>
          Effect.suspend((): Effect.Effect<never, PlatformError> => {
            calls++
            return Effect.fail(platformError("ended", { status }))
          })
        const well: Ask = () => Effect.as(Effect.sleep("1 second"), scriptedAnswer("Acme."))
        const organizationId = yield* initializeOrganization(50)
        yield* (yield* MailStore).setRecipients(organizationId, ["ops@acme.example" as EmailAddress], new Date())
        const layer = layerPlatforms(
          { ...scriptedPlatform("assistant_d", gone, 3), model: "gone" },
          scriptedPlatform("assistant_a", well),
          scriptedPlatform("assistant_b", well)
        )
        const begun = yield* Clock.currentTimeMillis
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 60 })
        expect(calls).toBeLessThanOrEqual(2 * 3)
        const { counts, scan: over } = yield* readScan(organizationId, scan.id)
        expect(over.status).toBe("completed")
        expect(counts).toMatchObject([{ answered: 50 }, { answered: 50 }, { answered: 0, failed: 50, calls }])
        const failed = yield* (yield* CellStore).listFailed(organizationId, scan.id)
        expect(new Set(failed.map(({ reason }) => reason))).toEqual(new Set(["ended"]))
        expect(yield* statusesOf(organizationId, begun)).toHaveLength(1)
        const again = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        yield* advanceClockUntil(hasEnded(organizationId, again.id), { stepMs: 1_000, maxSteps: 60 })
        yield* worker.stop("1 second")
        expect(yield* statusesOf(organizationId, begun)).toHaveLength(1)
      }))),
    60_000
  )

  it.each([[1, 410], [3, 404]])(
    "the e-mail is sent even if all %i questions of the scan were in flight (%i)",
    (questions, status) =>
      run(Effect.scoped(Effect.gen(function*() {
        const gone: Ask = () => Effect.fail(platformError("ended", { status }))
        const organizationId = yield* initializeOrganization(questions)
        yield* (yield* MailStore).setRecipients(organizationId, ["ops@acme.example" as EmailAddress], new Date())
        const layer = layerPlatforms({ ...scriptedPlatform("assistant_d", gone, 8), model: "gone" })
        const begun = yield* Clock.currentTimeMillis
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 500, maxSteps: 60 })
        yield* worker.stop("1 second")
        expect(yield* statusesOf(organizationId, begun)).toHaveLength(1)
      }))),
    60_000
  )

  it(
    "single questions that get 404 fail alone if others were answered, but after 410 all of them fail",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        let calls = 0
        let over = false
        const odd: Ask = (prompt) =>
          Effect.suspend(() => {
            calls++
            if (over) return Effect.fail(platformError("ended", { status: 410 }))
            return /[35]\?/.test(prompt)
              ? Effect.fail(platformError("ended", { status: 404 }))
              : Effect.succeed(scriptedAnswer("Acme."))
          })
        const organizationId = yield* initializeOrganization(8)
        const layer = layerPlatforms({ ...scriptedPlatform("assistant_d", odd, 1), model: "odd" })
        const scan = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        const worker = yield* Effect.provide(startWorker(), layer)
        yield* advanceClockUntil(hasEnded(organizationId, scan.id), { stepMs: 1_000, maxSteps: 60 })
        expect((yield* readScan(organizationId, scan.id)).counts).toMatchObject([{ answered: 6, failed: 2 }])
        over = true
        calls = 0
        const next = yield* Effect.provide(startScan(organizationId, scanRequest), layer)
        yield* advanceClockUntil(hasEnded(organizationId, next.id), { stepMs: 1_000, maxSteps: 60 })
        yield* worker.stop("1 second")
        expect(calls).toBe(1)
        expect((yield* readScan(organizationId, next.id)).counts).toMatchObject([{ answered: 0, failed: 8 }])
      }))),
    60_000
  )
})
