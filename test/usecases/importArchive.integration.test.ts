/** An archive that comes back from its export, on a real database of each home: as it was, and as no news. */
import {
  anchorOf,
  archiveRowJson,
  DeliveryStore,
  exportContext,
  type ExportFiles,
  exportPages,
  importArchive,
  MailStore,
  type OrganizationId,
  OrganizationStore,
  planRescore,
  readScan,
  rescore,
  ScanStore,
  SealStore,
  setAlertRule,
  verifyArchive
} from "@sov/core"
import { address, at, seedEndpoint, seedOrganization } from "@sov/core/testing"
import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { answeredScan, scanWith, seed } from "../support/completedScans.ts"
import { homes } from "../support/homes.ts"
import { openStorage } from "../support/storage.ts"

/** The lines of an export of everything. */
const exported = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const head = yield* (yield* SealStore).head(organizationId)
  const pages = yield* Stream.runCollect(exportPages(organizationId, {}))
  const context = yield* Stream.runCollect(exportContext(organizationId, {}, head && anchorOf(head), () => undefined))
  return { rows: pages.flat().map((row) => JSON.stringify(archiveRowJson(row))), context }
})
type Lines = Effect.Success<ReturnType<typeof exported>>

const filesOf = ({ context, rows }: Lines): ExportFiles<never> => ({
  rows: Stream.fromIterable(rows),
  context: Stream.fromIterable(context.map((text, at) => ({ text, at }))),
  contextAt: (at) => Effect.succeed(context[at]!)
})

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
const news = Effect.fnUntraced(function*(organizationId: OrganizationId) {
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

const text = (named: number) => (keyword: number, platform: string): string | null =>
  keyword === 5 || platform === "assistant_b" && keyword > 1
    ? null
    : keyword < named
    ? "Take Acme Forge."
    : "Take Globex."

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)
  const { run } = storage

  it("brings ended scans back with their ends, and a cut one as cancelled; nobody hears of any of them", () =>
    run(Effect.gen(function*() {
      const original = yield* seed
      const first = yield* scanWith(original, 100, text(5))
      const second = yield* scanWith(original, 200, text(1))
      const cut = yield* answeredScan(original, 300, text(5))
      // One question of the cut scan is still open
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        update cell set state = 'open' where organization_id = ${original} and scan_id = ${cut.id}
          and id = (select id from cell where organization_id = ${original} and scan_id = ${cut.id} and state = 'failed' limit 1)
      `
      const { id, result } = yield* imported(yield* exported(original))
      expect(result).toEqual({ answers: 21, scans: 3, seals: 2, resealed: 1 })
      expect(yield* news(id)).toEqual({ events: 0, deliveries: 0, alerts: 0, mails: 0 })
      const scans = yield* ScanStore
      for (const { quotaPeriod: _, ...scan } of [first, second]) {
        expect(yield* scans.find(id, scan.id)).toMatchObject(scan)
      }
      const { archived, scan, score } = yield* readScan(id, cut.id)
      expect([scan.status, archived.answers, score]).toEqual(["cancelled", 7, null])
      expect(yield* problemsOf(id)).toEqual([])
    })))
})
