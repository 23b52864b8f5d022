/** Rule `new_competitor` over stored scans: what it tells, once, by which event and e-mail, and what a kill leaves. */
import {
  addCompetitor,
  AlertStore,
  completeScan,
  findUntrackedNames,
  ignoreSuggestion,
  MeasurementStore,
  type OrganizationId,
  previewAlertRule,
  restoreSuggestion,
  TrackedSetStore,
  Transaction,
  wholeHistory
} from "@sov/core"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { listed, naming, seedWithRules, usual } from "../../support/alertRules.ts"
import { answeredScan, scanWith } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const rule = { rule: "new_competitor", enabled: true } as const

const toldNames = (organizationId: OrganizationId) =>
  Effect.map(
    listed(organizationId),
    (alerts) =>
      alerts.toReversed().map((alert) =>
        alert.rule === "new_competitor" ? alert.data.names.map(({ name }) => name) : []
      )
  )

const outbox = (organizationId: OrganizationId) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const events = yield* sql<{ readonly id: string; readonly body: Uint8Array }>`
      select id, body from event where organization_id = ${organizationId} and event = 'competitor.suggested'`
    const mails = yield* sql<
      { readonly id: string; readonly address: string; readonly subject: string; readonly text: string }
    >`
      select id, address, subject, body_text as text from mail where organization_id = ${organizationId} order by address`
    return {
      events: events.map(({ body, id }) => ({ id, ...JSON.parse(new TextDecoder().decode(body)) as object })),
      mails
    }
  })

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  it("a new name is announced once, by an event and e-mails with one id; tracked and ignored names are never announced", () =>
    run(Effect.gen(function*() {
      const id = yield* seedWithRules(rule)
      yield* ignoreSuggestion(id, "Hooli")
      const first = yield* scanWith(id, 100, usual)
      const both = naming(["Zorvik", "Hooli"])
      const second = yield* scanWith(id, 200, both)
      const [alert, ...more] = yield* listed(id)
      expect(more).toEqual([])
      expect(alert).toMatchObject({
        rule: "new_competitor",
        event: "competitor.suggested",
        data: {
          scan_id: second.id,
          previous_scan_id: first.id,
          names: [{
            name: "Zorvik",
            cells: 12,
            keywords: 6,
            platforms: ["assistant_a", "assistant_b"],
            confirmed: false
          }],
          confirmed: false,
          confidence: "low",
          cells_moved: 12,
          n_cells: 12
        }
      })
      const { events, mails } = yield* outbox(id)
      expect(events).toMatchObject([{ id: alert!.id, event: "competitor.suggested", data: alert!.data }])
      expect(mails.map(({ address, id, subject }) => [address, id, subject])).toEqual(
        ["ann@acme.example", "bob@acme.example"].map((to) => [to, alert!.id, "New competitor of Acme Forge: Zorvik"])
      )
      expect(mails[0]!.text).toContain("sov competitor suggest")

      yield* scanWith(id, 300, both)
      expect(yield* toldNames(id)).toEqual([["Zorvik"]])
      const store = yield* AlertStore
      expect(yield* store.listTold(id)).toEqual(["zorvik"])
      // Who is ignored and suggested again may be told again
      yield* ignoreSuggestion(id, "ZORVIK")
      expect(yield* store.listTold(id)).toEqual(["zorvik"])
      yield* restoreSuggestion(id, "zorvik")
      expect(yield* store.listTold(id)).toEqual([])
    })))

  it("`confirmed` waits for a second scan; simulated and real scans do not confirm each other", () =>
    run(Effect.gen(function*() {
      const id = yield* seedWithRules({ ...rule, sensitivity: "confirmed" })
      const zorvik = naming(["Zorvik"])
      yield* scanWith(id, 100, usual)
      yield* scanWith(id, 200, usual, { simulated: true })
      yield* scanWith(id, 300, zorvik)
      yield* scanWith(id, 400, zorvik, { simulated: true })
      expect(yield* toldNames(id)).toEqual([])
      yield* scanWith(id, 500, zorvik, { simulated: true })
      const [alert] = yield* listed(id)
      expect(alert?.data).toMatchObject({ simulated: true, confirmed: true })
      expect((yield* outbox(id)).mails[0]!.subject).toMatch(/^\[SIMULATED\]/)
      // Told is told, whatever told it
      yield* scanWith(id, 600, zorvik)
      expect(yield* toldNames(id)).toEqual([["Zorvik"]])
    })))

  it("a narrowed scan is marked, and compared only with scans that asked the same questions", () =>
    run(Effect.gen(function*() {
      const id = yield* seedWithRules(rule)
      const asked = { askable: { keywords: 12, platforms: 2 } }
      yield* scanWith(id, 100, usual, asked)
      yield* scanWith(id, 200, naming(["Zorvik"], 3), asked)
      const [alert] = yield* listed(id)
      expect(alert?.data).toMatchObject({ asked: { keywords: 6, tracked_keywords: 12 }, names: [{ cells: 6 }] })
    })))

  it("a name that is accepted while the scan runs is not announced", () =>
    run(Effect.gen(function*() {
      const id = yield* seedWithRules(rule)
      yield* scanWith(id, 100, usual)
      const running = yield* answeredScan(id, 200, naming(["Zorvik", "Initrode"]))
      yield* addCompetitor(id, { name: "Zorvik", aliases: [], domains: [] })
      yield* completeScan(id, running.id)
      expect(yield* toldNames(id)).toEqual([["Initrode"]])
    })))

  it("the preview shows names that would have been announced, and names that already were", () =>
    run(Effect.gen(function*() {
      const id = yield* seedWithRules()
      const course = [usual, naming(["Zorvik"]), naming(["Zorvik"]), naming(["Zorvik", "Initrode"])]
      for (const [n, answer] of course.entries()) yield* scanWith(id, 100 * (n + 1), answer)
      const { scans } = yield* previewAlertRule(id, wholeHistory, { rule: "new_competitor" })
      expect(scans.map(({ alerts }) => alerts.flatMap((one) => one.rule === "new_competitor" ? one.data.names : [])))
        .toMatchObject([[], [{ name: "Zorvik" }], [], [{ name: "Initrode" }]])
      expect(yield* (yield* AlertStore).listTold(id)).toEqual([])
      // As if each had 400 answers: those of two are read
      const sql = yield* SqlClient.SqlClient
      yield* sql`update scan set cell_count = 400 where organization_id = ${id}`
      const { scans: newest } = yield* previewAlertRule(id, wholeHistory, { rule: "new_competitor" })
      expect(newest.map(({ scan }) => scan.id)).toEqual(scans.slice(2).map(({ scan }) => scan.id))
    })))

  it("after a kill the work repeats without duplicates, and no answer is read inside the transaction", () =>
    run(Effect.gen(function*() {
      const id = yield* seedWithRules(rule)
      yield* scanWith(id, 100, usual)
      const { id: scanId } = yield* answeredScan(id, 200, naming(["Zorvik"]))
      const [alerts, measurements, transaction] = yield* Effect.all([AlertStore, MeasurementStore, Transaction])
      const keepTold: typeof alerts.keepTold = (...args) =>
        Effect.andThen(alerts.keepTold(...args), Effect.die("killed"))
      const killed = yield* Effect.exit(
        completeScan(id, scanId).pipe(Effect.provideService(AlertStore, { ...alerts, keepTold }))
      )
      expect(Exit.isFailure(killed)).toBe(true)
      expect([yield* alerts.listTold(id), yield* toldNames(id), yield* outbox(id)])
        .toEqual([[], [], { events: [], mails: [] }])

      let within = false
      const reads: Array<boolean> = []
      const newest: typeof measurements.newest = (...args) =>
        Effect.suspend(() => {
          reads.push(within)
          return measurements.newest(...args)
        })
      yield* completeScan(id, scanId).pipe(
        Effect.provideService(MeasurementStore, { ...measurements, newest }),
        Effect.provideService(Transaction, {
          run: (work) =>
            Effect.suspend(() => {
              within = true
              return Effect.ensuring(transaction.run(work), Effect.sync(() => within = false))
            })
        })
      )
      expect([reads.length > 1, reads.includes(true)]).toEqual([true, false])
      yield* completeScan(id, scanId)
      expect(yield* toldNames(id)).toEqual([["Zorvik"]])
      expect((yield* outbox(id)).events).toHaveLength(1)
    })))

  it("about 1,000 answers of a scan are read, then earlier answers to the same questions until enough is known", () =>
    run(Effect.gen(function*() {
      const id = yield* seedWithRules(rule)
      const before = yield* scanWith(id, 100, usual)
      const known = yield* scanWith(id, 200, naming(["Hooli"]))
      const scan = yield* scanWith(id, 300, naming(["Hooli", "Zorvik"]))
      const set = (yield* (yield* TrackedSetStore).current(id))!
      const find = (cellCount: number) => findUntrackedNames(id, { ...scan, cellCount }, [known, before], set)
      const { cells, names } = yield* find(12)
      expect(cells.size).toBe(12)
      expect(Object.fromEntries(names.map(({ earlier, name }) => [name, earlier.map(({ cells }) => cells.length)])))
        .toEqual({ Hooli: [12], Zorvik: [0, 0] })
      // As if the scan had more answers: the last digits of a keyword's id decide
      const digits = [...cells].map((key) => Number.parseInt(key.slice(-8), 16)).toSorted((a, b) => a - b)
      // Between two ids: at one of them, rounding would decide
      const half = yield* find(1000 * 2 ** 32 / ((digits[5]! + digits[6]!) / 2))
      expect(half.cells.size).toBe(6)
      expect(Object.fromEntries(half.names.map(({ cells, earlier, name }) => [name, [cells.length, earlier.length]])))
        .toEqual({ Hooli: [6, 1], Zorvik: [6, 2] })
      expect((yield* find(1e12)).cells.size).toBe(0)
    })))
})
