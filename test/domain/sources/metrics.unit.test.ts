import {
  type CompetitorId,
  findSourceChanges,
  findSourceGaps,
  fisherExactGreater,
  isSteady,
  listCitedSites,
  makeOwnerLookup,
  type Owner,
  parsePage,
  type PlatformId,
  platformIds,
  type ScanId,
  selectByFalseDiscoveryRate,
  signTest,
  type SourcedRow,
  summarizeSources,
  toCitingRows,
  type TrackedSet
} from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { seededRandom } from "../../support/seededRandom.ts"
import { keywordId, rivals } from "../scoring/support.ts"

const tracked = {
  brand: { domains: ["acme.com"] },
  competitors: [{ id: rivals[0]!, name: "Globex", domains: ["globex.example", "shop.acme.com"] }]
} as unknown as TrackedSet
const ownerOf = makeOwnerLookup(tracked)

/** An answer by its sources: `r:` before a retrieved one. */
const row = (keyword: number, urls: string, more: Partial<SourcedRow> = {}): SourcedRow => ({
  platform: "assistant_a",
  keywordId: keywordId(keyword),
  scanId: "s1" as ScanId,
  brandMentioned: false,
  competitorsMentioned: [],
  status: "complete",
  payloadKept: true,
  search: "offered",
  queries: [],
  sources: urls.split(" ").filter((url) => url !== "").map((url) => ({
    kind: url.startsWith("r:") ? "retrieved" : "cited",
    ...parsePage(`https://${url.replace("r:", "")}`)!
  })),
  ...more
})
const read = (...rows: ReadonlyArray<SourcedRow>) => toCitingRows(rows, ownerOf)

describe("the owner of a page", () => {
  it.each([
    ["acme.com/x", "own"],
    ["docs.acme.com/x", "own"],
    ["shop.acme.com/x", "competitor"],
    ["notacme.com/", "third_party"],
    ["acme.com.evil.example/", "third_party"],
    ["chatgpt.com/?q=x", "engine"],
    ["www.google.com/search?q=x", "engine"],
    ["google.com/about", "third_party"]
  ])("the owner of the page %s is: %s", (url, kind) => {
    expect(ownerOf(parsePage(`https://${url}`)!).kind).toBe(kind)
  })
})

