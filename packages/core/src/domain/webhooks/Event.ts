/**
 * The events of sov, sent by webhook; events of alerts are also sent by e-mail. docs/webhooks.md is their contract. The
 * body of a webhook has exactly the members `event`, `organization_id`, `timestamp` and `data`, and no payload contains
 * a raw answer. Data from simulated answers has `simulated: true`, data of a test `test: true`.
 */
import { Schema } from "effect"
import { anchorFields } from "../archive/AnchorDocument.ts"
import { experimentVerdicts } from "../experiments/effect.ts"
import { maxPlanText } from "../experiments/Plan.ts"
import { AnswerId, CompetitorId, type EventId, ExperimentId, KeywordId, type OrganizationId, ScanId } from "../ids.ts"
import { Sentiment } from "../measuring/Measurement.ts"
import { maxNameLength } from "../organizations/Organization.ts"
import { PlatformId } from "../platforms/Platform.ts"
import { CellFailureReason } from "../scanning/Cell.ts"
import type { Scan } from "../scanning/Scan.ts"
import { findNarrowing, formatAsked } from "../scoring/asked.ts"
import { breakReasons, maxBreakNames } from "../scoring/breaks.ts"
import { defaultEventNames, eventNames } from "./eventNames.ts"

export { defaultEventNames, eventNames }

export const EventName = Schema.Literals(eventNames).annotate({
  identifier: "EventName",
  message: `must be one of ${eventNames.join(", ")}`
})
export type EventName = typeof EventName.Type

const AskedPart = Schema.Struct({
  platforms: Schema.Int,
  configured_platforms: Schema.Int,
  keywords: Schema.Int,
  tracked_keywords: Schema.Int
})
type AskedPart = typeof AskedPart.Type

/** Labels for a scan's events: whether its answers are simulated, its view, and how much a narrowed scan asked. */
export const labelsOfScan = (scan: Scan): Omit<EventLabels, "test"> => {
  const asked = findNarrowing(scan)
  return {
    ...scan.simulated ? { simulated: true } : {},
    ...scan.view === undefined ? {} : { view: scan.view.name },
    ...asked === null ? {} : {
      asked: {
        platforms: asked.platforms,
        configured_platforms: asked.configuredPlatforms,
        keywords: asked.keywords,
        tracked_keywords: asked.trackedKeywords
      }
    }
  }
}

/** "2 of 6 keywords", for an event's label; null if the scan asked everything. */
export const formatAskedPart = (asked: AskedPart | undefined): string | null =>
  asked === undefined ? null : formatAsked({
    platforms: asked.platforms,
    configuredPlatforms: asked.configured_platforms,
    keywords: asked.keywords,
    trackedKeywords: asked.tracked_keywords
  })

/** Labels that describe the basis of an event's numbers. */
export type EventLabels = {
  readonly simulated?: true
  readonly test?: true
  readonly asked?: AskedPart
  readonly view?: string
  readonly surface_line?: string
}

const labels = {
  /** Present if the numbers come from simulated answers. */
  simulated: Schema.optionalKey(Schema.Literal(true)),
  /** How many of the available keywords and platforms a narrowed scan asked; left out if it asked everything. */
  asked: Schema.optionalKey(AskedPart),
  /** The name of the view; left out for the standard view. */
  view: Schema.optionalKey(Schema.String),
  /** A line about the surface and view of the numbers; left out by earlier releases. */
  surface_line: Schema.optionalKey(Schema.String),
  /** Present in a sample that `sov webhook test` or `sov alert test` sent. */
  test: Schema.optionalKey(Schema.Literal(true))
}

/** The noise gate's figures for an alert (docs/alerts.md), for receivers that filter. */
const evidence = {
  /** Whether the gate confirms that more than noise changed. */
  confirmed: Schema.Boolean,
  /** Number of cells that changed. */
  cells_moved: Schema.Int,
  /**
   * Number of compared cells: cells in common with the previous scan, from which an alert's shares of voice are
   * computed.
   */
  n_cells: Schema.Int,
  /** Sign-flip statistic of the change; null if nothing was compared. */
  z: Schema.NullOr(Schema.Finite),
  /** Present if there are fewer than 20 cells in common. */
  confidence: Schema.optionalKey(Schema.Literal("low"))
}

/** Maximum number of mentions listed in one event; `mentions_total` counts all of them. */
export const maxListedMentions = 50

/** Maximum number of names suggested in one event. */
export const maxSuggestedNames = 50

/** Maximum number of contradicted facts in one event, and maximum length of each of their texts. */
export const [maxContradictedFacts, maxFactText] = [50, 200]

/** Maximum length of the sentence about an experiment's result, which may contain the names of a break. */
const maxSentence = 2 * maxBreakNames + 200

