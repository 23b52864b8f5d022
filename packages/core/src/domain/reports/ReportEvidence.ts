/**
 * The evidence behind a report, as lines of JSON in the report's file: the header, tracked sets, keywords, scans and
 * cited sites; then the seals in the order of the chain, each followed by its answers; and last the checksums of all
 * lines.
 *
 * Answers follow the seal of their scan in the order of the leaves: the root of a seal is computed from its answers, so
 * no answer can be left out. The text of an answer (`sealed`) is included only in a report with answers; otherwise the
 * leaf is given as a hash.
 */
import { Result, Schema } from "effect"
import { hash } from "node:crypto"
import { SealedFields, SealJson } from "../archive/Proof.ts"
import { AnswerId, CompetitorId, KeywordId, OrganizationId } from "../ids.ts"
import { parseShallow } from "../parseShallow.ts"
import { PlatformId } from "../platforms/Platform.ts"
import { SentMarket } from "../platforms/surface.ts"
import { Scan } from "../scanning/Scan.ts"
import { Action } from "../sources/actions/Action.ts"
import { SearchMode } from "../sources/Source.ts"
import { TrackedSet } from "../tracking/TrackedSet.ts"
import { ReportBranding } from "./Branding.ts"
import { LogoType } from "./Logo.ts"

/** Version of the format of these lines. */
export const reportFormat = 1

const Hash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

/** How many of the configured platforms and tracked keywords the newest scan asked, see `Asked`. */
const AskedNumbers = Schema.Struct({
  platforms: Schema.Int,
  configuredPlatforms: Schema.NullOr(Schema.Int),
  keywords: Schema.Int,
  trackedKeywords: Schema.Int
})

/** Statements of a report about next actions, which its evidence does not show. */
const StatedNext = Schema.Struct({
  /** Actions that the organization has marked, so that the page does not list them. */
  decided: Schema.Array(Action.fields.id),
  stated: Schema.Array(Schema.Struct({ id: Action.fields.id, title: Schema.String, why: Schema.String }))
})
export type StatedNext = typeof StatedNext.Type

/** The report's header, which describes the report itself. */
export const ReportHeader = Schema.Struct({
  format: Schema.Literal(reportFormat),
  /** The version of the page that is rendered from this evidence, and the SHA-256 of the page's style. */
  page: Schema.Int,
  style: Hash,
  made_at: Schema.Date,
  /** Version of the Unicode data used to format numbers and dates. */
  icu: Schema.String,
  organization_id: OrganizationId,
  organization: Schema.String,
  title: Schema.NullOr(Schema.String),
  /** BCP 47 locale of numbers and dates; null for the format of the dashboard. */
  locale: Schema.NullOr(Schema.String),
  /** IANA time zone of the report's times, if it is not UTC. */
  time_zone: Schema.optionalKey(Schema.String),
  /** The requested period; null: no bound. */
  from: Schema.NullOr(Schema.Date),
  to: Schema.NullOr(Schema.Date),
  logo: Schema.NullOr(Schema.Struct({ type: LogoType, sha256: Hash })),
  /** The organization's own look, if it has one. */
  branding: Schema.optionalKey(ReportBranding),
  /** Whether the texts of the answers are included. */
  answers: Schema.Boolean,
  asked: AskedNumbers,
  /**
   * The tag of the report. The figures then count only answers to keywords that are `tagged`; all answers are included.
   */
  tag: Schema.optionalKey(Schema.String),
  /** The threshold of the alert rule `sov_drop`, if it was enabled and the report is about the newest scan. */
  threshold: Schema.optionalKey(Schema.Finite),
  /** The organization's notes about events of a day. */
  annotations: Schema.optionalKey(Schema.Array(Schema.Struct({ day: Schema.String, text: Schema.String }))),
  /** Number of kinds of question in the newest scan. Kinds are tags, which are not proven. */
  kinds: Schema.optionalKey(Schema.Int),
  /** Decisions about actions, and actions that the answers of this report do not show. */
  next: Schema.optionalKey(StatedNext),
  /** The operator's names for platforms. */
  labels: Schema.Array(Schema.Tuple([PlatformId, Schema.String])),
  /** The version of the tracked set that determines who owns each source. */
  owners: Schema.Int
})
export type ReportHeader = typeof ReportHeader.Type

/**
 * A question. `branded`: it names the brand itself, by the names with which the newest scan was measured. `tagged`: it
 * has the tag of the header, which is not proven unless the tag is computed.
 */
const EvidenceKeyword = Schema.Struct({
  id: KeywordId,
  text: Schema.String,
  branded: Schema.optionalKey(Schema.Literal(true)),
  tagged: Schema.optionalKey(Schema.Literal(true))
})
export type EvidenceKeyword = typeof EvidenceKeyword.Type

