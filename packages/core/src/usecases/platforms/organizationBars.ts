/** Finds organizations whose open questions must not be asked on a platform, from a worker's cache. */
import { Effect, Semaphore } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Organization } from "../../domain/organizations/Organization.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import type { CellFailure } from "../../ports/CellStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { findSpentBudget, findSuspension } from "../organizations/findScanBar.ts"

/** How often the limited organizations, and the spending of organizations with a budget, are read, in milliseconds. */
const readEveryMs = 2_000

/**
 * Finds suspended organizations, and organizations whose budget of the month is spent. Calls in flight, and those of
 * the last two seconds, can exceed a budget. A simulated platform costs nothing.
 */
export const makeOrganizationBars = ({ id: platform, simulated }: Pick<AnswerPlatform, "id" | "simulated">) => {
  const mutex = Semaphore.makeUnsafe(1)
  let readAt = -Infinity
  let limited = new Map<OrganizationId, Organization>()
  let bars = new Map<OrganizationId, CellFailure | null>()

  const refresh = Effect.fnUntraced(function*(nowMs: number) {
    if (nowMs >= readAt && nowMs - readAt < readEveryMs) return
    limited = new Map((yield* (yield* OrganizationStore).limited).map((one) => [one.id, one]))
    bars = new Map()
    readAt = nowMs
  }, mutex.withPermits(1))

  return {
    /** Why the organization's open questions fail now; null if they may be asked. */
    find: Effect.fnUntraced(function*(organizationId: OrganizationId, nowMs: number) {
      yield* refresh(nowMs)
      const organization = limited.get(organizationId)
      if (organization === undefined) return null
      const known = bars.get(organizationId)
      if (known !== undefined) return known
      const suspension = findSuspension(organization)
      const error = suspension ?? (simulated ? null : yield* findSpentBudget(organization))
      const failure: CellFailure | null = error === null ? null : {
        reason: suspension === null ? "budget" : "suspended",
        message: `${platform}: ${error.message}`,
        excerpt: null,
        status: null
      }
      bars.set(organizationId, failure)
      return failure
    })
  }
}
