/** Calls of every method of every store, made by one organization for data of another. */
import {
  AlertStore,
  ApiKeyStore,
  ArchiveStore,
  AuditLog,
  BacklogStore,
  type CellId,
  CellStore,
  type DeliveryId,
  DeliveryStore,
  DigestStore,
  EndpointStore,
  EventOutbox,
  HealthStore,
  IdempotencyStore,
  InstanceStore,
  keywordStatuses,
  KeywordStore,
  MailStore,
  MeasurementStore,
  Notifications,
  OperatorStore,
  OrganizationData,
  OrganizationStore,
  PersonStore,
  QuotaLedger,
  RateLimiter,
  ResolvedUrlStore,
  ScanStore,
  ScheduleStore,
  ScoreStore,
  SealStore,
  ServerRegistry,
  SessionStore,
  ShareLinkStore,
  SourceStore,
  TrackedSetStore,
  TrafficStore,
  Transaction,
  UpkeepStore,
  UsageStore,
  WorkerRegistry
} from "@sov/core"
import {
  answerTo,
  at,
  chargeOf,
  keywords,
  measurementOf,
  scan,
  scoreOf,
  trackedSet,
  trafficLine
} from "@sov/core/testing"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { dropAlert } from "../contracts/alertStoreContract.ts"
import { auditEntry } from "../contracts/auditLogContract.ts"
import { address, mailOf } from "../contracts/mailStoreContract.ts"
import { scheduleOf, skippedRun } from "../contracts/scheduleStoreContract.ts"
import { chatMessage, outcomeOf, scanCompleted } from "../contracts/webhookSeeds.ts"
import { accessCalls, accessPorts } from "./accessCalls.ts"
import { archiveCalls } from "./archiveCalls.ts"
import { keptDetailOf } from "./keptDetails.ts"
import { peopleCalls } from "./peopleCalls.ts"
import { noPage, noSources, sourceCalls } from "./sourceCalls.ts"
import type { CallTable } from "./tenancyTable.ts"
import { dropRule, failure, period, startRecord, versions, withSecureRandom } from "./tenants.ts"

export const ports = {
  TrafficStore,
  AlertStore,
  ApiKeyStore,
  ArchiveStore,
  AuditLog,
  BacklogStore,
  CellStore,
  DeliveryStore,
  DigestStore,
  EndpointStore,
  EventOutbox,
  HealthStore,
  IdempotencyStore,
  InstanceStore,
  KeywordStore,
  MailStore,
  MeasurementStore,
  Notifications,
  OrganizationData,
  OperatorStore,
  OrganizationStore,
  PersonStore,
  ...accessPorts,
  QuotaLedger,
  ResolvedUrlStore,
  ScanStore,
  ScheduleStore,
  ScoreStore,
  SealStore,
  RateLimiter,
  ServerRegistry,
  SessionStore,
  ShareLinkStore,
  SourceStore,
  TrackedSetStore,
  Transaction,
  UpkeepStore,
  UsageStore,
  WorkerRegistry
}

/** These methods work across organizations by design, or their rows belong to no organization. */
const across = null

