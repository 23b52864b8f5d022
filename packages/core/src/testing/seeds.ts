/**
 * Rows for tests, created through the ports. Each seed creates its own organization, so that tests can share a database
 * without seeing each other's rows.
 */
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { type ArchivedAnswer, type Capture, provenanceFromAnswer } from "../domain/archive/ArchiveRow.ts"
import { hashLeaf } from "../domain/archive/Seal.ts"
import type { CardEdit } from "../domain/card/BusinessCard.ts"
import type { CardDecision } from "../domain/card/claims/judgedFacts.ts"
import { AnswerId, BrandId, CellId, ChargeId, CompetitorId, KeywordId, OrganizationId, ScanId } from "../domain/ids.ts"
import type { Organization } from "../domain/organizations/Organization.ts"
import type { Charge } from "../domain/platforms/Cost.ts"
import type { Cell } from "../domain/scanning/Cell.ts"
import type { Scan } from "../domain/scanning/Scan.ts"
import type { Score } from "../domain/scoring/Score.ts"
import { hashPayload } from "../domain/sources/captureAnswer.ts"
import { sourceVersion } from "../domain/sources/Source.ts"
import type { Keyword } from "../domain/tracking/Keyword.ts"
import type { TrackedSet } from "../domain/tracking/TrackedSet.ts"
import type { TrafficLine } from "../domain/traffic/AiTraffic.ts"
import { ArchiveStore } from "../ports/ArchiveStore.ts"
import { CellStore } from "../ports/CellStore.ts"
import { KeywordStore } from "../ports/KeywordStore.ts"
import type { MeasurementFailure, StoredMeasurement } from "../ports/MeasurementStore.ts"
import { OrganizationStore } from "../ports/OrganizationStore.ts"
import { ScanStore } from "../ports/ScanStore.ts"
import type { StoragePorts } from "../ports/StoragePorts.ts"
import { TrackedSetStore } from "../ports/TrackedSetStore.ts"
import { newId } from "../usecases/newId.ts"

/** Every storage port, and the source of ids. */
export type Stores = StoragePorts | SecureRandom.SecureRandom

/** The time of most seeded rows. `at(n)` is exactly n seconds after `at(0)`. */
export const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 31, 23, 59, 58, 123) + seconds * 1000)

/**
 * Texts that a careless store would change: quotes, braces, backslashes, line ends, marks, other scripts, emoji, SQL.
 */
export const hostileTexts: ReadonlyArray<string> = [
  "  leading, trailing \t\r\n ",
  `"'\\{a,"b"}$1 $$ -- ; drop table answer; --`,
  "e\u0301 \u200B\uFEFF \u{1F6E0}\uFE0F 日本語 עברית \u202Eevil",
  "null",
  "\u0001\u001F\u007F\uFFFD",
  ""
]

/** An organization as the use case would create it, not stored. */
export const organization = (fields: Partial<Organization> = {}) =>
  Effect.map(newId(OrganizationId), (id): Organization => ({
    id,
    name: `Org ${id}`,
    slug: `org-${id}`,
    plan: "pro",
    timeZone: "UTC",
    scanQuota: null,
    historyDays: null,
    suspendedAt: null,
    suspendedFor: null,
    requestRate: null,
    monthlyBudgetUsd: null,
    createdAt: at(0),
    ...fields
  }))

/** An organization, stored. */
export const seedOrganization = Effect.fnUntraced(function*(fields: Partial<Organization> = {}) {
  const made = yield* organization(fields)
  yield* (yield* OrganizationStore).create(made)
  return made
})

/** A brand with two competitors, not stored. */
export const trackedSet = Effect.fnUntraced(function*(version = 1) {
  const competitor = (name: string) =>
    Effect.map(newId(CompetitorId), (id) => ({ id, name, aliases: [], domains: [`${name.toLowerCase()}.example`] }))
  const set: TrackedSet = {
    version,
    brand: {
      id: yield* newId(BrandId),
      name: "Acme Forge",
      aliases: ["AcmeForge", "Acmé “Forge”"],
      domains: ["acmeforge.example"],
      excludes: ["Acme Corp"]
    },
    competitors: [yield* competitor("Globex"), yield* competitor("Initech")],
    createdAt: at(version)
  }
  return set
})

/** Active keywords with the given texts, not stored. */
export const keywords = (texts: ReadonlyArray<string>) =>
  Effect.forEach(
    texts,
    (text, n) => Effect.map(newId(KeywordId), (id): Keyword => ({ id, text, status: "active", createdAt: at(n) }))
  )

