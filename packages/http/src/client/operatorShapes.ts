/** Shapes of the REST API's bodies, the operator's. Written by `npm run docs` from the API's contract. */
import type { Platform } from "./shapes.ts"

/** What an organization pays for, from least to most. */
export type Plan = "free" | "starter" | "pro" | "business" | "enterprise"

/** An organization as the operator sees it. */
export interface Organization {
  readonly id: string
  readonly name: string
  /** Short name: part of addresses, and the value of `--org` */
  readonly slug: string
  readonly plan: Plan
  /** IANA time zone of its pages, e-mails and reports; a schedule has its own */
  readonly time_zone: string
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** Since when and why no scan starts, while results can be read; null = it is not suspended */
  readonly suspended: {
    /** ISO 8601, UTC, milliseconds */
    readonly since: string
    readonly reason: string | null
  } | null
  /** Null = that of the plan, or no limit of its own */
  readonly limits: {
    readonly scans_per_month: number | null
    readonly requests_per_minute: number | null
    readonly monthly_budget_usd: number | null
  }
  /** When it is deleted; null = nobody requested that */
  readonly deletion_due_at: string | null
}

/** A page of organizations, oldest first. */
export interface OrganizationPage {
  /** Oldest first */
  readonly data: ReadonlyArray<Organization>
  readonly meta: {
    readonly count: number
    readonly next_cursor: string | null
  }
}

/** An organization to be created. */
export interface CreateOrganization {
  readonly name?: string
  readonly plan?: Plan
  readonly brand?: {
    readonly name: string
    readonly aliases?: ReadonlyArray<string>
    readonly domains?: ReadonlyArray<string>
    readonly excludes?: ReadonlyArray<string>
    readonly context?: ReadonlyArray<string>
  }
  readonly competitors?: ReadonlyArray<{
    readonly name: string
    readonly aliases?: ReadonlyArray<string>
    readonly domains?: ReadonlyArray<string>
    readonly context?: ReadonlyArray<string>
  }>
  readonly keywords?: ReadonlyArray<{
    readonly text: string
  }>
  readonly limits?: {
    /** Manual scans in a UTC month; null = the plan's */
    readonly scans_per_month?: number | null
    /** Requests of all its keys together, on all servers, REST and tools; null = only each key's limit */
    readonly requests_per_minute?: number | null
    /** What its scans may cost in a UTC month; null = only the platforms' budgets */
    readonly monthly_budget_usd?: number | null
  }
}

/** What changes of an organization. */
export interface EditOrganization {
  readonly name?: string
  readonly plan?: Plan
  /** IANA time zone, such as `Europe/Berlin` */
  readonly time_zone?: string
  readonly limits?: {
    /** Manual scans in a UTC month; null = the plan's */
    readonly scans_per_month?: number | null
    /** Requests of all its keys together, on all servers, REST and tools; null = only each key's limit */
    readonly requests_per_minute?: number | null
    /** What its scans may cost in a UTC month; null = only the platforms' budgets */
    readonly monthly_budget_usd?: number | null
  }
}

/** A deletion that was requested. */
export interface RequestedDeletion {
  readonly organization_id: string
  /** It is deleted then, or up to an hour later; until then it can be cancelled */
  readonly due_at: string
}

/** What is left of a deleted organization. */
export interface Tombstone {
  readonly sov_tombstone: 1
  readonly organization_id: string
  /** The newest seal; null = it had none */
  readonly head: {
    readonly sequence: number
    readonly hash: string
  } | null
  /** Deleted rows of each table */
  readonly rows: { readonly [name: string]: number }
  readonly requested_at: string | null
  readonly requested_by: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly deleted_at: string
  readonly deleted_by: string
  readonly public_key: string
  /** Ed25519 over the other members, in hex */
  readonly signature: string
  /** Whether it is what was signed */
  readonly valid: boolean
}

/** Requested and done deletions. */
export interface DeletionList {
  readonly requests: ReadonlyArray<{
    readonly organization_id: string
    /** ISO 8601, UTC, milliseconds */
    readonly requested_at: string
    readonly requested_by: string
    /** ISO 8601, UTC, milliseconds */
    readonly due_at: string
  }>
  /** Of deleted organizations, oldest first */
  readonly tombstones: ReadonlyArray<Tombstone>
}

/** An API key of an organization, never the key itself. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly last_four: string
  readonly scopes: ReadonlyArray<"read" | "scan">
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

/** An API key to be created. */
export interface CreateApiKey {
  readonly name: string
  /** Both when left out */
  readonly scopes?: ReadonlyArray<"read" | "scan">
  /** A day or a time; never when left out */
  readonly expires_at?: string
}

/** An API key that was created, with the key itself. */
export interface CreatedApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly last_four: string
  readonly scopes: ReadonlyArray<"read" | "scan">
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
  /** The key itself, in this answer only: its hash alone is stored */
  readonly key: string
}

/** A member of an organization. */
export interface Member {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly role: "owner" | "member" | "viewer"
  /** `invited` until the first sign-in */
  readonly status: "invited" | "active"
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  readonly signed_in_at: string | null
}

/** A member to be invited. */
export interface InviteMember {
  readonly email: string
  /** `viewer` when left out */
  readonly role?: "owner" | "member" | "viewer"
  readonly name?: string
}

/** A member who was invited. */
export interface InvitedMember {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly role: "owner" | "member" | "viewer"
  /** False: was a member already, and keeps the role */
  readonly added: boolean
  readonly mailed: boolean
  /** The link that signs in, once and for seven days, in this answer only; null when it was mailed */
  readonly url: string | null
  readonly expires_at: string | null
}

/** What one organization used in a month. */
export interface OrganizationUsage {
  readonly organization_id: string
  readonly slug: string
  readonly name: string
  readonly scans: number
  /** Calls of the platforms, failed ones too */
  readonly calls: number
  /** Archived answers */
  readonly answers: number
  /** Replies that used something and left no answer */
  readonly charges: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly searches: number
  /** US dollars, as far as they are known */
  readonly cost_usd: number
  /** Answers and charges whose cost is not known */
  readonly unpriced: number
  readonly platforms: ReadonlyArray<{
    readonly platform: Platform
    /** Calls of the platforms, failed ones too */
    readonly calls: number
    /** Archived answers */
    readonly answers: number
    /** Replies that used something and left no answer */
    readonly charges: number
    readonly input_tokens: number
    readonly output_tokens: number
    readonly searches: number
    /** US dollars, as far as they are known */
    readonly cost_usd: number
    /** Answers and charges whose cost is not known */
    readonly unpriced: number
  }>
}

/** What organizations used in a month. */
export interface Usage {
  /** UTC: 2026-11 */
  readonly month: string
  /** Oldest first. Simulated, recorded and imported answers asked nobody and are not counted */
  readonly organizations: ReadonlyArray<OrganizationUsage>
  readonly total: {
    readonly scans: number
    /** Calls of the platforms, failed ones too */
    readonly calls: number
    /** Archived answers */
    readonly answers: number
    /** Replies that used something and left no answer */
    readonly charges: number
    readonly input_tokens: number
    readonly output_tokens: number
    readonly searches: number
    /** US dollars, as far as they are known */
    readonly cost_usd: number
    /** Answers and charges whose cost is not known */
    readonly unpriced: number
  }
}
