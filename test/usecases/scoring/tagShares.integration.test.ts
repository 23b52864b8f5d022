/**
 * Tags hold for earlier scans: shares by tag, comparisons, answers and scans read the keywords that have it now.
 */
import {
  addKeywords,
  compareScans,
  findNamedTag,
  formEvidence,
  type OrganizationId,
  type PlatformId,
  readArchive,
  readKeywords,
  readRecentAnswers,
  readSpotOdds,
  readTagShares,
  readTrust,
  spotScans,
  tagKeywords,
  untagKeywords,
  wholeHistory
} from "@sov/core"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { scanWith, seed, texts } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const { close, run } = openStorage(oneHome[0]!)
afterAll(close)

const branded = "is Acme Forge any good?"
const day = 86_400

/**
 * How many names the answer to a keyword has, the brand among them; 0 = it names nobody. The branded question has the
 * index -1.
 */
const namesLastMonth: { readonly [platform: string]: ReadonlyArray<number> } = {
  assistant_a: [1, 0, 2, 1, 0, 3],
  assistant_b: [2, 2, 0, 1, 3, 1]
}
const names = ["Acme Forge", "Globex", "Initech"]
const answer = (keyword: number, platform: string) =>
  keyword === -1 ? "Acme Forge is." : `${names.slice(0, namesLastMonth[platform]![keyword]).join(" and ")}.`

/** The share by hand: of an answer 100 over the names in it, then the mean over keywords, then over platforms. */
const shareByHand = (keywords: ReadonlyArray<number>): number => {
  const means = Object.values(namesLastMonth).map((counts) =>
    keywords.reduce((total, keyword) => total + (counts[keyword] === 0 ? 0 : 100 / counts[keyword]!), 0) /
    keywords.length
  )
  return (means[0]! + means[1]!) / 2
}

const tag = (id: OrganizationId, keywords: ReadonlyArray<number>, name: string) =>
  Effect.gen(function*() {
    const all = yield* readKeywords(id)
    yield* tagKeywords(id, all.filter(({ text }) => keywords.includes(texts.indexOf(text))).map((one) => one.id), [
      name
    ])
  })

const prepare = Effect.gen(function*() {
  const id = yield* seed
  yield* addKeywords(id, [branded])
  const lastMonth = yield* scanWith(id, -20 * day, answer, { cellCount: 14 })
  const now = yield* scanWith(id, 5 * day, (keyword) => keyword === 5 ? "Acme Forge." : "Globex.", { cellCount: 14 })
  return { id, lastMonth, now }
})

it("a tag that is given today has a share in last month's scan, equal to the share computed by hand", () =>
  run(Effect.gen(function*() {
    const { id, lastMonth, now } = yield* prepare
    yield* tag(id, [0, 2, 4, -1], "Pricing")
    yield* tag(id, [0, 1, 2, 3, 4], "five")
    const { scans, tags } = yield* readTagShares(id, wholeHistory, 12)
    expect(scans.map((scan) => scan.id)).toEqual([lastMonth.id, now.id])
    expect(tags.map((one) => [one.tag, one.system])).toEqual([
      ["five", false],
      ["Pricing", false],
      ["branded", true],
      ["unbranded", true]
    ])
    const [five, pricing, named, unnamed] = tags.map(({ shares }) => shares[0]!)
    expect(pricing).toMatchObject({ n: 6, keywords: 3, topics: 3 })
    expect(pricing!.sov).toBeCloseTo(shareByHand([0, 2, 4]), 10)
    expect(five!.sov).toBeCloseTo(shareByHand([0, 1, 2, 3, 4]), 10)
    // Fewer questions say less about others; one question says nothing
    const widthOf = (share: typeof five) => share!.interval!.high - share!.interval!.low
    expect(widthOf(pricing)).toBeGreaterThan(widthOf(five))
    expect(named!.interval).toBeNull()
    expect(named).toMatchObject({ sov: 100, n: 2, keywords: 1 })
    expect(unnamed!.sov).toBeCloseTo(shareByHand([0, 1, 2, 3, 4, 5]), 10)
    expect(tags[1]!.newest).toMatchObject({ scan: { id: now.id }, share: { sov: 0 } })

    yield* untagKeywords(id, yield* findNamedTag(id, "PRICING"), ["pricing"])
    expect(yield* Effect.flip(readTagShares(id, wholeHistory, 12, "pricing"))).toMatchObject({ _tag: "NotFound" })
  })))

