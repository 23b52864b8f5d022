/** The organizations of a person, side by side. */
import { historyWindowAt } from "@sov/core/organizations"
import { isOperator } from "@sov/core/people"
import { formatNarrowing, readPortfolio } from "@sov/core/scoring"
import { Effect } from "effect"
import type { PersonRequest } from "../guard/PageRequest.ts"
import { sendCsv, showPage } from "../guard/Reply.ts"
import { portfolioPage, type PortfolioRow } from "../pages/portfolio.ts"
import { oneDigit } from "./replies.ts"

/** Each organization as far as its own plan shows. */
const read = ({ at, visitor: { memberships } }: PersonRequest) =>
  Effect.map(
    readPortfolio(memberships.map(({ organization }) => ({
      organizationId: organization.id,
      window: historyWindowAt(organization, at)
    }))),
    (entries) => entries.map((entry, i): PortfolioRow => ({ ...entry, organization: memberships[i]!.organization }))
  )

/** GET /portfolio */
export const showPortfolio = (request: PersonRequest) =>
  Effect.gen(function*() {
    const operator = yield* isOperator(request.visitor.person.id)
    return showPage(portfolioPage({ rows: yield* read(request), operator, theme: request.theme, at: request.at }))
  })

/** GET /portfolio.csv */
export const downloadPortfolio = (request: PersonRequest) =>
  Effect.map(read(request), (rows) =>
    sendCsv<PortfolioRow>("portfolio.csv", {
      organization: ({ organization }) => organization.slug,
      name: ({ organization }) => organization.name,
      scan_id: ({ latest }) => latest?.scan.id,
      completed_at: ({ latest }) => latest?.scan.completedAt?.toISOString(),
      sov: ({ latest }) => oneDigit(latest?.score.avgSov),
      interval_low: ({ latest }) => oneDigit(latest?.score.uncertainty?.interval?.low),
      interval_high: ({ latest }) => oneDigit(latest?.score.uncertainty?.interval?.high),
      delta: ({ movements }) => oneDigit(movements?.comparison?.trend?.delta),
      direction: ({ movements }) => movements?.comparison?.trend?.direction,
      simulated: ({ latest }) => latest?.scan.simulated,
      asked: ({ latest }) => latest === null ? null : formatNarrowing(latest.scan)
    }, rows))
