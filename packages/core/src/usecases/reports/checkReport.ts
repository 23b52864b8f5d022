/** Checks the evidence of a report against its seals. It uses only the report's lines and no database. */
import { type ArchiveProblem, makeChainChecker, type NotedSeal } from "../../domain/archive/ArchiveProblem.ts"
import { leafInputFromRow, sealFromJson } from "../../domain/archive/Proof.ts"
import { hashLeaf } from "../../domain/archive/Seal.ts"
import { isSealedSet, listScanDifferences, scanFactsOf } from "../../domain/archive/SealFacts.ts"
import { canonicalJson } from "../../domain/canonicalJson.ts"
import {
  brandedAmong,
  type CompiledTerms,
  compileTerms,
  measureVersion,
  measureWithTerms
} from "../../domain/measuring/measureAnswer.ts"
import type { EvidenceAnswer, EvidenceScan, EvidenceSeal, ReportEvidence } from "../../domain/reports/ReportEvidence.ts"
import { findSystemTag } from "../../domain/tracking/Tag.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { isTagged } from "./formReport.ts"
import { areSitesSealed, listNotProven, listSealedNames } from "./listNotProven.ts"

/** Findings about the evidence of a report. */
export interface ReportVerdict {
  /** Number of answers under a seal. */
  readonly answers: number
  /** Number of sealed answers whose texts are present and were hashed again. */
  readonly texts: number
  /** Number of sealed answers whose texts were measured again. */
  readonly measured: number
  /** Number of answers whose sources follow from sealed data (`proven`), and of all answers that state sources. */
  readonly sourced: { readonly proven: number; readonly stated: number }
  /** The names that a seal of the report covers, as one sentence per version. */
  readonly sealedNames: ReadonlyArray<string>
  /** The statements of the report that nothing in it proves, as sentences. */
  readonly notProven: ReadonlyArray<string>
  /** The newest seal, `12:0f3a…`; null if there is no seal. */
  readonly head: { readonly sequence: number; readonly hash: string } | null
}

/** A difference in the archive or in a question. `unproven`: this version of sov cannot check it. */
export interface EvidenceProblem extends Omit<ArchiveProblem, "what" | "problem"> {
  readonly what: ArchiveProblem["what"] | "keyword"
  readonly problem: ArchiveProblem["problem"] | "unproven"
}

type Report = (problem: EvidenceProblem) => void

interface Measurer {
  readonly set: TrackedSet
  readonly terms: CompiledTerms
}

/** Measures a text again. Null if a text that the report does not count cannot be measured here either. */
const measureAgain = (terms: CompiledTerms, { brand, sealed }: EvidenceAnswer) => {
  try {
    return measureWithTerms(terms, sealed!.raw_response, sealed!.prompt_used)
  } catch (error) {
    if (brand === undefined) return null
    throw error
  }
}

const describeNamed = (
  brand: boolean,
  competitors: ReadonlyArray<number>,
  { brand: own, competitors: all }: TrackedSet
) =>
  [...brand ? [own.name] : [], ...competitors.map((at) => all[at]?.name ?? `competitor ${at}`)].join(", ") ||
  "no tracked brand"

/** Reports an answer whose text contains other names than the report counts. */
const checkMeasured = (answer: EvidenceAnswer, { set, terms }: Measurer, report: Report): void => {
  const { brand, competitors = [], id } = answer
  const measured = measureAgain(terms, answer)
  if (measured === null) return
  const { mentioned, mentions } = measured
  const found = [...new Set(mentions.flatMap(({ entity }) => entity === "brand" ? [] : [entity]))]
  const isSame = found.length === competitors.length && found.every((one) => competitors.includes(one))
  if (mentioned === brand && isSame) return
  report({
    what: "answer",
    id,
    problem: "changed",
    detail: `its text names ${describeNamed(mentioned, found, set)}, and the report counts ${
      brand === undefined ? "nothing" : describeNamed(brand, competitors, set)
    }`
  })
}

