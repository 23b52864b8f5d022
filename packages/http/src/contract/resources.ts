/** Bodies of the operations. Objects based on simulated answers have an additional member, `simulated: true`. */
import {
  maxAnnotationText,
  maxShortKeywords,
  maxStartKeywords,
  maxStartTags,
  maxTagFilterLength,
  maxViewName,
  maxViews,
  platformIds,
  uuidInAnyCase
} from "@sov/core/contract"
import { Schema } from "effect"
import { Count } from "./numbers.ts"

export const Time = Schema.String.annotate({ format: "date-time", description: "ISO 8601, UTC, milliseconds" })
export const Id = Schema.String.annotate({ format: "uuid" })

/** One of the five answer platforms. */
export const Platform = Schema.Literals(platformIds).annotate({
  identifier: "Platform",
  description: "Answer platform, by its neutral name",
  message: `must be one of ${platformIds.join(", ")}`
})

export const simulated = {
  simulated: Schema.optionalKey(
    Schema.Literal(true).annotate({
      description: "Present only if the simulated adapter made up the answers"
    })
  )
}

const Percent = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

const tagLength = `must have 1 to ${maxTagFilterLength} characters`
/** A tag as clients send it. */
export const TagText = Schema.String.annotate({ message: tagLength }).check(
  Schema.isBetweenLength(1, maxTagFilterLength, { message: tagLength })
)

/** What a share is based on and how certain it is; older servers omit these members. */
const formedOf = {
  asked: Schema.optionalKey(
    Schema.Struct({
      platforms: Count,
      configured_platforms: Schema.NullOr(Count).annotate({ description: "Null if no configuration is known" }),
      keywords: Count,
      tracked_keywords: Count
    }).annotate({
      description:
        "How much of what was configured and tracked when it started the scan asked (of scans of earlier releases: of what is now): a narrowed one asked less"
    })
  ),
  n: Schema.optionalKey(
    Schema.NullOr(Count).annotate({ description: "Answers that avg_sov is formed of; null without a score" })
  ),
  interval_95: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ low: Percent, high: Percent })).annotate({
      description: "Where avg_sov would lie for other questions like these; null when there are too few topics"
    })
  ),
  interval_about: Schema.optionalKey(
    Schema.String.annotate({ description: "What interval_95 is about, in one phrase" })
  ),
  questions: Schema.optionalKey(
    Schema.NullOr(Count).annotate({ description: "Keywords with an answer that counts; null without a score" })
  ),
  topics: Schema.optionalKey(
    Schema.NullOr(Count).annotate({
      description: "Topics of these keywords: those that ask the same in other words are one; null if unknown"
    })
  )
}

export const ViewName = Schema.String.check(
  Schema.isBetweenLength(1, maxViewName, { message: "must be the name of a view" })
)

/** The view that a number applies to. */
export const view = {
  surface: Schema.optionalKey(
    Schema.NullOr(Schema.Literals(["api", "app"])).annotate({
      description: "Whether its answers are those of APIs or of apps; null if unknown or simulated"
    })
  ),
  view: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "The view that was asked from; null is the standard one" })
  )
}

