/** Calls of the stores of measurements and seals, made by one organization for data of another. */
import { makeSeal } from "@sov/core"
import { at, failureOf, measurementOf } from "@sov/core/testing"
import { type Tenants, versions } from "./tenants.ts"

/** One part of the table in `tenancyCalls.ts`. */
export const archiveCalls = {
  MeasurementStore: {
    insert: ({ a, b }: Tenants) => [[b, [measurementOf(a.answers[0]!, { measureVersion: 5 })]], "refused"] as const,
    noteFailure: ({ a, b }: Tenants) => [[b, failureOf(a.answers[0]!)], undefined] as const,
    // Counts over all organizations, for the operator
    countFailures: null,
    hasUntried: ({ a, b }: Tenants) => [[b, a.scan.id, { ...versions, measureVersion: 5 }], false] as const,
    findFailure: ({ a, b }: Tenants) => [[b, a.unmeasuredId], null] as const,
    unmeasured: ({ a, b }: Tenants) => [[b, a.scan.id, { ...versions, measureVersion: 5 }, 9], []] as const,
    counts: ({ a, b }: Tenants) => [[b, a.scan.id, versions], { answers: 0, measured: 0 }] as const,
    countsOfScans: ({ a, b }: Tenants) => [[b, [a.scan.id], versions], new Map()] as const,
    newest: ({ a, b }: Tenants) => [[b, a.scan.id, 9], []] as const,
    rows: ({ a, b }: Tenants) => [[b, a.scan.id, versions], []] as const,
    rowsOfScans: ({ a, b }: Tenants) => [[b, [a.scan.id], versions], null] as const,
    newestMentions: ({ a, b }: Tenants) => [[b, a.answers.map(({ id }) => id)], []] as const,
    newestByRules: ({ a, b }: Tenants) =>
      [[b, a.answers.map(({ id }) => id), { measureVersion: 1, icuVersion: "77.1" }], []] as const,
    originsOfScans: ({ a, b }: Tenants) => [[b, [a.scan.id]], new Map()] as const,
    countCommonCells: ({ a, b }: Tenants) => [[b, a.scan.id, [a.endedId], []], new Map()] as const,
    newMentions: ({ a, b }: Tenants) => [[b, a.scan.id, versions], []] as const,
    unmeasuredBefore: ({ a, b }: Tenants) => [[b, a.scan.id, versions, 9], []] as const
  },
  SealStore: {
    registered: ({ b }: Tenants) => [[b], []] as const,
    lockHead: ({ b }: Tenants) => [[b], null] as const,
    insert: ({ a, b }: Tenants) =>
      [
        [b, makeSeal({ scanId: a.scan.id, leaves: [], head: null, sealedAt: at(50) })],
        "refused"
      ] as const,
    ofScan: ({ a, b }: Tenants) => [[b, a.endedId], []] as const,
    ofAnswer: ({ a, b }: Tenants) => [[b, a.endedId, a.unmeasuredId], null] as const,
    head: ({ b }: Tenants) => [[b], null] as const,
    page: ({ b }: Tenants) => [[b, { after: 0, limit: 9 }], []] as const,
    headers: ({ b }: Tenants) => [[b, { after: 0, limit: 9 }], []] as const,
    coverage: ({ b }: Tenants) => [[b, { after: null, limit: 9 }], []] as const
  }
}
