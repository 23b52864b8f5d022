/** Alerts as scans complete, on a real database of each home: what is raised, once, and in which transaction. */
import {
  type Alert,
  type AlertRule,
  AlertStore,
  cancelScan,
  completeScan,
  DeliveryStore,
  EventOutbox,
  KeywordStore,
  MailStore,
  MeasurementStore,
  measureVersion,
  type OrganizationId,
  type ScanId,
  ScanStore,
  SealStore,
  setAlertRule,
  TrackedSetStore
} from "@sov/core"
import { trackedSet } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { seedEndpoint } from "../../contracts/webhookSeeds.ts"
import { drop, listed, named, seedWithRules } from "../../support/alertRules.ts"
import { readSlack } from "../../support/chatReaders.ts"
import { answeredScan, scanWith, seed, texts } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

interface Kept {
  readonly id: string
  readonly event: string
  readonly at: Date
  readonly body: {
    readonly event: string
    readonly organization_id: string
    readonly timestamp: string
    readonly data: object
  }
}

/** What left the organization's transactions: events by time, e-mails by address. */
const outbox = (organizationId: OrganizationId) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const events = yield* sql<
      { readonly id: string; readonly event: string; readonly at: Date; readonly body: Uint8Array }
    >`
      select id, event, created_at as at, body from event where organization_id = ${organizationId} order by created_at, id
    `
    const mails = yield* sql<
      { readonly id: string; readonly address: string; readonly subject: string; readonly at: Date }
    >`
      select id, address, subject, created_at as at from mail where organization_id = ${organizationId} order by created_at, address
    `
    const kept = events.map(({ body, ...event }): Kept => ({
      ...event,
      body: JSON.parse(new TextDecoder().decode(body)) as Kept["body"]
    }))
    return {
      alerts: kept.filter(({ event }) => event !== "scan.completed"),
      completed: kept.filter(({ event }) => event === "scan.completed"),
      mails
    }
  })

const steps = ["seal", "event of the scan", "remember", "alert", "event of the alert", "e-mail", "end"] as const