/** A running scan, not stored. */
export const scan = (fields: Partial<Scan> = {}) =>
  Effect.map(newId(ScanId), (id): Scan => ({
    id,
    status: "running",
    scanType: "manual",
    platforms: ["assistant_a", "assistant_b"],
    samples: 1,
    cellCount: 4,
    simulated: false,
    trackedSetVersion: 1,
    quotaPeriod: "2026-01",
    startedAt: at(10),
    completedAt: null,
    ...fields
  }))

/** The provenance that is stored with an answer. */
export const captureOf = (fields: Partial<Capture> = {}): Capture => ({
  search: "offered",
  payloadSha256: "5a".repeat(32),
  sourceVersion,
  found: {
    status: "complete",
    sources: [{
      kind: "cited",
      url: "https://www.acmeforge.example/a?utm_source=x",
      title: "Anvils \u{1F6E0}",
      start: 0,
      end: 10,
      page: "https://acmeforge.example/a",
      host: "acmeforge.example",
      domain: "acmeforge.example"
    }, {
      kind: "retrieved",
      url: "https://globex.example/",
      title: null,
      start: null,
      end: null,
      page: "https://globex.example/",
      host: "globex.example",
      domain: "globex.example"
    }],
    queries: ["best anvil", "who forges, best?"],
    cut: 0
  },
  ...fields
})

/** An answer to a cell, not stored; by default its leaf has version 2. */
export const answerTo = Effect.fnUntraced(
  function*(cell: Cell, fields: Partial<ArchivedAnswer> = {}, leafVersion: 1 | 2 = 2) {
    const id = yield* newId(AnswerId)
    const shown = {
      id,
      scanId: cell.scanId,
      platform: cell.platform,
      keywordId: cell.keywordId,
      promptUsed: cell.prompt,
      rawResponse: `Acme Forge leads for ${cell.prompt}.`,
      createdAt: at(20),
      ...fields
    }
    const payload = fields.payload ?? Uint8Array.of(0, 1, 254, 255)
    const made = {
      model: "test-model",
      simulated: false,
      ...leafVersion === 1 ? {} : { capture: captureOf({ payloadSha256: hashPayload(payload) }) },
      ...fields
    }
    const answer: ArchivedAnswer = {
      cellId: cell.id,
      sample: cell.sample,
      payload,
      leafHash: hashLeaf({ ...shown, provenance: provenanceFromAnswer(made) }),
      adapter: "openai-compatible",
      latencyMs: 1234,
      finish: "stop",
      usage: { inputTokens: 12, outputTokens: 345, costUsd: 0.000123 },
      citations: [{ url: "https://acmeforge.example/a?b=1", title: null, position: 1 }],
      ...shown,
      ...made
    }
    return answer
  }
)

/** The usage of a scan's call that returned no answer, not stored. */
export const chargeOf = (scanId: ScanId, fields: Partial<Charge> = {}) =>
  Effect.map(newId(ChargeId), (id): Charge => ({
    id,
    scanId,
    platform: "assistant_a",
    kind: "unanswered",
    usage: { inputTokens: 12, outputTokens: 345, costUsd: 0.1 + 0.2 },
    createdAt: at(20),
    ...fields
  }))

/** A measurement of an answer, not stored. */
export const measurementOf = (
  answer: Pick<ArchivedAnswer, "id">,
  fields: Partial<StoredMeasurement> = {}
): StoredMeasurement => ({
  answerId: answer.id,
  measureVersion: 1,
  trackedSetVersion: 1,
  icuVersion: "77.1",
  brandMentioned: true,
  mentionCount: 1,
  mentionPosition: 1,
  sentiment: "positive",
  sentimentBy: "rules",
  sovScore: 100,
  competitorsMentioned: [],
  mentions: [{ entity: "brand", start: 0, end: 10 }],
  measuredAt: at(21),
  ...fields
})

/** A failure to measure an answer, not stored. */
export const failureOf = (
  answer: Pick<ArchivedAnswer, "id">,
  fields: Partial<MeasurementFailure> = {}
): MeasurementFailure => ({
  answerId: answer.id,
  measureVersion: 1,
  trackedSetVersion: 1,
  reason: "deadline",
  failedAt: at(60),
  ...fields
})

