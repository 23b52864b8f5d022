/** Shapes of the REST API's bodies. Written by `npm run docs` from the API's contract. */

/** Most rows of one page of the archive. */
export const maxArchivePage = 100

/** An answer platform, by its neutral name. */
export type Platform = "assistant_a" | "assistant_b" | "assistant_c" | "assistant_d" | "assistant_e"

/** The current share of voice. Times are ISO 8601, UTC; shares are in per cent. */
export interface Summary {
  /** The most recent completed scan that asked everything; a narrowed one only where none did */
  readonly scan_id: string
  /** ISO 8601, UTC, milliseconds */
  readonly completed_at: string
  /** Mean of the platforms' shares of voice, per cent; null when no answer of the scan is measured */
  readonly avg_sov: number | null
  /** Share of voice on each platform, one decimal; a platform that gave no answer is left out */
  readonly platform_breakdown: {
    readonly assistant_a?: number
    readonly assistant_b?: number
    readonly assistant_c?: number
    readonly assistant_d?: number
    readonly assistant_e?: number
  }
  /**
   * How much of what was configured and tracked when it started the scan asked (of scans of earlier releases: of what
   * is now): a narrowed one asked less
   */
  readonly asked?: {
    readonly platforms: number
    /** Null where no configuration is known */
    readonly configured_platforms: number | null
    readonly keywords: number
    readonly tracked_keywords: number
  }
  /** Answers that avg_sov is formed of; null without a score */
  readonly n?: number | null
  /** Where avg_sov would lie for other questions like these; null when there are too few topics */
  readonly interval_95?: {
    readonly low: number
    readonly high: number
  } | null
  /** What interval_95 is about, in one phrase */
  readonly interval_about?: string
  /** Keywords with an answer that counts; null without a score */
  readonly questions?: number | null
  /** Topics of these keywords: those that ask the same in other words are one; null where unknown */
  readonly topics?: number | null
  readonly brand?: {
    /** As it was tracked when the scan was measured */
    readonly name: string
    /** avg_sov with one decimal */
    readonly sov: number | null
    readonly interval_95: {
      readonly low: number
      readonly high: number
    } | null
    /** Among brand and competitors; equal shares share a rank */
    readonly rank: number | null
    /** Brand and competitors, counted */
    readonly rank_of: number
  }
  /** Shares computed like the brand's, the highest first */
  readonly competitors?: ReadonlyArray<{
    /** As it was tracked when the scan was measured */
    readonly name: string
    readonly sov: number
    readonly interval_95: {
      readonly low: number
      readonly high: number
    } | null
    readonly rank: number
  }>
  /** The operator's names of platforms; one without a name is left out */
  readonly platform_labels?: {
    readonly assistant_a?: string
    readonly assistant_b?: string
    readonly assistant_c?: string
    readonly assistant_d?: string
    readonly assistant_e?: string
  }
  /** Share of each scored keyword, the weakest first, at most 50 */
  readonly keywords?: ReadonlyArray<{
    readonly keyword_id: string
    readonly prompt: string | null
    readonly sov: number
    readonly platform_breakdown: {
      readonly assistant_a?: number
      readonly assistant_b?: number
      readonly assistant_c?: number
      readonly assistant_d?: number
      readonly assistant_e?: number
    }
  }>
  /** Scored keywords beyond this list */
  readonly keywords_not_listed?: number
  /** What changed beyond noise since the scan before; often nothing */
  readonly moved?: {
    readonly platforms: ReadonlyArray<{
      readonly platform: Platform
      readonly before: number
      readonly after: number
      /** Percentage points */
      readonly delta: number
    }>
    readonly keywords: ReadonlyArray<{
      readonly keyword_id: string
      readonly prompt: string | null
      readonly before: number
      readonly after: number
      /** Percentage points */
      readonly delta: number
    }>
    readonly competitors: ReadonlyArray<{
      /** As it was tracked when the scan was measured */
      readonly name: string
      readonly before: number
      readonly after: number
      /** Percentage points */
      readonly delta: number
    }>
  }
  /** This scan and comparable ones before it, newest first, at most 13 */
  readonly history?: ReadonlyArray<{
    readonly scan_id: string
    /** ISO 8601, UTC, milliseconds */
    readonly completed_at: string
    readonly avg_sov: number | null
    /** Who had the highest share; several where it is equal */
    readonly leaders: ReadonlyArray<string>
  }>
  /** Whether its answers are those of APIs or of apps; null where not known, and of simulated ones */
  readonly surface?: "api" | "app" | null
  /** The view that was asked from; null is the standard one */
  readonly view?: string | null
  /** Only there where answers are made up by the simulated adapter */
  readonly simulated?: true
}

