/** Forms the figures of a report from its evidence alone, by the rules of scores, comparisons and source metrics. */
import type { AnswerId, KeywordId } from "../../domain/ids.ts"
import { brandedAmong, compileTerms, measureVersion, measureWithTerms } from "../../domain/measuring/measureAnswer.ts"
import type { Mention } from "../../domain/measuring/Measurement.ts"
import { describeSurface } from "../../domain/platforms/surface.ts"
import type {
  EvidenceAnswer,
  EvidenceKeyword,
  EvidenceScan,
  EvidenceSite,
  ReportEvidence
} from "../../domain/reports/ReportEvidence.ts"
import type { CellCounts } from "../../domain/scanning/Cell.ts"
import { isOneSeries, isSameKind, type Scan } from "../../domain/scanning/Scan.ts"
import { isCompared } from "../../domain/scoring/asked.ts"
import { listOrigins } from "../../domain/scoring/breaks.ts"
import { type ScoredCell, type ScoredRow, selectHeadlineCells, sum } from "../../domain/scoring/cells.ts"
import { findCommonCells, hasEnoughCellsForTrend } from "../../domain/scoring/commonCells.ts"
import { countEvidence, type GradeInputs } from "../../domain/scoring/evidenceGrade.ts"
import { type BlindAlert, findPanelReach, judgeThreshold, maxPlanScans } from "../../domain/scoring/panelPlan.ts"
import { type Score, scoreScan } from "../../domain/scoring/Score.ts"
import { formScoreDetail, maxDetailScans } from "../../domain/scoring/scoreDetail.ts"
import { findTopics } from "../../domain/scoring/topics.ts"
import { actionScans } from "../../domain/sources/actions/Action.ts"
import type { CitingRow } from "../../domain/sources/citing.ts"
import { type CitedSite, listCitedSites, type SourceSummary, summarizeSources } from "../../domain/sources/metrics.ts"
import type { Owner } from "../../domain/sources/owners.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import type { NamesToFind } from "../../ports/AnswerAnalysis.ts"
import { hasSameVersions } from "../scoring/readHeadlines.ts"
import { makeStanding, type Standing } from "../scoring/readOverview.ts"
import type { ScoreReport } from "../scoring/readScoreReport.ts"
import { formExperiments, type ReportedExperiment } from "./formExperiments.ts"
import { formNext, type ReportedNext } from "./formNext.ts"

/** Every figure of a report. */
export interface ReportFigures {
  readonly standing: Standing
  readonly sources: {
    readonly summary: SourceSummary
    /** Cited domains, sorted by descending number of answers. */
    readonly sites: ReadonlyArray<CitedSite>
  }
  /**
   * The alert threshold, if it is closer than the smallest change that the newest scan's questions can show, judged by
   * the noise of the report's scans.
   */
  readonly blindAlert: BlindAlert | null
  /** Empty in a report of a tag, because experiments use all answers. */
  readonly experiments: ReadonlyArray<ReportedExperiment>
  /** The evidence for the share, counted in the report's scans; null for page versions before 5. */
  readonly evidence: GradeInputs | null
  /** Null in a report of a tag, for the same reason as `experiments`. */
  readonly next: ReportedNext | null
}

/** The evidence contradicts itself, so no figure can be derived from it. */
export class BrokenEvidence extends Error {
  override readonly name = "BrokenEvidence"
}

const need = <Value>(value: Value | undefined, what: string): Value => {
  if (value === undefined) throw new BrokenEvidence(`${what} is not among its lines`)
  return value
}

const findSet = ({ sets }: Pick<ReportEvidence, "sets">, version: number): TrackedSet =>
  need(sets.find((set) => set.version === version), `version ${version} of the tracked names`)

/** The answers under the seals of a scan, in id order. */
export const answersOf = ({ seals }: ReportEvidence, scanId: string): ReadonlyArray<EvidenceAnswer> =>
  seals.filter(({ header }) => header.scan_id === scanId).flatMap(({ answers }) => answers ?? [])
    .toSorted((a, b) => a.id < b.id ? -1 : 1)

/** The answers that count in the figures: all, or only the answers to keywords with the report's tag. */
const countedAnswers = (evidence: ReportEvidence, scanId: string): ReadonlyArray<EvidenceAnswer> =>
  answersOf(evidence, scanId).filter((answer) => isTagged(evidence, answer))

/** Whether the answer is to a keyword with the report's tag; true for a report without a tag. */
export const isTagged = (
  { header, keywords }: Pick<ReportEvidence, "header" | "keywords">,
  { keyword }: Pick<EvidenceAnswer, "keyword">
): boolean => header.tag === undefined || (keyword !== undefined && keywords[keyword]?.tagged === true)

