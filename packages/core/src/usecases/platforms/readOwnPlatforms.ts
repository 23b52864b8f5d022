import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { periodStart, quotaPeriod } from "../../domain/organizations/Quota.ts"
import { type OwnCalls, type RecentAnswers, UsageStore } from "../../ports/UsageStore.ts"
import { now } from "../now.ts"
import type { PlatformBinding } from "./readPlatformHealth.ts"

/** The state of a platform for one organization; null if the organization has not used it. */
export interface OwnPlatformReport {
  readonly id: PlatformBinding["id"]
  readonly recent: RecentAnswers | null
  readonly calls: OwnCalls | null
  /** Known cost in US dollars in the current UTC month; null for a simulated platform. */
  readonly spentUsd: number | null
}

/** The state of these platforms for one organization, based only on its own calls, in the given order. */
export const readOwnPlatforms = Effect.fn("readOwnPlatforms")(
  function*(organizationId: OrganizationId, bindings: ReadonlyArray<Pick<PlatformBinding, "id" | "simulated">>) {
    const usage = yield* UsageStore
    const read = (simulated: boolean) =>
      Effect.all([usage.recentOf(organizationId, simulated), usage.callsOf(organizationId, simulated)])
    const [real, simulated] = yield* Effect.all([read(false), read(true)])
    const spent = yield* usage.spentOf(organizationId, periodStart(quotaPeriod(yield* now)))
    return bindings.map(({ id, simulated: isSimulated }): OwnPlatformReport => {
      const [recent, calls] = isSimulated ? simulated : real
      return {
        id,
        recent: recent.find(({ platform }) => platform === id) ?? null,
        calls: calls.find(({ platform }) => platform === id) ?? null,
        spentUsd: isSimulated ? null : spent.find(({ platform }) => platform === id)?.costUsd ?? 0
      }
    })
  }
)