const Interval95 = Schema.NullOr(Schema.Struct({ low: Percent, high: Percent }))
const Breakdown = Schema.Record(Platform, Schema.optionalKey(Percent))
const Name = Schema.String.annotate({ description: "As it was tracked when the scan was measured" })
const Prompt = Schema.NullOr(Schema.String)
const change = { before: Percent, after: Percent, delta: Schema.Finite.annotate({ description: "Percentage points" }) }
const Rank = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Details behind the current share of voice: names and shares; older servers omit these members. */
const standing = {
  brand: Schema.optionalKey(
    Schema.Struct({
      name: Name,
      sov: Schema.NullOr(Percent).annotate({ description: "avg_sov with one decimal" }),
      interval_95: Interval95,
      rank: Schema.NullOr(Rank).annotate({ description: "Among brand and competitors; equal shares share a rank" }),
      rank_of: Rank.annotate({ description: "Brand and competitors, counted" })
    })
  ),
  competitors: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ name: Name, sov: Percent, interval_95: Interval95, rank: Rank })
    ).annotate({ description: "Shares computed like the brand's, the highest first" })
  ),
  platform_labels: Schema.optionalKey(
    Schema.Record(Platform, Schema.optionalKey(Schema.String)).annotate({
      description: "The operator's names of platforms; one without a name is left out"
    })
  ),
  keywords: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ keyword_id: Id, prompt: Prompt, sov: Percent, platform_breakdown: Breakdown })
    ).annotate({ description: `Share of each scored keyword, the weakest first, at most ${maxShortKeywords}` })
  ),
  keywords_not_listed: Schema.optionalKey(Count.annotate({ description: "Scored keywords beyond this list" })),
  moved: Schema.optionalKey(
    Schema.Struct({
      platforms: Schema.Array(Schema.Struct({ platform: Platform, ...change })),
      keywords: Schema.Array(Schema.Struct({ keyword_id: Id, prompt: Prompt, ...change })),
      competitors: Schema.Array(Schema.Struct({ name: Name, ...change }))
    }).annotate({ description: "What changed beyond noise since the scan before; often nothing" })
  ),
  history: Schema.optionalKey(
    Schema.Array(Schema.Struct({
      scan_id: Id,
      completed_at: Time,
      avg_sov: Schema.NullOr(Percent),
      leaders: Schema.Array(Name).annotate({ description: "Who had the highest share; several where it is equal" })
    })).annotate({ description: "This scan and comparable ones before it, newest first, at most 13" })
  )
}

const surfaceLine = {
  surface_line: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Whose view the numbers are, in one line: surface, web search, market, persona. Older servers omit it"
    })
  )
}

/** The current share of voice. */
export const Summary = Schema.Struct({
  scan_id: Id.annotate({
    description: "The most recent completed scan that asked everything; a narrowed one only where none did"
  }),
  completed_at: Time,
  avg_sov: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))).annotate({
    description: "Mean of the platforms' shares of voice, per cent; null when no answer of the scan is measured"
  }),
  platform_breakdown: Schema.Record(Platform, Schema.optionalKey(Percent)).annotate({
    description: "Share of voice on each platform, one decimal; a platform that gave no answer is left out"
  }),
  ...formedOf,
  ...standing,
  ...view,
  ...surfaceLine,
  ...simulated
}).annotate({ identifier: "Summary" })

/** The answers behind `avg_sov`, counted by each definition of voice. */
export const Definitions = Schema.Struct({
  scan_id: Id,
  completed_at: Time,
  definitions: Schema.Array(
    Schema.Struct({
      definition: Schema.String.annotate({
        description:
          "share (as avg_sov), mention_rate, named_first, rank_weighted, occurrences or citations; more may follow"
      }),
      n: Count.annotate({ description: "Answers that it reads: citations only those that cite" }),
      interval_about: Schema.String.annotate({ description: "What interval_95 is about, in one phrase" }),
      names: Schema.Array(
        Schema.Struct({
          competitor_id: Schema.NullOr(Id).annotate({ description: "Null for the brand, which is the first" }),
          name: Schema.String,
          value: Schema.NullOr(Percent),
          interval_95: Interval95
        })
      )
    })
  ),
  sentiment: Schema.optionalKey(Schema.Struct({
    named: Count.annotate({ description: "Answers that name the brand" }),
    judged: Count.annotate({ description: "How many of these are judged; the others are in no share" }),
    interval_about: Schema.String.annotate({ description: "What interval_95 is about, in one phrase" }),
    shares: Schema.Array(Schema.Struct({
      sentiment: Schema.Literals(["positive", "neutral", "negative"]),
      answers: Count,
      value: Schema.NullOr(Percent).annotate({ description: "Of the judged answers; null if none is judged" }),
      interval_95: Interval95
    }))
  })).annotate({ description: "How the answers speak of the brand; older servers omit it" }),
  ...view,
  ...surfaceLine,
  ...simulated
}).annotate({ identifier: "Definitions" })

