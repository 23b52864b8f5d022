/** The import of an exported archive on a real database: everything as it was, without events. */
import {
  ArchiveStore,
  cancelScan,
  type CellId,
  CellStore,
  DeliveryStore,
  hasUnscored,
  importArchive,
  MailStore,
  makeSeal,
  type OrganizationId,
  OrganizationStore,
  planRescore,
  readScan,
  readVisibility,
  rescore,
  type Scan,
  SealStore,
  setAlertRule,
  setTrackedSet,
  verifyArchive
} from "@sov/core"
import { answerTo, at, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { address } from "../../contracts/mailStoreContract.ts"
import { seedEndpoint } from "../../contracts/webhookSeeds.ts"
import { answeredScan, scanWith, seed } from "../../support/completedScans.ts"
import { checked, exported, filesOf, type Lines } from "../../support/exportedLines.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

/** Another organization, which would hear of everything, with the lines brought back and measured. */
const imported = Effect.fnUntraced(function*(lines: Lines) {
  const { id } = yield* seedOrganization()
  yield* seedEndpoint(id, { events: ["scan.completed", "sov.dropped"] })
  yield* (yield* MailStore).setRecipients(id, [address("ann@acme.example")], at(0))
  yield* setAlertRule(id, { rule: "sov_drop", enabled: true, threshold: 90 })
  yield* setAlertRule(id, { rule: "new_mention", enabled: true })
  const organization = (yield* (yield* OrganizationStore).find(id))!
  const result = yield* importArchive(organization, filesOf(lines), () => undefined)
  yield* rescore(id, yield* planRescore(id, {}), () => undefined)
  return { id, result }
})

/** How much of each kind leaves the organization. */
const countNotifications = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const [counts] = yield* sql`
    select (select count(*)::int from event where organization_id = ${organizationId}) as events,
      (select count(*)::int from alert where organization_id = ${organizationId}) as alerts,
      (select count(*)::int from mail where organization_id = ${organizationId}) as mails
  `
  const deliveries = yield* (yield* DeliveryStore).list(organizationId, { limit: 9 })
  return { ...counts, deliveries: deliveries.length }
})

const problemsOf = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const problems: Array<string> = []
  yield* verifyArchive(organizationId, {
    onProblem: ({ detail }) => Effect.sync(() => void problems.push(detail)),
    onAnswers: () => undefined
  })
  return problems
})

/** An answer that was in flight when its scan ended. */
const lateAnswer = Effect.fnUntraced(function*(organizationId: OrganizationId, scan: Scan, sample = 1) {
  const [archive, cells, seals] = yield* Effect.all([ArchiveStore, CellStore, SealStore])
  const [keywordId] = yield* cells.keywordIds(organizationId, scan.id)
  const id = (yield* SecureRandom.SecureRandom.use((random) => random.uuidV7())) as string as CellId
  const cell = { id, scanId: scan.id, keywordId: keywordId!, platform: "assistant_c" as const, sample }
  yield* cells.insert(organizationId, [cell], at(5))
  const late = yield* answerTo({ ...cell, prompt: "late?", attempts: 1, firstAttemptAt: null })
  yield* archive.append(organizationId, late)
  const leaves = [{ id: late.id, hash: late.leafHash }]
  const head = yield* seals.lockHead(organizationId)
  yield* seals.insert(organizationId, makeSeal({ scanId: scan.id, leaves, head, sealedAt: at(500) }))
})

/** Assistant B answers two of the six keywords, assistant A four: nobody answers the last two. */
const text = (named: number) => (keyword: number, platform: string): string | null =>
  keyword > 3 || platform === "assistant_b" && keyword > 1
    ? null
    : keyword < named
    ? "Take Acme Forge."
    : "Take Globex."