/** The data of each event. Shares of voice are 0–100; those of alerts have up to four decimals. */
export const EventData = {
  "scan.completed": Schema.Struct({
    scan_id: ScanId,
    /** Share of voice as in the SOV summary: an integer, or null if no answer is measured. */
    avg_sov: Schema.NullOr(Schema.Finite),
    results_count: Schema.Int,
    mentioned_count: Schema.Int,
    ...labels
  }),
  "sov.dropped": Schema.Struct({
    scan_id: ScanId,
    previous_scan_id: ScanId,
    previous_sov: Schema.Finite,
    current_sov: Schema.Finite,
    drop: Schema.Finite,
    threshold: Schema.Finite,
    ...evidence,
    ...labels
  }),
  "mention.detected": Schema.Struct({
    scan_id: ScanId,
    mentions_total: Schema.Int,
    mentions: Schema.Array(Schema.Struct({
      archive_id: AnswerId,
      platform: PlatformId,
      keyword_id: KeywordId,
      mention_count: Schema.Int,
      mention_position: Schema.NullOr(Schema.Int),
      sentiment: Schema.NullOr(Sentiment)
    })).check(Schema.isMaxLength(maxListedMentions)),
    ...evidence,
    ...labels
  }),
  "competitor.overtake": Schema.Struct({
    scan_id: ScanId,
    previous_scan_id: ScanId,
    competitor_id: CompetitorId,
    competitor_name: Schema.String.check(Schema.isMaxLength(maxNameLength)),
    brand_sov: Schema.Finite,
    competitor_sov: Schema.Finite,
    previous_brand_sov: Schema.Finite,
    previous_competitor_sov: Schema.Finite,
    ...evidence,
    ...labels
  }),
  "competitor.suggested": Schema.Struct({
    scan_id: ScanId,
    previous_scan_id: ScanId,
    /** The names, sorted by descending share. */
    names: Schema.Array(Schema.Struct({
      name: Schema.String.check(Schema.isMaxLength(maxNameLength)),
      /** Number of compared cells that contain the name, and their keywords and platforms. */
      cells: Schema.Int,
      keywords: Schema.Int,
      platforms: Schema.Array(PlatformId),
      /** The share of voice that the name would have had in this scan as a tracked competitor. */
      share: Schema.Finite,
      /** At most two answers that contain the name. */
      archive_ids: Schema.Array(AnswerId),
      /** Whether the gate confirms this name. */
      confirmed: Schema.Boolean
    })).check(Schema.isMaxLength(maxSuggestedNames)),
    ...evidence,
    ...labels
  }),
  /**
   * Another model answers on a platform, or the platform is asked in another way, which breaks its series
   * (docs/measuring.md).
   */
  "platform.changed": Schema.Struct({
    scan_id: ScanId,
    previous_scan_id: ScanId,
    platform: PlatformId,
    reason: Schema.Literals(breakReasons),
    /**
     * Names of models, as the provider spells them, or search modes, engines, markets or personas; several are joined
     * by " and ".
     */
    before: Schema.String.check(Schema.isMaxLength(maxBreakNames)),
    after: Schema.String.check(Schema.isMaxLength(maxBreakNames)),
    ...labels
  }),
  /**
   * Answers of two consecutive scans make the same statement, which contradicts the business card
   * (docs/business-card.md).
   */
  "fact.contradicted": Schema.Struct({
    scan_id: ScanId,
    previous_scan_id: ScanId,
    facts: Schema.Array(Schema.Struct({
      /** The field of the card, or the name of a fact: `facts: Warranty`. */
      fact: Schema.String.check(Schema.isMaxLength(maxFactText)),
      card_says: Schema.Array(Schema.String.check(Schema.isMaxLength(maxFactText))),
      /** The statement as one of the answers words it. */
      stated: Schema.String.check(Schema.isMaxLength(maxFactText)),
      /** Number of answers of this scan that make the statement, and the ids of at most two of them. */
      answers: Schema.Int,
      archive_ids: Schema.Array(AnswerId)
    })).check(Schema.isMaxLength(maxContradictedFacts)),
    ...labels
  }),
  /** An experiment has its result, or was ended early for a reason (docs/experiments.md). */
  "experiment.ended": Schema.Struct({
    experiment_id: ExperimentId,
    name: Schema.String.check(Schema.isMaxLength(maxNameLength)),
    change: Schema.String.check(Schema.isMaxLength(maxPlanText)),
    from: Schema.String,
    until: Schema.String,
    /** Number and hash of the sealed plan: `12:0f3a…`. */
    seal: Schema.String,
    /** Null for an experiment that was ended early; so are `effect` and `interval`. */
    verdict: Schema.NullOr(Schema.Literals(experimentVerdicts)),
    /** The result in words. */
    sentence: Schema.String.check(Schema.isMaxLength(maxSentence)),
    /** The rise beyond that of the held-out topics, in points, and its 95 % interval; null without a verdict. */
    effect: Schema.NullOr(Schema.Finite),
    interval: Schema.NullOr(Schema.Struct({ low: Schema.Finite, high: Schema.Finite })),
    /** When and why the experiment was ended early; null otherwise. */
    stopped: Schema.NullOr(
      Schema.Struct({ at: Schema.String, reason: Schema.String.check(Schema.isMaxLength(maxPlanText)) })
    ),
    ...labels
  }),
  /** No question of the scan got an answer; its unit of the monthly quota is returned. */
  "scan.failed": Schema.Struct({
    scan_id: ScanId,
    /** Number of questions without an answer. */
    failed_count: Schema.Int,
    /** The number of failures by platform and reason (docs/platforms.md). */
    failures: Schema.Array(Schema.Struct({ platform: PlatformId, reason: CellFailureReason, count: Schema.Int })),
    ...labels
  }),
  /** An anchor, as in a file of anchors (docs/archive.md). */
  "archive.anchored": Schema.Struct({ ...anchorFields, test: labels.test })
} as const satisfies { readonly [K in EventName]: Schema.Top }

export type EventData<K extends EventName = EventName> = typeof EventData[K]["Type"]

/**
 * Something that happened at `timestamp`. `id` identifies it everywhere: it is the `webhook-id` of all its deliveries,
 * and the id of its alert.
 */
export type OutboundEvent = {
  readonly [K in EventName]: {
    readonly id: EventId
    readonly event: K
    readonly timestamp: Date
    readonly data: EventData<K>
  }
}[EventName]

/** Encodes the body of the event's webhooks. It is encoded once, so that every attempt sends the same bytes. */
export const encodeEventBody = (
  organizationId: OrganizationId,
  { data, event, timestamp }: Pick<OutboundEvent, "event" | "timestamp" | "data">
): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({ event, organization_id: organizationId, timestamp: timestamp.toISOString(), data })
  )