describe("rates", () => {
  it("own pages that were only retrieved are not cited", () => {
    const rates = summarizeSources(
      read(row(1, "r:acme.com/a"), row(2, "other.example r:acme.com/a"), row(3, "acme.com/a"))
    )
    expect(rates).toMatchObject({ grounded: 2, ownCitationRate: 50, searchRate: 100 })
  })

  it("pages of engines count in no share, and do not make an answer grounded", () => {
    const rows = read(row(1, "chatgpt.com/x"), row(2, "chatgpt.com/x a.example/"))
    expect(summarizeSources(rows).grounded).toBe(1)
    expect(listCitedSites(rows, "domain").map(({ name, share }) => [name, share])).toEqual([["a.example", 100]])
  })

  it("platforms have the same weight, however many answers or sources they have", () => {
    const many = Array.from({ length: 9 }, (_, i) => row(i, "acme.com/a"))
    const summary = summarizeSources(read(...many, row(1, "b.example/", { platform: "assistant_b" })))
    expect(summary.ownCitationRate).toBe(50)
  })

  it("a platform that names no sources is reported as silent instead of 0", () => {
    const silent = row(1, "", { platform: "assistant_e", status: "unsupported", search: null })
    const summary = summarizeSources(read(row(1, "acme.com/"), silent))
    expect(summary.silent).toEqual(["assistant_e"])
    expect(summary).toMatchObject({ ownCitationRate: 100, searchRate: 100, answers: 2, grounded: 1 })
    expect(summary.platforms.assistant_e).toMatchObject({ searchRate: null, ownCitationRate: null })
    expect(summary.outcomes.neither).toBe(0)
  })

  it("an answer with unknown sources is not counted as citing nothing, whatever else its platform reports", () => {
    const named = { brandMentioned: true }
    const unknown = [
      { status: null },
      { status: "unreadable" },
      { status: "unsupported", payloadKept: false },
      { status: "unsupported", scanId: "s2" as ScanId }
    ] as const
    for (const one of unknown) {
      const summary = summarizeSources(read(row(1, "b.example/", named), row(2, "", { ...named, ...one })))
      expect(summary.outcomes, JSON.stringify(one)).toMatchObject({ namedOnly: 1 })
      expect(summary).toMatchObject({ answers: 2, searchRate: 100, unread: one.status === null ? 1 : 0 })
    }
    const listless = summarizeSources(read(row(1, "b.example/"), row(2, "", { ...named, status: "unsupported" })))
    expect(listless.outcomes).toMatchObject({ namedOnly: 1, neither: 1 })
  })

  it("a platform is silent only once one of its answers has been read", () => {
    const summary = summarizeSources(read(row(1, "", { status: null })))
    expect(summary).toMatchObject({ silent: [], unread: 1 })
  })

  it("an answer for which no search was possible counts in no search rate", () => {
    expect(summarizeSources(read(row(1, "", { search: "off" }), row(2, "", { queries: ["x"] }), row(3, ""))).searchRate)
      .toBe(50)
    expect(summarizeSources(read(row(1, "", { search: "off" }))).searchRate).toBeNull()
  })

  it("an answer without a search has no outcome, unless it cites a page", () => {
    const off = { search: "off", brandMentioned: true } as const
    const summary = summarizeSources(read(row(1, "", off), row(2, "", { ...off, platform: "assistant_b" })))
    expect(summary.outcomes).toEqual({ namedAndCited: 0, namedOnly: 0, citedOnly: 0, neither: 0 })
    expect(summary.namedNotCited).toBeNull()
    expect(summary.silent).toEqual(["assistant_a", "assistant_b"])
    expect(summarizeSources(read(row(1, "acme.com/", off))).outcomes.namedAndCited).toBe(1)
  })

  it("an answer that may have had a search counts either as searched or not at all", () => {
    const history = { search: null }
    expect(summarizeSources(read(row(1, "", history))).searchRate).toBeNull()
    expect(summarizeSources(read(row(1, "", history), row(2, "r:a.example/", history))).searchRate).toBe(100)
  })

  it("answers have one of four outcomes: named or not, own page cited or not", () => {
    const named = { brandMentioned: true }
    const summary = summarizeSources(
      read(row(1, "acme.com/", named), row(2, "b.example/", named), row(3, "acme.com/"), row(4, ""))
    )
    expect(summary.outcomes).toEqual({ namedAndCited: 1, namedOnly: 1, citedOnly: 1, neither: 1 })
    expect(summary).toMatchObject({ namedNotCited: 25, citedNotNamed: 25 })
  })

  it("the own citation rate has an interval if there are two or more keywords", () => {
    const rows = [1, 2, 3, 4, 5].map((k) => row(k, k < 3 ? "acme.com/" : "b.example/"))
    expect(summarizeSources(read(...rows)).ownCitationInterval).not.toBeNull()
    expect(summarizeSources(read(...rows.slice(4))).ownCitationInterval).toBeNull()
  })
})

const anyRow = fc.record({
  keyword: fc.integer({ min: 1, max: 6 }),
  platform: fc.constantFrom(...platformIds),
  urls: fc.array(
    fc.constantFrom("a.example/1", "a.example/2", "b.example/", "acme.com/", "r:c.example/", "chatgpt.com/"),
    { maxLength: 5 }
  ),
  brandMentioned: fc.boolean(),
  competitorsMentioned: fc.subarray([...rivals])
}).map(({ keyword, urls, ...more }) => row(keyword, urls.join(" "), more))