/** A measured answer of the evidence. */
interface EvidenceRow extends ScoredRow {
  readonly answer: EvidenceAnswer
}

const rowsOf = (evidence: ReportEvidence, scanId: string, set: TrackedSet): ReadonlyArray<EvidenceRow> =>
  countedAnswers(evidence, scanId).flatMap((answer) => {
    const { brand, competitors = [], id, keyword, market, model = null, platform, search = null } = answer
    if (brand === undefined) return []
    const what = `what answer ${id} was asked`
    return [{
      answer,
      platform: need(platform, what),
      keywordId: need(evidence.keywords[need(keyword, what)], what).id,
      brandMentioned: brand,
      competitorsMentioned: competitors.map((at) => need(set.competitors[at], `a competitor of answer ${id}`).id),
      origin: { model, search, sent: market === undefined ? null : JSON.stringify(market) }
    }]
  })

/** A scan of the evidence with its score and its rows. */
interface FormedScan {
  readonly scan: Scan
  readonly score: Score
  readonly rows: ReadonlyArray<EvidenceRow>
  readonly branded: ReadonlySet<KeywordId>
}

const toScan = (found: EvidenceScan): Scan => {
  const { measured: _, ...scan } = found
  return scan
}

/** The counted keywords that a scan asked. */
const listAsked = (evidence: ReportEvidence, { id, measured }: EvidenceScan): ReadonlyArray<EvidenceKeyword> =>
  measured!.asked.map((at) => need(evidence.keywords[at], `a keyword of scan ${id}`))
    .filter(({ tagged }) => evidence.header.tag === undefined || tagged === true)

/** Says in one line from which surface and view the measured answers that count come. */
export const describeReportSurface = (evidence: ReportEvidence): string => {
  const scan = need(evidence.scans[0], "its scan")
  const counted = countedAnswers(evidence, scan.id).filter(({ brand }) => brand !== undefined)
  return describeSurface(
    scan,
    counted.map(({ market, search, sealed }) => {
      // The report may leave out the market, but the leaf covers it
      const sent = sealed?.leaf_version === 3 ? sealed.market : market
      return {
        search: (sealed?.leaf_version === undefined ? search : sealed.search) ?? null,
        sent: sent === undefined ? null : JSON.stringify(sent)
      }
    })
  )
}

/** Number of questions of counted keywords in a scan. */
const countQuestions = (evidence: ReportEvidence, scan: EvidenceScan): number =>
  evidence.header.tag === undefined
    ? scan.cellCount
    : listAsked(evidence, scan).length * scan.platforms.length * scan.samples

const formScan = (evidence: ReportEvidence, found: EvidenceScan): FormedScan | null => {
  const { measured } = found
  if (measured === null) return null
  const set = findSet(evidence, measured.tracked_set_version)
  const rows = rowsOf(evidence, found.id, set)
  const asked = listAsked(evidence, found)
  const branded = brandedAmong(set, evidence.keywords)
  const answers = countedAnswers(evidence, found.id).length
  const noOverviewCount = evidence.header.tag === undefined ? sum(Object.values(measured.no_overview ?? {})) : 0
  const score = scoreScan({
    scanId: found.id,
    measureVersion: measured.measure_version,
    trackedSetVersion: set.version,
    icuVersion: measured.icu ?? "unknown",
    rows,
    keywordIds: asked.map(({ id }) => id),
    brandedKeywords: branded,
    topics: findTopics(evidence.keywords, set),
    competitorIds: set.competitors.map(({ id }) => id),
    answers,
    failedCount: Math.max(0, countQuestions(evidence, found) - answers - noOverviewCount),
    noOverviewCount
  })
  return { scan: toScan(found), score, rows, branded }
}

const ownerOf = ({ owner }: EvidenceSite, set: TrackedSet): Owner => {
  if (owner === "own") return { kind: "own" }
  const competitor = set.competitors.find(({ id }) => id === owner)
  return competitor === undefined
    ? { kind: "third_party" }
    : { kind: "competitor", id: competitor.id, name: competitor.name }
}

