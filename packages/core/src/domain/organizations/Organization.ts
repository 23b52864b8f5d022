import { Schema } from "effect"
import { OrganizationId } from "../ids.ts"
import { PlanId } from "./Plan.ts"

/** The longest name of an organization, person, key, brand or competitor, in UTF-16 code units. */
export const maxNameLength = 200

/** Human-readable name: 1 to `maxNameLength` characters, at least one of them visible, no control characters. */
export const Name = Schema.String.check(
  Schema.makeFilter((s) =>
    s.trim() === s && s.length >= 1 && s.length <= maxNameLength && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(s)
      ? true
      : `must be 1–${maxNameLength} characters without control characters or outer spaces`
  )
)

/** The tenant: all other data belongs to exactly one. */
export const Organization = Schema.Struct({
  id: OrganizationId,
  name: Name,
  /** Short name for `--org`: lower-case letters, digits and hyphens; unique. */
  slug: Schema.String,
  plan: PlanId,
  /** IANA time zone of schedules and day boundaries in reports. */
  timeZone: Schema.String,
  /** Overrides the plan's monthly manual scans; null = the plan's. */
  scanQuota: Schema.NullOr(Schema.Int),
  /** Overrides the plan's history days; null = the plan's. */
  historyDays: Schema.NullOr(Schema.Int),
  /** Since when it can only read and starts no scan; null = it is not suspended. */
  suspendedAt: Schema.NullOr(Schema.Date),
  /** The operator's reason for the suspension, as shown to the organization. */
  suspendedFor: Schema.NullOr(Schema.String),
  /**
   * Maximum number of requests per minute over all its keys and all servers; null = only the limit of each key applies.
   */
  requestRate: Schema.NullOr(Schema.Int),
  /** Maximum cost of its scans in US dollars in a UTC month; null = only the limits of the platforms apply. */
  monthlyBudgetUsd: Schema.NullOr(Schema.Number),
  createdAt: Schema.Date
})
export type Organization = typeof Organization.Type

/** The longest reason for a suspension, in UTF-16 code units. */
export const maxSuspensionReason = 500

/** The largest limit of requests per minute: the times of up to that many requests are stored for each organization. */
export const maxRequestRate = 6000

/** A slug from a name: "Café Müller & Co" → "cafe-muller-co"; a name without Latin letters or digits → "org". */
export const slugify = (name: string): string =>
  name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "")
    .slice(0, 60).replace(/-+$/, "") || "org"