describe("cited domains", () => {
  it("shares add up to 100 if there is a grounded answer", () => {
    fc.assert(fc.property(fc.array(anyRow, { maxLength: 40 }), (rows) => {
      const citing = read(...rows)
      for (const by of ["domain", "page"] as const) {
        const total = listCitedSites(citing, by).reduce((sum, { share }) => sum + share, 0)
        expect(total).toBeCloseTo(citing.some(({ cited }) => cited.length > 0) ? 100 : 0, 6)
      }
    }))
  })

  it("the order of the answers makes no difference", () => {
    fc.assert(fc.property(fc.array(anyRow, { maxLength: 30 }), (rows) => {
      const rounded = (some: ReadonlyArray<SourcedRow>) =>
        listCitedSites(read(...some), "domain").map(({ share, ...site }) => ({ ...site, share: share.toFixed(6) }))
          .toSorted((a, b) => a.name < b.name ? -1 : 1)
      expect(rounded(rows.toReversed())).toEqual(rounded(rows))
    }))
  })

  it("domains are listed if at least 3 answers to 2 keywords cite them", () => {
    const listed = (...keywords: ReadonlyArray<number>) =>
      listCitedSites(read(...keywords.map((k, i) => row(k, "a.example/", { platform: platformIds[i]! }))), "domain")[0]!
        .listed
    expect(listed(1, 2)).toBe(false)
    expect(listed(1, 1, 1)).toBe(false)
    expect(listed(1, 1, 2)).toBe(true)
  })

  it("a domain is listed with its owner, its answers that name the brand, and the number of samples that cite it", () => {
    const rows = read(
      row(1, "acme.com/a", { brandMentioned: true }),
      row(1, ""),
      row(1, "acme.com/b"),
      row(2, "shop.acme.com/x b.example/")
    )
    expect(listCitedSites(rows, "domain")).toMatchObject([
      { name: "acme.com", owner: null, answers: 3, namingBrand: 1, samples: { cited: 2, of: 3 } },
      { name: "b.example", owner: { kind: "third_party" }, answers: 1, samples: null }
    ])
    expect(listCitedSites(rows, "page").map(({ name, owner }) => [name, owner?.kind])).toContainEqual([
      "https://acme.com/a",
      "own"
    ])
    expect(isSteady({ cited: 2, of: 3 })).toBe(true)
    expect(isSteady({ cited: 1, of: 3 })).toBe(false)
  })
})

describe("exact tests", () => {
  it("Fisher's test of the lady tasting tea is exact: 3 of 4 against 1 of 4", () => {
    expect(fisherExactGreater(3, 4, 1, 4)).toBeCloseTo(17 / 70, 10)
    expect(fisherExactGreater(0, 4, 1, 4)).toBeCloseTo(1, 10)
  })

  it("the sign test is exact: 6 of 6 and 5 of 6", () => {
    expect(signTest(6, 0)).toBeCloseTo(2 / 64, 10)
    expect(signTest(1, 5)).toBeCloseTo(14 / 64, 10)
    expect(signTest(0, 0)).toBe(1)
  })

  it("the correction reproduces Benjamini and Hochberg's own example: 4 of 15 at 5 %", () => {
    const p = [.0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344, .0459, .3240, .4262, .5719, .6528, .7590, 1]
    expect(selectByFalseDiscoveryRate(p, 0.05).filter(Boolean)).toHaveLength(4)
    expect(selectByFalseDiscoveryRate([], 0.1)).toEqual([])
  })

  it("probabilities are between 0 and 1 and fall as the difference grows", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), fc.nat(60), (n, m, seed) => {
        const b = seed % (m + 1)
        const chances = Array.from({ length: n + 1 }, (_, a) => fisherExactGreater(a, n, b, m))
        for (const [i, p] of chances.entries()) {
          expect(p).toBeGreaterThan(0)
          expect(p).toBeLessThanOrEqual(1)
          if (i > 0) expect(p).toBeLessThanOrEqual(chances[i - 1]! + 1e-9)
        }
      })
    )
  })
})

/** `keywords` questions on five platforms; `cites` says what an answer cites, and whether it names the brand. */
const scan = (
  keywords: number,
  cites: (k: number, platform: PlatformId) => { readonly urls: string; readonly named: boolean }
) =>
  read(
    ...Array.from({ length: keywords }, (_, k) => k).flatMap((k) =>
      platformIds.map((platform) => {
        const { named, urls } = cites(k, platform)
        const competitorsMentioned: ReadonlyArray<CompetitorId> = named ? [] : [rivals[0]!]
        return row(k, urls, { platform, brandMentioned: named, competitorsMentioned })
      })
    )
  )

