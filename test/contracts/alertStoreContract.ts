import { type Alert, type AlertRule, AlertStore, EventId, MailStore, type OrganizationId, type ScanId } from "@sov/core"
import { addScan, at, newId, type SeededScan, seedOrganization, seedScan } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { address, mailOf } from "./mailStoreContract.ts"
import { failureOf, storeContract } from "./storeContract.ts"

const dropRule: AlertRule = { rule: "sov_drop", enabled: true, threshold: 100 / 3, sensitivity: "confirmed" }
const overtakeRule: AlertRule = {
  rule: "competitor_overtake",
  enabled: false,
  threshold: null,
  sensitivity: "immediate"
}

const evidence = { confirmed: true, cells_moved: 3, n_cells: 4, z: -1 / 3, confidence: "low" } as const

/** An alert about the scan, not stored; its numbers are no short decimals. */
export const dropAlert = (scanId: ScanId, createdAt: Date) =>
  Effect.map(newId(EventId), (id): Alert => ({
    id,
    rule: "sov_drop",
    event: "sov.dropped",
    createdAt,
    data: {
      scan_id: scanId,
      previous_scan_id: scanId,
      previous_sov: 100 / 3,
      current_sov: 0.1 + 0.2,
      drop: 100 / 3 - 0.1 - 0.2,
      threshold: 100 / 3,
      ...evidence
    }
  }))

const overtakeAlert = (seed: SeededScan, competitor: 0 | 1) =>
  Effect.map(newId(EventId), (id): Alert => ({
    id,
    rule: "competitor_overtake",
    event: "competitor.overtake",
    createdAt: at(40),
    data: {
      scan_id: seed.scan.id,
      previous_scan_id: seed.scan.id,
      competitor_id: seed.set.competitors[competitor]!.id,
      competitor_name: "Globex \"‮\" \u{1F6E0}",
      brand_sov: 1,
      competitor_sov: 2,
      previous_brand_sov: 2,
      previous_competitor_sov: 1,
      ...evidence
    }
  }))

/** Something in every table of rules, alerts and e-mails; returns the id of the e-mail to `a@a.example`. */
export const seedAlerts = Effect.fnUntraced(function*(organizationId: OrganizationId, scanId: ScanId) {
  const [alerts, mails] = yield* Effect.all([AlertStore, MailStore])
  yield* alerts.setRule(organizationId, dropRule, at(1))
  yield* alerts.saveMemory(organizationId, {
    scanId,
    measureVersion: 1,
    trackedSetVersion: 1,
    memory: { rule: "sov_drop", memory: { armed: true } }
  })
  const alert = yield* dropAlert(scanId, at(30))
  yield* alerts.insert(organizationId, alert)
  yield* alerts.keepTold(organizationId, { forms: ["hooli"], alertId: alert.id, toldAt: at(30) })
  yield* mails.setRecipients(organizationId, [address("a@a.example")], at(1))
  const mail = yield* mailOf()
  yield* mails.enqueue(organizationId, mail)
  return mail.id
})