/** A scan; `measured` is null if it has no score and only appears in the course. */
export const EvidenceScan = Schema.Struct({
  ...Scan.fields,
  measured: Schema.NullOr(Schema.Struct({
    measure_version: Schema.Int,
    tracked_set_version: Schema.Int,
    icu: Schema.NullOr(Schema.String),
    /** The asked keywords, as positions among the keyword lines. */
    asked: Schema.Array(Schema.Int),
    /** Number of failed questions by platform. */
    failed: Schema.Record(Schema.String, Schema.Int),
    /** Number of questions for which an app showed no overview, by platform. */
    no_overview: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int))
  }))
})
export type EvidenceScan = typeof EvidenceScan.Type

/** A site that answers cite, and its owner: `own`, `other`, or a competitor's id. */
export const EvidenceSite = Schema.Struct({
  domain: Schema.String,
  owner: Schema.Union([Schema.Literals(["own", "other"]), CompetitorId])
})
export type EvidenceSite = typeof EvidenceSite.Type

/** The citations of an answer. */
const EvidenceCitations = Schema.Struct({
  /** Cited sites, as positions among the site lines. */
  sites: Schema.Array(Schema.Int),
  /** Set if the platform could not name sources. */
  silent: Schema.optionalKey(Schema.Literal(true)),
  searched: Schema.NullOr(Schema.Boolean),
  /** Set if the sources were not derived yet. */
  unread: Schema.optionalKey(Schema.Literal(true))
})

/** An answer. `brand` is missing if the answer is not measured. */
export const EvidenceAnswer = Schema.Struct({
  id: AnswerId,
  leaf: Hash,
  platform: Schema.optionalKey(PlatformId),
  /** Position of the answer's keyword among the keyword lines. */
  keyword: Schema.optionalKey(Schema.Int),
  /** Whether the answer names the brand. */
  brand: Schema.optionalKey(Schema.Boolean),
  /** The competitors that the answer names, as positions in the tracked set with which its scan was measured. */
  competitors: Schema.optionalKey(Schema.Array(Schema.Int)),
  /** The model of a measured answer and its search mode, if known. */
  model: Schema.optionalKey(Schema.String),
  search: Schema.optionalKey(SearchMode),
  /** What the request stated about the reader's market; absent if unknown. */
  market: Schema.optionalKey(Schema.NullOr(SentMarket)),
  /** Present only for answers of the newest scan. */
  cites: Schema.optionalKey(EvidenceCitations),
  sealed: Schema.optionalKey(SealedFields)
})
export type EvidenceAnswer = typeof EvidenceAnswer.Type

/** A seal with its answers; null if the seal belongs to another scan and only links the chain. */
export interface EvidenceSeal {
  readonly header: SealJson
  readonly answers: ReadonlyArray<EvidenceAnswer> | null
}

/** All the evidence of a report. */
export interface ReportEvidence {
  readonly header: ReportHeader
  readonly sets: ReadonlyArray<TrackedSet>
  readonly keywords: ReadonlyArray<EvidenceKeyword>
  /** The scans, newest first; the report is about the first one. */
  readonly scans: ReadonlyArray<EvidenceScan>
  readonly sites: ReadonlyArray<EvidenceSite>
  readonly seals: ReadonlyArray<EvidenceSeal>
}

const Line = Schema.Union([
  Schema.Struct({ report: Schema.toCodecJson(ReportHeader) }),
  Schema.Struct({ tracked_set: Schema.toCodecJson(TrackedSet) }),
  Schema.Struct({ keyword: EvidenceKeyword }),
  Schema.Struct({ scan: Schema.toCodecJson(EvidenceScan) }),
  Schema.Struct({ site: EvidenceSite }),
  Schema.Struct({ seal: SealJson }),
  Schema.Struct({ answer: EvidenceAnswer })
])
type Line = typeof Line.Type
const decodeLine = Schema.decodeUnknownResult(Line, { onExcessProperty: "error" })
const encodeLine = Schema.encodeSync(Line)

const escapes: Readonly<Record<string, string>> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" }

/** Serializes a value as JSON in which the characters of markup are escaped. */
const toMarkupFreeJson = (value: unknown): string => JSON.stringify(value).replace(/[<>&]/g, (sign) => escapes[sign]!)

/** The checksum of a line: it detects accidental changes, but proves nothing. */
const checkOf = (line: string): string => hash("sha256", line, "hex").slice(0, 8)