describe("gaps", () => {
  it("a gap is proven for a domain that occurs with the rivals' answers, but not for one that occurs with all answers", () => {
    const rows = scan(20, (k) => ({
      named: k % 2 === 0,
      urls: `everywhere.example/ acme.com/ ${k % 2 === 1 && k < 16 ? "theirs.example/" : ""}`
    }))
    const gaps = findSourceGaps(rows)
    expect(gaps[0]).toMatchObject({
      domain: "theirs.example",
      rivalOnly: 40,
      rivalOnlyCells: 50,
      withBrand: 0,
      withBrandCells: 50,
      rivals: [rivals[0]],
      proven: true
    })
    expect(gaps.find(({ domain }) => domain === "everywhere.example")).toMatchObject({ proven: false })
    expect(gaps.some(({ domain }) => domain === "acme.com")).toBe(false)
  })

  it("at most 10 % of simulated worlds without a gap show one", () => {
    const random = seededRandom(17)
    let shown = 0
    for (let world = 0; world < 200; world++) {
      const rows = scan(20, () => ({
        named: random() < 0.5,
        urls: Array.from({ length: 12 }, (_, d) => random() < 0.15 ? `d${d}.example/` : "").join(" ")
      }))
      if (findSourceGaps(rows).some(({ proven }) => proven)) shown++
    }
    expect(shown / 200).toBeLessThanOrEqual(0.1)
  })
})

describe("changes", () => {
  it("a domain that is new in every cell is beyond noise, and a domain that is new in two cells is not", () => {
    const before = scan(20, () => ({ named: false, urls: "a.example/" }))
    const after = scan(20, (k, platform) => ({
      named: false,
      urls: `a.example/ new.example/ ${k < 2 && platform === "assistant_a" ? "rare.example/" : ""}`
    }))
    const changes = findSourceChanges(before, after)
    expect(changes[0]).toMatchObject({ domain: "new.example", up: 100, down: 0, beyondNoise: true })
    expect(changes.filter(({ beyondNoise }) => beyondNoise)).toHaveLength(1)
  })

  it("a scan whose sources are not derived yet changes nothing", () => {
    const cells = (more: Partial<SourcedRow>, urls: string) =>
      Array.from({ length: 20 }, (_, k) => row(k, urls, { brandMentioned: true, ...more }))
    const rows = read(
      ...cells({ scanId: "s1" as ScanId, status: null, search: null }, ""),
      ...cells({ scanId: "s2" as ScanId }, "a.example/")
    )
    const of = (id: string) => rows.filter(({ scanId }) => scanId === id)
    expect(findSourceChanges(of("s1"), of("s2"))).toEqual([])
    expect(summarizeSources(of("s1")).outcomes).toEqual({ namedAndCited: 0, namedOnly: 0, citedOnly: 0, neither: 0 })
    expect(summarizeSources(rows).outcomes).toMatchObject({ namedOnly: 20 })
  })

  it("hardly any domain is reported to change between two scans without a change", () => {
    const random = seededRandom(5)
    const world = () =>
      scan(20, () => ({
        named: false,
        urls: Array.from({ length: 60 }, (_, d) => random() < 0.1 ? `d${d}.example/` : "").join(" ")
      }))
    let said = 0
    for (let i = 0; i < 50; i++) {
      said += findSourceChanges(world(), world()).filter(({ beyondNoise }) => beyondNoise).length
    }
    expect(said / 50).toBeLessThanOrEqual(0.3)
  })
})

describe("owners", () => {
  it("domains are parsed as a browser parses them", () => {
    const owner: Owner = makeOwnerLookup(
      { brand: { domains: ["WWW.Bücher.example"] }, competitors: [] } as unknown as TrackedSet
    )(
      parsePage("https://www.xn--bcher-kva.example/x")!
    )
    expect(owner.kind).toBe("own")
  })
})