/** Completes the scan, but dies right after the step. */
const completeAndDie = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scanId: ScanId, step: typeof steps[number]) {
    const [alerts, events, mails] = yield* Effect.all([AlertStore, EventOutbox, MailStore])
    const [scans, seals] = yield* Effect.all([ScanStore, SealStore])
    const after = <A, E>(name: typeof step, work: Effect.Effect<A, E>) =>
      name === step ? Effect.andThen(work, Effect.die("killed")) : work
    return yield* completeScan(organizationId, scanId).pipe(
      Effect.provideService(SealStore, { ...seals, insert: (...args) => after("seal", seals.insert(...args)) }),
      Effect.provideService(EventOutbox, {
        put: (id, event, message) =>
          after(
            event.event === "scan.completed" ? "event of the scan" : "event of the alert",
            events.put(id, event, message)
          )
      }),
      Effect.provideService(AlertStore, {
        ...alerts,
        saveMemory: (...args) => after("remember", alerts.saveMemory(...args)),
        insert: (...args) => after("alert", alerts.insert(...args))
      }),
      Effect.provideService(MailStore, { ...mails, enqueue: (...args) => after("e-mail", mails.enqueue(...args)) }),
      Effect.provideService(ScanStore, { ...scans, end: (...args) => after("end", scans.end(...args)) })
    )
  }
)

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const { run } = storage

  it("crossing the threshold raises one alert, whose event and e-mails share its id and time", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules(drop)
      const first = yield* scanWith(organizationId, 100, named(8))
      expect((yield* outbox(organizationId)).alerts).toEqual([])
      const second = yield* scanWith(organizationId, 200, named(3))
      const [alert, ...more] = yield* listed(organizationId)
      expect(more).toEqual([])
      expect(alert).toMatchObject({
        rule: "sov_drop",
        data: {
          scan_id: second.id,
          previous_scan_id: first.id,
          previous_sov: 66.6667,
          current_sov: 25,
          threshold: 50,
          confirmed: false,
          confidence: "low",
          n_cells: 12,
          cells_moved: 5
        }
      })
      const { alerts, completed, mails } = yield* outbox(organizationId)
      expect(completed.map(({ body }) => (body.data as { scan_id: string }).scan_id)).toEqual([first.id, second.id])
      expect(alerts).toMatchObject([{
        id: alert!.id,
        event: "sov.dropped",
        at: second.completedAt,
        body: {
          event: "sov.dropped",
          organization_id: organizationId,
          timestamp: second.completedAt!.toISOString(),
          data: { ...alert!.data }
        }
      }])
      expect(JSON.stringify(alerts)).not.toContain("Take")
      const one = { id: alert!.id, at: second.completedAt }
      expect(mails).toMatchObject([{ ...one, address: "ann@acme.example" }, { ...one, address: "bob@acme.example" }])
      expect(mails[0]!.subject).toBe("Acme Forge: share of voice fell to 25 % (threshold 50 %)")
    })))

  it("a crossing raises one alert even if its scan is completed twice; a failed or cancelled scan raises none", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules(drop)
      const counts: Array<number> = []
      for (const [i, count] of [8, 6, 5, 0, 6, 5].entries()) {
        const { id } = yield* scanWith(organizationId, 100 * (i + 1), named(count))
        yield* completeScan(organizationId, id)
        counts.push((yield* listed(organizationId)).length)
      }
      const { id } = yield* answeredScan(organizationId, 900, named(0))
      yield* cancelScan(organizationId, id)
      // 6 of 12 is the threshold itself
      expect(counts).toEqual([0, 0, 1, 1, 1, 2])
      expect(yield* listed(organizationId)).toHaveLength(2)
      expect((yield* outbox(organizationId)).alerts).toHaveLength(2)
    })))

  it("a rule raises alerts only between being enabled and being disabled", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules()
      yield* scanWith(organizationId, 100, named(8))
      yield* scanWith(organizationId, 200, named(3))
      yield* setAlertRule(organizationId, drop)
      yield* scanWith(organizationId, 300, named(8))
      yield* setAlertRule(organizationId, { rule: "sov_drop", enabled: false })
      yield* scanWith(organizationId, 400, named(3))
      expect(yield* listed(organizationId)).toEqual([])
      // The threshold is kept; the scan before enabling is the one to compare with
      yield* setAlertRule(organizationId, { rule: "sov_drop", enabled: true })
      yield* scanWith(organizationId, 500, named(8))
      yield* scanWith(organizationId, 600, named(3))
      expect(yield* listed(organizationId)).toHaveLength(1)
    })))

  it("`confirmed` waits for a third low scan if there are few cells, and remembers the first two scans", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules({ ...drop, sensitivity: "confirmed" })
      const counts: Array<number> = []
      for (const [i, count] of [8, 3, 3, 3, 3].entries()) {
        yield* scanWith(organizationId, 100 * (i + 1), named(count))
        // Set to what it is: the rule goes on as before
        yield* setAlertRule(organizationId, { ...drop, sensitivity: "confirmed" })
        counts.push((yield* listed(organizationId)).length)
      }
      expect(counts).toEqual([0, 0, 0, 1, 1])
    })))

  it("new mentions and competitors that pull ahead raise alerts", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules(
        { rule: "new_mention", enabled: true },
        { rule: "competitor_overtake", enabled: true }
      )
      const [globex] = (yield* (yield* TrackedSetStore).current(organizationId))!.competitors
      const chat = yield* seedEndpoint(organizationId, { format: "slack", events: ["mention.detected"] })
      yield* scanWith(organizationId, 100, named(3))
      yield* scanWith(organizationId, 200, named(3))
      const { id } = yield* scanWith(
        organizationId,
        300,
        (keyword, platform) =>
          keyword < 4 ? "Globex." : keyword === 5 && platform === "assistant_b" ? "Acme Forge!" : "Nobody."
      )
      const found = (yield* listed(organizationId)).toSorted((a, b) => a.rule < b.rule ? -1 : 1)
      expect(found).toMatchObject([
        {
          event: "competitor.overtake",
          data: {
            scan_id: id,
            competitor_id: globex!.id,
            competitor_name: "Globex",
            previous_brand_sov: 25,
            previous_competitor_sov: 0,
            competitor_sov: 66.6667
          }
        },
        {
          event: "mention.detected",
          data: { mentions_total: 1, mentions: [{ platform: "assistant_b", mention_count: 1 }], confirmed: true }
        }
      ])
      const { mails } = yield* outbox(organizationId)
      expect(new Set(mails.map(({ subject }) => subject))).toEqual(
        new Set(["Globex is ahead of Acme Forge", "Acme Forge: newly named in 1 answer"])
      )
      // A chat gets the words of the e-mail, and the answer
      const store = yield* DeliveryStore
      const [delivery] = yield* store.list(organizationId, { limit: 9, endpointId: chat.id })
      const sent = new TextDecoder().decode((yield* store.find(organizationId, delivery!.id))!.body)
      const { links, texts } = readSlack(JSON.parse(sent) as Parameters<typeof readSlack>[0])
      expect([texts[0], links]).toEqual(["Acme Forge: newly named in 1 answer", []])
      expect(texts).toContain("“Acme Forge!”")
    })))

  it("a scan that completes after a scan that was started later raises no alert and changes nothing", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules(drop)
      yield* scanWith(organizationId, 100, named(8))
      const late = yield* answeredScan(organizationId, 200, named(3))
      yield* scanWith(organizationId, 300, named(3))
      yield* completeScan(organizationId, late.id)
      expect(yield* listed(organizationId)).toHaveLength(1)
      expect(yield* (yield* AlertStore).listMemories(organizationId, [late.id])).toEqual([])
    })))

  it("two scans that complete at the same moment raise one alert for the same crossing", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules(drop)
      yield* scanWith(organizationId, 100, named(8))
      const both = [
        yield* answeredScan(organizationId, 200, named(3)),
        yield* answeredScan(organizationId, 300, named(3))
      ]
      yield* Effect.forEach(both, ({ id }) => completeScan(organizationId, id), { concurrency: 2 })
      expect(yield* listed(organizationId)).toHaveLength(1)
    })))

  it("simulated and real scans are never compared, and alerts about simulated answers are labelled", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules(drop)
      yield* scanWith(organizationId, 100, named(8))
      yield* scanWith(organizationId, 200, named(3), { simulated: true })
      expect(yield* listed(organizationId)).toEqual([])
      yield* scanWith(organizationId, 300, named(8), { simulated: true })
      yield* scanWith(organizationId, 400, named(3), { simulated: true })
      expect((yield* listed(organizationId)).map(({ data }) => data.simulated)).toEqual([true])
      expect((yield* outbox(organizationId)).mails[0]!.subject).toMatch(/^\[SIMULATED\] /)
    })))

  it("a name that was just added is searched in earlier answers before its mention counts as new", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules({ rule: "new_mention", enabled: true })
      const naming = (...keywords: ReadonlyArray<number>) => (keyword: number, platform: string) =>
        platform === "assistant_a" && keywords.includes(keyword) ? "Take Anvilco." : "Take anything."
      yield* scanWith(organizationId, 100, naming(1))
      for (const seconds of [200, 300, 400, 500]) yield* scanWith(organizationId, seconds, naming())
      yield* scanWith(organizationId, 600, naming(0))
      yield* scanWith(organizationId, 700, naming())
      const same = yield* trackedSet(2)
      yield* (yield* TrackedSetStore).append(organizationId, {
        ...same,
        brand: { ...same.brand, aliases: ["Anvilco"] }
      })
      yield* scanWith(organizationId, 800, naming(0, 1, 2))
      const asked = yield* (yield* KeywordStore).list(organizationId, ["active"])
      const found = yield* listed(organizationId)
      expect(found).toMatchObject([{ data: { mentions_total: 2, confirmed: true } }])
      const [{ data }] = found as [Extract<Alert, { readonly rule: "new_mention" }>]
      expect(new Set(data.mentions.map(({ keyword_id }) => asked.find(({ id }) => id === keyword_id)?.text))).toEqual(
        new Set([texts[1], texts[2]])
      )
      // Of the first of them a very old answer has the name, too
      const versions = { measureVersion, trackedSetVersion: 2 }
      const mentions = yield* (yield* MeasurementStore).newMentions(organizationId, data.scan_id, versions)
      expect(mentions.map(({ first, keywordId }) => [asked.find(({ id }) => id === keywordId)?.text, first])).toEqual(
        expect.arrayContaining([[texts[1], false], [texts[2], true]])
      )
    })))

  it.each(steps)(
    "a crash at the step %s leaves nothing, and the next completion raises exactly one alert",
    (step) =>
      run(Effect.gen(function*() {
        const organizationId = yield* seedWithRules(drop)
        yield* scanWith(organizationId, 100, named(8))
        const { id } = yield* answeredScan(organizationId, 200, named(3))
        const died = yield* Effect.exit(completeAndDie(organizationId, id, step))
        expect(died._tag).toBe("Failure")
        expect(yield* listed(organizationId)).toEqual([])
        expect(yield* (yield* ScanStore).find(organizationId, id)).toMatchObject({ status: "running" })
        expect((yield* outbox(organizationId)).completed).toHaveLength(1)
        yield* Effect.forEach([1, 2], () => completeScan(organizationId, id), { concurrency: 2 })
        const { alerts, completed, mails } = yield* outbox(organizationId)
        expect([alerts.length, completed.length, mails.length]).toEqual([1, 2, 2])
        expect((yield* listed(organizationId)).map((alert) => alert.id)).toEqual([alerts[0]!.id])
      }))
  )

  it("two changes of a rule at the same moment both take effect", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seedWithRules()
      for (let threshold = 1; threshold <= 10; threshold++) {
        yield* setAlertRule(organizationId, { ...drop, sensitivity: "immediate" })
        yield* Effect.all([
          setAlertRule(organizationId, { ...drop, threshold }),
          setAlertRule(organizationId, { rule: "sov_drop", enabled: true, sensitivity: "confirmed" })
        ], { concurrency: "unbounded" })
        expect(yield* (yield* AlertStore).listRules(organizationId)).toEqual([
          { ...drop, threshold, sensitivity: "confirmed" }
        ])
      }
    })))

  it("an invalid rule is refused", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seed
      const rejected = (change: Parameters<typeof setAlertRule>[1]) => Effect.flip(setAlertRule(organizationId, change))
      expect(yield* rejected({ rule: "sov_drop", enabled: true })).toMatchObject({
        _tag: "Rejected",
        field: "threshold"
      })
      expect(yield* rejected({ rule: "new_mention", enabled: true, threshold: 4 })).toMatchObject({ _tag: "Rejected" })
      expect(yield* (yield* AlertStore).listRules(organizationId)).toEqual([])
      const off: AlertRule = yield* setAlertRule(organizationId, { rule: "sov_drop", enabled: false })
      expect(off).toEqual({ rule: "sov_drop", enabled: false, threshold: null, sensitivity: "immediate" })
    })))
})
