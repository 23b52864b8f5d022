/** sov card check: compares the card with the claims in answers. */
import { checkCard, checkedCardJson, claimJson, describeFindings, type FactStanding } from "@sov/core/card"
import { pluralized } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { maxSourceScans } from "@sov/core/sources"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { integerOption } from "../../input/integerOption.ts"
import { printable } from "../../output/Output.ts"
import { renderTable } from "../../render/table.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface CheckOptions extends GlobalOptions {
  readonly scans: string
  readonly all?: boolean
}

/** Maximum number of quotes that people see; `--json` and CSV contain all of them. */
const shownClaims = 20

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
    const organization = yield* currentOrganization(options)
    const checked = yield* checkCard(organization.id, wholeHistory, count)
    const claims = checked.claims.filter(({ verdict }) => options.all === true || verdict !== "agrees")
    if (out.format === "json") {
      return out.result({ ...checkedCardJson(checked), claims: claims.map(claimJson) }, () => "")
    }
    const rows = claims.map((claim) => ({ ...claimJson(claim), cited_domains: claim.cited.join(" ") }))
    if (out.format !== "table") return out.list(rows, [], { empty: "" })
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
      out.line(`${printable(row.fact)} ${row.verdict.replaceAll("_", " ")}: ${printable(row.stated)}`)
      out.line(`  “${printable(row.quote.replace(/\s+/g, " ")).slice(0, 300)}”`)
      out.line(
        `  ${out.platformName(row.platform)} · ${row.created_at.slice(0, 10)} · sov archive show ${row.answer_id}${
          row.cited_domains === "" ? "" : ` · cites ${printable(row.cited_domains)}`
        }`
      )
    }
    if (rows.length > shownClaims) out.note(`and ${rows.length - shownClaims} more: --json, or -o csv`)
  })
