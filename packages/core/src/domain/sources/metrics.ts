/**
 * Computes metrics of the sources of many answers. Means are computed like the share of voice: over the answers of a
 * cell, the cells of a platform, and the platforms. A *grounded* answer has a cited or in-text source that is not an
 * engine's page; retrieved sources never count.
 */
import type { CompetitorId, KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import { averageCells, groupIntoCells, weighCells } from "../scoring/cells.ts"
import { estimateAlone, type Interval } from "../scoring/intervals.ts"
import type { CitingRow } from "./citing.ts"
import type { Owner } from "./owners.ts"
import { fisherExactGreater, selectByFalseDiscoveryRate, signTest } from "./significance.ts"

const isGrounded = (row: CitingRow): boolean => row.cited.length > 0

/** Numbers of answers by whether they name the brand and whether they cite its pages. */
export interface Outcomes {
  readonly namedAndCited: number
  readonly namedOnly: number
  readonly citedOnly: number
  readonly neither: number
}

const countOutcomes = (rows: ReadonlyArray<CitingRow>): Outcomes => {
  const count = (named: boolean, cited: boolean) =>
    rows.filter((row) => row.brandMentioned === named && row.ownCited === cited).length
  return {
    namedAndCited: count(true, true),
    namedOnly: count(true, false),
    citedOnly: count(false, true),
    neither: count(false, false)
  }
}

/** The rates of one platform or of all platforms, 0–100, unrounded. */
export interface SourceRates {
  readonly answers: number
  readonly grounded: number
  /**
   * Share of answers with a search among the answers that could search; null if no answer could, or if the platform
   * does not report searches.
   */
  readonly searchRate: number | null
  /** Share of the grounded answers that cite the brand's pages; null without a grounded answer. */
  readonly ownCitationRate: number | null
  /** Outcomes of the answers whose platform names sources. */
  readonly outcomes: Outcomes
}

/** The rates over all platforms; with two or more keywords, the own citation rate has a 95 % interval. */
export interface SourceSummary extends SourceRates {
  readonly ownCitationInterval: Interval | null
  /** Mean over platforms of the share of answers that name the brand without citing it, and of the reverse, 0–100. */
  readonly namedNotCited: number | null
  readonly citedNotNamed: number | null
  readonly platforms: { readonly [K in PlatformId]?: SourceRates }
  /** Platforms that do not report sources, which the rates leave out. */
  readonly silent: ReadonlyArray<PlatformId>
  /** Number of answers whose sources are not derived yet; only `answers` includes them. */
  readonly unread: number
}

const makePercentShare = (of: (row: CitingRow) => boolean) => (row: CitingRow): number => of(row) ? 100 : 0
const ownShare = makePercentShare((row) => row.ownCited)

const computeSourceRates = (rows: ReadonlyArray<CitingRow>): SourceRates => {
  const grounded = rows.filter(isGrounded)
  return {
    answers: rows.length,
    grounded: grounded.length,
    searchRate: averageCells(
      groupIntoCells(rows.filter((row) => row.searched !== null)),
      makePercentShare((row) => row.searched === true)
    ),
    ownCitationRate: averageCells(groupIntoCells(grounded), ownShare),
    outcomes: countOutcomes(rows.filter((row) => row.reports))
  }
}

/** Computes the search rate, the own citation rate and the four outcomes. */
export const summarizeSources = (rows: ReadonlyArray<CitingRow>): SourceSummary => {
  const platforms = [...Map.groupBy(rows, (row) => row.platform)].toSorted(([a], [b]) => a < b ? -1 : 1)
  const reporting = groupIntoCells(rows.filter((row) => row.reports))
  return {
    ...computeSourceRates(rows),
    ownCitationInterval: estimateAlone(groupIntoCells(rows.filter(isGrounded)), ownShare),
    namedNotCited: averageCells(reporting, makePercentShare((row) => row.brandMentioned && !row.ownCited)),
    citedNotNamed: averageCells(reporting, makePercentShare((row) => !row.brandMentioned && row.ownCited)),
    platforms: Object.fromEntries(platforms.map(([platform, own]) => [platform, computeSourceRates(own)])),
    silent: platforms.flatMap(([platform, own]) =>
      own.some((row) => row.reports) || own.every((row) => row.unread) ? [] : [platform]
    ),
    unread: rows.filter((row) => row.unread).length
  }
}

/**
 * Minimum number of answers (and of keywords) from which one can expect that a site or page is cited again
 * (docs/sources.md).
 */
export const minListedAnswers = 3
export const minListedKeywords = 2

/** A domain or page that answers cite. */
export interface CitedSite {
  /** The domain, or the normalized URL of the page. */
  readonly name: string
  readonly answers: number
  readonly keywords: number
  /**
   * Citation share, 0–100. An answer's share is divided among its domains (or pages), so that all shares add up to 100.
   */
  readonly share: number
  /** Null if its pages have several owners. */
  readonly owner: Owner | null
  /** Number of the citing answers that name the brand. */
  readonly namingBrand: number
  /**
   * How many answers cite it (`cited`) of all answers (`of`), over cells that cite it and have several answers with
   * known citations.
   */
  readonly samples: { readonly cited: number; readonly of: number } | null
  /** Whether enough answers to enough keywords cite it to expect it again. */
  readonly listed: boolean
}

/** Whether at least two thirds of the samples cite it. */
export const isSteady = ({ cited, of }: { readonly cited: number; readonly of: number }): boolean => 3 * cited >= 2 * of

const isSameOwner = (a: Owner, b: Owner): boolean =>
  a.kind === b.kind && (a.kind !== "competitor" || a.id === (b as typeof a).id)

/** All cited domains or pages, sorted by descending number of answers. */
export const listCitedSites = (rows: ReadonlyArray<CitingRow>, by: "domain" | "page"): ReadonlyArray<CitedSite> => {
  const namesOf = (row: CitingRow) => by === "domain" ? row.domains : row.pages
  const cells = groupIntoCells(rows.filter((row) => namesOf(row).size > 0))
  const weights = weighCells(cells)
  interface Sum {
    answers: number
    readonly keywords: Set<KeywordId>
    share: number
    owner: Owner | null
    namingBrand: number
    cited: number
    of: number
  }
  const sites = new Map<string, Sum>()
  const known = rows.filter((row) => row.reports || namesOf(row).size > 0)
  const answersOf = Map.groupBy(known, (row) => `${row.platform} ${row.keywordId} ${row.scanId}`)
  for (const [i, cell] of cells.entries()) {
    for (const row of cell.rows) {
      const names = namesOf(row)
      for (const name of names) {
        const site = sites.get(name) ??
          { answers: 0, keywords: new Set(), share: 0, owner: null, namingBrand: 0, cited: 0, of: 0 }
        site.answers++
        site.keywords.add(row.keywordId)
        site.share += 100 * weights[i]! / cell.rows.length / names.size
        if (row.brandMentioned) site.namingBrand++
        sites.set(name, site)
      }
    }
  }
  for (const samples of answersOf.values()) {
    if (samples.length < 2) continue
    const cited = new Map<string, number>()
    for (const row of samples) for (const name of namesOf(row)) cited.set(name, (cited.get(name) ?? 0) + 1)
    for (const [name, times] of cited) {
      const site = sites.get(name)!
      site.cited += times
      site.of += samples.length
    }
  }
  const mixed = new Set<string>()
  for (const { cited } of rows) {
    for (const { domain, owner, page } of cited) {
      const name = by === "domain" ? domain : page
      const site = name === null ? undefined : sites.get(name)
      if (site === undefined) continue
      if (site.owner !== null && !isSameOwner(site.owner, owner)) mixed.add(name!)
      site.owner = owner
    }
  }
  return [...sites].map(([name, site]): CitedSite => ({
    name,
    answers: site.answers,
    keywords: site.keywords.size,
    share: site.share,
    owner: mixed.has(name) ? null : site.owner,
    namingBrand: site.namingBrand,
    samples: site.of === 0 ? null : { cited: site.cited, of: site.of },
    listed: site.answers >= minListedAnswers && site.keywords.size >= minListedKeywords
  })).toSorted((a, b) => b.answers - a.answers || b.share - a.share || (a.name < b.name ? -1 : 1))
}

/** Maximum share of the reported gaps or changes that may be due to chance. */
const maxFalseDiscoveryRate = 0.1

/** A domain that is cited more often in cells that name only rivals than in cells that name the brand. */
export interface SourceGap {
  readonly domain: string
  /** Number of cells that name a rival but not the brand, and cite the domain. */
  readonly rivalOnly: number
  /** Number of cells that name a rival but not the brand. */
  readonly rivalOnlyCells: number
  readonly withBrand: number
  readonly withBrandCells: number
  /** Rivals that its answers name without the brand, most frequent first. */
  readonly rivals: ReadonlyArray<CompetitorId>
  /** Probability by Fisher's exact test, one-sided. */
  readonly probability: number
  /** Whether the difference exceeds chance: on average at most 10 % of proven gaps are false. */
  readonly proven: boolean
}

/**
 * Gaps of the listed domains, clearest first. The unit is the cell, because answers of one cell are similar. A cell
 * names the brand if at least half of its answers do. Otherwise it is rival-only if at least half of them name a rival.
 */
export const findSourceGaps = (rows: ReadonlyArray<CitingRow>): ReadonlyArray<SourceGap> => {
  const cells = groupIntoCells(rows.filter(isGrounded)).flatMap(({ rows: answers }) => {
    const half = (of: (row: CitingRow) => boolean) => 2 * answers.filter(of).length >= answers.length
    const domains = new Set(answers.flatMap(({ domains }) => [...domains]))
    if (half((row) => row.brandMentioned)) return [{ withBrand: true, domains, answers }]
    return half((row) => row.competitorsMentioned.length > 0) ? [{ withBrand: false, domains, answers }] : []
  })
  const rivalOnly = cells.filter((cell) => !cell.withBrand)
  const withBrand = cells.filter((cell) => cell.withBrand)
  const tested = listCitedSites(rows, "domain").filter(({ listed, owner }) => listed && owner?.kind !== "own")
  const gaps = tested.map(({ name }) => {
    const a = rivalOnly.filter(({ domains }) => domains.has(name))
    const b = withBrand.filter(({ domains }) => domains.has(name)).length
    const rivals = new Map<CompetitorId, number>()
    for (const { answers } of a) {
      for (const row of answers) {
        if (row.brandMentioned || !row.domains.has(name)) continue
        for (const id of row.competitorsMentioned) rivals.set(id, (rivals.get(id) ?? 0) + 1)
      }
    }
    return {
      domain: name,
      rivalOnly: a.length,
      rivalOnlyCells: rivalOnly.length,
      withBrand: b,
      withBrandCells: withBrand.length,
      rivals: [...rivals].toSorted(([, x], [, y]) => y - x).map(([id]) => id),
      probability: fisherExactGreater(a.length, rivalOnly.length, b, withBrand.length)
    }
  })
  const proven = selectByFalseDiscoveryRate(gaps.map(({ probability }) => probability), maxFalseDiscoveryRate)
  return gaps.map((gap, i) => ({ ...gap, proven: proven[i]! }))
    .toSorted((a, b) => a.probability - b.probability || (a.domain < b.domain ? -1 : 1))
}

/** The change of a domain's citations between two scans. */
export interface SourceChange {
  readonly domain: string
  /**
   * Number of common cells that cite the domain more often than before (`up`) or less often (`down`).
   */
  readonly up: number
  readonly down: number
  /** Probability by the exact sign test, two-sided. */
  readonly probability: number
  /** Whether the change exceeds chance: on average at most 10 % of such changes are false. */
  readonly beyondNoise: boolean
}

/** Changes of all domains that either scan cites, over their common cells; clearest first. */
export const findSourceChanges = (
  before: ReadonlyArray<CitingRow>,
  after: ReadonlyArray<CitingRow>
): ReadonlyArray<SourceChange> => {
  const sumDomainParts = (rows: ReadonlyArray<CitingRow>) =>
    new Map(
      groupIntoCells(rows.filter((row) => row.reports)).map(({ keywordId, platform, rows: answers }) => {
        const parts = new Map<string, number>()
        for (const { domains } of answers) {
          for (const domain of domains) parts.set(domain, (parts.get(domain) ?? 0) + 1 / answers.length)
        }
        return [`${platform} ${keywordId}`, parts]
      })
    )
  const earlier = sumDomainParts(before)
  const moves = new Map<string, { up: number; down: number }>()
  for (const [cell, parts] of sumDomainParts(after)) {
    const then = earlier.get(cell)
    if (then === undefined) continue
    for (const domain of new Set([...parts.keys(), ...then.keys()])) {
      const difference = (parts.get(domain) ?? 0) - (then.get(domain) ?? 0)
      const move = moves.get(domain) ?? { up: 0, down: 0 }
      if (difference > 1e-9) move.up++
      if (difference < -1e-9) move.down++
      moves.set(domain, move)
    }
  }
  const changes = [...moves].map(([domain, { down, up }]) => ({ domain, up, down, probability: signTest(up, down) }))
  const beyond = selectByFalseDiscoveryRate(changes.map(({ probability }) => probability), maxFalseDiscoveryRate)
  return changes.map((change, i) => ({ ...change, beyondNoise: beyond[i]! }))
    .toSorted((a, b) => a.probability - b.probability || (a.domain < b.domain ? -1 : 1))
}
