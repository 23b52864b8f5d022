import { AnswerId, CompetitorId, type EventId, ExperimentId, KeywordId, OrganizationId, ScanId } from "../ids.ts"
import type { EventNames } from "./chat/describeEvent.ts"
import type { EventData, EventName, OutboundEvent } from "./Event.ts"

const evidence = { confirmed: true, cells_moved: 9, n_cells: 50, z: -2.31, test: true } as const

const scan = ScanId.make("01900000-0000-7000-8000-000000000001")
const answer = AnswerId.make("01900000-0000-7000-8000-000000000002")
const keyword = KeywordId.make("01900000-0000-7000-8000-000000000003")
const previous = ScanId.make("01900000-0000-7000-8000-000000000000")

/** The names that the chat message of a sample shows. */
export const sampleNames: Pick<EventNames, "brand" | "keywords" | "comparedWith" | "quote"> = {
  brand: "Example Brand",
  keywords: new Map([[keyword, "Which example product is the best?"]]),
  comparedWith: null,
  quote: null
}

/** The data of a sample of each event. */
const makeSampleData = (timestamp: Date): { readonly [K in EventName]: EventData<K> } => ({
  "scan.completed": { scan_id: scan, avg_sov: 42, results_count: 50, mentioned_count: 27, test: true },
  "sov.dropped": {
    scan_id: scan,
    previous_scan_id: previous,
    previous_sov: 42.5,
    current_sov: 36.25,
    drop: 6.25,
    threshold: 40,
    ...evidence
  },
  "mention.detected": {
    scan_id: scan,
    mentions_total: 1,
    mentions: [{
      archive_id: answer,
      platform: "assistant_a",
      keyword_id: keyword,
      mention_count: 2,
      mention_position: 1,
      sentiment: "positive"
    }],
    ...evidence,
    z: null
  },
  "competitor.overtake": {
    scan_id: scan,
    previous_scan_id: previous,
    competitor_id: CompetitorId.make("01900000-0000-7000-8000-000000000004"),
    competitor_name: "Example Rival",
    brand_sov: 30,
    competitor_sov: 33.5,
    previous_brand_sov: 36,
    previous_competitor_sov: 31,
    ...evidence,
    z: 2.04
  },
  "competitor.suggested": {
    scan_id: scan,
    previous_scan_id: previous,
    names: [{
      name: "Example Newcomer",
      cells: 9,
      keywords: 6,
      platforms: ["assistant_a", "assistant_b"],
      share: 7.5,
      archive_ids: [answer],
      confirmed: true
    }],
    ...evidence,
    z: 3
  },
  "platform.changed": {
    scan_id: scan,
    previous_scan_id: previous,
    platform: "assistant_a",
    reason: "model",
    before: "example-model-2.5",
    after: "example-model-3",
    test: true
  },
  "fact.contradicted": {
    scan_id: scan,
    previous_scan_id: previous,
    facts: [{
      fact: "founding_date",
      card_says: ["2014"],
      stated: "2009",
      answers: 6,
      archive_ids: [answer]
    }],
    test: true
  },
  "experiment.ended": {
    experiment_id: ExperimentId.make("01900000-0000-7000-8000-000000000006"),
    name: "Example guides",
    change: "a guide for each treated topic",
    from: "2026-10-01",
    until: "2026-10-31",
    seal: `12:${"0f".repeat(32)}`,
    verdict: "rise",
    sentence: "The treated topics gained +9.4 points against those held out.",
    effect: 9.4,
    interval: { low: 4.1, high: 14.7 },
    stopped: null,
    test: true
  },
  "scan.failed": {
    scan_id: scan,
    failed_count: 50,
    failures: [{ platform: "assistant_a", reason: "auth", count: 50 }],
    test: true
  },
  "archive.anchored": {
    sov_anchor: 1,
    organization_id: OrganizationId.make("01900000-0000-7000-8000-000000000005"),
    sequence: 12,
    hash: "0f".repeat(32),
    sealed_at: timestamp.toISOString(),
    anchored_at: timestamp.toISOString(),
    test: true
  }
})

/** A sample of the event, marked by `test: true`. Its ids do not refer to stored data. */
export const makeSampleEvent = (event: EventName, id: EventId, timestamp: Date): OutboundEvent =>
  ({ id, event, timestamp, data: makeSampleData(timestamp)[event] }) as OutboundEvent