const citingRows = (evidence: ReportEvidence, { rows, scan }: FormedScan): ReadonlyArray<CitingRow> => {
  const set = findSet(evidence, evidence.header.owners)
  return rows.flatMap(({ answer, ...row }) => {
    const { cites, id } = answer
    if (cites === undefined) return []
    const cited = cites.sites.map((at) => {
      const site = need(evidence.sites[at], `a site of answer ${id}`)
      return { page: null, domain: site.domain, owner: ownerOf(site, set) }
    })
    return [{
      ...row,
      scanId: scan.id,
      reports: cites.silent !== true,
      unread: cites.unread === true,
      searched: cites.searched,
      cited,
      domains: new Set(cited.map(({ domain }) => domain)),
      pages: new Set<string>(),
      ownCited: cited.some(({ owner }) => owner.kind === "own")
    }]
  })
}

const countCells = (evidence: ReportEvidence, found: EvidenceScan): ReadonlyArray<CellCounts> => {
  const { id, measured, platforms } = found
  const answers = Map.groupBy(countedAnswers(evidence, id), ({ platform }) => platform)
  return platforms.map((platform) => {
    const answered = answers.get(platform)?.length ?? 0
    // A scan with a score has ended, so a cell without an answer has failed
    const failed = evidence.header.tag === undefined
      ? measured!.failed[platform] ?? 0
      : Math.max(0, countQuestions(evidence, found) / platforms.length - answered)
    const noOverview = evidence.header.tag === undefined ? measured!.no_overview?.[platform] ?? 0 : 0
    return { platform, calls: 0, open: 0, answered, failed, noOverview, cancelled: 0 }
  })
}

/** The plans of the report's chain with their results; page versions before 4 did not show them. */
export const listReportedExperiments = (evidence: ReportEvidence): ReadonlyArray<ReportedExperiment> => {
  const { header, keywords } = evidence
  if (header.tag !== undefined || header.page < 4) return []
  return formExperiments(evidence, (scan) => {
    const { branded, rows } = formScan(evidence, scan)!
    const topics = findTopics(keywords, findSet(evidence, scan.measured!.tracked_set_version))
    return selectHeadlineCells(rows, branded, topics).cells
  })
}

/** Whether a scan is of the same kind as another one, and measured with the same names and rules. */
const isMeasuredAlike = (one: EvidenceScan, other: EvidenceScan): boolean =>
  isSameKind(one, other) && one.measured?.measure_version === other.measured?.measure_version &&
  one.measured?.tracked_set_version === other.measured?.tracked_set_version

/** The evidence for the share, from the scans that were measured like the newest scan. */
export const countReportedEvidence = (evidence: ReportEvidence): GradeInputs | null => {
  const { header, keywords, scans } = evidence
  const [newest] = scans
  if (newest?.measured == null || header.page < 5) return null
  const set = findSet(evidence, newest.measured.tracked_set_version)
  const alike = scans.filter((one) => isMeasuredAlike(one, newest) && isCompared(one, newest))
  return countEvidence(
    alike.map(({ id, startedAt, surface }) => ({ startedAt, surface, rows: rowsOf(evidence, id, set) })),
    brandedAmong(set, keywords),
    findTopics(keywords, set),
    header.kinds ?? null
  )
}

/**
 * The next actions, from the newest scans that are measured like the newest one; page versions before 5 did not show
 * them.
 */
export const listReportedNext = (evidence: ReportEvidence): ReportedNext | null => {
  const { header, keywords, scans: [newest, ...earlier] } = evidence
  const versions = newest?.measured
  if (header.tag !== undefined || header.page < 5 || newest === undefined || versions == null) return null
  const alike = earlier.filter((one) => isMeasuredAlike(one, newest))
  const set = findSet(evidence, versions.tracked_set_version)
  const branded = brandedAmong(set, keywords)
  return formNext(
    evidence,
    [newest, ...alike].slice(0, actionScans),
    (id) => {
      const rows = rowsOf(evidence, id, set)
      const unbranded = rows.filter(({ keywordId }) => !branded.has(keywordId))
      return unbranded.length === 0 ? rows : unbranded
    },
    { keywords, competitors: set.competitors }
  )
}

