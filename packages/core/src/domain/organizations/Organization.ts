import { Schema } from "effect"
import { OrganizationId } from "../ids.ts"
import { PlanId } from "./Plan.ts"

/** The longest name of an organization, person, key, brand or competitor, in UTF-16 code units. */
export const maxNameLength = 200

/** Human-readable name: 1 to `maxNameLength` characters with something to see in them, no control characters. */
export const Name = Schema.String.check(
  Schema.makeFilter((s) =>
    s.trim() === s && s.length >= 1 && s.length <= maxNameLength && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(s)
      ? true
      : `must be 1–${maxNameLength} characters without control characters or outer spaces`
  )
)

/** The tenant: everything else belongs to exactly one. */
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
  /** It reads and starts no scan since then; null = it is not suspended. */
  suspendedAt: Schema.NullOr(Schema.Date),
  /** Why the operator suspended it, as the organization is told. */
  suspendedFor: Schema.NullOr(Schema.String),
  /** Most requests a minute of all its keys together, on all servers; null = no limit beside those of each key. */
  requestRate: Schema.NullOr(Schema.Int),
  /** Most US dollars that its scans may cost in a UTC month; null = no limit beside those of the platforms. */
  monthlyBudgetUsd: Schema.NullOr(Schema.Number),
  createdAt: Schema.Date
})
export type Organization = typeof Organization.Type

/** The longest reason of a suspension, in UTF-16 code units. */
export const maxSuspensionReason = 500

/** The largest limit of requests a minute: the times of that many are kept for each organization. */
export const maxRequestRate = 6000

/** A slug from a name: "Café Müller & Co" → "cafe-muller-co"; a name without Latin letters or digits → "org". */
export const slugify = (name: string): string =>
  name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "")
    .slice(0, 60).replace(/-+$/, "") || "org"