/** What every AlertStore must keep. */
export const alertStoreContract = storeContract("AlertStore", {
  "keeps a rule as it was set last": Effect.fnUntraced(function*() {
    const store = yield* AlertStore
    const { id } = yield* seedOrganization()
    assert.deepEqual(yield* store.listRules(id), [])
    yield* store.setRule(id, dropRule, at(1))
    yield* store.setRule(id, overtakeRule, at(1))
    assert.deepEqual(yield* store.listRules(id), [overtakeRule, dropRule])
    const changed: AlertRule = { ...dropRule, enabled: false, threshold: 12.5, sensitivity: "immediate" }
    yield* store.setRule(id, changed, at(2))
    assert.deepEqual(yield* store.listRules(id), [overtakeRule, changed])
  }),

  "refuses a drop rule without a threshold, and a threshold out of 0–100": Effect.fnUntraced(function*() {
    const store = yield* AlertStore
    const { id } = yield* seedOrganization()
    for (const threshold of [null, 0, -1, 100.001]) {
      const error = yield* failureOf(store.setRule(id, { ...dropRule, threshold }, at(1)))
      assert.equal(error.reason, "constraint")
    }
    assert.deepEqual(yield* store.listRules(id), [])
  }),

  "remembers by rule and scan, once; a rule that is set forgets": Effect.fnUntraced(function*() {
    const store = yield* AlertStore
    const { keywords, organizationId, scan } = yield* seedScan()
    const { scan: later } = yield* addScan(organizationId, keywords, { startedAt: at(12) })
    yield* store.setRule(organizationId, dropRule, at(1))
    yield* store.setRule(organizationId, overtakeRule, at(1))
    const versions = { measureVersion: 2, trackedSetVersion: 1 }
    const armed = { ...versions, scanId: scan.id, memory: { rule: "sov_drop", memory: { armed: true } } } as const
    const ahead = { ...armed, memory: { rule: "competitor_overtake", memory: { ahead: [] } } } as const
    const fired = { ...armed, scanId: later.id, memory: { rule: "sov_drop", memory: { armed: false } } } as const
    for (const memory of [armed, ahead, fired]) yield* store.saveMemory(organizationId, memory)
    assert.equal((yield* failureOf(store.saveMemory(organizationId, armed))).reason, "constraint")
    const remembered = (...scans: ReadonlyArray<ScanId>) =>
      Effect.map(
        store.listMemories(organizationId, scans),
        (found) => found.toSorted((a, b) => `${a.scanId} ${a.memory.rule}` < `${b.scanId} ${b.memory.rule}` ? -1 : 1)
      )
    assert.deepEqual(yield* remembered(), [])
    assert.deepEqual(yield* remembered(scan.id), [ahead, armed])
    assert.deepEqual(yield* remembered(scan.id, later.id), [ahead, armed, fired])
    yield* store.setRule(organizationId, dropRule, at(2))
    assert.deepEqual(yield* remembered(scan.id, later.id), [ahead])
  }),

  "knows the rules that were evaluated on a scan, or on a later one of its kind": Effect.fnUntraced(function*() {
    const store = yield* AlertStore
    const { keywords, organizationId, scan } = yield* seedScan()
    const { scan: later } = yield* addScan(organizationId, keywords, { startedAt: at(12) })
    const { scan: played } = yield* addScan(organizationId, keywords, { startedAt: at(12), simulated: true })
    yield* store.setRule(organizationId, dropRule, at(1))
    yield* store.setRule(organizationId, overtakeRule, at(1))
    const since = (one: typeof scan) => Effect.map(store.evaluatedSince(organizationId, one), (rules) => [...rules])
    const memory = { scanId: scan.id, measureVersion: 2, trackedSetVersion: 1 }
    yield* store.saveMemory(organizationId, { ...memory, memory: { rule: "sov_drop", memory: { armed: true } } })
    assert.deepEqual(yield* since(scan), ["sov_drop"])
    assert.deepEqual(yield* since(later), [])
    yield* store.saveMemory(organizationId, {
      ...memory,
      scanId: later.id,
      memory: { rule: "competitor_overtake", memory: { ahead: [] } }
    })
    assert.deepEqual((yield* since(scan)).toSorted(), ["competitor_overtake", "sov_drop"])
    assert.deepEqual(yield* since(later), ["competitor_overtake"])
    assert.deepEqual(yield* since({ ...played, startedAt: at(1) }), [])
  }),

  "keeps each name that was told once, until it is forgotten": Effect.fnUntraced(function*() {
    const store = yield* AlertStore
    const { organizationId, scan } = yield* seedScan()
    yield* store.setRule(organizationId, dropRule, at(1))
    const alert = yield* dropAlert(scan.id, at(41))
    const tell = (...forms: ReadonlyArray<string>) =>
      store.keepTold(organizationId, { forms, alertId: alert.id, toldAt: at(41) })
    assert.equal((yield* failureOf(tell("hooli"))).reason, "constraint")
    yield* store.insert(organizationId, alert)
    assert.deepEqual(yield* store.listTold(organizationId), [])
    yield* tell("hooli", "“zorvik”, {inc}")
    const told = Effect.map(store.listTold(organizationId), (forms) => forms.toSorted())
    assert.deepEqual(yield* told, ["hooli", "“zorvik”, {inc}"])
    assert.equal((yield* failureOf(tell("initrode", "hooli"))).reason, "constraint")
    assert.deepEqual(yield* told, ["hooli", "“zorvik”, {inc}"])
    yield* store.forgetTold(organizationId, "nobody")
    yield* store.forgetTold(organizationId, "hooli")
    assert.deepEqual(yield* told, ["“zorvik”, {inc}"])
    yield* tell("hooli")
    // A rule that is set again forgets no name
    yield* store.setRule(organizationId, { ...dropRule, rule: "new_competitor", threshold: null }, at(50))
    assert.deepEqual(yield* told, ["hooli", "“zorvik”, {inc}"])
  }),

  "keeps one alert of a rule, scan and competitor": Effect.fnUntraced(function*() {
    const store = yield* AlertStore
    const seed = yield* seedScan()
    const { organizationId, scan } = seed
    yield* store.setRule(organizationId, dropRule, at(1))
    yield* store.setRule(organizationId, overtakeRule, at(1))
    const [drop, first, second] = yield* Effect.all([
      dropAlert(scan.id, at(41)),
      overtakeAlert(seed, 0),
      overtakeAlert(seed, 1)
    ])
    for (const alert of [drop, first, second]) yield* store.insert(organizationId, alert)
    for (const again of [dropAlert(scan.id, at(50)), overtakeAlert(seed, 0)]) {
      assert.equal((yield* failureOf(store.insert(organizationId, yield* again))).reason, "constraint")
    }
    const newest = [drop, ...[first, second].toSorted((a, b) => a.id < b.id ? 1 : -1)]
    assert.deepEqual(yield* store.list(organizationId, { limit: 9 }), newest)
    assert.deepEqual(yield* store.list(organizationId, { limit: 1 }), [drop])
    assert.deepEqual(yield* store.list(organizationId, { limit: 9, rule: "sov_drop" }), [drop])
    assert.deepEqual(yield* store.list(organizationId, { limit: 9, scanId: scan.id }), newest)
    const { scan: other } = yield* addScan(organizationId, seed.keywords)
    assert.deepEqual(yield* store.list(organizationId, { limit: 9, scanId: other.id }), [])
    assert.deepEqual(yield* store.list(organizationId, { limit: 9, since: drop.createdAt }), [drop])
    assert.deepEqual(yield* store.list(organizationId, { limit: 9, after: drop }), newest.slice(1))
    // Both were raised at the same time: their ids decide
    assert.deepEqual(yield* store.list(organizationId, { limit: 9, after: newest[1]! }), newest.slice(2))
    assert.deepEqual(yield* store.list(organizationId, { limit: 9, after: newest[2]! }), [])
    assert.deepEqual(yield* store.find(organizationId, second.id), second)
    assert.equal(yield* store.find(organizationId, yield* newId(EventId)), null)
  }),

  "counts the alerts of several organizations, each since its own time": Effect.fnUntraced(function*() {
    const store = yield* AlertStore
    const [one, two] = [yield* seedScan(), yield* seedScan()]
    const { id: none } = yield* seedOrganization()
    for (const [{ organizationId, scan }, seconds] of [[one, 41], [two, 43]] as const) {
      yield* store.setRule(organizationId, dropRule, at(1))
      yield* store.setRule(organizationId, overtakeRule, at(1))
      yield* store.insert(organizationId, yield* dropAlert(scan.id, at(seconds)))
    }
    yield* store.insert(one.organizationId, yield* overtakeAlert(one, 0))
    const count = (first: number, second: number, limit = 9) =>
      Effect.map(
        store.countsOf([
          { organizationId: one.organizationId, since: at(first) },
          { organizationId: two.organizationId, since: at(second) },
          { organizationId: none, since: at(0) }
        ], limit),
        (found) => [found.get(one.organizationId), found.get(two.organizationId), found.size]
      )
    assert.deepEqual(yield* count(40, 40), [2, 1, 2])
    assert.deepEqual(yield* count(41, 43), [1, 1, 2])
    assert.deepEqual(yield* count(40, 44), [2, undefined, 1])
    assert.deepEqual(yield* count(40, 40, 1), [1, 1, 2])
    assert.deepEqual(yield* store.countsOf([], 9), new Map())
  })
})
