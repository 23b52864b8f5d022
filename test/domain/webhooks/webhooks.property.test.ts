/** What holds for every event, secret and try. */
import {
  breakReasons,
  CellFailureReason,
  encodeEventBody,
  EventData,
  type EventName,
  eventNames,
  experimentVerdicts,
  makeSampleEvent,
  maxListedMentions,
  maxTries,
  nextTry,
  OrganizationId,
  type OutboundEvent,
  platformIds
} from "@sov/core"
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const organizationId = OrganizationId.make("01900000-0000-7000-8000-00000000000f")
const text = (body: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(body)

const uuid = fc.uuid()
const number = fc.double({ noNaN: true, noDefaultInfinity: true })
const anyText = fc.string({ unit: "binary", maxLength: 200 }).map((s) => s.slice(0, 200))
const evidence = {
  confirmed: fc.boolean(),
  cells_moved: fc.integer({ min: 0 }),
  n_cells: fc.integer({ min: 0 }),
  z: fc.option(number),
  confidence: fc.constant("low" as const),
  simulated: fc.constant(true as const)
}
const mention = fc.record({
  archive_id: uuid,
  platform: fc.constant("assistant_a"),
  keyword_id: uuid,
  mention_count: fc.integer(),
  mention_position: fc.option(fc.integer()),
  sentiment: fc.constant("negative")
})
const data: { readonly [K in EventName]: fc.Arbitrary<object> } = {
  "scan.completed": fc.record({
    scan_id: uuid,
    avg_sov: number,
    results_count: fc.integer(),
    mentioned_count: fc.integer()
  }),
  "sov.dropped": fc.record({
    scan_id: uuid,
    previous_scan_id: uuid,
    previous_sov: number,
    current_sov: number,
    drop: number,
    threshold: number,
    ...evidence
  }),
  "mention.detected": fc.record({
    scan_id: uuid,
    mentions_total: fc.integer(),
    mentions: fc.array(mention, { maxLength: maxListedMentions, size: "max" }),
    ...evidence
  }),
  "competitor.overtake": fc.record({
    scan_id: uuid,
    previous_scan_id: uuid,
    competitor_id: uuid,
    competitor_name: anyText,
    brand_sov: number,
    competitor_sov: number,
    previous_brand_sov: number,
    previous_competitor_sov: number,
    ...evidence
  }),
  "competitor.suggested": fc.record({
    scan_id: uuid,
    previous_scan_id: uuid,
    names: fc.array(
      fc.record({
        name: anyText,
        cells: fc.integer(),
        keywords: fc.integer(),
        platforms: fc.constant(["assistant_a"]),
        share: number,
        archive_ids: fc.array(uuid, { maxLength: 2 }),
        confirmed: fc.boolean()
      }),
      { maxLength: 50 }
    ),
    ...evidence
  }),
  "platform.changed": fc.record({
    scan_id: uuid,
    previous_scan_id: uuid,
    platform: fc.constantFrom(...platformIds),
    reason: fc.constantFrom(...breakReasons),
    before: anyText,
    after: anyText
  }),
  "fact.contradicted": fc.record({
    scan_id: uuid,
    previous_scan_id: uuid,
    facts: fc.array(
      fc.record({
        fact: anyText,
        card_says: fc.array(anyText, { maxLength: 3 }),
        stated: anyText,
        answers: fc.integer(),
        archive_ids: fc.array(uuid, { maxLength: 2 })
      }),
      { maxLength: 50 }
    )
  }),
  "experiment.ended": fc.record({
    experiment_id: uuid,
    name: anyText,
    change: anyText,
    from: fc.constant("2026-10-01"),
    until: fc.constant("2026-10-31"),
    seal: fc.constant(`12:${"0f".repeat(32)}`),
    verdict: fc.option(fc.constantFrom(...experimentVerdicts)),
    sentence: fc.string({ unit: "binary", maxLength: 2_200 }).map((one) => one.slice(0, 2_200)),
    effect: fc.option(number),
    interval: fc.option(fc.record({ low: number, high: number })),
    stopped: fc.option(fc.record({ at: fc.constant("2026-10-12T10:00:00.000Z"), reason: anyText }))
  }),
  "scan.failed": fc.record({
    scan_id: uuid,
    failed_count: fc.integer(),
    failures: fc.array(fc.record({
      platform: fc.constantFrom(...platformIds),
      reason: fc.constantFrom(...CellFailureReason.literals),
      count: fc.integer()
    }))
  }),
  "archive.anchored": fc.record({
    sov_anchor: fc.constant(1),
    organization_id: uuid,
    sequence: fc.integer(),
    hash: fc.constant("0f".repeat(32)),
    sealed_at: fc.constant("2026-01-31T23:59:59.123Z"),
    anchored_at: fc.constant("2026-01-31T23:59:59.123Z")
  })
}

describe.each(eventNames)("%s", (event) => {
  const timestamp = new Date("2026-01-31T23:59:59.123Z")
  const made = (given: object) => ({ id: organizationId, event, timestamp, data: given }) as unknown as OutboundEvent

  it("the body has exactly four members and at most 20 KB, for any content", () => {
    fc.assert(fc.property(data[event], (given) => {
      const body = encodeEventBody(organizationId, made(given))
      expect(body.length).toBeLessThanOrEqual(20_000)
      const parsed = JSON.parse(text(body)) as Record<string, unknown>
      expect(Object.keys(parsed)).toEqual(["event", "organization_id", "timestamp", "data"])
      expect(parsed).toMatchObject({ event, organization_id: organizationId, timestamp: "2026-01-31T23:59:59.123Z" })
    }))
  })

  it("the sample matches its schema and states that it is a sample", () => {
    const sample = makeSampleEvent(event, organizationId as never, timestamp)
    expect(sample.data.test).toBe(true)
    const strict = Schema.decodeUnknownSync(EventData[event] as Schema.Codec<object>, { onExcessProperty: "error" })
    expect(strict(JSON.parse(JSON.stringify(sample.data)))).toEqual(sample.data)
  })
})

describe("the schedule", () => {
  const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
  const ended = new Date(0)

  it("each wait is within a tenth of its planned length, and the schedule ends after ten attempts", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (tries, random) => {
          const wait = seconds[tries - 1]
          const next = nextTry(tries, ended, random, null)
          expect(next === null).toBe(wait === undefined)
          if (wait === undefined) return
          expect(next!.getTime()).toBeGreaterThanOrEqual(wait * 900)
          expect(next!.getTime()).toBeLessThanOrEqual(wait * 1100)
        }
      )
    )
    expect(maxTries).toBe(10)
    expect(nextTry(1, ended, 0, null)).toEqual(new Date(4_500))
    expect(nextTry(1, ended, 0.999_999, null)).toEqual(new Date(5_500))
  })

  it("a receiver can lengthen the wait, up to a day, but never shorten it", () => {
    expect(nextTry(1, ended, 0.5, 120_000)).toEqual(new Date(120_000))
    expect(nextTry(2, ended, 0.5, 120_000)).toEqual(new Date(300_000))
    expect(nextTry(1, ended, 0.5, 10 * 86_400_000)).toEqual(new Date(86_400_000))
    expect(nextTry(10, ended, 0.5, 120_000)).toBeNull()
  })
})
