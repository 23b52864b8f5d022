/** Calls of the stores of sources and of upkeep, made by one organization for data of another. */
import { platformIds } from "@sov/core"
import { at, captureOf } from "@sov/core/testing"
import { resolvedUrlOf } from "../contracts/resolvedUrlStoreContract.ts"
import { type Tenants, versions } from "./tenants.ts"

/** The state of sources for an organization without sources. */
export const noSources = { scores: 0, trackedSetVersion: 0, resolvedUrls: 0, derived: 0 } as const

/** The first page of an archive search without a match. */
export const noPage = { rows: [], more: false, reached: null, begin: at(0) } as const

/** One part of the table in `tenancyCalls.ts`. */
export const sourceCalls = {
  SourceStore: {
    insert: ({ a, b }: Tenants) =>
      [
        [b, [{ ...captureOf().found, answerId: a.answers[0]!.id, sourceVersion: 5, derivedAt: at(50) }]],
        "refused"
      ] as const,
    underived: ({ a, b }: Tenants) => [[b, a.scan.id, 5, { bytes: 1_000_000 }], []] as const,
    counts: ({ a, b }: Tenants) => [[b, a.scan.id, captureOf().sourceVersion], { answers: 0, derived: 0 }] as const,
    countsOfScans: ({ a, b }: Tenants) => [[b, [a.scan.id], captureOf().sourceVersion], new Map()] as const,
    find: ({ a, b }: Tenants) => [[b, a.answers[0]!.id], null] as const,
    ofAnswers: ({ a, b }: Tenants) => [[b, a.answers.map(({ id }) => id)], []] as const,
    listReportingPlatforms: ({ a, b }: Tenants) => [[b, a.scan.id], new Set<never>()] as const,
    ofScans: ({ a, b }: Tenants) => [[b, [a.scan.id], versions], []] as const,
    stateOf: ({ a, b }: Tenants) => [[b, [a.scan.id]], noSources] as const,
    ofScan: ({ a, b }: Tenants) => [[b, a.scan.id], []] as const
  },
  OrganizationData: {
    tables: null,
    deletionRequests: null,
    tombstones: null,
    count: ({ b }: Tenants) => [[b], "own"] as const,
    requestDeletion: ({ b }: Tenants) => [[b, "b"], "own"] as const,
    cancelDeletion: ({ b }: Tenants) => [[b], false] as const,
    // B has requested no deletion itself
    delete: ({ b }: Tenants) => [[b, { by: "b", atOnce: false }], "refused"] as const,
    page: ({ b }: Tenants) => [[b, "answer", null], { rows: [], next: null }] as const
  },
  OrganizationStore: {
    create: null,
    findByCreation: null,
    findNamed: null,
    limited: null,
    list: null,
    page: null,
    find: null,
    lock: null,
    rename: ({ b }: Tenants) => [[b, `B ${b}`], "own"] as const,
    setTimeZone: ({ b }: Tenants) => [[b, "Europe/Berlin"], "own"] as const,
    setSuspension: ({ b }: Tenants) => [[b, { at: at(9), reason: "b" }], "own"] as const,
    setLimits: ({ b }: Tenants) => [[b, { requestRate: 3, monthlyBudgetUsd: 4 }], "own"] as const,
    setPlan: ({ b }: Tenants) => [[b, "business"], "own"] as const,
    setScanQuota: ({ b }: Tenants) => [[b, 3], "own"] as const
  },
  UpkeepStore: {
    count: ({ b }: Tenants) =>
      [[b, "mail", { before: at(99), removedBefore: at(99), deliveriesBefore: at(99) }], 0] as const,
    prune: ({ b }: Tenants) =>
      [[b, "mail", { before: at(99), removedBefore: at(99), deliveriesBefore: at(99) }, 9], 0] as const
  },
  ResolvedUrlStore: {
    listUnresolved: ({ b }: Tenants) =>
      [[b, { prefix: "https://", platforms: platformIds, since: new Date(0), limit: 9 }], []] as const,
    insert: ({ b }: Tenants) => [[b, resolvedUrlOf({ target: "https://b.example/" })], "own"] as const,
    listTargets: ({ b }: Tenants) => [[b, [resolvedUrlOf().url]], new Map()] as const
  }
}
