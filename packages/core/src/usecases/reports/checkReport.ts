/** Whether the evidence of a report is what was sealed: without a database, from its lines alone. */
import { type ArchiveProblem, makeChainChecker, type NotedSeal } from "../../domain/archive/ArchiveProblem.ts"
import { leafInputFromRow, sealFromJson } from "../../domain/archive/Proof.ts"
import { hashLeaf } from "../../domain/archive/Seal.ts"
import {
  brandedAmong,
  type CompiledTerms,
  compileTerms,
  measureVersion,
  measureWithTerms
} from "../../domain/measuring/measureAnswer.ts"
import type { EvidenceAnswer, EvidenceSeal, ReportEvidence } from "../../domain/reports/ReportEvidence.ts"
import { isGroundingRedirect, locateSource } from "../../domain/sources/deriveSources.ts"
import { makeOwnerLookup } from "../../domain/sources/owners.ts"
import { sourceVersion } from "../../domain/sources/Source.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"

/** What the evidence of a report proves. */
export interface ReportVerdict {
  /** Answers under a seal. */
  readonly answers: number
  /** Of these, those whose texts are there and were hashed again. */
  readonly texts: number
  /** Of these, those whose texts were measured again. */
  readonly measured: number
  /** Answers whose sources follow from what is sealed, and all that state sources. */
  readonly sourced: { readonly proven: number; readonly stated: number }
  /** The newest seal of it: `12:0f3a…`; null without any. */
  readonly head: { readonly sequence: number; readonly hash: string } | null
}

/** A difference, as of an archive, or of a question. */
export interface EvidenceProblem extends Omit<ArchiveProblem, "what"> {
  readonly what: ArchiveProblem["what"] | "keyword"
}

type Report = (problem: EvidenceProblem) => void

interface Measurer {
  readonly set: TrackedSet
  readonly terms: CompiledTerms
}

const describeNamed = (
  brand: boolean,
  competitors: ReadonlyArray<number>,
  { brand: own, competitors: all }: TrackedSet
) =>
  [...brand ? [own.name] : [], ...competitors.map((at) => all[at]?.name ?? `competitor ${at}`)].join(", ") || "nobody"

/** Names who an answer names by its text, where that is not what the report counts. */
const checkMeasured = (answer: EvidenceAnswer, { set, terms }: Measurer, report: Report): void => {
  const { brand, competitors = [], id, sealed } = answer
  const { mentioned, mentions } = measureWithTerms(terms, sealed!.raw_response, sealed!.prompt_used)
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

/** Whether the sites that an answer cites follow from what is sealed; null where other rules or redirects decide it. */
const areSitesSealed = (evidence: ReportEvidence, { cites, sealed }: EvidenceAnswer): boolean | null => {
  if (sealed?.leaf_version !== 2 || cites === undefined) return null
  if (sealed.source_version !== sourceVersion || sealed.sources.some(({ url }) => isGroundingRedirect(url))) return null
  const set = evidence.sets.find(({ version }) => version === evidence.header.owners)
  if (set === undefined) return null
  const ownerOf = makeOwnerLookup(set)
  const found = sealed.sources.flatMap((source) => {
    const place = locateSource(source)
    if (source.kind === "retrieved" || place.domain === null) return []
    const owner = ownerOf(place)
    return owner.kind === "engine"
      ? []
      : [`${place.domain} ${owner.kind === "competitor" ? owner.id : owner.kind === "own" ? "own" : "other"}`]
  })
  const stated = cites.sites.map((at) => `${evidence.sites[at]?.domain} ${evidence.sites[at]?.owner}`)
  return [...new Set(found)].toSorted().join("\n") === stated.toSorted().join("\n")
}

const checkText = (
  evidence: ReportEvidence,
  { header }: EvidenceSeal,
  answer: EvidenceAnswer,
  report: Report
): void => {
  const { id, keyword, leaf, platform, sealed } = answer
  const changed = (detail: string) => report({ what: "answer", id, problem: "changed", detail })
  if (Buffer.from(hashLeaf(leafInputFromRow(sealed!))).toString("hex") !== leaf) {
    changed("text, prompt, time, platform, keyword, scan, model or sources are not what was sealed")
  } else if (sealed!.id !== id) changed(`what is sealed is answer ${sealed!.id}`)
  else if (sealed!.scan_id !== header.scan_id) changed(`it is of scan ${sealed!.scan_id}, and its seal is of another`)
  else if (platform !== sealed!.platform) changed(`it is sealed as an answer of ${sealed!.platform}`)
  else if (keyword === undefined || evidence.keywords[keyword]?.id !== sealed!.keyword_id) {
    changed(`it is sealed as an answer to keyword ${sealed!.keyword_id}`)
  } else if (evidence.keywords[keyword]!.text !== sealed!.prompt_used) {
    changed(`it was asked ${JSON.stringify(sealed!.prompt_used)}, and the report shows another question`)
  }
}

/** Names the questions that are marked otherwise than the names say. */
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

/**
 * Checks the seals of a report, its answers against them and, where texts are there, what was measured. `noted` are seals that
 * are recorded elsewhere. Calls `report` for each problem.
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
  checkBranded(evidence, report)
  const sealedScans = new Set<string>()
  for (const seal of seals) {
    const { answers } = seal
    const leaves = answers?.map(({ id, leaf }) => ({ id, hash: Buffer.from(leaf, "hex") })) ?? null
    const sealHeader = sealFromJson(seal.header)
    chain.next(sealHeader, leaves)
    sealedScans.add(seal.header.scan_id)
    if (answers !== null && answers.length !== seal.header.leaf_count) {
      report({
        what: "seal",
        id: String(seal.header.sequence),
        problem: "changed",
        detail: `it is over ${seal.header.leaf_count} answers, and the report has ${answers.length} of them`
      })
    }
    const versions = scans.find(({ id }) => id === seal.header.scan_id)?.measured
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
      checkText(evidence, seal, answer, report)
      if (measurer !== undefined && answer.brand !== undefined) {
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
          detail: "the sites that it cites are not those that are sealed with it"
        })
      }
    }
  }
  for (const { id, measured } of scans) {
    if (measured !== null && !sealedScans.has(id)) {
      report({ what: "scan", id, problem: "unsealed", detail: "no seal of the report holds its answers" })
    }
  }
  return { ...verdict, head: chain.end().head }
}
