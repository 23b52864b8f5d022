/** Why an organization may start no scan and ask no more questions: it is suspended, or its monthly budget is spent. */
import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Organization } from "../../domain/organizations/Organization.ts"
import { periodEnd, periodStart, quotaPeriod } from "../../domain/organizations/Quota.ts"
import { assumedCost } from "../../domain/platforms/Cost.ts"
import { AnswerPlatforms } from "../../ports/AnswerPlatform.ts"
import { UsageStore } from "../../ports/UsageStore.ts"
import { BudgetSpent, OrganizationSuspended } from "../errors.ts"
import { now } from "../now.ts"

/** Tolerance for sums of binary fractions: ten times 0.3 is a little less than 3. */
const roundingUsd = 1e-9

/**
 * Cost of the organization's scans in the UTC month of `at`, in US dollars. A reply of unknown cost counts with the
 * expected cost of its platform, as in the platforms' budgets; null if that is unknown for any reply.
 */
export const readOrganizationSpending = Effect.fnUntraced(function*(organizationId: OrganizationId, at: Date) {
  const usage = yield* UsageStore
  const { all } = yield* AnswerPlatforms
  const spent = yield* usage.spentOf(organizationId, periodStart(quotaPeriod(at)))
  const unpriced = spent.some((one) => one.unpriced > 0)
  const recent = unpriced ? yield* usage.recent(false) : []
  return spent.reduce<number | null>((sum, { costUsd, platform, unpriced }) => {
    const mean = recent.find((one) => one.platform === platform)?.mean ?? null
    const each = unpriced === 0 ? 0 : assumedCost(all.get(platform)?.prices, mean)
    return sum === null || each === null ? null : sum + costUsd + unpriced * each
  }, 0)
})

/** The error for a suspended organization; null if it is not suspended. */
export const findSuspension = ({ suspendedAt, suspendedFor }: Organization): OrganizationSuspended | null =>
  suspendedAt === null ? null : new OrganizationSuspended({ since: suspendedAt, reason: suspendedFor })

/** The error for an organization whose monthly budget is spent; null if it has no budget, or has some of it left. */
export const findSpentBudget = Effect.fnUntraced(function*({ id, monthlyBudgetUsd }: Organization) {
  if (monthlyBudgetUsd === null) return null
  const at = yield* now
  const spentUsd = yield* readOrganizationSpending(id, at)
  if (spentUsd !== null && spentUsd < monthlyBudgetUsd - roundingUsd) return null
  const period = quotaPeriod(at)
  return new BudgetSpent({ period, budgetUsd: monthlyBudgetUsd, spentUsd, resetsAt: periodEnd(period) })
})
