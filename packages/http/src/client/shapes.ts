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
    /** Null if no configuration is known */
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
  /** Topics of these keywords: those that ask the same in other words are one; null if unknown */
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
  /** Whether its answers are those of APIs or of apps; null if unknown or simulated */
  readonly surface?: "api" | "app" | null
  /** The view that was asked from; null is the standard one */
  readonly view?: string | null
  /** Whose view the numbers are, in one line: surface, web search, market, persona. Older servers omit it */
  readonly surface_line?: string
  /** Present only if the simulated adapter made up the answers */
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
    /** Null if no configuration is known */
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
  /** Topics of these keywords: those that ask the same in other words are one; null if unknown */
  readonly topics?: number | null
  /** Whether its answers are those of APIs or of apps; null if unknown or simulated */
  readonly surface?: "api" | "app" | null
  /** The view that was asked from; null is the standard one */
  readonly view?: string | null
  /** Present only if the simulated adapter made up the answers */
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
  /** Present only if the simulated adapter made up the answers */
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
  /** Name of the judge; present only if a judge decided the sentiment */
  readonly sentiment_by?: string
  readonly sov_score: number | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** Whether its answers are those of APIs or of apps; null if unknown or simulated */
  readonly surface?: "api" | "app" | null
  /** The view that was asked from; null is the standard one */
  readonly view?: string | null
  /** The market as it was sent, or `not expressible`, and what the settings add; null if nothing was said */
  readonly market?: {
    readonly country: string | null
    readonly language: string | null
    readonly persona?: string
    readonly place?: string
    readonly search_engine?: string
  } | null
  /** Present only if the simulated adapter made up the answers */
  readonly simulated?: true
  /** Only with include=sources, as are the members below. From 2 on the seal covers them */
  readonly leaf_version?: 1 | 2 | 3
  /** Model, as the platform named it */
  readonly model?: string
  /** Whether the platform could search the web, or had to; null if unknown */
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

/** A plan of an experiment, as it is registered. */
export interface NewExperiment {
  /** 1 to 200 characters */
  readonly name: string
  /** What will be changed for the treated topics, in one line of at most 200 characters */
  readonly change: string
  /** Day of the change in UTC, tomorrow at the earliest */
  readonly from: string
  /** Last day; the result is there from the day after on */
  readonly until: string
  /** Only these keywords; all active ones when left out */
  readonly keyword_ids?: ReadonlyArray<string>
  /** Only active keywords with one of these tags, beside keyword_ids; branded and unbranded are computed */
  readonly tags?: ReadonlyArray<string>
  /** Scans from the change on that count, 1 to 20; 4 */
  readonly scans?: number
}

/** A plan of an experiment that was sealed. */
export interface Experiment {
  readonly id: string
  readonly name: string
  readonly change: string
  readonly from: string
  readonly until: string
  readonly state: "planned" | "running" | "ended" | "stopped"
  /** Number and hash of the seal that holds the plan */
  readonly seal: string
  /** ISO 8601, UTC, milliseconds */
  readonly sealed_at: string
  /** Seed of the draw */
  readonly seed: string
  readonly power: {
    /** The smallest rise, in points, that is called one with this probability */
    readonly rise: number | null
    readonly probability: number
    readonly topics: number
    readonly scans_before: number
    readonly scans_after: number
  }
  readonly stopped: {
    /** ISO 8601, UTC, milliseconds */
    readonly at: string
    readonly reason: string
  } | null
}