it("comparisons and answers cover the keywords that have the tag at present", () =>
  run(Effect.gen(function*() {
    const { id } = yield* prepare
    yield* tag(id, [0, 2], "a")
    const compared = yield* compareScans(id, wholeHistory, "previous", "latest", "A")
    expect([...compared.keywordTexts.values()].toSorted()).toEqual([texts[0], texts[2]])
    expect(yield* Effect.flip(compareScans(id, wholeHistory, "previous", "latest", "b"))).toMatchObject({
      _tag: "NotFound",
      what: "tag"
    })

    const page = (filters: { readonly tag?: string }, cursor?: string) =>
      readArchive(id, wholeHistory, filters, { limit: 6, cursor })
    const first = yield* page({ tag: "A" })
    const second = yield* page({ tag: "A" }, first.nextCursor!)
    expect([...first.rows, ...second.rows].map((row) => row.promptUsed).toSorted()).toEqual(
      [texts[0], texts[0], texts[0], texts[0], texts[2], texts[2], texts[2], texts[2]]
    )
    expect((yield* page({ tag: "branded" })).rows.map((row) => row.promptUsed)).toEqual(Array(4).fill(branded))
    expect((yield* page({ tag: "nothing" })).rows).toEqual([])
    // A cursor belongs to its tag
    expect(yield* Effect.flip(page({}, first.nextCursor!))).toMatchObject({ _tag: "BadCursor" })
  })))

it("a spot check counts the answers of all scans to a cell, overall, by platform and by tag", () =>
  run(Effect.gen(function*() {
    const { id } = yield* prepare
    yield* tag(id, [0, 5], "pair")
    const { all, platforms, scans, tags } = yield* readSpotOdds(id, wholeHistory, 12)
    expect(scans).toHaveLength(2)
    // Each platform gave 12 answers; those that name the brand by hand: last month 4 and 5, now 1 and 1
    expect(all).toMatchObject({ odds: expect.closeTo(100 * (5 + 6) / 24), answers: 24, questions: 6 })
    expect(platforms.map(({ name, odds }) => [name, odds.odds])).toEqual([
      ["assistant_a", expect.closeTo(100 * 5 / 12)],
      ["assistant_b", expect.closeTo(50)]
    ])
    expect(tags.map(({ name, odds }) => [name, odds.questions, odds.answers])).toEqual([["pair", 2, 8]])
    expect(all!.threeMisses).toBeGreaterThan(100 * (1 - 11 / 24) ** 3)
    expect(yield* Effect.flip(readSpotOdds(id, { since: new Date(8.64e15) }, 12))).toMatchObject({
      _tag: "NoCompletedScan"
    })
  })))

it("a narrowed scan has the share of a tag only if it asked all of the tag's questions on all platforms", () =>
  run(Effect.gen(function*() {
    const id = yield* seed
    yield* tag(id, [0, 1], "pricing")
    const askable = { keywords: 6, platforms: 2 }
    const narrowed = (
      seconds: number,
      keywords: ReadonlyArray<number>,
      platforms: ReadonlyArray<PlatformId> = ["assistant_a", "assistant_b"]
    ) =>
      scanWith(
        id,
        seconds,
        (keyword, platform) =>
          keywords.includes(keyword) && platforms.some((one) => one === platform) ? "Acme Forge." : null,
        { askable, platforms, cellCount: keywords.length * platforms.length }
      )
    yield* scanWith(id, 10, () => "Globex.", { askable })
    yield* narrowed(20, [0, 1])
    yield* narrowed(30, [0])
    yield* narrowed(40, [0, 1], ["assistant_b"])
    const { tags } = yield* readTagShares(id, wholeHistory, 12, "pricing")
    expect(tags[0]!.shares.map((share) => share?.sov ?? null)).toEqual([0, 100, null, null])
    expect(tags[0]!.newest!.share.sov).toBe(100)
  })))

it("trust keeps the spot check and the evidence of one scan for a minute, and forms them again for the next scan", () =>
  run(Effect.gen(function*() {
    const { id } = yield* prepare
    const trust = yield* readTrust(id, wholeHistory)
    expect(trust.spot).toEqual(yield* readSpotOdds(id, wholeHistory, spotScans))
    expect(trust.evidence).toEqual(formEvidence(yield* readRecentAnswers(id, wholeHistory, 12), null))
    expect(yield* readTrust(id, wholeHistory)).toBe(trust)
    const next = yield* scanWith(id, 6 * day, () => "Globex.")
    expect((yield* readTrust(id, wholeHistory)).evidence.scan.id).toBe(next.id)
    expect(yield* Effect.flip(readTrust(id, { since: new Date(8.64e15) }))).toMatchObject({ _tag: "NoCompletedScan" })
  })))

it("evidence counts the headline's scan and those that were measured like it, and the tags as kinds of question", () =>
  run(Effect.gen(function*() {
    const { id, now } = yield* prepare
    yield* tag(id, [0, 1, 2, 3, 4], "kind")
    const { facts, next, scan } = formEvidence(yield* readRecentAnswers(id, wholeHistory, 12), 0.01)
    expect(scan.id).toBe(now.id)
    expect(facts).toMatchObject({
      scans: 2,
      samples: 1,
      values: { questions: 6, topics: 6, kinds: 1, platforms: 2, repeats: 2, cadence: 2, disclosure: 0 }
    })
    // 44 more questions on two platforms, in two scans: those asked so far have their second answer
    expect(next).toMatchObject({ grade: "directional", questions: 50, platforms: 2, scans: 2 })
    expect(next!.steps.map(({ criterion }) => criterion)).toContain("questions")
    expect(next!.costUsd).toBeCloseTo(0.01 * next!.answers)
  })))
