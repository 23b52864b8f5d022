/** Who sends queued e-mails, when each is tried, and what becomes of one that cannot be sent. */
import {
  BrandingStore,
  type Mail,
  Mailer,
  MailError,
  type MailFailure,
  mailRetryDelaysMs,
  type MailSender,
  MailStore,
  noBranding,
  type OrganizationId,
  type Placement,
  startWorker,
  StoreError
} from "@sov/core"
import { makeSmtpMailer, readSmtpConfig } from "@sov/core/outbound"
import { seedOrganization, type Stores } from "@sov/core/testing"
import { Clock, Deferred, Effect, Layer, References, Result } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { address, mailOf } from "../../contracts/mailStoreContract.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { type MailServer, refuse, startMailServer } from "../../support/MailServer.ts"
import { layerLocalPlacement, layerPlatforms } from "../../support/scriptedPlatforms.ts"
import { openStorage } from "../../support/storage.ts"
import { advanceClockUntil } from "../../support/testClock.ts"

const start = Date.UTC(2026, 0, 31, 23, 57)

/** A mailer that fails as it is told and notes when it was called. */
const scripted = (...failures: ReadonlyArray<MailFailure>) => {
  const tries: Array<{ readonly mail: Mail; readonly at: number }> = []
  const sender: MailSender = {
    send: (mail) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        tries.push({ mail, at: now - start })
        const reason = failures[tries.length - 1]
        return reason === undefined ? Effect.void : Effect.fail(new MailError({ reason, message: `says ${reason}` }))
      })
  }
  return { tries, sender }
}

const queued = Effect.fnUntraced(function*(...to: ReadonlyArray<string>) {
  const mails = yield* MailStore
  const { id } = yield* seedOrganization()
  yield* mails.setRecipients(id, to.map(address), new Date(start))
  const mail = yield* mailOf({ createdAt: new Date(start) })
  yield* mails.enqueue(id, mail)
  return { organizationId: id, mail }
})

const branded = { ...noBranding, sender: "Nordlicht Digital", footer: "Confidential & <b>short</b>" }

const statuses = (organizationId: OrganizationId, { id }: Pick<Mail, "id">) =>
  Effect.flatMap(MailStore, (mails) => mails.listStatuses(organizationId, [id]))
const flagged = (organizationId: OrganizationId) =>
  Effect.flatMap(
    MailStore,
    (mails) =>
      Effect.map(mails.listRecipients(organizationId), (all) => all.map(({ flagged: why }) => why?.reason ?? null))
  )
const ended = (organizationId: OrganizationId, mail: Pick<Mail, "id">) =>
  Effect.map(statuses(organizationId, mail), (all) => all.every(({ state }) => state !== "queued"))

