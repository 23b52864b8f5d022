/** Two organizations; the first has rows in every table that contains rows of organizations. */
import {
  AlertStore,
  type AnnotationId,
  AnnotationStore,
  type AnswerId,
  type ApiKeyId,
  ApiKeyStore,
  type ArchivedAnswer,
  type AuditEntryId,
  AuditLog,
  BrandingStore,
  BusinessCardStore,
  CellStore,
  DeliveryStore,
  type EventId,
  ExperimentEnds,
  type ExperimentId,
  IdempotencyStore,
  KeywordStore,
  makeSeal,
  MeasurementStore,
  noBranding,
  OrganizationData,
  type PersonId,
  QuotaLedger,
  RateLimiter,
  ResolvedUrlStore,
  type ScanId,
  ScanStore,
  ScheduleStore,
  ScoreStore,
  SealStore,
  type ShareLinkId,
  ShareLinkStore,
  type StartRecord,
  TrackedSetStore,
  TrafficStore,
  UsageStore
} from "@sov/core"
import {
  addScan,
  at,
  cardDecision,
  cardEdit,
  chargeOf,
  failureOf,
  scoreOf,
  seedAnswers,
  type SeededScan,
  seedOrganization,
  seedScan,
  trafficLine
} from "@sov/core/testing"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { seedActions } from "../contracts/actionStoreContract.ts"
import { seedAlerts } from "../contracts/alertStoreContract.ts"
import { auditEntry } from "../contracts/auditLogContract.ts"
import { seedDigest } from "../contracts/digestStoreContract.ts"
import { resolvedUrlOf } from "../contracts/resolvedUrlStoreContract.ts"
import { scheduleOf, skippedRun } from "../contracts/scheduleStoreContract.ts"
import { outcomeOf, seedDelivery } from "../contracts/webhookSeeds.ts"
import { keptDetailOf } from "./keptDetails.ts"
import { seedMembership, seedSession } from "./people.ts"

export const versions = { measureVersion: 1, trackedSetVersion: 1 }
export const failure = { reason: "timeout", message: "late", excerpt: null, status: null } as const
export const dropRule = { rule: "sov_drop", enabled: true, threshold: 40, sensitivity: "immediate" } as const
export const period = "2026-01"
export const withSecureRandom = <A>(effect: Effect.Effect<A, unknown, SecureRandom.SecureRandom>) =>
  Effect.provide(effect, SecureRandom.layerWebCrypto)

export const startRecord = (scanId: ScanId): StartRecord => ({
  key: "retry-1",
  fingerprint: new Uint8Array(32),
  scanId,
  estimatedSeconds: 1,
  createdAt: at(10)
})

/** The data of organization A, and organization B, which asks for them. */
export interface Tenants {
  readonly a: SeededScan & {
    readonly answers: ReadonlyArray<ArchivedAnswer>
    readonly keyId: ApiKeyId
    readonly entryId: AuditEntryId
    readonly alertId: EventId
    readonly endedId: ScanId
    /** The id of an answer that could not be measured. */
    readonly unmeasuredId: AnswerId
    readonly mailId: EventId
    /** Hash of the token of a session of the member. */
    readonly sessionHash: Uint8Array
    readonly personId: PersonId
    readonly shareId: ShareLinkId
    readonly annotationId: AnnotationId
    readonly experimentId: ExperimentId
    readonly sent: Effect.Success<ReturnType<typeof seedDelivery>>
  }
  readonly b: SeededScan["organizationId"]
}

/**
 * Creates both organizations. A has rows in every table: a completed scan with everything that belongs to it, and a
 * running scan with open cells.
 */
