/**
 * sov report verify: checks that a report's figures can be derived from its answers, and that the seals cover the
 * answers.
 */
import { type Anchor, formatAnchor } from "@sov/core/archive"
import { pluralized } from "@sov/core/common"
import type { ReportEvidence, ReportVerdict } from "@sov/core/reports"
import { type CheckedReport, checkReportFile } from "@sov/http/report"
import { Effect } from "effect"
import { readFileSync, statSync } from "node:fs"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { headOption } from "../../input/headOption.ts"
import { printable } from "../../output/Output.ts"
import { runWithoutDatabase } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { describeProblem } from "./describeProblem.ts"

interface VerifyOptions extends GlobalOptions {
  readonly head?: string
}

/** Maximum size of a report's file in bytes; its texts and hashes are limited to a fraction of this. */
const maxFileBytes = 268_435_456

const readText = (file: string) =>
  Effect.try({
    try: () => {
      const size = file === "-" ? 0 : statSync(file).size
      if (size > maxFileBytes) throw tooLong(file)
      const bytes = readFileSync(file === "-" ? 0 : file)
      if (bytes.length > maxFileBytes) throw tooLong(file)
      return bytes.toString("utf8")
    },
    catch: (error) =>
      error instanceof CliError
        ? error
        : usageError(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? "error"}`)
  })

const tooLong = (file: string) =>
  new CliError("report-damaged", exitCodes.checkFailed, `${file} is longer than any report`, "take another copy of it")

/** Lists the facts that the file proves, and the facts that it only states. */
const verdictLines = (
  { answers, head, measured, notProven, sealedNames, sourced, texts }: ReportVerdict,
  { header, seals }: ReportEvidence,
  { samePage, sameStyle }: Pick<CheckedReport, "samePage" | "sameStyle">
): ReadonlyArray<string> => [
  `${pluralized(answers, "answer")} under seals ${seals[0]?.header.sequence ?? 0} to ${
    seals.at(-1)?.header.sequence ?? 0
  }, ${head === null ? "no head" : `head ${formatAnchor(head)}`}`,
  header.answers
    ? `${texts} texts hashed again, ${measured} measured again; sources of ${sourced.proven} answers follow from what is sealed, of ${sourced.stated} they are stated`
    : "no texts in it: which answers were counted is proven, by the hashes of their texts; what they name is stated",
  ...samePage
    ? []
    : ["the page was made by another version of sov: its figures were compared, its words and drawings were not"],
  ...sameStyle ? [] : ["its style is not the one of this version of sov"],
  ...sealedNames.map((one) => printable(`sealed with the scans, ${one}`)),
  "Not proven:",
  ...notProven.map((one) => printable(`  ${one}`))
]

/**
 * Compares the head with the newest seal of the report. Refuses a head outside the report's part of the chain, because
 * it would prove nothing about the report.
 */
const checkHead = (anchor: Anchor | null, evidence: ReportEvidence | null) => {
  const [first, last] = [evidence?.seals[0]?.header.sequence, evidence?.seals.at(-1)?.header.sequence]
  return anchor === null || first === undefined || last === undefined ||
      (anchor.sequence >= first && anchor.sequence <= last)
    ? Effect.void
    : Effect.fail(
      usageError(
        `--head is seal ${anchor.sequence}, and the report has seals ${first} to ${last}`,
        "give a seal that was noted within them"
      )
    )
}

/** The verdict for a report without differences whose figures come from the rules of another version. */
const notWhole = "nothing was found changed, but not everything was checked: the version of sov that made it checks all"

/** Runs `sov report verify FILE`. */
export const verify = (options: VerifyOptions, file: string) =>
  runWithoutDatabase(options, function*({ out }) {
    const anchor = yield* headOption(options.head)
    const text = yield* readText(file)
    const checked: CheckedReport = checkReportFile(text, anchor === null ? [] : [anchor])
    const { evidence, problems, samePage, sameStyle, verdict } = checked
    yield* checkHead(anchor, evidence)
    const valid = problems.length === 0
    const summary = {
      valid,
      ...verdict === null || evidence === null ? {} : {
        organization_id: evidence.header.organization_id,
        answers: verdict.answers,
        texts: verdict.texts,
        measured: verdict.measured,
        sources_proven: verdict.sourced.proven,
        sources_stated: verdict.sourced.stated,
        head: verdict.head,
        sealed_names: verdict.sealedNames,
        not_proven: verdict.notProven,
        same_page: samePage,
        same_style: sameStyle
      },
      problem_count: problems.length
    }
    if (out.format === "ndjson") { for (const line of [...problems, summary]) out.line(JSON.stringify(line)) }
    else {
      out.result({ ...summary, problems }, () =>
        [
          ...problems.map((problem) => `${out.style("red", "✗")} ${describeProblem(problem)}`),
          ...verdict === null || evidence === null ? [] : verdictLines(verdict, evidence, checked),
          valid
            ? out.style("green", "valid")
            : problems.every(({ problem }) => problem === "unproven")
            ? out.style("yellow", notWhole)
            : out.style("red", `not valid: ${pluralized(problems.length, "fault")}`)
        ].join("\n"))
    }
    return valid ? exitCodes.ok : exitCodes.checkFailed
  })
