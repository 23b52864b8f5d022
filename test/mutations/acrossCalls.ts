/**
 * Calls that are missing in the table of `tenancyCalls.ts`: with further arguments, and of methods that work across
 * organizations, whose result for one organization must depend only on its own rows.
 */
import { AnswerId, retainedKinds } from "@sov/core"
import { at, newId } from "@sov/core/testing"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { outcomeOf } from "../contracts/webhookSeeds.ts"
import type { CallTable } from "../support/tenancyTable.ts"
import { startRecord, versions, withSecureRandom } from "../support/tenants.ts"

/** Calls with further arguments of methods in that table. */
export const moreCalls: CallTable = {
  ArchiveStore: {
    page: ({ a, b }) => [[b, { scanId: a.scan.id, named: true }, { limit: 9 }], []],
    restore: ({ a, b }) => [
      withSecureRandom(Effect.map(newId(AnswerId), (id) => [b, [{ ...a.answers[0]!, id }]])),
      "own"
    ]
  },
  CellStore: {
    results: ({ a, b }) => [[b, a.scan.id, {}, { limit: 9, after: a.cells[0]!.id }], []]
  },
  DeliveryStore: {
    list: ({ a, b }) => [[b, { limit: 9, eventId: a.sent.delivery.eventId }], []]
  },
  IdempotencyStore: {
    add: ({ a, b }) => [[b, { ...startRecord(a.endedId), key: "retry-2" }, at(99)], "own"]
  },
  MeasurementStore: {
    hasUntried: ({ a, b }) => [[b, a.endedId, { ...versions, measureVersion: 5 }], false]
  },
  RateLimiter: {
    // A whole day, because the times of the twin's requests are hours before those of the other organization
    take: ({ a, b }) => [[b, a.keyId, { count: 1, limit: 1, windowMs: 86_400_000 }], "own"],
    takeOfAll: ({ b }) => [[b, { count: 1, limit: 1, windowMs: 86_400_000 }], "own"]
  },
  UsageStore: { ofMonth: ({ b }) => [[new Date(0), at(9_999_999), b], "own"] }
}

/** For each kind of upkeep: removing rows older than a bound, and rows that name a removed recipient. */
export const upkeepCalls: ReadonlyArray<CallTable> = retainedKinds.flatMap((kind) =>
  [at(99_999), at(-99_999)].map((before): CallTable => {
    const cut = { before, removedBefore: at(99_999), deliveriesBefore: at(99_999) }
    return {
      UpkeepStore: {
        count: ({ b }) => [[b, kind, cut], 0],
        prune: ({ b }) => [[b, kind, cut, 9], 0]
      }
    }
  })
)

/** The hash of the twin's key or share link, which is the hash of the other organization's hash. */
const twinHash = (keyId: string) =>
  createHash("sha256").update(Buffer.from(keyId.replaceAll("-", "").repeat(2), "hex")).digest()

/** Calls of methods that work across organizations. */
export const acrossCalls: CallTable = {
  ApiKeyStore: { findByHash: ({ a }) => [[twinHash(a.keyId)], "own"] },
  ShareLinkStore: { findByHash: ({ a }) => [[twinHash(a.shareId)], "own"] },
  CellStore: {
    listOpen: () => [[false], "own"],
    queues: ({ a, b }) => [
      [
        "assistant_b",
        false,
        [],
        [a.organizationId, b].map((organizationId) => ({ organizationId, scanId: a.scan.id }))
      ],
      "own"
    ]
  },
  UsageStore: { ofMonth: () => [[new Date(0), at(9_999_999)], "own"] },
  ScanStore: { listRunning: () => [[], "own"], listSettled: () => [[], "own"] },
  MailStore: { listOrganizationsWithDueMail: () => [[at(99)], "own"] },
  MeasurementStore: { countFailures: () => [[5], "own"] },
  DeliveryStore: {
    queues: ({ a, b }) => [[new Map(), [a.organizationId, b]], "own"],
    // The same delivery in two organizations; for one of them it is the last attempt
    record: ({ a, b }) => [[[
      outcomeOf(a.sent, 99, { failure: "reset", retryAt: at(200) }),
      outcomeOf({ ...a.sent, organizationId: b }, 99, { failure: "reset", retryAt: null })
    ]], "own"]
  },
  OrganizationStore: { find: ({ b }) => [[b], "own"], lock: ({ b }) => [[b], "own"] },
  PersonStore: { listMemberships: ({ a }) => [[a.personId], "own"] },
  SessionStore: { findSession: ({ a }) => [[a.sessionHash], "own"] }
}