/** Two completed scans whose failed questions were asked in vain three times, and what came of it. */
const failing = Effect.gen(function*() {
  const organizationId = yield* seed
  const free = { quotaPeriod: null }
  const scans = [
    yield* scanWith(organizationId, 100, text(5), free),
    yield* scanWith(organizationId, 200, text(1), free)
  ]
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update cell set attempts = 3, status = 503, excerpt = 'what the provider sent', message = 'away "for" a while'
    where organization_id = ${organizationId} and state = 'failed'
  `
  return { organizationId, scans }
})

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const { run } = storage

  it("ended scans are imported with their ends and failures, without causing events", () =>
    run(Effect.gen(function*() {
      const { organizationId, scans } = yield* failing
      const lines = yield* exported(organizationId)
      expect(lines.context.join()).not.toContain("what the provider sent")
      const { id, result } = yield* imported(lines)
      expect(result).toEqual({ answers: 12, scans: 2, seals: 2, resealed: 0 })
      expect(yield* countNotifications(id)).toEqual({ events: 0, deliveries: 0, alerts: 0, mails: 0 })
      expect(yield* exported(id)).toEqual(lines)
      for (const scan of scans) {
        const before = yield* readScan(organizationId, scan.id)
        const after = yield* readScan(id, scan.id)
        expect(before.score).toMatchObject({ lowCoverage: ["assistant_b"], resultsCount: 6, failedCount: 6 })
        expect(after.score).toEqual(before.score)
        expect(after.scan).toEqual(before.scan)
        expect(after.counts.map(({ answered, failed, platform }) => [platform, answered, failed])).toEqual([
          ["assistant_a", 4, 2],
          ["assistant_b", 2, 4]
        ])
        const failed = yield* (yield* CellStore).listFailed(organizationId, scan.id)
        expect(yield* (yield* CellStore).listFailed(id, scan.id)).toEqual(
          failed.map((cell) => ({ ...cell, excerpt: null }))
        )
      }
    })))

  it("failures are only counted if an export contains no failed cells", () =>
    run(Effect.gen(function*() {
      const { organizationId, scans: [scan] } = yield* failing
      const { context, rows } = yield* exported(organizationId)
      const older = context.filter((line) => !line.includes("failed_cells"))
      expect(older).toHaveLength(context.length - 2)
      const { id } = yield* imported({ rows, context: older })
      expect((yield* readScan(id, scan!.id)).score).toMatchObject({ resultsCount: 6, failedCount: 6 })
    })))

  it("an unfinished scan is imported as cancelled, without a score and without causing events", () =>
    run(Effect.gen(function*() {
      const { organizationId } = yield* failing
      const cut = yield* answeredScan(organizationId, 300, text(5))
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        update cell set state = 'open'
        where organization_id = ${organizationId} and scan_id = ${cut.id} and state = 'failed' and platform = 'assistant_b'
      `
      const { id, result } = yield* imported(yield* exported(organizationId))
      expect(result).toEqual({ answers: 18, scans: 3, seals: 2, resealed: 1 })
      expect(yield* countNotifications(id)).toEqual({ events: 0, deliveries: 0, alerts: 0, mails: 0 })
      const { archived, counts, scan, score } = yield* readScan(id, cut.id)
      expect([scan.status, archived.answers, score]).toEqual(["cancelled", 6, null])
      expect(counts.map(({ failed, open }) => [failed, open])).toEqual([[2, 0], [0, 0]])
      expect(yield* problemsOf(id)).toEqual([])
    })))

  it("ids are imported unchanged, and organizations with equal ids share no data", () =>
    run(Effect.gen(function*() {
      const organizationId = yield* seed
      yield* scanWith(organizationId, 100, () => "Take Globex.")
      yield* scanWith(organizationId, 200, () => "Take Acme Forge.")
      const { id } = yield* imported(yield* exported(organizationId))
      const trends: Array<unknown> = []
      for (const [one, name] of [[organizationId, "Acme Forge"], [id, "Globex"]] as const) {
        yield* setTrackedSet(one, { brand: { name, aliases: [], domains: [], excludes: [] }, competitors: [] })
        yield* rescore(one, yield* planRescore(one, {}), () => undefined)
        const { latest, since } = yield* readVisibility(one)
        trends.push([latest.score.trackedSetVersion, latest.score.avgSov, since?.trend?.delta])
      }
      expect(trends).toEqual([[2, 100, 100], [2, 0, -100]])
    })))

  it("an export is valid even if scans end between reading the newest seal and reading the rows", () =>
    run(Effect.gen(function*() {
      const { organizationId, scans: [scan] } = yield* failing
      const cut = yield* answeredScan(organizationId, 300, (n) => n === 0 ? "Acme Forge." : null)
      yield* cancelScan(organizationId, cut.id)
      const before = yield* exported(organizationId)
      const meanwhile = Effect.gen(function*() {
        // Late ones of scans that are sealed, more seals than are read at once; one of a scan that is not sealed yet
        for (let sample = 1; sample <= 20; sample++) yield* lateAnswer(organizationId, scan!, sample)
        yield* lateAnswer(organizationId, cut)
        yield* lateAnswer(organizationId, yield* scanWith(organizationId, 400, (n) => n === 0 ? "Acme Forge." : null))
      })
      const lines = yield* exported(organizationId, meanwhile)
      expect(lines.rows).toHaveLength(before.rows.length + 3)
      expect(yield* checked(lines)).toEqual({ head: before.head, sealed: 14, unsealed: 3, problems: [] })
      const { id, result } = yield* imported(lines)
      expect(result).toEqual({ answers: 17, scans: 4, seals: 3, resealed: 1 })
      expect(yield* problemsOf(id)).toEqual([])
      const after = yield* exported(organizationId)
      expect(yield* checked(after)).toEqual({ head: after.head, sealed: 38, unsealed: 0, problems: [] })
    })))

  it("a line that cannot come from an export is refused, the error says where it is, and nothing is stored", () =>
    run(Effect.gen(function*() {
      const { organizationId } = yield* failing
      yield* answeredScan(organizationId, 300, (n) => n === 0 ? "Acme Forge." : null)
      const lines = yield* exported(organizationId)
      const organization = yield* seedOrganization()
      const importOf = (one: Lines) => importArchive(organization, filesOf(one), () => undefined)
      const inContext = (pattern: RegExp, value: string) =>
        Effect.gen(function*() {
          const at = lines.context.findIndex((line) => pattern.test(line))
          const context = lines.context.with(at, lines.context[at]!.replace(pattern, value))
          return [`line ${at + 1} of the context file`, yield* Effect.flip(importOf({ ...lines, context }))] as const
        })
      for (
        const [pattern, value] of [
          [/"samples":\d+/, "\"samples\":9007199254740991"],
          [/"samples":\d+/, "\"samples\":7"],
          [/"startedAt":"[^"]*"/, "\"startedAt\":\"nonsense\""],
          [/"startedAt":"[^"]*"/, "\"startedAt\":\"+200000-01-01T00:00:00.000Z\""],
          [/"status":"completed"(.*)"completedAt":"[^"]*"/, "\"status\":\"running\"$1\"completedAt\":null"],
          [/"message":"away/, "\"message\":\"a\\u0000b"],
          [/"message":"away/, "\"message\":\"a\\ud800b"],
          [/"sequence":1,/, "\"sequence\":9007199254740991,"]
        ] as const
      ) {
        const [where, error] = yield* inContext(pattern, value)
        expect(error).toMatchObject({ _tag: "InvalidExport", reason: "damaged" })
        expect(error.message).toContain(where)
      }
      const twice = { ...lines, context: lines.context.with(1, lines.context[0]!) }
      expect(yield* Effect.flip(importOf(twice))).toMatchObject({
        reason: "damaged",
        message: expect.stringContaining("line 2 of the context file")
      })
      for (
        const [pattern, value, where] of [
          [/"raw_response":"/, "$&\\u0000", "line 2 of the export"],
          [/"prompt_used":"/, "$&\\udfff", "line 2 of the export"],
          [/"created_at":"/, "$&+02", "line 2 of the export"],
          [
            /"keyword_id":"[^"]*"/,
            "\"keyword_id\":\"00000000-0000-7000-8000-00000000bbbb\"",
            "one of 14 lines after line 0"
          ]
        ] as const
      ) {
        const rows = lines.rows.with(1, lines.rows[1]!.replace(pattern, value))
        const error = yield* Effect.flip(importOf({ ...lines, rows }))
        expect(error).toMatchObject({ _tag: "InvalidExport", reason: "damaged" })
        expect(error.message).toContain(where)
      }
      expect(yield* importOf(lines)).toEqual({ answers: 14, scans: 3, seals: 2, resealed: 1 })
    })))

  it("an import that was interrupted while measuring is recognised", () =>
    run(Effect.gen(function*() {
      const { organizationId } = yield* failing
      const lines = yield* exported(organizationId)
      const organization = yield* seedOrganization()
      const { id } = organization
      const importAll = importArchive(organization, filesOf(lines), () => undefined)
      expect(yield* hasUnscored(id)).toBe(false)
      yield* importAll
      expect(yield* Effect.flip(importAll)).toMatchObject({ _tag: "OrganizationNotEmpty", unscored: true })
      // Newest first: cut after one
      yield* rescore(id, yield* planRescore(id, { scan: "latest" }), () => undefined)
      expect(yield* hasUnscored(id)).toBe(true)
      yield* rescore(id, yield* planRescore(id, {}), () => undefined)
      expect(yield* Effect.flip(importAll)).toMatchObject({ _tag: "OrganizationNotEmpty", unscored: false })
    })))
})
