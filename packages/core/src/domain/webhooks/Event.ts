/**
 * The events of sov, sent by webhook; those of alerts by e-mail, too. docs/webhooks.md is their contract. The body of a
 * webhook has exactly the members `event`, `organization_id`, `timestamp` and `data`, and no payload holds a raw
 * answer. Data that comes from simulated answers carries `simulated: true`, that of a test `test: true`.
 */
import { Schema } from "effect"
import { anchorFields } from "../archive/AnchorDocument.ts"
import { AnswerId, CompetitorId, type EventId, KeywordId, type OrganizationId, ScanId } from "../ids.ts"
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

/** Labels of a scan's events: whether its answers are simulated, its view, and what it asked of everything. */
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

/** "2 of 6 keywords": what an event's label says; null without one. */
export const formatAskedPart = (asked: AskedPart | undefined): string | null =>
  asked === undefined ? null : formatAsked({
    platforms: asked.platforms,
    configuredPlatforms: asked.configured_platforms,
    keywords: asked.keywords,
    trackedKeywords: asked.tracked_keywords
  })

/** Marks of what an event's numbers rest on. */
export type EventLabels = {
  readonly simulated?: true
  readonly test?: true
  readonly asked?: AskedPart
  readonly view?: string
}

const labels = {
  /** The numbers come from simulated answers. */
  simulated: Schema.optionalKey(Schema.Literal(true)),
  /** How much of what there was at its start a narrowed scan asked; left out where it asked everything. */
  asked: Schema.optionalKey(AskedPart),
  /** The name of the view that was asked from; left out for the standard view. */
  view: Schema.optionalKey(Schema.String),
  /** A sample that `sov webhook test` or `sov alert test` sent. */
  test: Schema.optionalKey(Schema.Literal(true))
}

/** What the noise gate says of an alert (docs/alerts.md), for receivers that filter. */
const evidence = {
  /** Whether the gate confirms that more than noise changed. */
  confirmed: Schema.Boolean,
  /** Cells that moved. */
  cells_moved: Schema.Int,
  /**
   * Cells that were compared: those in common with the previous scan, over which an alert's shares of voice are taken.
   */
  n_cells: Schema.Int,
  /** Sign-flip statistic of the change; null where nothing was compared. */
  z: Schema.NullOr(Schema.Finite),
  /** Fewer than 20 cells in common. */
  confidence: Schema.optionalKey(Schema.Literal("low"))
}

/** The limit of mentions that one event lists; `mentions_total` counts all of them. */
export const maxListedMentions = 50

/** The limit of names that one event suggests. */
export const maxSuggestedNames = 50

/** The limits of contradicted facts of one event, and of each of their texts. */
export const [maxContradictedFacts, maxFactText] = [50, 200]

/** The data of each event. Shares of voice are 0–100; those of alerts have up to four decimals. */
export const EventData = {
  "scan.completed": Schema.Struct({
    scan_id: ScanId,
    /** As the SOV summary shows it: an integer, null when no answer is measured. */
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
    /** The largest share first. */
    names: Schema.Array(Schema.Struct({
      name: Schema.String.check(Schema.isMaxLength(maxNameLength)),
      /** Of the compared cells, those that name it, with their keywords and platforms. */
      cells: Schema.Int,
      keywords: Schema.Int,
      platforms: Schema.Array(PlatformId),
      /** The share of voice that it would have had in this scan if it had been tracked. */
      share: Schema.Finite,
      /** At most two answers that name it. */
      archive_ids: Schema.Array(AnswerId),
      /** Whether the gate confirms this name. */
      confirmed: Schema.Boolean
    })).check(Schema.isMaxLength(maxSuggestedNames)),
    ...evidence,
    ...labels
  }),
  /** Another model answers on a platform, or it is asked otherwise: its series breaks (docs/measuring.md). */
  "platform.changed": Schema.Struct({
    scan_id: ScanId,
    previous_scan_id: ScanId,
    platform: PlatformId,
    reason: Schema.Literals(breakReasons),
    /** Names of models, as the provider gives them, or search modes, engines, markets or personas; several are joined by " and ". */
    before: Schema.String.check(Schema.isMaxLength(maxBreakNames)),
    after: Schema.String.check(Schema.isMaxLength(maxBreakNames)),
    ...labels
  }),
  /** Answers of two scans in a row state the same against the business card (docs/business-card.md). */
  "fact.contradicted": Schema.Struct({
    scan_id: ScanId,
    previous_scan_id: ScanId,
    facts: Schema.Array(Schema.Struct({
      /** The field of the card, or the name of a fact: `facts: Warranty`. */
      fact: Schema.String.check(Schema.isMaxLength(maxFactText)),
      card_says: Schema.Array(Schema.String.check(Schema.isMaxLength(maxFactText))),
      /** What the answers state, as one of them writes it. */
      stated: Schema.String.check(Schema.isMaxLength(maxFactText)),
      /** Answers of this scan that state it, and at most two of them. */
      answers: Schema.Int,
      archive_ids: Schema.Array(AnswerId)
    })).check(Schema.isMaxLength(maxContradictedFacts)),
    ...labels
  }),
  /** No question of the scan got an answer; its unit of the month's quota is given back. */
  "scan.failed": Schema.Struct({
    scan_id: ScanId,
    /** Questions that got no answer. */
    failed_count: Schema.Int,
    /** How many of them, by platform and reason (docs/platforms.md). */
    failures: Schema.Array(Schema.Struct({ platform: PlatformId, reason: CellFailureReason, count: Schema.Int })),
    ...labels
  }),
  /** An anchor as in a file of anchors (docs/archive.md). */
  "archive.anchored": Schema.Struct({ ...anchorFields, test: labels.test })
} as const satisfies { readonly [K in EventName]: Schema.Top }

export type EventData<K extends EventName = EventName> = typeof EventData[K]["Type"]

/**
 * Something that happened, at `timestamp`. `id` identifies it wherever it goes: it is the `webhook-id` of all its
 * deliveries, and the id of the alert.
 */
export type OutboundEvent = {
  readonly [K in EventName]: {
    readonly id: EventId
    readonly event: K
    readonly timestamp: Date
    readonly data: EventData<K>
  }
}[EventName]

/** The body of the event's webhooks: made once, so that every try sends the same bytes. */
export const encodeEventBody = (
  organizationId: OrganizationId,
  { data, event, timestamp }: Pick<OutboundEvent, "event" | "timestamp" | "data">
): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({ event, organization_id: organizationId, timestamp: timestamp.toISOString(), data })
  )