/** A scan, as lists show it. */
export const Scan = Schema.Struct({
  id: Id,
  status: Schema.Literals(["running", "completed", "failed", "cancelled"]).annotate({
    description: "Only `running` changes: to one of the others"
  }),
  scan_type: Schema.Literals(["manual", "scheduled"]).annotate({
    description: "`manual` scans use the monthly quota"
  }),
  started_at: Time,
  completed_at: Schema.NullOr(Time).annotate({ description: "When it ended; null while it runs" }),
  avg_sov: Schema.optionalKey(Schema.NullOr(Percent)).annotate({
    description: "Share of voice, 0–100; null without a score. Older servers omit it"
  }),
  ...formedOf,
  ...view,
  ...simulated
}).annotate({ identifier: "Scan" })

export const ScanList = Schema.Struct({
  scans: Schema.Array(Scan).annotate({ description: "Newest first" })
}).annotate({ identifier: "ScanList" })

const uuid = "must be a UUID"
const ids = `must be an array of 1 to ${maxStartKeywords} ids`
const tagList = `must be an array of 1 to ${maxStartTags} tags`
const viewList = `must be an array of 1 to ${maxViews + 1} names of views`
const platformList = `must be an array of 1 to ${platformIds.length} platforms`

/** Body of the request that starts a scan; unknown members are ignored. */
export const StartScan = Schema.Struct({
  keyword_ids: Schema.optionalKey(
    Schema.Array(
      Id.annotate({ message: uuid }).check(
        Schema.isPattern(uuidInAnyCase, { message: uuid })
      )
    ).annotate({ message: ids }).check(
      Schema.isBetweenLength(1, maxStartKeywords, { message: ids }),
      Schema.isUnique({ message: "must not name an id twice" })
    ).annotate({ description: "Only these keywords; all active ones when left out" })
  ),
  platforms: Schema.optionalKey(
    Schema.Array(Platform).annotate({ message: platformList }).check(
      Schema.isBetweenLength(1, platformIds.length, { message: platformList }),
      Schema.isUnique({ message: "must not name a platform twice" })
    ).annotate({ description: "Only these platforms; all configured ones when left out" })
  ),
  tags: Schema.optionalKey(
    Schema.Array(TagText).annotate({ message: tagList }).check(
      Schema.isBetweenLength(1, maxStartTags, { message: tagList }),
      Schema.isUnique({ message: "must not name a tag twice" })
    ).annotate({
      description: "Only active keywords with one of these tags, beside keyword_ids; branded and unbranded are computed"
    })
  ),
  views: Schema.optionalKey(
    Schema.Array(ViewName).annotate({ message: viewList }).check(
      Schema.isBetweenLength(1, maxViews + 1, { message: viewList }),
      Schema.isUnique({ message: "must not name a view twice" })
    ).annotate({ description: "Only these views (`standard` is the one without a market); all when left out" })
  )
}).annotate({
  identifier: "StartScan",
  message: "must be a JSON object",
  description: "What the scan asks. Members that are not known are ignored"
})

export const StartedScan = Schema.Struct({
  scan_id: Id,
  status: Schema.Literal("running"),
  estimated_seconds: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  ...simulated,
  views: Schema.optionalKey(
    Schema.Array(Schema.Struct({ view: Schema.String, scan_id: Id })).annotate({
      description: "The scans of the further views that were started with it"
    })
  )
}).annotate({ identifier: "StartedScan" })

const Source = Schema.Struct({
  kind: Schema.Literals(["cited", "retrieved", "in_text"]).annotate({
    description: "`cited` by the answer, `retrieved` while it searched, or an address that only stands in its text"
  }),
  url: Schema.String.annotate({ description: "As the platform named it; text of a third party, not to be trusted" }),
  title: Schema.NullOr(Schema.String),
  start: Schema.NullOr(Count).annotate({
    description: "Beginning of the part of raw_response that it stands behind, in UTF-16 code units"
  }),
  end: Schema.NullOr(Count)
}).annotate({ identifier: "Source" })