/** An experiment with its draw, its progress and, after its end, its result. */
export interface ExperimentDetail {
  readonly id: string
  readonly name: string
  readonly change: string
  readonly from: string
  readonly until: string
  readonly state: "planned" | "running" | "ended" | "stopped"
  /** Number and hash of the seal that holds the plan */
  readonly seal: string
  /** ISO 8601, UTC, milliseconds */
  readonly sealed_at: string
  /** Seed of the draw */
  readonly seed: string
  readonly power: {
    /** The smallest rise, in points, that is called one with this probability */
    readonly rise: number | null
    readonly probability: number
    readonly topics: number
    readonly scans_before: number
    readonly scans_after: number
  }
  readonly stopped: {
    /** ISO 8601, UTC, milliseconds */
    readonly at: string
    readonly reason: string
  } | null
  readonly pairs: ReadonlyArray<{
    readonly treated: ReadonlyArray<string>
    readonly held_out: ReadonlyArray<string>
  }>
  readonly progress: {
    readonly scans_before: number
    readonly scans_after: number
  }
  /** Platforms that have changed since: they leave it without a verdict */
  readonly breaks: ReadonlyArray<{
    readonly platform: Platform
    readonly reason: string
    readonly before: string
    readonly after: string
  }>
  /** ISO 8601, UTC, milliseconds */
  readonly result_at: string
  /** Null before the end, and of one that was ended early */
  readonly verdict: "rise" | "fall" | "no_effect" | "broken" | null
  readonly sentence: string
  /** Why there is no verdict after the end */
  readonly broken: string | null
  /** What the treated topics gained beyond those held out, points */
  readonly effect: number | null
  /** 95 % interval of the effect, points; null before the end and without a verdict */
  readonly interval: {
    readonly low: number
    readonly high: number
  } | null
  readonly placebo: {
    readonly effect: number | null
    /** 95 % interval of the effect, points; null before the end and without a verdict */
    readonly interval: {
      readonly low: number
      readonly high: number
    } | null
  } | null
  readonly platforms: ReadonlyArray<{
    readonly platform: Platform
    readonly effect: number | null
    /** 95 % interval of the effect, points; null before the end and without a verdict */
    readonly interval: {
      readonly low: number
      readonly high: number
    } | null
  }>
}

/** All experiments, newest first. */
export interface ExperimentList {
  /** Newest first */
  readonly experiments: ReadonlyArray<Experiment>
}

/** What was decided about an action. */
export interface ActionMark {
  /** The same as long as rule and subject are */
  readonly id: string
  readonly rule:
    | "fact_contradicted"
    | "page_without_you"
    | "rival_leads"
    | "question_lost"
    | "own_page_not_cited"
    | "own_page_not_naming"
    | "spelling_untracked"
    | "untracked_leader"
  readonly title: string
  readonly state: "done" | "dismissed" | "later"
  readonly until: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly marked_at: string
}

/** Something to do, with its evidence. */
export interface Action {
  /** The same as long as rule and subject are */
  readonly id: string
  readonly rule:
    | "fact_contradicted"
    | "page_without_you"
    | "rival_leads"
    | "question_lost"
    | "own_page_not_cited"
    | "own_page_not_naming"
    | "spelling_untracked"
    | "untracked_leader"
  readonly title: string
  readonly why: string
  /** A page, a keyword's id, a fact of the card or a name */
  readonly subject: string
  /** Answers behind it */
  readonly answers: number
  readonly keyword_ids: ReadonlyArray<string>
  readonly platforms: ReadonlyArray<Platform>
  readonly competitor_ids: ReadonlyArray<string>
  /** Up to five of these answers, newest first */
  readonly answer_ids: ReadonlyArray<string>
  /** Per cent of the answers concerned that show what is wanted */
  readonly rate_here: number
  /** The same of the answers that they are compared with */
  readonly rate_elsewhere: number
  /** What may be in it on these questions, in points: an association, not a cause */
  readonly effect_points_95: {
    readonly low: number
    readonly high: number
  } | null
  /** Points of answers that name the brand, or that cite the page */
  readonly effect_of: "named" | "cited" | null
  /** Always null: no experiment can show the effect, as a page answers all its questions */
  readonly experiment: {
    readonly scans: number
    readonly answers: number
    /** Null if a platform's cost is unknown */
    readonly cost_usd: number | null
  } | null
  /** Why an action that was marked is listed again */
  readonly back: {
    readonly from: "done" | "later"
    /** ISO 8601, UTC, milliseconds */
    readonly since: string
  } | null
}

/** What to do next, and what was decided about earlier actions. */
export interface ActionList {
  /** What it rests on, newest first */
  readonly scans: ReadonlyArray<string>
  /** ISO 8601, UTC, milliseconds */
  readonly as_of: string
  readonly answers: number
  /** Everything that was tested; most differs by no more than chance */
  readonly candidates: number
  /** At most ten: wrong facts first, then by answers */
  readonly actions: ReadonlyArray<Action>
  readonly marked: ReadonlyArray<ActionMark>
  /** Present only if the simulated adapter made up the answers */
  readonly simulated?: true
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