export const tenants = Effect.gen(function*() {
  const ended = yield* seedScan()
  const { organizationId } = ended
  const [answer] = yield* seedAnswers({ ...ended, cells: ended.cells.slice(0, 3) })
  yield* (yield* MeasurementStore).noteFailure(organizationId, failureOf(answer!, { measureVersion: 5 }))
  yield* (yield* CellStore).fail(organizationId, ended.cells[3]!.id, failure)
  const score = scoreOf(ended.scan.id)
  yield* (yield* ScoreStore).insert(organizationId, score, at(30))
  yield* (yield* ScoreStore).keepDetail(organizationId, score, keptDetailOf(ended.scan.id, ended.set))
  yield* (yield* SealStore).insert(
    organizationId,
    makeSeal({
      scanId: ended.scan.id,
      leaves: [{ id: answer!.id, hash: answer!.leafHash }],
      head: null,
      sealedAt: at(30),
      facts: {
        version: 4,
        stopped: { experiment: ended.organization.id as string as ExperimentId, reason: "a" },
        tracked_set: 1,
        tracked_set_sha256: "a".repeat(64),
        measure_version: 1
      }
    })
  )
  yield* (yield* ScanStore).end(organizationId, ended.scan.id, "completed", at(30))
  yield* (yield* QuotaLedger).take(organizationId, period, 5)
  yield* (yield* TrackedSetStore).ignore(organizationId, { name: "Hooli", form: "hooli", ignoredAt: at(30) })
  yield* (yield* BusinessCardStore).append(organizationId, [cardEdit(), cardEdit({ value: ["Acme Forge"] })], at(30))
  yield* (yield* BusinessCardStore).addDecisions(organizationId, [cardDecision(answer!.id)])
  yield* (yield* BusinessCardStore).attest(organizationId, { by: "a", at: at(30), cardHash: "a".repeat(64) })
  yield* (yield* TrafficStore).add(organizationId, [trafficLine({ id: "ofTenant" })], "v1")
  yield* (yield* IdempotencyStore).add(organizationId, startRecord(ended.scan.id), at(0))
  const keyId = ended.organization.id as string as ApiKeyId
  yield* (yield* ApiKeyStore).insert(organizationId, {
    id: keyId,
    name: "a",
    prefix: "p",
    lastFour: "4444",
    scopes: ["read", "scan"],
    createdAt: at(1),
    expiresAt: null,
    rolled: false,
    revokedAt: null,
    lastUsedAt: null
  }, Buffer.from(keyId.replaceAll("-", "").repeat(2), "hex"))
  const shareId = ended.organization.id as string as ShareLinkId
  yield* (yield* ShareLinkStore).insert(organizationId, {
    id: shareId,
    name: "a",
    from: null,
    to: null,
    withAnswers: false,
    createdAt: at(1),
    expiresAt: at(1000),
    revokedAt: null,
    lastUsedAt: null
  }, Buffer.from(shareId.replaceAll("-", "").repeat(2), "hex"))
  const annotationId = ended.organization.id as string as AnnotationId
  yield* seedActions(organizationId)
  const experimentId = ended.organization.id as string as ExperimentId
  yield* (yield* ExperimentEnds).insert(organizationId, experimentId, at(1000))
  yield* (yield* AnnotationStore).insert(organizationId, {
    id: annotationId,
    day: "2026-01-02",
    text: "a",
    createdAt: at(1)
  })
  yield* (yield* BrandingStore).save(organizationId, { ...noBranding, sender: "a" })
  yield* (yield* RateLimiter).take(organizationId, keyId, { count: 1, limit: 1, windowMs: 60_000 })
  yield* (yield* RateLimiter).takeOfAll(organizationId, { count: 1, limit: 1, windowMs: 60_000 })
  const entry = yield* withSecureRandom(auditEntry(1))
  yield* (yield* AuditLog).record(organizationId, [entry])
  const mailId = yield* seedAlerts(organizationId, ended.scan.id)
  const [alert] = yield* (yield* AlertStore).list(organizationId, { limit: 1 })
  yield* (yield* UsageStore).charge(ended.organizationId, yield* chargeOf(ended.scan.id))
  yield* (yield* ScheduleStore).save(organizationId, scheduleOf())
  yield* (yield* ScheduleStore).record(organizationId, skippedRun())
  yield* seedDigest(organizationId)
  yield* (yield* OrganizationData).requestDeletion(organizationId, "a")
  const personId = yield* seedMembership(organizationId)
  const session = yield* seedSession(personId)
  yield* (yield* ResolvedUrlStore).insert(organizationId, resolvedUrlOf())
  yield* (yield* KeywordStore).addTags(organizationId, [{ keywordId: ended.keywords[0]!.id, tag: "a" }])
  const german = { name: "germany", country: "DE", language: "de", context: null }
  yield* (yield* KeywordStore).addView(organizationId, german, at(30))
  for (const { id: keywordId } of ended.keywords) {
    yield* (yield* KeywordStore).setWording(organizationId, { view: german.name, keywordId, text: "Welcher?" })
  }
  const running = yield* seedRunning(ended)
  const sent = yield* seedDelivery({}, organizationId)
  yield* (yield* DeliveryStore).record([outcomeOf(sent, 31, { failure: "reset", retryAt: at(60) })])
  const found: Tenants = {
    a: {
      ...ended,
      ...running,
      endedId: ended.scan.id,
      unmeasuredId: answer!.id,
      entryId: entry.id,
      alertId: alert!.id,
      keyId,
      mailId,
      personId,
      shareId,
      annotationId,
      experimentId,
      sessionHash: session.hash,
      sent
    },
    b: (yield* seedOrganization()).id
  }
  return found
})

/** Creates a second scan of the same organization: three of its cells are answered, `cells[3]` stays open. */
const seedRunning = Effect.fnUntraced(function*(seed: SeededScan) {
  const { cells, scan: row } = yield* addScan(seed.organizationId, seed.keywords, { startedAt: at(40) })
  const answers = yield* seedAnswers({ ...seed, cells: cells.slice(0, 3) }, 41)
  return { cells, scan: row, answers }
})
