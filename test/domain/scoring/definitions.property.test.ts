/** Definitions of voice on any answers: bounds, sums, the headline, and intervals that a mention does not narrow. */
import {
  averageCells,
  estimateVoice,
  groupIntoCells,
  keywordInterval,
  type PlatformId,
  type ScoredRow,
  scoreRow,
  type VoiceDefinition,
  voiceDefinitions,
  type VoiceRow
} from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { keywordId, rivals } from "./support.ts"

type Row = VoiceRow & Pick<ScoredRow, "platform" | "keywordId">

const names = ["brand", ...rivals]
const named = fc.shuffledSubarray(names).chain((found) =>
  fc.tuple(...found.map(() => fc.integer({ min: 1, max: 5 }))).map((counts) =>
    found.map((name, i) => ({ name, count: counts[i]! }))
  )
)
const anyAnswer = fc.record({ named, cited: fc.array(fc.constantFrom(...names, null), { maxLength: 4 }) })
/** Each of up to 12 questions on two platforms. */
const anyRows = fc.array(anyAnswer, { minLength: 4, maxLength: 24 }).map((answers) =>
  answers.map((answer, i): Row => ({
    ...answer,
    keywordId: keywordId(Math.floor(i / 2)),
    platform: (i % 2 === 0 ? "assistant_a" : "assistant_b") satisfies PlatformId
  }))
)
const sharesOf = (definition: VoiceDefinition, rows: ReadonlyArray<Row>) =>
  estimateVoice(definition, groupIntoCells(rows), names)
const mentions = voiceDefinitions.filter((one) => one !== "citations")

describe("a definition of share of voice", () => {
  it.each(voiceDefinitions)("a share is between 0 and 100 and within its interval: %s", (definition) => {
    fc.assert(fc.property(anyRows, (rows) => {
      for (const { interval, value } of sharesOf(definition, rows)) {
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(100 + 1e-9)
        if (interval === null) continue
        expect(interval.low).toBeLessThanOrEqual(value! + 1e-9)
        expect(interval.high).toBeGreaterThanOrEqual(value! - 1e-9)
      }
    }))
  })

  it.each(mentions.filter((one) => one !== "mention_rate"))(
    "the shares add up to the share of answers that name any entity: %s",
    (definition) => {
      fc.assert(fc.property(anyRows, (rows) => {
        const total = sharesOf(definition, rows).reduce((sum, { value }) => sum + value!, 0)
        const anybody = averageCells(groupIntoCells(rows), (row) => row.named.length > 0 ? 100 : 0)
        expect(total).toBeCloseTo(anybody!, 6)
      }))
    }
  )

  it("the definition `share` equals the headline, including its interval", () => {
    fc.assert(fc.property(anyRows, (rows) => {
      const cells = groupIntoCells(rows.map((row): ScoredRow => ({
        platform: row.platform,
        keywordId: row.keywordId,
        brandMentioned: row.named.some(({ name }) => name === "brand"),
        competitorsMentioned: rivals.filter((id) => row.named.some(({ name }) => name === id))
      })))
      const [brand] = sharesOf("share", rows)
      expect(brand!.value).toBeCloseTo(averageCells(cells, scoreRow)!, 9)
      const interval = keywordInterval(cells, scoreRow)
      if (interval === null) expect(brand!.interval).toBeNull()
      else {
        expect(brand!.interval!.low).toBeCloseTo(interval.low, 9)
        expect(brand!.interval!.high).toBeCloseTo(interval.high, 9)
      }
    }))
  })

  it.each(mentions)("the interval with one mention is not narrower than without a mention: %s", (definition) => {
    fc.assert(
      fc.property(anyRows, fc.nat(), (rows, at) => {
        const none = rows.map((row) => ({ ...row, named: row.named.filter(({ name }) => name !== "brand") }))
        const place = at % none.length
        const one = none.map((row, i) =>
          i === place ? { ...row, named: [{ name: "brand", count: 1 }, ...row.named] } : row
        )
        const [before, after] = [none, one].map((some) => sharesOf(definition, some)[0]!.interval)
        if (before == null || after == null) return
        expect(after.high - after.low).toBeGreaterThanOrEqual(before.high - before.low - 1e-9)
      }),
      { numRuns: 300 }
    )
  })

  it("prominence differs between the first and the last place, although the share is the same", () => {
    const rows = (first: string, second: string) =>
      [0, 1, 2, 3].map((n): Row => ({
        keywordId: keywordId(n),
        platform: "assistant_a",
        named: [{ name: first, count: 1 }, { name: second, count: 3 }],
        cited: [first, null]
      }))
    const values = (definition: VoiceDefinition) =>
      [rows("brand", "r1"), rows("r1", "brand")].map((some) => Math.round(sharesOf(definition, some)[0]!.value!))
    expect(Object.fromEntries(voiceDefinitions.map((one) => [one, values(one)]))).toEqual({
      share: [50, 50],
      mention_rate: [100, 100],
      named_first: [100, 0],
      rank_weighted: [67, 33],
      occurrences: [25, 75],
      citations: [50, 0]
    })
  })
})
