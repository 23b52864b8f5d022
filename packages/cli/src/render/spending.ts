/** The cost of a scan, actual or estimated. */
import { pluralized } from "@sov/core/common"
import { spendingJson } from "@sov/core/organizations"
import { type CostEstimate, formatDollars, type PlatformSpending } from "@sov/core/platforms"
import { type PlatformName, printable, unlabelled } from "../output/Output.ts"

const sum = <A>(all: ReadonlyArray<A>, pick: (one: A) => number): number =>
  all.reduce((total, one) => total + pick(one), 0)

/**
 * Usage and known cost, per platform and in total, for programs. `charges` counts paid replies that are not answers;
 * `unpriced` counts answers and charges of unknown cost.
 */
export const spentJson = (spending: ReadonlyArray<PlatformSpending>) => ({
  cost_usd: sum(spending, (one) => one.costUsd),
  unpriced: sum(spending, (one) => one.unpriced),
  platforms: Object.fromEntries(
    spending.map((one) => [one.platform, spendingJson(one)])
  )
})

/** The cost as text, for people; null if no cost is known. */
export const spentText = (
  spending: ReadonlyArray<PlatformSpending>,
  platformName: PlatformName = unlabelled
): string | null => {
  const priced = spending.filter(({ answers, charges, unpriced }) => answers + charges > unpriced)
  if (priced.length === 0) return null
  const unpriced = sum(spending, (one) => one.unpriced)
  const charges = sum(spending, (one) => one.charges)
  return `Spent ${formatDollars(sum(priced, (one) => one.costUsd))}: ` +
    priced.map(({ costUsd, platform }) => `${platformName(platform)} ${formatDollars(costUsd)}`).join(", ") +
    (charges === 0 ? "" : `, with ${pluralized(charges, "call")} that left no answer`) +
    (unpriced === 0 ? "" : `; ${unpriced} replies without a known cost`)
}

const listKnownCosts = (estimates: ReadonlyArray<CostEstimate>) =>
  estimates.flatMap(({ costUsd }) => costUsd === null ? [] : [costUsd])

/** The estimate for programs. `cost_usd` is null if it is unknown; the total is null if no platform's cost is known. */
export const estimateJson = (estimates: ReadonlyArray<CostEstimate>) => ({
  cost_usd: listKnownCosts(estimates).length === 0 ? null : sum(listKnownCosts(estimates), (one) => one),
  platforms: Object.fromEntries(
    estimates.map(({ basedOn, budget, costUsd, platform }) => [platform, {
      cost_usd: costUsd,
      based_on_answers: basedOn,
      monthly_budget: budget === null ? null : {
        limit_usd: budget.limitUsd,
        spent_usd: budget.spentUsd,
        resets_at: budget.resetsAt.toISOString()
      }
    }])
  )
})

const describeBasis = ({ basedOn, platform }: CostEstimate, platformName: PlatformName): string =>
  basedOn === 0
    ? "assuming 100 tokens in and 1,000 out, and 10,000 in where searches are priced"
    : `from the last ${basedOn === 1 ? "answer" : `${basedOn} answers`} of ${platformName(platform)}`

/**
 * The estimate for one platform, such as "about $0.42, from the last 100 answers of assistant_a"; empty if nothing is
 * known.
 */
export const estimateText = (estimate: CostEstimate, platformName: PlatformName = unlabelled): string => {
  const { budget, costUsd } = estimate
  const cost = costUsd === null ? [] : [`about ${formatDollars(costUsd)}, ${describeBasis(estimate, platformName)}`]
  if (budget === null) return cost.join("")
  const left = budget.limitUsd - budget.spentUsd
  const monthSpentText = `${formatDollars(budget.spentUsd)} of this month's ${formatDollars(budget.limitUsd)} spent`
  return [
    ...cost,
    left <= 0
      ? `${monthSpentText}: it would not be asked, its questions would fail`
      : costUsd !== null && costUsd > left
      ? `${monthSpentText}: it would stop on the way, the questions left would fail`
      : monthSpentText
  ].join("; ")
}

/** The total estimate on one line; null if no cost is known. */
export const estimateTotal = (estimates: ReadonlyArray<CostEstimate>): string | null => {
  const costs = listKnownCosts(estimates)
  if (costs.length === 0) return null
  const unknown = estimates.filter(({ costUsd }) => costUsd === null).map(({ platform }) => platform)
  return `Estimated cost: ${formatDollars(sum(costs, (one) => one))}` +
    (unknown.length === 0 ? "." : `, without ${unknown.join(", ")} (cost not known).`)
}

/** Names the models without a known price, and says where to set one; null if every price is known. */
export const noPriceText = (
  estimates: ReadonlyArray<CostEstimate>,
  platforms: ReadonlyArray<{ readonly id: string; readonly model: string }>
): string | null => {
  const unknown = estimates.filter(({ costUsd }) => costUsd === null).map(({ platform }) => platform)
  const models = platforms.filter(({ id }) => unknown.some((one) => one === id)).map(({ model }) => printable(model))
  return models.length === 0
    ? null
    : `No price known for ${[...new Set(models)].join(", ")}: set prices in sov.config.json (docs/platforms.md).`
}

/** What one more view would add: its cost, or its calls if no cost is known. `calls` are those of all `views`. */
export const describeCostOfOneMoreView = (
  estimates: ReadonlyArray<CostEstimate>,
  views: number,
  calls: number
): string => {
  const known = listKnownCosts(estimates)
  return known.length === 0
    ? `One more view would make ${pluralized(calls / views, "more call")} a scan, at no known price.`
    : `One more view would cost about ${formatDollars(sum(known, (one) => one) / views)} a scan.`
}