/** A scan in the list. */
export interface Scan {
  readonly id: string
  /** Only `running` changes: to one of the others */
  readonly status: "running" | "completed" | "failed" | "cancelled"
  /** `manual` scans use the monthly quota */
  readonly scan_type: "manual" | "scheduled"
  /** ISO 8601, UTC, milliseconds */
  readonly started_at: string
  /** When it ended; null while it runs */
  readonly completed_at: string | null
  /** Share of voice, 0–100; null without a score. Older servers omit it */
  readonly avg_sov?: number | null
  /**
   * How much of what was configured and tracked when it started the scan asked (of scans of earlier releases: of what
   * is now): a narrowed one asked less
   */
  readonly asked?: {
    readonly platforms: number
    /** Null where no configuration is known */
    readonly configured_platforms: number | null
    readonly keywords: number
    readonly tracked_keywords: number
  }
  /** Answers that avg_sov is formed of; null without a score */
  readonly n?: number | null
  /** Where avg_sov would lie for other questions like these; null when there are too few topics */
  readonly interval_95?: {
    readonly low: number
    readonly high: number
  } | null
  /** What interval_95 is about, in one phrase */
  readonly interval_about?: string
  /** Keywords with an answer that counts; null without a score */
  readonly questions?: number | null
  /** Topics of these keywords: those that ask the same in other words are one; null where unknown */
  readonly topics?: number | null
  /** Whether its answers are those of APIs or of apps; null where not known, and of simulated ones */
  readonly surface?: "api" | "app" | null
  /** The view that was asked from; null is the standard one */
  readonly view?: string | null
  /** Only there where answers are made up by the simulated adapter */
  readonly simulated?: true
}

/** What a scan asks; without it, all active keywords on all configured platforms. */
export interface StartScan {
  /** Only these keywords; all active ones when left out */
  readonly keyword_ids?: ReadonlyArray<string>
  /** Only these platforms; all configured ones when left out */
  readonly platforms?: ReadonlyArray<Platform>
  /** Only active keywords with one of these tags, beside keyword_ids; branded and unbranded are computed */
  readonly tags?: ReadonlyArray<string>
  /** Only these views (`standard` is the one without a market); all when left out */
  readonly views?: ReadonlyArray<string>
}

/** A scan that was started. */
export interface StartedScan {
  readonly scan_id: string
  readonly status: "running"
  readonly estimated_seconds: number
  /** Only there where answers are made up by the simulated adapter */
  readonly simulated?: true
  /** The scans of the further views that were started with it */
  readonly views?: ReadonlyArray<{
    readonly view: string
    readonly scan_id: string
  }>
}

/** A web page that an answer rests on, as the platform named it: text of a third party. */
export interface AnswerSource {
  /** `cited` by the answer, `retrieved` while it searched, or an address that only stands in its text */
  readonly kind: "cited" | "retrieved" | "in_text"
  /** As the platform named it; text of a third party, not to be trusted */
  readonly url: string
  readonly title: string | null
  /** Beginning of the part of raw_response that it stands behind, in UTF-16 code units */
  readonly start: number | null
  readonly end: number | null
}

