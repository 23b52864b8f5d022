import { Schema } from "effect"
import { OrganizationId } from "../ids.ts"
import { PlanId } from "./Plan.ts"

/** Maximum length of the name of an organization, person, key, brand or competitor, in UTF-16 code units. */
export const maxNameLength = 200

/** A name for people: 1 to `maxNameLength` characters, at least one of them visible, no control characters. */
export const Name = Schema.String.check(
  Schema.makeFilter((s) =>
    s.trim() === s && s.length >= 1 && s.length <= maxNameLength && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(s)
      ? true
      : `must be 1–${maxNameLength} characters without control characters or outer spaces`
  )
)

/** The tenant. All other data belongs to exactly one organization. */
export const Organization = Schema.Struct({
  id: OrganizationId,
  name: Name,
  /** Short name for `--org`: lower-case letters, digits and hyphens; unique. */
  slug: Schema.String,
  plan: PlanId,
  /** IANA time zone of the schedule and of the days in reports. */
  timeZone: Schema.String,
  /** Overrides the plan's number of monthly manual scans; null uses the plan's. */
  scanQuota: Schema.NullOr(Schema.Int),
  /** Overrides the plan's number of history days; null uses the plan's. */
  historyDays: Schema.NullOr(Schema.Int),
  /** When the organization was suspended, so that it can only read and starts no scans; null if it is not suspended. */
  suspendedAt: Schema.NullOr(Schema.Date),
  /** The operator's reason for the suspension, which the organization sees. */
  suspendedFor: Schema.NullOr(Schema.String),
  /**
   * Maximum number of requests per minute over all of the organization's keys and all servers; null: only the limit of
   * each key applies.
   */
  requestRate: Schema.NullOr(Schema.Int),
  /**
   * Maximum cost of the organization's scans in a UTC month, in US dollars; null: only the limits of the platforms
   * apply.
   */
  monthlyBudgetUsd: Schema.NullOr(Schema.Number),
  createdAt: Schema.Date
})
export type Organization = typeof Organization.Type

/** Maximum length of the reason for a suspension, in UTF-16 code units. */
export const maxSuspensionReason = 500

/**
 * Maximum number of requests per minute that can be set as a limit, because the times of that many requests are stored
 * for each organization.
 */
export const maxRequestRate = 6000

/** Makes a slug from a name: "Café Müller & Co" → "cafe-muller-co"; a name without Latin letters or digits → "org". */
export const slugify = (name: string): string =>
  name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "")
    .slice(0, 60).replace(/-+$/, "") || "org"