/** The lines of the evidence, without line feeds. They contain no `<`, `>` or `&`. */
export const formatEvidence = (evidence: ReportEvidence): ReadonlyArray<string> => {
  const { header, keywords, scans, seals, sets, sites } = evidence
  const lines: ReadonlyArray<Line> = [
    { report: header },
    ...sets.map((one) => ({ tracked_set: one })),
    ...keywords.map((keyword) => ({ keyword })),
    ...scans.map((scan) => ({ scan })),
    ...sites.map((site) => ({ site })),
    ...seals.flatMap(({ answers, header }): ReadonlyArray<Line> => [
      { seal: header },
      ...(answers ?? []).map((answer) => ({ answer }))
    ])
  ]
  const written = lines.map((line) => toMarkupFreeJson(encodeLine(line)))
  return [...written, toMarkupFreeJson({ checks: written.map(checkOf) })]
}

/** A line that differs from the line that was written; `number` starts at 1. */
export interface LineFault {
  readonly number: number
  /**
   * Subject of the line, if it can be read: `answer 01a1…`, `seal 3`, `keyword 01a1…`; otherwise the kind of the line.
   */
  readonly about: string
  readonly detail: string
}

const idIn = /"(?:id|sequence|version|domain)":"?([^",}]{1,80})/

const describeLine = (line: string): string => {
  const kind = /^\{"([a-z_]{1,20})"/.exec(line)?.[1] ?? "a line"
  const id = kind === "report" ? undefined : idIn.exec(line)?.[1]
  return id === undefined ? kind.replace("_", " ") : `${kind.replace("_", " ")} ${id}`
}

const readLine = (text: string): Line | null => {
  const parsed = parseShallow(text)
  if (parsed === undefined) return null
  // If a member occurs twice, another JSON parser might use the first one
  if (toMarkupFreeJson(parsed) !== text) return null
  return Result.getOrNull(decodeLine(parsed))
}

const decodeChecks = Schema.decodeUnknownResult(Schema.Struct({ checks: Schema.Array(Schema.String) }), {
  onExcessProperty: "error"
})

const readChecks = (text: string | undefined): ReadonlyArray<string> | null => {
  const line = Result.getOrNull(decodeChecks(parseShallow(text ?? "")))
  return line === null || JSON.stringify(line) !== text ? null : line.checks
}

const lineOrder = ["report", "tracked_set", "keyword", "scan", "site", "seal", "answer"] as const

/**
 * Parses the lines of evidence: the values of the lines that can be read, and the faults of the others. `evidence` is
 * null without a header.
 */
export const parseEvidence = (lines: ReadonlyArray<string>): {
  readonly evidence: ReportEvidence | null
  readonly faults: ReadonlyArray<LineFault>
} => {
  const faults: Array<LineFault> = []
  const checks = readChecks(lines.at(-1))
  const body = lines.slice(0, -1)
  const fault = (i: number, detail: string) =>
    faults.push({ number: i + 1, about: describeLine(lines[i] ?? ""), detail })
  if (checks === null) fault(Math.max(0, lines.length - 1), "the last line has to hold the checks of the others")
  else if (checks.length !== body.length) {
    fault(lines.length - 1, `it checks ${checks.length} lines, and ${body.length} stand before it`)
  }
  const sets: Array<TrackedSet> = []
  const keywords: Array<EvidenceKeyword> = []
  const scans: Array<EvidenceScan> = []
  const sites: Array<EvidenceSite> = []
  const seals: Array<{ readonly header: SealJson; readonly answers: Array<EvidenceAnswer> }> = []
  let header: ReportHeader | null = null
  let at = 0
  for (const [i, text] of body.entries()) {
    const line = readLine(text)
    const changed = checks?.length === body.length && checks[i] !== checkOf(text)
    if (changed) fault(i, "it, or its check, is not what was written")
    if (line === null) {
      if (!changed) fault(i, "it says nothing known")
      continue
    }
    const kind = lineOrder.findIndex((name) => name in line)
    // Answers and seals may alternate
    if (Math.min(kind, 5) < at || (kind === 0) !== (i === 0)) fault(i, "it stands out of order")
    at = Math.min(kind, 5)
    if ("report" in line) header ??= line.report
    else if ("tracked_set" in line) sets.push(line.tracked_set)
    else if ("keyword" in line) keywords.push(line.keyword)
    else if ("scan" in line) scans.push(line.scan)
    else if ("site" in line) sites.push(line.site)
    else if ("seal" in line) seals.push({ header: line.seal, answers: [] })
    else if (seals.length === 0) fault(i, "no seal stands before it")
    else seals.at(-1)!.answers.push(line.answer)
  }
  const held = new Set(scans.filter(({ measured }) => measured !== null).map(({ id }) => id))
  return {
    evidence: header === null ? null : {
      header,
      sets,
      keywords,
      scans,
      sites,
      seals: seals.map(({ answers, header }) => ({
        header,
        answers: answers.length === 0 && !held.has(header.scan_id) ? null : answers
      }))
    },
    faults
  }
}