/** A score of a scan, not stored. Most of its numbers have no short decimal form. */
export const scoreOf = (scanId: ScanId, fields: Partial<Score> = {}): Score => ({
  scanId,
  measureVersion: 1,
  trackedSetVersion: 1,
  icuVersion: "77.1",
  avgSov: 100 / 3,
  platformBreakdown: { assistant_a: 200 / 3, assistant_b: 0 },
  lowCoverage: ["assistant_b"],
  competitors: [],
  nobody: 200 / 3,
  brandedOnly: false,
  resultsCount: 3,
  unmeasuredCount: 0,
  failedCount: 1,
  noOverviewCount: 0,
  mentionedCount: 1,
  uncertainty: {
    keywords: 5,
    interval: { low: 100 / 7, high: 200 / 3 },
    platforms: { assistant_a: { low: 0.1 + 0.2, high: 100 }, assistant_b: null },
    samplingInterval: null,
    mentionRate: { mentioned: 1, answers: 3, rate: 100 / 3, low: 100 / 17, high: 79.2 }
  },
  ...fields
})

/** An edit of the business card, not stored. */
export const cardEdit = (edit: Partial<CardEdit> = {}): CardEdit => ({
  field: "name",
  value: ["Acme"],
  source: "a test",
  updatedAt: at(0),
  ...edit
})

/** A judge's decision about an answer: that a fact of the card is contradicted. */
export const cardDecision = (answerId: AnswerId, decision: Partial<CardDecision> = {}): CardDecision => ({
  answerId,
  factHash: "f".repeat(64),
  fact: "slogan",
  says: "Harder.",
  verdict: "contradicts",
  quote: "Softer",
  start: 4,
  judgedBy: "assistant_a m-1",
  judgedAt: at(40),
  ...decision
})

/** The rows that `seedScan` created. */
export interface SeededScan {
  readonly organization: Organization
  readonly organizationId: OrganizationId
  readonly set: TrackedSet
  readonly keywords: ReadonlyArray<Keyword>
  readonly scan: Scan
  readonly cells: ReadonlyArray<Cell>
}

/** Another running scan of an organization over its keywords, with open cells that are due at `at(10)`. */
export const addScan = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  asked: ReadonlyArray<Keyword>,
  fields: Partial<Scan> = {}
) {
  const made = yield* scan({ cellCount: asked.length * 2, ...fields })
  yield* (yield* ScanStore).insert(organizationId, made)
  const questions = made.platforms.flatMap((platform) => asked.map((keyword) => ({ keyword, platform })))
  const cells = yield* Effect.forEach(questions, ({ keyword, platform }) =>
    Effect.map(newId(CellId), (id): Cell => ({
      id,
      scanId: made.id,
      keywordId: keyword.id,
      prompt: keyword.text,
      platform,
      sample: 1,
      attempts: 0,
      firstAttemptAt: null
    })))
  yield* (yield* CellStore).insert(organizationId, cells, at(10))
  return { scan: made, cells }
})

/** An organization with a brand, two competitors, two keywords and a running scan on two platforms: four open cells. */
export const seedScan = Effect.fnUntraced(function*(fields: Partial<Scan> = {}) {
  const made = yield* seedOrganization()
  const set = yield* trackedSet()
  yield* (yield* TrackedSetStore).append(made.id, set)
  const asked = yield* (yield* KeywordStore).add(made.id, yield* keywords(["best anvil?", "which forge?"]))
  const seeded: SeededScan = {
    organization: made,
    organizationId: made.id,
    set,
    keywords: asked,
    ...yield* addScan(made.id, asked, fields)
  }
  return seeded
})

/** Answers every cell, one second apart by `createdAt`: archives and measures each answer and ends its cell. */
export const seedAnswers = Effect.fnUntraced(function*(
  { cells, organizationId }: Pick<SeededScan, "cells" | "organizationId">,
  from = 20
) {
  const archive = yield* ArchiveStore
  return yield* Effect.forEach(
    cells,
    Effect.fnUntraced(function*(cell, n) {
      const answer = yield* answerTo(cell, { createdAt: at(from + n) })
      yield* archive.archive(organizationId, answer, measurementOf(answer))
      return answer
    })
  )
})

let lines = 0

/** A counted line of a log, with its own id; by default a referrer signal on 2026-03-01 (UTC). */
export const trafficLine = (fields: Partial<TrafficLine> = {}): TrafficLine => ({
  id: String(++lines).padStart(8, "x"),
  time: Date.UTC(2026, 2, 1),
  signal: "referrer",
  source: "chatgpt",
  tag: "",
  foreignReferrer: false,
  path: "/",
  ...fields
})