export const table: CallTable = {
  InstanceStore: { cursorKeys: across, readCursorKeys: across, firstCursorKey: across, rotateCursorKey: across },
  Notifications: { send: across, listen: across },
  Transaction: { run: across },
  TrafficStore: {
    add: ({ b }) => [[b, [trafficLine({ id: "ofTenant" })], "v1"], "own"],
    listUncounted: ({ b }) => [[b, [trafficLine({ id: "ofTenant" })]], "own"],
    days: ({ b }) => [[b, { from: null, to: null }], []],
    pages: ({ b }) => [[b, { from: null, to: null }, 9], []],
    sources: ({ b }) => [[b, { from: null, to: null }], []]
  },
  HealthStore: { save: across, list: across },
  AlertStore: {
    listRules: ({ b }) => [[b], []],
    setRule: ({ b }) => [[b, { ...dropRule, threshold: 7 }, at(50)], "own"],
    evaluatedSince: ({ a, b }) => [[b, { ...a.scan, startedAt: at(0) }], new Set()],
    listMemories: ({ a, b }) => [[b, [a.endedId]], []],
    saveMemory: ({ a, b }) => [
      [b, { ...versions, scanId: a.scan.id, memory: { rule: "sov_drop", memory: { armed: false } } }],
      "refused"
    ],
    insert: (
      { a, b }
    ) => [withSecureRandom(Effect.map(dropAlert(a.scan.id, at(50)), (alert) => [b, alert])), "refused"],
    listTold: ({ b }) => [[b], []],
    keepTold: ({ a, b }) => [[b, { forms: ["hooli"], alertId: a.alertId, toldAt: at(50) }], "refused"],
    forgetTold: ({ b }) => [[b, "hooli"], "own"],
    list: ({ a, b }) => [[b, { limit: 9, scanId: a.endedId }], []],
    countsOf: ({ b }) => [[[{ organizationId: b, since: at(0) }], 9], new Map()],
    find: ({ a, b }) => [[b, a.alertId], null]
  },
  MailStore: {
    listRecipients: ({ b }) => [[b], []],
    setRecipients: ({ b }) => [[b, [address("a@a.example")], at(50)], "own"],
    enqueue: ({ b }) => [withSecureRandom(Effect.map(mailOf(), (mail) => [b, mail])), "own"],
    listOrganizationsWithDueMail: across,
    claim: ({ b }) => [[b, at(99), 9], "own"],
    hasUnattempted: across,
    queue: across,
    markSent: ({ a, b }) => [[{ organizationId: b, id: a.mailId, to: address("a@a.example") }, at(50)], undefined],
    markFailed: (
      { a, b }
    ) => [[{ organizationId: b, id: a.mailId, to: address("a@a.example") }, "no", at(50)], undefined],
    flag: ({ b }) => [[b, address("a@a.example"), "no", at(50)], undefined],
    listStatuses: ({ a, b }) => [[b, [a.mailId]], []]
  },
  UsageStore: {
    recent: across,
    spentSince: across,
    ofMonth: across,
    recentOf: ({ b }) => [[b, false], []],
    callsOf: ({ b }) => [[b, false], []],
    spentOf: ({ b }) => [[b, new Date(0)], []],
    ofScan: ({ a, b }) => [[b, a.endedId], []],
    spentByScans: ({ a, b }) => [[b, [a.endedId]], new Map()],
    spentOnScans: ({ b }) => [[[b], at(0), 9], new Map()],
    charge: ({ a, b }) => [withSecureRandom(Effect.map(chargeOf(a.endedId), (charge) => [b, charge])), "refused"]
  },
  WorkerRegistry: { register: across, heartbeat: across, unregister: across, list: across },
  ServerRegistry: { heartbeat: across, unregister: across, list: across },
  IdempotencyStore: {
    find: ({ b }) => [[b, "retry-1", at(0)], null],
    add: ({ a, b }) => [[b, startRecord(a.scan.id), at(0)], "refused"]
  },
  AuditLog: {
    record: ({ a, b }) => [
      withSecureRandom(
        Effect.map(auditEntry(1, { kind: "key", name: "a", personId: null, keyId: a.keyId }), (entry) => [b, [entry]])
      ),
      "refused"
    ],
    find: ({ a, b }) => [[b, a.entryId], null],
    ofSubjects: ({ b }) => [[b, "keyword", ["k"]], []],
    listActs: ({ a, b }) => [[b, { personId: a.personId, action: "member.role", since: at(-9) }], []],
    page: ({ b }) => [[b, {}, { limit: 9 }], []]
  },
  ...accessCalls,
  ...peopleCalls,
  TrackedSetStore: {
    current: ({ b }) => [[b], null],
    find: ({ a, b }) => [[b, a.set.version], null],
    append: ({ b }) => [withSecureRandom(Effect.map(trackedSet(7), (set) => [b, set])), "own"],
    ignore: ({ b }) => [[b, { name: "Globex", form: "globex", ignoredAt: at(50) }], "own"],
    stopIgnoring: ({ b }) => [[b, "hooli"], false],
    listIgnored: ({ b }) => [[b], []]
  },
  KeywordStore: {
    add: ({ a, b }) => [withSecureRandom(Effect.map(keywords([a.keywords[0]!.text]), (list) => [b, list])), "own"],
    list: ({ b }) => [[b, keywordStatuses], []],
    summaries: ({ b }) => [[b, { statuses: keywordStatuses }, { limit: 9 }], []],
    find: ({ a, b }) => [[b, a.keywords[0]!.id], null],
    setStatus: ({ a, b }) => [[b, a.keywords[0]!.id, "archived"], null],
    setStatuses: ({ a, b }) => [[b, [{ id: a.keywords[0]!.id, status: "archived" }]], undefined],
    addTags: ({ a, b }) => [[b, [{ keywordId: a.keywords[0]!.id, tag: "new" }]], "refused"],
    removeTags: ({ a, b }) => [[b, [{ keywordId: a.keywords[0]!.id, tag: "a" }]], []],
    listTags: ({ b }) => [[b], []],
    listViews: ({ b }) => [[b], []],
    addView: ({ b }) => [[b, { name: "germany", country: "DE", language: null, context: null }, at(50)], "own"],
    removeView: ({ b }) => [[b, "germany"], false],
    setWording: ({ a, b }) => [[b, { view: "germany", keywordId: a.keywords[0]!.id, text: null }], undefined],
    listWordings: ({ b }) => [[b, "germany"], []]
  },
  QuotaLedger: {
    take: ({ b }) => [[b, period, 5], "own"],
    release: ({ b }) => [[b, period], undefined],
    used: ({ b }) => [[b, period], 0]
  },
  ScanStore: {
    listRunning: across,
    listSettled: across,
    insert: ({ b }) => [withSecureRandom(Effect.map(scan(), (row) => [b, row])), "refused"],
    readBasis: ({ b }) => [[b, { key: "retry-1", since: at(0) }], "own"],
    // The tracked set and the keywords belong to the other organization
    start: ({ a, b }) => [
      withSecureRandom(Effect.map(scan(), (row) => [b, {
        scan: row,
        cells: [{ ...a.cells[0]!, scanId: row.id }],
        dueAt: at(50),
        quota: { period, limit: 5 },
        named: { record: startRecord(row.id), since: at(0) },
        entries: [],
        notification: { channel: "work", payload: "" }
      }])),
      "refused"
    ],
    find: ({ a, b }) => [[b, a.scan.id], null],
    list: ({ b }) => [[b, { limit: 9 }], []],
    listComparable: ({ a, b }) => [[b, { ...a.scan, startedAt: at(9999) }, 9], []],
    lock: ({ a, b }) => [[b, a.scan.id], null],
    end: ({ a, b }) => [[b, a.scan.id, "cancelled", at(50)], false],
    releaseQuota: ({ a, b }) => [[b, a.scan.id], null]
  },
  CellStore: {
    insert: ({ a, b }) => [
      withSecureRandom(Effect.map(SecureRandom.SecureRandom.use((random) => random.uuidV7()), (id) => [
        b,
        [{ ...a.cells[0]!, id: id as string as CellId }],
        at(50)
      ])),
      "refused"
    ],
    queues: across,
    listOpen: across,
    claim: ({ a, b }) => [
      [{ organizationId: b, scanId: a.scan.id }, "assistant_b", { now: at(99), limit: 9, inFlight: [] }],
      []
    ],
    hasOpen: ({ a, b }) => [[b, a.scan.id], false],
    failOpen: ({ a, b }) => [[{ organizationId: b, scanId: a.scan.id }, "assistant_b", [], failure], undefined],
    fail: ({ a, b }) => [[b, a.cells[3]!.id, failure], undefined],
    postpone: ({ a, b }) => [[b, a.cells[3]!.id, at(60), failure], undefined],
    cancelOpen: ({ a, b }) => [[b, a.scan.id], undefined],
    counts: ({ a, b }) => [[b, a.scan.id], []],
    ofKeyword: ({ a, b }) => [[b, a.keywords[0]!.id, [a.scan.id]], []],
    totals: ({ a, b }) => [[b, [a.scan.id]], new Map()],
    keywordIds: ({ a, b }) => [[b, a.scan.id], new Set()],
    countAsked: ({ a, b }) => [[b, a.scan.id], { active: 0, asked: 0 }],
    listFailed: ({ a, b }) => [[b, a.endedId], []],
    restoreFailed: ({ a, b }) => [
      [b, a.scan.id, [{
        ...failure,
        cellId: a.cells[0]!.id,
        keywordId: a.cells[0]!.keywordId,
        platform: "assistant_c",
        sample: 1,
        attempts: 1
      }]],
      "refused"
    ],
    results: ({ a, b }) => [[b, a.scan.id, {}, { limit: 9 }], []]
  },
  ArchiveStore: {
    archive: ({ a, b }) => [
      withSecureRandom(Effect.map(answerTo(a.cells[3]!), (answer) => [b, answer, measurementOf(answer)])),
      false
    ],
    counts: ({ a, b }) => [[b, a.scan.id], { answers: 0, mentioned: 0 }],
    append: ({ a, b }) => [withSecureRandom(Effect.map(answerTo(a.cells[3]!), (answer) => [b, answer])), "refused"],
    find: ({ a, b }) => [[b, a.answers[0]!.id], null],
    payload: ({ a, b }) => [[b, a.answers[0]!.id], null],
    origin: ({ a, b }) => [[b, a.answers[0]!.id], null],
    call: ({ a, b }) => [[b, a.answers[0]!.id], null],
    neighbours: ({ a, b }) => [[b, a.answers[0]!.id], { before: null, after: null }],
    page: (
      { a, b }
    ) => [[b, { scanId: a.scan.id }, { limit: 9, after: { createdAt: at(99), id: a.answers[0]!.id } }], []],
    history: ({ a, b }) => [[b, { scanId: a.scan.id }, { limit: 9, textBytes: 1_000 }], noPage],
    historyInUtf8: ({ a, b }) => [[b, { scanId: a.scan.id }, { limit: 9, textBytes: 1_000 }], noPage],
    leaves: ({ a, b }) => [[b, a.scan.id], []],
    stats: ({ b }) => [[b], []],
    oldest: ({ b }) => [[b], null],
    count: ({ a, b }) => [[b, { scanId: a.scan.id }], 0],
    // Keyword and scans belong to the other organization: the statement has a filter for each
    estimate: ({ a, b }) => [[b, { keywordId: a.keywords[0]!.id }], 0],
    listSealed: ({ a, b }) => [[b, a.answers.map(({ id }) => id)], []],
    filterIds: ({ a, b }) => [[b, {}, a.answers.map(({ id }) => id)], new Set()],
    restore: ({ a, b }) => [[b, [a.answers[0]!]], "refused"]
  },
  BacklogStore: {
    listOpen: ({ a, b }) => [[b, a.scan.id, at(99)], []],
    ofScan: ({ a, b }) => [[b, a.scan.id, at(99)], { platforms: [], lastActivityAt: null }]
  },
  ...archiveCalls,
  ...sourceCalls,
  DigestStore: {
    listDue: across,
    find: ({ b }) => [[b], null],
    lock: ({ b }) => [[b], null],
    save: ({ b }) => [[b, { enabled: false, nextAt: null }], "own"],
    enqueue: ({ b }) => [withSecureRandom(Effect.map(mailOf(), (mail) => [b, "2026-02-02", mail])), 0],
    unsubscribe: ({ b }) => [[b, address("a@a.example"), at(50)], false]
  },
  ScheduleStore: {
    listDue: across,
    nextOf: ({ b }) => [[[b]], new Map()],
    find: ({ b }) => [[b], null],
    lock: ({ b }) => [[b], null],
    save: ({ b }) => [[b, scheduleOf({ samples: 1 })], "own"],
    remove: ({ b }) => [[b], false],
    record: ({ a, b }) => [[b, skippedRun({ scanId: a.scan.id, skipped: null })], "refused"],
    lastRun: ({ b }) => [[b], null]
  },
  ScoreStore: {
    insert: ({ a, b }) => [[b, scoreOf(a.scan.id, { measureVersion: 5 }), at(50)], "refused"],
    ofScans: ({ a, b }) => [[b, [a.endedId]], []],
    newestOf: ({ b }) => [[[b], 9], new Map()],
    ofScan: ({ a, b }) => [[b, a.endedId], null],
    history: ({ b }) => [[b, 9], []],
    headline: ({ b }) => [[b], null],
    newest: ({ b }) => [[b], null],
    newestWithSources: ({ a, b }) => [[b, [a.endedId], noSources], { newest: null, state: noSources }],
    listBefore: ({ a, b }) => [[b, a.scan, versions, 9], []],
    findDetail: ({ a, b }) => [[b, scoreOf(a.endedId)], null],
    keepDetail: ({ a, b }) => [[b, scoreOf(a.endedId), keptDetailOf(a.endedId, a.set)], "own"]
  },
  EventOutbox: {
    put: ({ b }) => [withSecureRandom(Effect.map(scanCompleted(), (event) => [b, event, chatMessage])), "own"]
  },
  EndpointStore: {
    promoteStaged: across,
    insert: ({ a, b }) => [[b, a.sent.endpoint, "b"], "own"],
    list: ({ b }) => [[b], []],
    find: ({ a, b }) => [[b, a.sent.endpoint.id], null],
    secrets: ({ a, b }) => [[b, a.sent.endpoint.id], null],
    replaceEncrypted: ({ a, b }) => [
      [b, a.sent.endpoint.id, { current: "sealed", next: null }, { current: "b", next: null }],
      false
    ],
    setEvents: ({ a, b }) => [[b, a.sent.endpoint.id, ["sov.dropped"]], null],
    enable: ({ a, b }) => [[b, a.sent.endpoint.id], null],
    disable: ({ a, b }) => [[b, a.sent.endpoint.id, at(50)], null],
    stage: ({ a, b }) => [[b, a.sent.endpoint.id, "b", at(50)], null],
    promote: ({ a, b }) => [[b, a.sent.endpoint.id], null],
    replaceSecret: ({ a, b }) => [[b, a.sent.endpoint.id, "b"], null],
    remove: ({ a, b }) => [[b, a.sent.endpoint.id], false]
  },
  DeliveryStore: {
    queues: across,
    expire: across,
    due: ({ a, b }) => [
      [[{ organizationId: b, endpointId: a.sent.endpoint.id, limit: 9 }], { now: at(99), claimed: new Map() }],
      []
    ],
    record: ({ a, b }) => [[[outcomeOf({ ...a.sent, organizationId: b }, 99)]], []],
    list: ({ a, b }) => [[b, { limit: 9, endpointId: a.sent.endpoint.id }], []],
    find: ({ a, b }) => [[b, a.sent.delivery.id], null],
    addOne: ({ a, b }) => [
      withSecureRandom(Effect.map(scanCompleted(), (event) => [
        b,
        a.sent.endpoint.id,
        event,
        chatMessage,
        event.id as string as DeliveryId,
        at(99)
      ])),
      "refused"
    ],
    countFailed: ({ a, b }) => [[b, a.sent.endpoint.id, at(0)], 0],
    restartFailed: ({ a, b }) => [[b, a.sent.endpoint.id, at(0), at(99)], 0],
    restart: ({ a, b }) => [[b, a.sent.delivery.id, { now: at(99), dueAt: at(99) }], null],
    hasUnattempted: ({ b }) => [[b, at(99)], false]
  }
}
