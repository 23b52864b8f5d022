/** sov card check: compares the card with the claims in answers. */
import {
  type CardJudgeRun,
  type CardJudgeSummary,
  checkCard,
  type CheckedCard,
  checkedCardJson,
  claimJson,
  describeFindings,
  type FactStanding,
  judgeCard,
  maxJudgedFacts,
  maxJudgedLength,
  splitByReader
} from "@sov/core/card"
import { type OrganizationId, pluralized } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { maxSourceScans } from "@sov/core/sources"
import { Effect } from "effect"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { integerOption } from "../../input/integerOption.ts"
import { type Output, printable } from "../../output/Output.ts"
import { withProgress } from "../../output/rowProgress.ts"
import { formatGrouped } from "../../render/counted.ts"
import { renderTable } from "../../render/table.ts"
import { platformsLayer, runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface CheckOptions extends GlobalOptions {
  readonly scans: string
  readonly all?: boolean
  readonly judge?: string
}

/** Maximum number of quotes that people see; `--json` and CSV contain all of them. */
const shownClaims = 20
/** Maximum value of `--judge`. */
const maxCalls = 2_000

/** Lets the judge decide on facts in free text. The check before it tells how many answers there are to judge. */
const askJudge = Effect.fnUntraced(
  function*(out: Output, organizationId: OrganizationId, scans: number, calls: number) {
    const { judge } = yield* checkCard(organizationId, wholeHistory, scans)
    return yield* withProgress(
      out,
      "Judging",
      Math.min(calls, judge?.answersNotJudged ?? 0),
      (onAnswers) => judgeCard(organizationId, wholeHistory, { scans, maxCalls: calls }, () => onAnswers(1))
    )
  }
)

const runJson = ({ calls, failure, judgedBy, skipped }: CardJudgeRun) => ({
  judge_asked: judgedBy,
  judge_calls: calls,
  judge_failure: failure,
  judge_skipped: skipped
})

/** How many answers are not judged, and how to judge them. */
const openText = ({ answersNotJudged, facts, factsNotJudged }: CardJudgeSummary, simulated: boolean): string => {
  if (answersNotJudged === 0) return ""
  const calls = Math.min(answersNotJudged, maxCalls)
  const hint = simulated
    ? "simulated answers are never judged"
    : `--judge ${calls} judges ${
      calls < answersNotJudged ? `${formatGrouped(calls)} of them` : "them"
    }, except answers of more than ${formatGrouped(maxJudgedLength)} characters`
  return ` Not judged: ${pluralized(factsNotJudged, "fact")} of ${facts} in ${
    pluralized(answersNotJudged, "answer")
  }; ${hint}.`
}

/** What the judge decided so far, and what this run did; null if there is nothing to say. */
const judgeText = ({ judge, read, scans, unread }: CheckedCard, run: CardJudgeRun | null): string | null => {
  if (judge === null) {
    return run === null ? null : "The card has no fact in free text, so the judge was not asked: docs/business-card.md"
  }
  if (run === null && judge.by.length === 0) return null
  const by = printable(judge.by.join(", ") || run!.judgedBy)
  return `Judge: ${by}, an AI model whose errors nobody has measured: ${judge.answersJudged} of ${
    pluralized(read + unread, "answer")
  } judged.${run === null ? "" : ` ${pluralized(run.calls, "call")}.`}${
    run === null || run.skipped === 0
      ? ""
      : ` ${pluralized(run.skipped, "answer")} skipped: the judge's replies could not be read twice.`
  }${judge.discarded === 0 ? "" : ` ${pluralized(judge.discarded, "decision")} discarded.`}${
    judge.factsLeftOut === 0
      ? ""
      : ` ${pluralized(judge.factsLeftOut, "fact")} left out: at most ${maxJudgedFacts} are judged.`
  }${openText(judge, scans[0].simulated)}${run?.failure == null ? "" : ` ${printable(run.failure)}.`}`
}

const ruledRow = ({ counts, fact, isContradicted, notStated, says }: FactStanding): ReadonlyArray<string> => [
  printable(fact),
  printable(says.join(", ")),
  `${counts.contradicts}${isContradicted ? " !" : ""}`,
  String(counts.out_of_date),
  String(counts.agrees),
  String(notStated)
]

const judgedRow = ({ counts, fact, notJudged, notStated, says }: FactStanding): ReadonlyArray<string> => [
  printable(fact),
  printable(says.join(", ")),
  ...[counts.contradicts, counts.agrees, notStated, notJudged].map(String)
]

/** Runs `sov card check`. */
export const check = (options: CheckOptions) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const count = yield* integerOption("--scans", options.scans, 1, maxSourceScans)
    const calls = options.judge === undefined ? null : yield* integerOption("--judge", options.judge, 1, maxCalls)
    const organization = yield* currentOrganization(options)
    const run = calls === null
      ? null
      : yield* askJudge(out, organization.id, count, calls).pipe(Effect.provide(platformsLayer(options)))
    const checked = yield* checkCard(organization.id, wholeHistory, count)
    const claims = checked.claims.filter(({ verdict }) => options.all === true || verdict !== "agrees")
    if (out.format === "json") {
      const json = { ...checkedCardJson(checked), claims: claims.map(claimJson), ...run === null ? {} : runJson(run) }
      return out.result(json, () => "")
    }
    const rows = claims.map((claim) => ({ ...claimJson(claim), cited_domains: claim.cited.join(" ") }))
    const note = judgeText(checked, run)
    if (out.format !== "table") {
      out.list(rows, [], { empty: "" })
      if (run !== null && note !== null) out.note(note)
      return
    }
    if (note !== null) out.note(note)
    if (checked.facts.length === 0) {
      return out.note(
        "The card has no fact that answers can be held against: " +
          "sov card set facts \"Warranty; type=number; value=3 years; words=warranty\" (docs/business-card.md)"
      )
    }
    const width = out.tty.out ? process.stdout.columns || undefined : undefined
    const { judged, ruled } = splitByReader(checked.facts)
    out.line(
      `${pluralized(checked.read, "answer")} that name you, of ${pluralized(checked.scans.length, "scan")}${
        ruled.length === 0 ? "" : `: ${describeFindings(ruled)}`
      }${checked.scans[0].simulated ? ` · ${out.style("yellow", "SIMULATED")}` : ""}`
    )
    if (checked.unread > 0) out.line(`${pluralized(checked.unread, "more answer")} not read`)
    const writeTable = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) => {
      if (rows.length === 0) return
      out.line()
      out.line(renderTable(rows, { header, align: header.map((_, at) => at < 2 ? "left" : "right"), width }))
    }
    writeTable(["FACT", "THE CARD SAYS", "CONTRADICT", "OUT OF DATE", "AGREE", "NOT STATED"], ruled.map(ruledRow))
    writeTable(
      ["JUDGED, ERROR UNKNOWN", "THE CARD SAYS", "CONTRADICT", "AGREE", "NOT STATED", "NOT JUDGED"],
      judged.map(judgedRow)
    )
    for (const row of rows.slice(0, shownClaims)) {
      out.line()
      const decided = row.decided_by === "rules" ? printable(row.stated) : `judged by ${printable(row.decided_by)}`
      out.line(`${printable(row.fact)} ${row.verdict.replaceAll("_", " ")}: ${decided}`)
      out.line(`  “${printable(row.quote.replace(/\s+/g, " ")).slice(0, 300)}”`)
      out.line(
        `  ${out.platformName(row.platform)} · ${row.created_at.slice(0, 10)} · sov archive show ${row.answer_id}${
          row.cited_domains === "" ? "" : ` · cites ${printable(row.cited_domains)}`
        }`
      )
    }
    if (rows.length > shownClaims) out.note(`and ${rows.length - shownClaims} more: --json, or -o csv`)
  })