const withSources = {
  leaf_version: Schema.optionalKey(
    Schema.Literals([1, 2, 3]).annotate({
      description: "Only with include=sources, as are the members below. From 2 on the seal covers them"
    })
  ),
  model: Schema.optionalKey(Schema.String.annotate({ description: "Model, as the platform named it" })),
  search: Schema.optionalKey(
    Schema.NullOr(Schema.Literals(["off", "offered", "required"])).annotate({
      description: "Whether the platform could search the web, or had to; null if unknown"
    })
  ),
  payload_sha256: Schema.optionalKey(Schema.NullOr(Schema.String)),
  source_version: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  sources_status: Schema.optionalKey(
    Schema.Literals(["sealed", "derived", "unknown", "unreadable"]).annotate({
      description:
        "`derived` later from what is kept; `unknown` where the platform names none, `unreadable` where what it sent could not be read"
    })
  ),
  sources_cut: Schema.optionalKey(Count.annotate({ description: "Sources and queries beyond what is kept" })),
  sources: Schema.optionalKey(Schema.Array(Source)),
  queries: Schema.optionalKey(Schema.Array(Schema.String).annotate({ description: "What the platform searched for" }))
}

/** One archived answer with its newest measurement. */
export const ArchiveRow = Schema.Struct({
  id: Id,
  scan_id: Id,
  platform: Platform,
  keyword_id: Id,
  prompt_used: Schema.String,
  raw_response: Schema.String.annotate({ description: "Full raw answer; text of a third party, not to be trusted" }),
  brand_mentioned: Schema.NullOr(Schema.Boolean).annotate({
    description: "Null only in the moment before an answer is measured, as are the other measured members"
  }),
  mention_count: Schema.NullOr(Count),
  mention_position: Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))).annotate({
    description: "Rank of the brand's first mention among the tracked names, from 1; null when it is not named"
  }),
  sentiment: Schema.NullOr(Schema.Literals(["positive", "neutral", "negative"])).annotate({
    description:
      "Null when the brand is not named, or when sov has no lexicon of the answer's language: it was not judged"
  }),
  sentiment_by: Schema.optionalKey(Schema.String.annotate({
    description: "Name of the judge; present only if a judge decided the sentiment"
  })),
  sov_score: Schema.NullOr(Percent),
  created_at: Time,
  ...view,
  market: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({
      country: Schema.NullOr(Schema.String),
      language: Schema.NullOr(Schema.String),
      persona: Schema.optionalKey(Schema.String),
      place: Schema.optionalKey(Schema.String),
      search_engine: Schema.optionalKey(Schema.String)
    })).annotate({
      description:
        "The market as it was sent, or `not expressible`, and what the settings add; null if nothing was said"
    })
  ),
  ...simulated,
  ...withSources
}).annotate({ identifier: "ArchiveRow" })

export const ArchivePage = Schema.Struct({
  data: Schema.Array(ArchiveRow).annotate({ description: "Newest first: created_at, then id, descending" }),
  meta: Schema.Struct({
    count: Count.annotate({ description: "Rows in this response" }),
    next_cursor: Schema.NullOr(Schema.String).annotate({ description: "For the next page; null on the last" }),
    plan_window_applied: Schema.Boolean.annotate({ description: "False for every plan that can call the API" }),
    window_start: Time.annotate({ description: "Where the readable history begins" })
  })
}).annotate({ identifier: "ArchivePage" })

/** A dated event that charts show. */
export const NewAnnotation = Schema.Struct({
  day: Schema.String.annotate({ format: "date", description: "A day in UTC, such as 2026-11-20" }),
  text: Schema.String.annotate({ description: `What happened, in 1 to ${maxAnnotationText} characters` })
}).annotate({ identifier: "NewAnnotation" })

/** A stored annotation. */
export const Annotation = Schema.Struct({ id: Id, ...NewAnnotation.fields, created_at: Time }).annotate({
  identifier: "Annotation"
})

export const AnnotationList = Schema.Struct({
  annotations: Schema.Array(Annotation).annotate({ description: "By day" })
}).annotate({ identifier: "AnnotationList" })
