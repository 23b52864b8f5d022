/**
 * Checks a report file: recomputes every figure from the evidence in the file, and compares the evidence with its
 * seals.
 */
import type { NotedSeal } from "@sov/core/archive"
import { measureVersion } from "@sov/core/measuring"
import {
  BrokenEvidence,
  checkReport,
  formReport,
  type Logo,
  measureShownAnswers,
  parseEvidence,
  readLogo,
  type ReportEvidence,
  type ReportVerdict
} from "@sov/core/reports"
import { createHash } from "node:crypto"
import { listPageProblems } from "./comparePages.ts"
import { knownStyles } from "./knownStyles.ts"
import { assembleReportFile, describePage, evidenceBegin, evidenceEnd } from "./makeReportFile.ts"
import { pageVersion } from "./reportPage.ts"
import type { ReportProblem } from "./ReportProblem.ts"

/** The result of a check. */
export interface CheckedReport {
  readonly problems: ReadonlyArray<ReportProblem>
  /** The verdict about the evidence; null if the evidence cannot be read. */
  readonly verdict: ReportVerdict | null
  readonly evidence: ReportEvidence | null
  /**
   * Whether the page was made by this version and was therefore compared character by character. Otherwise only its
   * figures were compared.
   */
  readonly samePage: boolean
  /** Whether the page has the style of this version. A style that no known version used is a problem. */
  readonly sameStyle: boolean
}

/**
 * Splits a file into its lines of evidence and the surrounding page. No line of the page begins with `{"`, because the
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

/** The logo in the page, or a sentence that says why it is not accepted; null if the page has no picture. */
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
 * Removes the style and its hash in the policy, because later versions may look different. Both are checked by hash.
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
 * Problems for a page version or style that this program does not know. The file itself states both, so an unknown
 * value must not switch off a check.
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

/** The result for the evidence; null if it is too large to check, which is reported as a problem. */
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

/** Checks the text of a report file. `noted` are seals that were recorded elsewhere. */
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
    const expected = splitFile(
      assembleReportFile(evidence, formReport(evidence), logo, lines, measureShownAnswers(evidence))
    )
    const found = listPageProblems(
      { before: withoutStyle(expected.before), after: evidenceEnd },
      { before: withoutStyle(before), after },
      { exact: samePage, sameUnicode: evidence.header.icu === process.versions.icu }
    )
    // Other rules produce other figures: a difference does not prove forgery, but the page is not proven either
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
