/** sov card check: compares the card with the claims in answers. */
import {
  type CardJudgeRun,
  type CardJudgeSummary,
  checkCard,
  checkedCardJson,
  claimJson,
  describeFindings,
  type FactStanding,
  judgeCard
} from "@sov/core/card"
import { type OrganizationId, pluralized } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { maxSourceScans } from "@sov/core/sources"
import { Effect } from "effect"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { integerOption } from "../../input/integerOption.ts"
import { type Output, printable } from "../../output/Output.ts"
import { withProgress } from "../../output/rowProgress.ts"
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

const runJson = ({ calls, failure, judgedBy }: CardJudgeRun) => ({
  judge_asked: judgedBy,
  judge_calls: calls,
  judge_failure: failure
})

/** What the judge decided so far, and what this run did; null if there is nothing to say. */
const judgeText = (judge: CardJudgeSummary | null, run: CardJudgeRun | null): string | null => {
  if (judge === null) {
    return run === null ? null : "The card has no fact in free text, so the judge was not asked: docs/business-card.md"
  }
  if (run === null && judge.by.length === 0) return null
  const asked = run === null ? "" : ` ${pluralized(run.calls, "call")}.`
  const open = judge.factsNotJudged === 0
    ? ""
    : ` Not judged: ${pluralized(judge.factsNotJudged, "fact")} in ${
      pluralized(judge.answersNotJudged, "answer")
    }; --judge ${judge.answersNotJudged} judges them.`
  const failure = run?.failure == null ? "" : ` ${printable(run.failure)}.`
  return `Judge: ${
    printable(judge.by.join(", ") || run!.judgedBy)
  }, an AI model whose errors nobody has measured, compared ${pluralized(judge.facts, "fact")} in free text.${asked}${
    judge.discarded === 0 ? "" : ` ${pluralized(judge.discarded, "decision")} discarded.`
  }${open}${failure}`
}

const factRow = ({ counts, fact, isContradicted, notStated, says }: FactStanding): ReadonlyArray<string> => [
  printable(fact),
  printable(says.join(", ")),
  `${counts.contradicts}${isContradicted ? " !" : ""}`,
  String(counts.out_of_date),
  String(counts.agrees),
  String(notStated)
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
    const judged = judgeText(checked.judge, run)
    if (out.format !== "table") {
      out.list(rows, [], { empty: "" })
      if (run !== null && judged !== null) out.note(judged)
      return
    }
    if (judged !== null) out.note(judged)
    if (checked.facts.length === 0) {
      return out.note(
        "The card has no fact that answers can be held against: " +
          "sov card set facts \"Warranty; type=number; value=3 years; words=warranty\" (docs/business-card.md)"
      )
    }
    const width = out.tty.out ? process.stdout.columns || undefined : undefined
    out.line(
      `${pluralized(checked.read, "answer")} that name you, of ${pluralized(checked.scans.length, "scan")}: ${
        describeFindings(checked.facts)
      }${checked.scans[0].simulated ? ` · ${out.style("yellow", "SIMULATED")}` : ""}`
    )
    if (checked.unread > 0) out.line(`${pluralized(checked.unread, "more answer")} not read`)
    out.line()
    out.line(renderTable(checked.facts.map(factRow), {
      header: ["FACT", "THE CARD SAYS", "CONTRADICT", "OUT OF DATE", "AGREE", "NOT STATED"],
      align: ["left", "left", "right", "right", "right", "right"],
      width
    }))
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