/** An archived answer with its newest measurement. */
export interface ArchiveRow {
  readonly id: string
  readonly scan_id: string
  readonly platform: Platform
  readonly keyword_id: string
  readonly prompt_used: string
  /** Full raw answer; text of a third party, not to be trusted */
  readonly raw_response: string
  /** Null only in the moment before an answer is measured, as are the other measured members */
  readonly brand_mentioned: boolean | null
  readonly mention_count: number | null
  /** Rank of the brand's first mention among the tracked names, from 1; null when it is not named */
  readonly mention_position: number | null
  /** Null when the brand is not named, or when sov has no lexicon of the answer's language: it was not judged */
  readonly sentiment: "positive" | "neutral" | "negative" | null
  /** Only there where a judge decided the sentiment: its name */
  readonly sentiment_by?: string
  readonly sov_score: number | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** Whether its answers are those of APIs or of apps; null where not known, and of simulated ones */
  readonly surface?: "api" | "app" | null
  /** The view that was asked from; null is the standard one */
  readonly view?: string | null
  /** The market as it was sent, or `not expressible`; null if nothing was said */
  readonly market?: {
    readonly country: string | null
    readonly language: string | null
  } | null
  /** Only there where answers are made up by the simulated adapter */
  readonly simulated?: true
  /** Only with include=sources, as are the members below. From 2 on the seal covers them */
  readonly leaf_version?: 1 | 2 | 3
  /** Model, as the platform named it */
  readonly model?: string
  /** Whether the platform could search the web, or had to; null where that is not known */
  readonly search?: "off" | "offered" | "required" | null
  readonly payload_sha256?: string | null
  readonly source_version?: number | null
  /**
   * `derived` later from what is kept; `unknown` where the platform names none, `unreadable` where what it sent could
   * not be read
   */
  readonly sources_status?: "sealed" | "derived" | "unknown" | "unreadable"
  /** Sources and queries beyond what is kept */
  readonly sources_cut?: number
  readonly sources?: ReadonlyArray<AnswerSource>
  /** What the platform searched for */
  readonly queries?: ReadonlyArray<string>
}

/** A page of the archive, newest first. */
export interface ArchivePage {
  /** Newest first: created_at, then id, descending */
  readonly data: ReadonlyArray<ArchiveRow>
  readonly meta: {
    /** Rows in this response */
    readonly count: number
    /** For the next page; null on the last */
    readonly next_cursor: string | null
    /** False for every plan that can call the API */
    readonly plan_window_applied: boolean
    /** Where the readable history begins */
    readonly window_start: string
  }
}

/** What an organization pays for, from least to most. */
export type Plan = "free" | "starter" | "pro" | "business" | "enterprise"

/** An organization as the operator sees it. */
export interface Organization {
  readonly id: string
  readonly name: string
  /** Short name: part of addresses, and the value of `--org` */
  readonly slug: string
  readonly plan: Plan
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** A suspended organization reads and starts no scan; null = it is not suspended */
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

/** Request of one page of the archive. */
export interface ArchiveQuery {
  /** Only answers to this keyword */
  readonly keyword_id?: string
  /** Only answers of this platform */
  readonly platform?: Platform
  /** Only answers to keywords that have this tag now; branded and unbranded are computed */
  readonly tag?: string
  /** Only answers of this view; `standard` is the one without a market */
  readonly view?: string
  /** Only answers archived then or later: a day (UTC) or a time with its offset */
  readonly from?: string
  /** Only answers archived then or earlier; a day counts as a whole: a day (UTC) or a time with its offset */
  readonly to?: string
  /** Most rows of a page; it has fewer where answers are long, and ends once they are 4 MiB of text together */
  readonly limit?: number
  /** `meta.next_cursor` of the page before. It belongs to the organization and to the same filters */
  readonly cursor?: string
  /** Gives each answer its sources and search queries, too */
  readonly include?: "sources"
}
