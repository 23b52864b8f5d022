/** The command that creates and checks reports. */
import { oneViewOption, overwriteOption, runs, runsWithoutSubcommand, type SovCommand } from "./SovCommand.ts"

export const report = (root: SovCommand): void => {
  root.withExamples(
    "sov report --out report.html",
    "sov report --with-answers --out evidence.html",
    "sov report --from 2026-03-01 --to 2026-03-31 --title \"March\" --locale de --out march.html",
    "sov report --tag pricing --out pricing.html",
    "sov report --view germany --out germany.html",
    "sov report --logo logo.png --out report.html --yes",
    "sov report verify report.html"
  )
    .option("--out <file>", "file to write, or - for stdout")
    .option("--with-answers", "include the texts of the answers, so that their measurements can be verified too")
    .option("--from <date>", "only scans that began on this day, at this time, or later (2026-03-01, or RFC 3339)")
    .option("--to <date>", "only scans that began before this time, or on this UTC day or earlier")
    .option("--tag <tag>", "count only answers to keywords with this tag")
    .option(...oneViewOption("report on this view (default: standard)"))
    .option("--locale <tag>", "language of numbers and dates, such as de or en-GB")
    .option("--title <text>", "title of the report (default: the brand's)")
    .option("--logo <file>", "picture at the top: PNG, JPEG or WebP, up to 100 KiB")
    .option(...overwriteOption)
    .allowExcessArguments()
    .action(runsWithoutSubcommand(async () => (await import("../commands/report/report.ts")).make))
  root.command("verify <file>")
    .description("Verify a report; needs no database, configuration or network (- = stdin)")
    .withExamples(
      "sov report verify report.html",
      "sov report verify report.html --head \"$(sov archive head)\"",
      "sov report verify report.html --json"
    )
    .option("--head <seal>", "seal that you stored elsewhere and that the report must contain")
    .action(runs(async () => (await import("../commands/report/verify.ts")).verify))
}