/** Forms all figures. Throws BrokenEvidence if a required line is missing. */
export const formReport = (evidence: ReportEvidence): ReportFigures => {
  const { header, keywords } = evidence
  const found = need(evidence.scans[0], "its scan")
  // A scan without an answer to the tag's keywords is not part of the trend
  const formed = evidence.scans.flatMap((one) => formScan(evidence, one) ?? [])
    .filter(({ rows }) => header.tag === undefined || rows.length > 0)
  const scans = header.tag === undefined
    ? evidence.scans
    : evidence.scans.filter(({ id, measured }) => measured === null || formed.some(({ scan }) => scan.id === id))
  const newest = need(formed[0]?.scan.id === found.id ? formed[0] : undefined, "the score of its scan")
  const { scan, score } = newest
  const set = findSet(evidence, score.trackedSetVersion)
  const topics = findTopics(keywords, set)
  const cellsOf = ({ branded, rows }: FormedScan): ReadonlyArray<ScoredCell> =>
    selectHeadlineCells(rows, branded, topics).cells
  // Page versions 1 and 2 also compared with narrowed scans
  const mayCompare = (one: Scan) => isOneSeries(one, scan) && (header.page < 3 || isCompared(one, scan))
  const isAlike = (one: FormedScan) =>
    hasSameVersions(one.score, score) && one.scan.simulated === scan.simulated && mayCompare(one.scan)

  const before = scans.slice(1).filter((one) => one.status === "completed" && mayCompare(toScan(one)))
    .slice(0, maxDetailScans - 1)
  const scored = before.map(({ id }) => formed.find((one) => one.scan.id === id && isAlike(one)))
  const otherwise = scored.indexOf(undefined)
  const alike = (otherwise === -1 ? scored : scored.slice(0, otherwise)).map((one) => one!)
  const { change, ...detail } = formScoreDetail(
    score,
    set,
    [...alike.toReversed(), newest].map(cellsOf),
    keywords
  )
  const [previous] = before
  const earlier = formed.slice(1)
  const inTrend = earlier.filter((one) =>
    isAlike(one) && hasEnoughCellsForTrend(findCommonCells(cellsOf(one), cellsOf(newest)))
  )
  const report: ScoreReport = {
    scan,
    score,
    counts: countCells(evidence, found),
    trackedSet: set,
    movements: {
      ...detail,
      trackedSet: set,
      previous: previous === undefined ? null : toScan(previous),
      comparison: change === null ? null : { before: toScan(previous!), after: scan, ...change }
    },
    asked: header.asked,
    history: [...inTrend.map((one) => one.score).reverse(), score],
    examined: [newest, ...earlier].map((one) => ({ scan: one.scan, score: one.score })),
    origins: new Map(formed.map((one) => [one.scan.id, listOrigins(one.rows)])),
    newer: null
  }
  const rows = citingRows(evidence, newest)
  return {
    standing: makeStanding(report, scans.map(toScan)),
    sources: { summary: summarizeSources(rows), sites: listCitedSites(rows, "domain") },
    experiments: listReportedExperiments(evidence),
    evidence: countReportedEvidence(evidence),
    next: listReportedNext(evidence),
    blindAlert: header.threshold === undefined ? null : judgeThreshold(
      header.threshold,
      score.avgSov,
      findPanelReach([newest, ...earlier.filter(isAlike)].slice(0, maxPlanScans).toReversed().map(cellsOf))
    )
  }
}

/** An answer of the newest scan, as a report with answers shows it. */
export interface ShownAnswer {
  readonly id: AnswerId
  readonly platform: string
  readonly keyword: string
  readonly text: string
  readonly prompt: string
}

/** The answers of the newest scan; empty in a report without answers. */
export const listShownAnswers = (evidence: ReportEvidence): ReadonlyArray<ShownAnswer> => {
  const [scan] = evidence.scans
  if (scan === undefined || scan.measured === null || !evidence.header.answers) return []
  return countedAnswers(evidence, scan.id).flatMap(({ id, keyword, platform, sealed }) =>
    sealed === undefined || platform === undefined || keyword === undefined ? [] : [{
      id,
      platform,
      keyword: need(evidence.keywords[keyword], `the keyword of answer ${id}`).text,
      text: sealed.raw_response,
      prompt: sealed.prompt_used
    }]
  )
}

/** The names to look for in the shown answers; null if the rules of another version measured them. */
export const shownEntities = ({ scans: [scan], ...evidence }: ReportEvidence): NamesToFind | null => {
  if (scan === undefined || scan.measured === null || scan.measured.measure_version !== measureVersion) return null
  const { brand, competitors } = findSet(evidence, scan.measured.tracked_set_version)
  return { brand, competitors, excludes: brand.excludes }
}

/** The mentions by shown answer. */
export type ShownMentions = ReadonlyMap<AnswerId, ReadonlyArray<Mention>>

/** Measures the mentions in the shown answers on this thread. A server uses `findShownMentions` instead. */
export const measureShownAnswers = (evidence: ReportEvidence): ShownMentions => {
  const entities = shownEntities(evidence)
  if (entities === null) return new Map()
  const terms = compileTerms(entities.brand, entities.competitors, entities.excludes)
  return new Map(
    listShownAnswers(evidence).map(({ id, prompt, text }) => [id, measureWithTerms(terms, text, prompt).mentions])
  )
}
