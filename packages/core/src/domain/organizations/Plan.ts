import { Schema } from "effect"

/** Plans that an organization can pay for, smallest first. */
export const PlanId = Schema.Literals(["free", "starter", "pro", "business", "enterprise"])
  .annotate({ identifier: "PlanId" })
export type PlanId = typeof PlanId.Type

/** What a plan allows. */
export interface Plan {
  readonly id: PlanId
  /** Whether the plan includes REST and the tool server: Pro and above. */
  readonly apiAccess: boolean
  /** Maximum number of manual scans in a UTC calendar month. */
  readonly monthlyScans: number
  /** Days of history that the dashboard shows; null shows all. The archive itself keeps everything. */
  readonly historyDays: number | null
}

/** The plans and what each allows. */
export const plans: { readonly [K in PlanId]: Plan } = {
  free: { id: "free", apiAccess: false, monthlyScans: 4, historyDays: 7 },
  starter: { id: "starter", apiAccess: false, monthlyScans: 10, historyDays: null },
  pro: { id: "pro", apiAccess: true, monthlyScans: 100, historyDays: null },
  business: { id: "business", apiAccess: true, monthlyScans: 500, historyDays: null },
  enterprise: { id: "enterprise", apiAccess: true, monthlyScans: 2000, historyDays: null }
}