const checkText = (
  evidence: ReportEvidence,
  { header }: EvidenceSeal,
  answer: EvidenceAnswer,
  report: Report
): void => {
  const { id, keyword, leaf, market, model, platform, search, sealed } = answer
  const changed = (detail: string) => report({ what: "answer", id, problem: "changed", detail })
  if (Buffer.from(hashLeaf(leafInputFromRow(sealed!))).toString("hex") !== leaf) {
    changed("text, prompt, time, platform, keyword, scan, model or sources are not what was sealed")
  } else if (sealed!.id !== id) changed(`what is sealed is answer ${sealed!.id}`)
  else if (sealed!.scan_id !== header.scan_id) changed(`it is of scan ${sealed!.scan_id}, and its seal is of another`)
  else if (platform !== sealed!.platform) changed(`it is sealed as an answer of ${sealed!.platform}`)
  else if (
    sealed!.leaf_version !== undefined &&
    ((model ?? sealed!.model) !== sealed!.model || (search ?? sealed!.search) !== sealed!.search)
  ) changed(`it is sealed as an answer of model ${sealed!.model}, web search ${sealed!.search ?? "unknown"}`)
  else if (
    sealed!.leaf_version === 3 && market !== undefined &&
    canonicalJson({ market }) !== canonicalJson({ market: sealed!.market })
  ) changed(`it is sealed as asked with ${JSON.stringify(sealed!.market)}`)
  else if (keyword === undefined || evidence.keywords[keyword]?.id !== sealed!.keyword_id) {
    changed(`it is sealed as an answer to keyword ${sealed!.keyword_id}`)
  } else if (
    (sealed!.leaf_version !== 3 || sealed!.view === null) && evidence.keywords[keyword]!.text !== sealed!.prompt_used
  ) {
    // Not compared for another view than the standard one, which may ask in its own words; the leaf covers them
    changed(`it was asked ${JSON.stringify(sealed!.prompt_used)}, and the report shows another question`)
  }
}

/** Maximum difference between the clocks of two machines, in milliseconds. */
const clockSkew = 600_000

/** Reports a scan if the report claims that it is smaller, or in another state, than its answers show. */
const checkExtent = (
  { cellCount, id, measured, platforms, status }: EvidenceScan,
  seals: ReadonlyArray<EvidenceSeal>,
  keywords: ReportEvidence["keywords"],
  report: Report
): void => {
  const changed = (detail: string) => report({ what: "scan", id, problem: "changed", detail })
  const answers = seals.flatMap((seal) => seal.answers ?? [])
  const unlisted = new Set(
    answers.flatMap(({ platform }) => platform === undefined || platforms.includes(platform) ? [] : [platform])
  )
  const unasked = answers.filter(({ keyword }) =>
    keyword !== undefined && keywords[keyword]?.text !== "" && !measured!.asked.includes(keyword)
  )
  if (status !== "completed") changed(`it is said to be ${status}, and it has a score`)
  if (unlisted.size > 0) changed(`answers of ${[...unlisted].join(", ")} are there, which it is said not to have asked`)
  if (unasked.length > 0) changed(`${unasked.length} answers are to questions that it is said not to have asked`)
  if (answers.length > cellCount) {
    changed(`it is said to have ${cellCount} questions, and it has ${answers.length} answers`)
  }
}

/** Reports a scan that contradicts its seal, and names that differ from the names sealed with it. */
const checkFacts = (
  scan: EvidenceScan,
  seals: ReadonlyArray<EvidenceSeal>,
  { scans, sets }: ReportEvidence,
  report: Report
): void => {
  const { id, measured } = scan
  const [first] = seals
  const facts = scanFactsOf(first?.header.facts)
  if (first === undefined || facts === undefined) return
  const changed = (detail: string) => report({ what: "scan", id, problem: "changed", detail })
  const isEnd = scan.completedAt?.toISOString() === first.header.sealed_at
  const others = [...listScanDifferences(facts, scan), ...isEnd ? [] : ["end"]]
  if (others.length > 0) changed(`it was sealed with another ${others.join(", ")}`)
  for (const set of sets) {
    if (!isSealedSet(facts, set)) {
      changed(`the names of version ${set.version} are not those that were sealed with it`)
    }
  }
  const answers = seals.flatMap((seal) => seal.answers ?? [])
  // Only the newest scan states which questions failed
  if (scan !== scans[0] || measured === null || answers.some(({ platform }) => platform === undefined)) return
  for (const platform of facts.platforms) {
    const answered = answers.filter((one) => one.platform === platform).length
    const missing = facts.cells / facts.platforms.length - answered
    const failed = (measured.failed[platform] ?? 0) + (measured.no_overview?.[platform] ?? 0)
    if (failed !== missing) {
      changed(`${failed} questions to ${platform} are said to have failed, and ${missing} have no answer`)
    }
  }
}

