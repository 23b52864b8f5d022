/** Reads the period of a page from its address. */
import { dateBound } from "@sov/core/common"
import { againstChoices, type ComparedPeriods, earlierPeriod, endingAt, type PeriodName } from "@sov/core/scoring"
import { Effect, Schema } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { periodNames, type PeriodQuery } from "../pages/period.ts"
import { readFilter } from "./query.ts"

/** The period requested in an address. */
export interface ReadPeriod {
  readonly query: PeriodQuery
  /** The two compared periods; null = only the latest scan. */
  readonly compared: ComparedPeriods | null
  /** Why the days are not accepted; null = they are accepted. */
  readonly fault: string | null
}

const latest: ReadPeriod = { query: {}, compared: null, fault: null }

/**
 * The period from `period`, `from`, `to` and `against`; days without a name are own days. Refuses unknown period names;
 * reports invalid days as `fault`.
 */
export const readPeriod = Effect.fnUntraced(function*(request: Pick<OrganizationRequest, "at" | "query">) {
  const named = yield* readFilter(request, "period", Schema.Literals(periodNames))
  const [from, to] = [request.query.get("from") ?? "", request.query.get("to") ?? ""]
  const period = named ?? (from + to === "" ? undefined : "own")
  if (period === undefined) return latest
  const against = yield* readFilter(request, "against", Schema.Literals([...againstChoices, "none"]))
  const query: PeriodQuery = { period, against, ...period === "own" ? { from, to } : {} }
  const own = { from: dateBound(from, "from"), to: dateBound(to, "to") }
  if (period === "own" && (own.from === null || own.to === null)) {
    return { query, compared: null, fault: "Enter both days as YYYY-MM-DD." } satisfies ReadPeriod
  }
  if (period === "own" && own.from! > own.to!) {
    return { query, compared: null, fault: "The first day is after the last day." } satisfies ReadPeriod
  }
  const chosen = period === "own" ? { from: own.from!, to: own.to! } : endingAt(request.at, period as PeriodName)
  const compared: ComparedPeriods = {
    period: chosen,
    against: against === "none" ? null : earlierPeriod(chosen, against ?? "before")
  }
  const read: ReadPeriod = { query, compared, fault: null }
  return read
})

/** The compared periods of a file, which has no form for a fault: refuses days that are not accepted with the fault. */
export const readFilePeriod = Effect.fnUntraced(function*(request: Pick<OrganizationRequest, "at" | "query">) {
  const { compared, fault } = yield* readPeriod(request)
  return fault === null ? compared : yield* new PageRefused({ status: 400, words: fault })
})