/** A worker that sends with this until the scope closes. */
const working = (sender: MailSender | null) =>
  startWorker().pipe(
    Effect.provideService(Mailer, sender),
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.provide(layerPlatforms())
  )

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const run = <A, E>(program: Effect.Effect<A, E, Stores | Placement>): Promise<A> =>
    storage.run(
      Effect.andThen(TestClock.setTime(start), program).pipe(
        Effect.provide(Layer.merge(layerLocalPlacement, TestClock.layer()))
      )
    )

  it(
    "a failed e-mail is tried again after 1, 5 and 30 minutes, 2 and 6 hours, then given up without flagging the address",
    () =>
      run(Effect.scoped(Effect.gen(function*() {
        const failures = ["unreachable", "login", "tls", "deferred", "sender", "unreachable"] as const
        const { sender, tries } = scripted(...failures)
        const { mail, organizationId } = yield* queued("ann@acme.example")
        // A worker for each try: one that lives through the hours would look every two seconds
        const oneTry = Effect.scoped(Effect.gen(function*() {
          const before = tries.length
          const noted = Effect.map(statuses(organizationId, mail), ([one]) =>
            tries.length > before && (one!.message === `says ${failures[before]}`))
          yield* working(sender)
          yield* advanceClockUntil(noted, { stepMs: 1_000, maxSteps: 120, realMsPerStep: 10 })
        }))
        yield* oneTry
        for (const pause of mailRetryDelaysMs) {
          yield* TestClock.adjust(pause)
          yield* oneTry
        }
        tries.slice(1).forEach(({ at }, i) => {
          expect(at - tries[i]!.at).toBeGreaterThanOrEqual(mailRetryDelaysMs[i]!)
          expect(at - tries[i]!.at).toBeLessThan(mailRetryDelaysMs[i]! + 240_000)
        })
        expect(tries).toHaveLength(6)
        expect(
          new Set(tries.map(({ mail: one }) =>
            one.id
          ))
        ).toEqual(new Set([mail.id]))
        expect(yield* statuses(organizationId, mail)).toMatchObject([{
          state: "failed",
          tries: 6,
          message: "says unreachable"
        }])
        expect(yield* flagged(organizationId)).toEqual([null])
      }))),
    120_000
  )

  it("an e-mail is sent under the organization's own sender, with its last line after what it has to say", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { sender, tries } = scripted()
      const { mail, organizationId } = yield* queued("ann@acme.example")
      yield* (yield* BrandingStore).save(organizationId, branded)
      const plain = yield* queued("ben@acme.example")
      yield* working(sender)
      yield* advanceClockUntil(
        Effect.sync(() => tries.length === 2),
        { stepMs: 1_000, maxSteps: 200 }
      )
      const [own, other] = [mail, plain.mail].map(({ id }) => tries.find((one) => one.mail.id === id)!.mail)
      expect(own).toMatchObject({ sender: "Nordlicht Digital", subject: mail.subject })
      expect(own!.text).toBe(`${mail.text.trimEnd()}\nConfidential & <b>short</b>\n`)
      expect(other).not.toHaveProperty("sender")
      expect(other!.text).toBe(plain.mail.text)
    }))))

  it("an e-mail to an unknown mailbox is given up at once, and the address gets no more e-mails", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { sender, tries } = scripted("recipient")
      const { mail, organizationId } = yield* queued("gone@acme.example")
      yield* working(sender)
      yield* advanceClockUntil(ended(organizationId, mail), { stepMs: 1_000, maxSteps: 200 })
      expect(yield* statuses(organizationId, mail)).toMatchObject([{
        state: "failed",
        tries: 1,
        message: "says recipient"
      }])
      expect(yield* flagged(organizationId)).toEqual(["says recipient"])
      const next = yield* mailOf({ createdAt: new Date(start) })
      yield* (yield* MailStore).enqueue(organizationId, next)
      expect(yield* statuses(organizationId, next)).toEqual([])
      expect(tries).toHaveLength(1)
    }))))

  it("one recipient's failure does not affect another's e-mail", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const sender: MailSender = {
        send: ({ to }) =>
          to.startsWith("bad") ? Effect.fail(new MailError({ reason: "recipient", message: "550" })) : Effect.void
      }
      const { mail, organizationId } = yield* queued("ann@acme.example", "bad@acme.example", "cid@acme.example")
      yield* working(sender)
      yield* advanceClockUntil(ended(organizationId, mail), { stepMs: 1_000, maxSteps: 200 })
      expect((yield* statuses(organizationId, mail)).map(({ state }) => state)).toEqual(["sent", "failed", "sent"])
      expect(yield* flagged(organizationId)).toEqual([null, "550", null])
    }))))

  it("many e-mails of one organization do not delay those of another", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { sender, tries } = scripted()
      const mails = yield* MailStore
      const many = yield* queued("ann@acme.example")
      for (let n = 0; n < 60; n++) {
        yield* mails.enqueue(many.organizationId, yield* mailOf({ createdAt: new Date(start) }))
      }
      const few = yield* queued("bob@b.example")
      const fewer = yield* queued("cid@c.example")
      yield* working(sender)
      yield* advanceClockUntil(
        Effect.sync(() => tries.length >= 62),
        { stepMs: 1_000, maxSteps: 200 }
      )
      const place = (to: string) => tries.findIndex(({ mail }) => mail.to === to)
      // Among the first four
      expect(Math.max(place("bob@b.example"), place("cid@c.example"))).toBeLessThan(4)
      for (const { mail, organizationId } of [many, few, fewer]) {
        expect(yield* statuses(organizationId, mail)).toMatchObject([{ state: "sent", tries: 1 }])
      }
    }))))

  it("slow e-mails of one organization do not delay those of another, and no organization takes all slots", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const go = yield* Deferred.make<void>()
      const begun: Array<string> = []
      const mails = yield* MailStore
      const seed = Effect.fnUntraced(function*(to: string, count: number) {
        const { organizationId } = yield* queued(to)
        for (let n = 1; n < count; n++) {
          yield* mails.enqueue(organizationId, yield* mailOf({ createdAt: new Date(start) }))
        }
      })
      const sender: MailSender = {
        send: ({ to }) =>
          Effect.andThen(Effect.sync(() => begun.push(to)), to.startsWith("slow") ? Deferred.await(go) : Effect.void)
      }
      yield* seed("slow1@b.example", 9)
      yield* working(sender)
      yield* advanceClockUntil(Effect.sync(() => begun.length >= 2), { stepMs: 1_000, maxSteps: 200 })
      yield* seed("slow2@b.example", 9)
      yield* seed("ann@acme.example", 21)
      const count = (to: string) => begun.filter((one) => one === to).length
      yield* advanceClockUntil(Effect.sync(() => count("ann@acme.example") === 21), { stepMs: 1_000, maxSteps: 60 })
      expect([count("slow1@b.example"), count("slow2@b.example"), count("ann@acme.example")]).toEqual([2, 1, 21])
      yield* Deferred.succeed(go, undefined)
      yield* advanceClockUntil(Effect.sync(() => begun.length === 39), { stepMs: 1_000, maxSteps: 60 })
    }))))

  it("a claimed e-mail is sent even if the next claim fails", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { sender, tries } = scripted()
      const mails = yield* MailStore
      const both = [yield* queued("ann@acme.example"), yield* queued("bob@b.example")]
      let claims = 0
      const away = new StoreError({ reason: "unavailable", message: "away" })
      yield* Effect.provideService(working(sender), MailStore, {
        ...mails,
        claim: (...args) => Effect.suspend(() => ++claims === 2 ? Effect.fail(away) : mails.claim(...args))
      })
      for (const { mail, organizationId } of both) {
        yield* advanceClockUntil(ended(organizationId, mail), { stepMs: 1_000, maxSteps: 20 })
        expect(yield* statuses(organizationId, mail)).toMatchObject([{ state: "sent", tries: 1 }])
      }
      expect(tries).toHaveLength(2)
    }))))

  it("an e-mail that could not be sent for a day is given up", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { sender, tries } = scripted()
      const { mail, organizationId } = yield* queued("ann@acme.example")
      yield* TestClock.adjust("25 hours")
      yield* working(sender)
      yield* advanceClockUntil(ended(organizationId, mail), { stepMs: 1_000, maxSteps: 200 })
      expect(yield* statuses(organizationId, mail)).toMatchObject([{ state: "failed", message: /for a day/ }])
      expect(tries).toEqual([])
    }))))

  it("e-mails wait if there is no mail server", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const { mail, organizationId } = yield* queued("ann@acme.example")
      yield* working(null)
      yield* TestClock.adjust("1 minute")
      expect(yield* statuses(organizationId, mail)).toMatchObject([{ state: "queued", tries: 0 }])
      yield* (yield* MailStore).setRecipients(organizationId, [], new Date(start))
      // Nobody else sends it to nobody
      expect(yield* (yield* MailStore).claim(organizationId, new Date(start), 9)).toEqual([])
    }))))

  it("an e-mail in transit is awaited when the worker stops, and cut off when the process must end", () =>
    storage.run(
      Effect.scoped(Effect.gen(function*() {
        let begun = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        const sender: MailSender = {
          send: ({ subject }) =>
            Effect.andThen(Deferred.succeed(begun, undefined), subject === "slow" ? Deferred.await(go) : Effect.never)
        }
        const mails = yield* MailStore
        const { id } = yield* seedOrganization()
        yield* mails.setRecipients(id, [address("ann@acme.example")], new Date())
        for (const [subject, state] of [["slow", "sent"], ["endless", "queued"]] as const) {
          const mail = yield* mailOf({ createdAt: new Date(), subject })
          yield* mails.enqueue(id, mail)
          begun = yield* Deferred.make<void>()
          const worker = yield* working(sender)
          yield* Deferred.await(begun)
          yield* Effect.forkScoped(Effect.andThen(Effect.sleep("100 millis"), Deferred.succeed(go, undefined)))
          yield* worker.stop(subject === "slow" ? "10 seconds" : "200 millis")
          expect(yield* statuses(id, mail)).toMatchObject([{ state, tries: 1 }])
        }
      })).pipe(Effect.provide(layerLocalPlacement))
    ))

  it("SMTP retries 451 and a connection dropped after DATA with the same Message-ID; 550 flags the address, 552 does not", () =>
    run(Effect.scoped(Effect.gen(function*() {
      const seen: Array<string> = []
      const server: MailServer = yield* Effect.promise(() =>
        startMailServer({
          onRcptTo: (to, _, done) => {
            seen.push(to.address)
            done(
              to.address.startsWith("bad")
                ? refuse(550, "no such user")
                : to.address.startsWith("full")
                ? refuse(552, "5.2.2 over quota")
                : to.address.startsWith("later") && seen.filter((one) => one === to.address).length === 1
                ? refuse(451, "greylisted")
                : null
            )
          },
          answer: ({ to }) =>
            to[0]!.startsWith("drop") && server.received.filter((one) => one.to[0] === to[0]).length === 1
              ? "drop"
              : null
        })
      )
      const config = Result.getOrThrow(
        readSmtpConfig({ SOV_SMTP_URL: server.url, SOV_MAIL_FROM: "alerts@acme.example" })
      )!
      const to = ["bad@b.example", "drop@b.example", "full@b.example", "later@b.example", "well@b.example"]
      const { mail, organizationId } = yield* queued(...to)
      yield* working(makeSmtpMailer(config))
      yield* advanceClockUntil(ended(organizationId, mail), { stepMs: 1_000, maxSteps: 400, realMsPerStep: 10 })
      expect((yield* statuses(organizationId, mail)).map(({ state, tries }) => [state, tries]))
        .toEqual([["failed", 1], ["sent", 2], ["failed", 1], ["sent", 2], ["sent", 1]])
      const why = expect.stringContaining("550 no such user")
      expect(yield* flagged(organizationId)).toEqual([why, null, null, null, null])
      expect(server.received.flatMap((one) => one.to).toSorted())
        .toEqual(["drop@b.example", "drop@b.example", "later@b.example", "well@b.example"])
      expect(new Set(server.received.map((one) => one.mail.messageId))).toEqual(new Set([`<${mail.id}@acme.example>`]))
    }))))
})