/** Reports a scan whose line contradicts its seals or its sealed answers. */
const checkScan = (
  scan: EvidenceScan,
  seals: ReadonlyArray<EvidenceSeal>,
  keywords: ReportEvidence["keywords"],
  report: Report
): void => {
  const { completedAt, id, measured, simulated, startedAt } = scan
  const [first] = seals
  if (measured === null) {
    if (seals.some(({ answers }) => answers !== null)) {
      report({ what: "scan", id, problem: "changed", detail: "its answers are there, and it is said to have no score" })
    }
    return
  }
  if (first === undefined) {
    report({ what: "scan", id, problem: "unsealed", detail: "no seal of the report holds its answers" })
    return
  }
  checkExtent(scan, seals, keywords, report)
  const textsOf = ({ answers }: EvidenceSeal) => (answers ?? []).flatMap(({ sealed }) => sealed ?? [])
  const texts = seals.flatMap(textsOf)
  const changed = (detail: string) => report({ what: "scan", id, problem: "changed", detail })
  const version = measured.measure_version
  if (version !== measureVersion) {
    report({
      what: "scan",
      id,
      problem: "unproven",
      detail:
        `it was measured with rules ${version}: this version knows rules ${measureVersion}, and cannot form its figures`
    })
  }
  if (texts.some((sealed) => sealed.leaf_version !== undefined && (sealed.simulated === true) !== simulated)) {
    changed(`its answers are sealed as ${simulated ? "real" : "simulated"} ones, and the report shows others`)
  }
  const sealedAt = Date.parse(first.header.sealed_at)
  if (texts.some((sealed) => Date.parse(sealed.created_at) < startedAt.getTime() - clockSkew)) {
    changed("an answer of it was sealed as one from before its beginning")
  } else if (sealedAt < startedAt.getTime() - clockSkew) changed("it was sealed before its beginning")
  // A late answer has a separate seal
  const last = textsOf(first).reduce((latest, { created_at }) => Math.max(latest, Date.parse(created_at)), -Infinity)
  const ended = completedAt?.getTime() ?? Infinity
  if (ended > sealedAt + clockSkew) changed("it was sealed before its end")
  else if (ended < Math.max(last, startedAt.getTime()) - clockSkew) changed("it goes on after its end")
}

/**
 * Reports scans that are not sorted newest first. Start times can be checked only against the texts of answers and the
 * times of the seals, so the numbers of the seals and the ids of the scans (UUIDv7) are compared too.
 */
const checkOrder = (
  scans: ReadonlyArray<EvidenceScan>,
  sealsOf: ReadonlyMap<string, ReadonlyArray<EvidenceSeal>>,
  report: Report
): void => {
  const sequenceOf = (id: string) => sealsOf.get(id)?.[0]?.header.sequence
  for (const [i, { id, startedAt }] of scans.entries()) {
    const sequence = sequenceOf(id)
    // If two scans are concurrent, the earlier one may be sealed last
    const isWrong = scans.slice(i + 1).some((older) =>
      older.startedAt > startedAt || older.id === id ||
      (sequence !== undefined && sequence < (sequenceOf(older.id) ?? 0) && id < older.id)
    )
    if (isWrong) report({ what: "scan", id, problem: "changed", detail: "it stands before one that is newer" })
  }
}

/**
 * Reports answers of the newest scan whose cited sites are missing, or present although no share counts their question.
 */
const checkCitesThere = (
  { header, keywords, scans }: ReportEvidence,
  sealsOf: ReadonlyMap<string, ReadonlyArray<EvidenceSeal>>,
  report: Report
): void => {
  const answers = (sealsOf.get(scans[0]?.id ?? "") ?? []).flatMap(({ answers }) => answers ?? [])
    .filter(({ brand }) => brand !== undefined)
  const isBranded = ({ keyword }: EvidenceAnswer) => keywords[keyword ?? -1]?.branded === true
  const isOfTag = (answer: EvidenceAnswer) => isTagged({ header, keywords }, answer)
  const isAllBranded = answers.filter(isOfTag).every(isBranded)
  for (const answer of answers) {
    const isCounted = isOfTag(answer) && (isAllBranded || !isBranded(answer))
    if (isCounted === (answer.cites !== undefined)) continue
    report({
      what: "answer",
      id: answer.id,
      problem: isCounted ? "removed" : "added",
      detail: isCounted ? "what it cites is not in the report" : "what it cites counts in no figure"
    })
  }
}

/** Reports names, questions, scans and sites that occur twice, because a figure could then be derived from either. */
const checkTwice = ({ keywords, scans, sets, sites }: ReportEvidence, report: Report): void => {
  const lists: ReadonlyArray<readonly [what: "scan" | "keyword" | "line", ids: ReadonlyArray<string>]> = [
    ["line", sets.map(({ version }) => `tracked set ${version}`)],
    ["keyword", keywords.map(({ id }) => id)],
    ["scan", scans.map(({ id }) => id)],
    ["line", sites.map(({ domain, owner }) => `site ${domain} of ${owner}`)]
  ]
  for (const [what, ids] of lists) {
    const known = new Set<string>()
    for (const id of ids) {
      if (known.has(id)) report({ what, id, problem: "added", detail: "it stands there twice" })
      known.add(id)
    }
  }
}

