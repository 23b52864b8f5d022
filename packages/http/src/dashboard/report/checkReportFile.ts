/** Checks a report's file: computes every figure again from its evidence, and compares the evidence with its seals. */
import type { NotedSeal } from "@sov/core/archive"
import { measureVersion } from "@sov/core/measuring"
import {
  BrokenEvidence,
  checkReport,
  formReport,
  measureShownAnswers,
  parseEvidence,
  type ReportEvidence,
  type ReportVerdict
} from "@sov/core/reports"
import { createHash } from "node:crypto"
import { listPageProblems } from "./comparePages.ts"
import { knownStyles } from "./knownStyles.ts"
import { type Logo, readLogo } from "./logo.ts"
import { assemble, describePage, evidenceBegin, evidenceEnd } from "./makeReportFile.ts"
import { pageVersion } from "./reportPage.ts"
import type { ReportProblem } from "./ReportProblem.ts"

/** The result of a check. */
export interface CheckedReport {
  readonly problems: ReadonlyArray<ReportProblem>
  /** Null if the evidence cannot be read. */
  readonly verdict: ReportVerdict | null
  readonly evidence: ReportEvidence | null
  /**
   * Whether this version made the page, so that it was compared character by character. Otherwise only its figures were
   * compared.
   */
  readonly samePage: boolean
  /** Whether the page has the style of this version. A style that no known version made is a problem. */
  readonly sameStyle: boolean
}

/**
 * Splits a file into its evidence lines and the page around them. No line of the page begins with `{"`, because the
 * page escapes quotation marks.
 */
const splitFile = (text: string) => {
  const marker = text.lastIndexOf(evidenceBegin)
  const line = text.indexOf("\n{\"")
  const begin = marker >= 0 ? marker + evidenceBegin.length : line >= 0 ? line + 1 : text.length
  const last = text.lastIndexOf("\n{\"")
  const end = text.indexOf("\n", Math.max(begin, last + 1))
  const data = text.slice(begin, end < 0 ? text.length : end)
  return {
    before: text.slice(0, begin),
    lines: data === "" ? [] : data.split("\n"),
    after: end < 0 ? "" : text.slice(end)
  }
}

/** The picture in the page. */
const findLogo = (page: string): Logo | string | null => {
  const found = /<img alt="" src="data:image\/[a-z]+;base64,([A-Za-z0-9+/=]*)">/.exec(page)
  return found === null ? null : readLogo(Buffer.from(found[1]!, "base64"))
}

const checkLogo = (
  { header }: ReportEvidence,
  page: string
): { readonly logo: Logo | null; readonly fault: string | null } => {
  if (header.logo === null) return { logo: null, fault: null }
  const found = findLogo(page)
  if (found === null) return { logo: null, fault: "the picture is not there" }
  if (typeof found === "string") return { logo: null, fault: found }
  return {
    logo: found,
    fault: found.sha256 === header.logo.sha256 ? null : "the picture is not the one that the report was made with"
  }
}

const styleIn = /<style>([^]*?)<\/style>/
const policyIn = /(style-src 'sha256-)[A-Za-z0-9+/=]*(')/

/**
 * Removes the style and its hash in the policy. Both are checked by hash, because a later version may look different.
 */
const withoutStyle = (page: string): string => page.replace(styleIn, "<style></style>").replace(policyIn, "$1$2")

const checkStyle = ({ header }: ReportEvidence, page: string) => {
  const sha256 = createHash("sha256").update(styleIn.exec(page)?.[1] ?? "").digest()
  const allowed = page.includes(`style-src 'sha256-${sha256.toString("base64")}'`)
  return {
    same: header.style === describePage().style,
    fault: sha256.toString("hex") !== header.style
      ? "it is not the one that the report was made with"
      : allowed
      ? null
      : "the policy of the file does not allow it"
  }
}

const changed = (what: ReportProblem["what"], id: string, detail: string): ReportProblem => ({
  what,
  id,
  problem: "changed",
  detail
})

const unproven = (id: string, detail: string): ReportProblem => ({ what: "page", id, problem: "unproven", detail })

/**
 * Problems for a page version or style that this version does not know. The file itself states both, so an unknown
 * value must not turn a check off.
 */
const listUnknown = ({ page, style }: ReportEvidence["header"]): ReadonlyArray<ReportProblem> => [
  ...page >= 1 && page <= pageVersion ? [] : [
    unproven(
      `version ${page}`,
      `this version of sov knows pages 1 to ${pageVersion}: check it with the version that made it`
    )
  ],
  ...style === describePage().style || knownStyles.has(style)
    ? []
    : [unproven("style", "this version of sov does not know it: it may hide what stands there, or show other text")]
]

/** Null if the evidence is too large to check, which is reported as a problem. */
const checkEvidence = (
  evidence: ReportEvidence,
  noted: ReadonlyArray<NotedSeal>,
  problems: Array<ReportProblem>
): ReportVerdict | null => {
  try {
    return checkReport(evidence, noted, (problem) => problems.push(problem))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    problems.push(changed("file", "evidence", `it cannot be checked: ${error.message}`))
    return null
  }
}

/** Checks the text of a file. `noted` are seals that are recorded elsewhere. */
export const checkReportFile = (text: string, noted: ReadonlyArray<NotedSeal> = []): CheckedReport => {
  const { after, before, lines } = splitFile(text)
  const { evidence, faults } = parseEvidence(lines)
  const problems: Array<ReportProblem> = faults.map(({ about, detail, number }) =>
    changed("line", String(number), `(${about}) ${detail}`)
  )
  if (evidence === null) {
    if (problems.length === 0) problems.push(changed("file", "evidence", "it is not there: this is no report"))
    return { problems, verdict: null, evidence, samePage: false, sameStyle: false }
  }
  const verdict = checkEvidence(evidence, noted, problems)
  const { fault, logo } = checkLogo(evidence, before)
  if (fault !== null) problems.push(changed("logo", "logo", fault))
  const samePage = evidence.header.page === pageVersion
  const style = checkStyle(evidence, before)
  problems.push(...listUnknown(evidence.header))
  if (style.fault !== null) problems.push(changed("page", "style", style.fault))
  try {
    const expected = splitFile(assemble(evidence, formReport(evidence), logo, lines, measureShownAnswers(evidence)))
    const found = listPageProblems(
      { before: withoutStyle(expected.before), after: evidenceEnd },
      { before: withoutStyle(before), after },
      { exact: samePage, sameUnicode: evidence.header.icu === process.versions.icu }
    )
    // Different rules produce different figures: the difference proves no forgery, but the page is not proven either
    const hasOtherRules = evidence.scans.some(({ measured }) =>
      measured !== null && measured.measure_version !== measureVersion
    )
    problems.push(...found.map((one): ReportProblem => hasOtherRules ? { ...one, problem: "unproven" } : one))
  } catch (error) {
    if (!(error instanceof BrokenEvidence || error instanceof RangeError)) throw error
    problems.push(changed("file", "figures", `they cannot be formed: ${error.message}`))
  }
  return { problems, verdict, evidence, samePage, sameStyle: style.same }
}