/** Reports questions whose branded flag contradicts the names. */
const checkBranded = ({ keywords, scans, sets }: ReportEvidence, report: Report): void => {
  const set = sets.find(({ version }) => version === scans[0]?.measured?.tracked_set_version)
  if (set === undefined) return
  const branded = brandedAmong(set, keywords)
  for (const { branded: marked, id, text } of keywords) {
    if ((marked === true) === branded.has(id)) continue
    const detail = `${JSON.stringify(text)} ${branded.has(id) ? "names" : "does not name"} the brand`
    report({ what: "keyword", id, problem: "changed", detail })
  }
}

/** Reports questions whose tag flag contradicts the tag. */
const checkTagged = ({ header, keywords }: ReportEvidence, report: Report): void => {
  const system = header.tag === undefined ? null : findSystemTag(header.tag)
  for (const { branded = false, id, tagged = false, text } of keywords) {
    // The names in a keyword can be derived from its text; assigned tags are not sealed
    const expected = header.tag === undefined ? false : system === null ? tagged : branded === (system === "branded")
    if (tagged === expected) continue
    const detail = `${JSON.stringify(text)} is said ${tagged ? "" : "not "}to have the tag of the report`
    report({ what: "keyword", id, problem: "changed", detail })
  }
}

/**
 * Checks the seals of a report, its answers against the seals and, if texts are present, the measurements. `noted` are
 * seals that were recorded elsewhere. Calls `report` for each problem.
 */
export const checkReport = (
  evidence: ReportEvidence,
  noted: ReadonlyArray<NotedSeal>,
  report: Report
): ReportVerdict => {
  const { header, scans, seals } = evidence
  const chain = makeChainChecker(report, noted, seals[0]?.header.sequence)
  const verdict = { answers: 0, texts: 0, measured: 0, sourced: { proven: 0, stated: 0 } }
  const measurers = new Map<number, Measurer>()
  for (const set of evidence.sets) {
    measurers.set(set.version, { set, terms: compileTerms(set.brand, set.competitors, set.brand.excludes) })
  }
  checkTwice(evidence, report)
  checkBranded(evidence, report)
  checkTagged(evidence, report)
  const sealsOf = Map.groupBy(seals, (seal): string => seal.header.scan_id)
  for (const seal of seals) {
    const { answers } = seal
    const leaves = answers?.map(({ id, leaf }) => ({ id, hash: Buffer.from(leaf, "hex") })) ?? null
    const sealHeader = sealFromJson(seal.header)
    chain.next(sealHeader, leaves)
    if (answers !== null && answers.length !== seal.header.leaf_count) {
      report({
        what: "seal",
        id: String(seal.header.sequence),
        problem: "changed",
        detail: `it is over ${seal.header.leaf_count} answers, and the report has ${answers.length} of them`
      })
    }
    const scan = scans.find(({ id }) => id === seal.header.scan_id)
    if (answers === null ? seal === seals[0] || seal === seals.at(-1) : scan === undefined) {
      report({ what: "scan", id: seal.header.scan_id, problem: "removed", detail: "a seal of the report is of it" })
    }
    const versions = scan?.measured
    const measurer = versions?.measure_version === measureVersion
      ? measurers.get(versions.tracked_set_version)
      : undefined
    for (const answer of answers ?? []) {
      verdict.answers++
      if (answer.sealed === undefined) {
        if (header.answers) {
          report({ what: "answer", id: answer.id, problem: "removed", detail: "its text is not in the report" })
        }
        continue
      }
      verdict.texts++
      if (!header.answers) {
        const detail = "its text is there, and the report says that it has no texts"
        report({ what: "answer", id: answer.id, problem: "added", detail })
      }
      checkText(evidence, seal, answer, report)
      if (measurer !== undefined) {
        verdict.measured++
        checkMeasured(answer, measurer, report)
      }
      if (answer.cites === undefined) continue
      const proven = areSitesSealed(evidence, answer)
      verdict.sourced[proven === true ? "proven" : "stated"]++
      if (proven === false) {
        report({
          what: "answer",
          id: answer.id,
          problem: "changed",
          detail: "what it cites, or whether it searched, is not what is sealed with it"
        })
      }
    }
  }
  for (const scan of scans) {
    const own = sealsOf.get(scan.id) ?? []
    checkScan(scan, own, evidence.keywords, report)
    checkFacts(scan, own, evidence, report)
  }
  checkOrder(scans, sealsOf, report)
  checkCitesThere(evidence, sealsOf, report)
  return {
    ...verdict,
    sealedNames: listSealedNames(evidence),
    notProven: listNotProven(evidence).map(({ text }) => text),
    head: chain.end().head
  }
}
