/** Commands that measure: scan, score, measure, rescore, archive, traffic. */
import { type Command, Option } from "commander"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"
import { isRemote } from "./isRemote.ts"
import { matchOptions } from "./matchOptions.ts"
import {
  collect,
  logFields,
  logFormats,
  oneViewOption,
  overwriteOption,
  platforms,
  runs,
  runsWithoutSubcommand,
  type SovCommand,
  yesOption
} from "./SovCommand.ts"

/** Whether the command asks a server. */
const asksServer = (command: Command): boolean => isRemote(command.optsWithGlobals<GlobalOptions>())

const addAskingOptions = (command: SovCommand): SovCommand =>
  command
    .addOption(
      new Option("--platform <id>", "ask only this platform (repeatable)").choices(platforms).argParser(collect)
    )
    .option("--keyword <id|text>", "ask only this keyword (repeatable)", collect)
    .option("--tag <tag>", "ask only keywords with this tag (repeatable)", collect)
    .option("--view <name>", "ask only from this view (repeatable; standard = without a market)", collect)
    .option("--samples <n>", "ask each question n times, 1–5 (default: the configuration's, else 1)")
    .option("--dry-run", "show what would be asked, and ask nothing")
    .option("--detach", "start the scan and leave it to other workers")

const loadScan = async (command: Command) =>
  (await (asksServer(command) ? import("../commands/scan/remote.ts") : import("../commands/scan/run.ts"))).run

export const scan = (root: SovCommand): void => {
  addAskingOptions(
    root.withExamples(
      "sov scan",
      "sov scan --dry-run",
      "sov scan --platform assistant_a --samples 3 --json",
      "sov scan --url https://sov.example.com --detach"
    )
  )
    .allowExcessArguments()
    .action(runsWithoutSubcommand(loadScan))
  addAskingOptions(root.command("run", { hidden: true })).action(runs(loadScan))
  root.command("list").description("List scans, newest first")
    .withExamples("sov scan list --limit 5", "sov scan list --status running --json")
    .alias("ls")
    .option("--limit <n>", "maximum number, 1–50", "10")
    .addOption(
      new Option("--status <status>", "only scans in this state").choices([
        "running",
        "completed",
        "failed",
        "cancelled"
      ])
    )
    .action(
      runs(async (command) =>
        (await (asksServer(command) ? import("../commands/scan/remote.ts") : import("../commands/scan/scan.ts"))).list
      )
    )
  root.command("show <id>").description("Show one scan: scores and failures (latest = the newest)")
    .withExamples("sov scan show latest --failed")
    .option("--failed", "list the questions that got no answer")
    .action(runs(async () => (await import("../commands/scan/scan.ts")).show))
  root.command("compare <before> <after>")
    .description(
      "Compare two scans and show what changed beyond noise (ids, or previous and latest: scans that asked everything)"
    )
    .withExamples("sov scan compare previous latest", "sov scan compare previous latest --tag unbranded")
    .option("--tag <tag>", "only over keywords that have this tag now", collect)
    .action(runs(async () => (await import("../commands/scan/compare.ts")).compare))
  root.command("plan")
    .description("Show the smallest change that your questions can detect, and the cost of detecting a smaller change")
    .withExamples("sov scan plan", "sov scan plan --change 3", "sov scan plan --json")
    .option("--change <points>", "change of the share of voice that you want to detect, in points", "5")
    .action(runs(async () => (await import("../commands/scan/plan.ts")).plan))
  root.command("resume <id>").description(
    "Resume an unfinished scan; answered questions are not asked again, and no quota is used"
  )
    .withExamples("sov scan resume latest")
    .action(runs(async () => (await import("../commands/scan/run.ts")).resume))
  root.command("watch <id>").description("Follow a scan (read-only); -o ndjson prints one event per line")
    .withExamples("sov scan watch latest", "sov scan watch latest -o ndjson")
    .action(
      runs(async (command) =>
        (await (asksServer(command) ? import("../commands/scan/remote.ts") : import("../commands/scan/scan.ts"))).watch
      )
    )
  root.command("cancel <id>").description("Cancel a running scan; archived answers are kept")
    .withExamples("sov scan cancel latest --yes")
    .option(...yesOption)
    .action(runs(async () => (await import("../commands/scan/scan.ts")).cancel))
}

const addFilterOptions = (command: SovCommand): SovCommand =>
  command
    .option("--keyword <id|text>", "only answers to this keyword")
    .option("--tag <tag>", "only answers to keywords that have this tag now")
    .option(...oneViewOption("only answers of this view (standard = without a market)"))
    .addOption(new Option("--platform <id>", "only answers of this platform").choices(platforms))
    .option("--from <date>", "only from this day or time on (2026-03-01, or RFC 3339)")
    .option("--to <date>", "only up to this time, or to the end of this UTC day")

export const archive = (root: SovCommand): void => {
  addFilterOptions(
    root.command("list").description("List answers, newest first")
      .withExamples(
        "sov archive list --limit 5",
        "sov archive list --platform assistant_a --json",
        "sov archive list --scan latest --not-named"
      )
  )
    .alias("ls")
    .option("--limit <n>", "maximum number, 1–100", "50")
    .option("--scan <id>", "only answers of this scan (latest = the newest)")
    .option("--named", "only answers that name the brand")
    .option("--not-named", "only answers that do not name the brand")
    .option("--cursor <cursor>", "where to continue: next_cursor of the previous page")
    .option("--all", "list every page")
    .action(
      runs(async (command) =>
        (await (asksServer(command)
          ? import("../commands/archive/remote.ts")
          : import("../commands/archive/archive.ts"))).list
      )
    )
  root.command("show <id>").description("Show one answer with the mentions marked (latest = the newest)")
    .withExamples(
      "sov archive show latest",
      "sov archive show ID --raw > answer.txt",
      "sov archive show ID --payload > payload.json"
    )
    .option("--raw", "print only the answer, exactly as archived")
    .option("--payload", "print only the provider's response, byte for byte")
    .action(runs(async () => (await import("../commands/archive/archive.ts")).show))
  root.command("diff <keyword>")
    .description("Show what changed in the answers to one keyword (id or text) between two scans")
    .withExamples(
      "sov archive diff \"best anvil for beginners?\"",
      "sov archive diff \"best anvil for beginners?\" --platform assistant_a --between previous..latest"
    )
    .addOption(new Option("--platform <id>", "only answers of this platform").choices(platforms))
    .option("--between <scans>", "two completed scans: ids, previous or latest", "previous..latest")
    .action(runs(async () => (await import("../commands/archive/diff.ts")).diff))
  addFilterOptions(
    root.command("export").description("Write the archive to a file or stdout")
      .withExamples(
        "sov archive export --format ndjson --out archive.ndjson",
        "sov archive export --format csv --out - | head",
        "sov archive export --format parquet --out archive.parquet",
        "sov archive export --gzip --out archive.ndjson.gz --resume",
        "sov archive export --out archive.ndjson --url https://sov.example.com"
      )
  )
    .addOption(
      new Option("--format <format>", "format of the file; ndjson is lossless and has the seals").choices([
        "ndjson",
        "csv",
        "parquet"
      ]).default("ndjson")
    )
    .requiredOption("--out <file>", "file to write, or - for stdout")
    .option("--gzip", "compress the file with gzip")
    .option("--resume", "continue an interrupted export to this file, if there is one")
    .option(...overwriteOption)
    .action(
      runs(async (command) =>
        (await (asksServer(command)
          ? import("../commands/archive/remote.ts")
          : import("../commands/archive/archive.ts"))).exportAll
      )
    )
  root.command("import <file>")
    .description(
      "Import an NDJSON export into an empty organization (all or nothing), or answers captured in apps"
    )
    .withExamples(
      "sov org create Restored && sov archive import archive.ndjson --org restored",
      "sov archive import --surface app captured.csv"
    )
    .addOption(
      new Option("--surface <surface>", "app: CSV or NDJSON of answers captured in apps (docs/views.md)").choices([
        "app"
      ])
    )
    .action(async (file: string, { surface }: { readonly surface?: "app" }, command: Command) =>
      surface === "app"
        ? (await import("../commands/archive/importCaptured.ts")).importCapturedFile(command.optsWithGlobals(), file)
        : (await import("../commands/archive/import.ts")).importFile(command.optsWithGlobals(), file)
    )
  root.command("verify").description("Verify the seals of all answers, in the database or in an export")
    .withExamples(
      "sov archive verify",
      "sov archive verify --file archive.ndjson",
      "sov archive proof ID > proof.json && sov archive verify --proof proof.json",
      "sov archive verify --head \"$(sov archive head)\"",
      "sov archive anchor > anchors.ndjson && sov archive verify --anchors anchors.ndjson",
      "sov archive verify --payloads"
    )
    .option("--file <file>", "verify an export with its manifest; needs no database")
    .option("--proof <file>", "verify the proof of one answer (- = stdin); needs no database")
    .option("--payloads", "also check the hashes of the providers' responses")
    .option("--head <seal>", "seal that sov archive head printed earlier and that the chain must still contain")
    .option("--anchors <file>", "a file of anchors (- = stdin): the chain must still contain each")
    .option("--tsa-ca <file>", "PEM certificates that the anchors' time stamps must chain to")
    .action(runs(async () => (await import("../commands/archive/verify.ts")).verify))
  root.command("proof <id>").description("Print a proof of one answer that can be verified without the archive")
    .withExamples("sov archive proof ID > proof.json")
    .action(runs(async () => (await import("../commands/archive/verify.ts")).showProof))
  root.command("head").description("Print the newest seal, to store outside of this database")
    .withExamples("sov archive head", "sov archive head --json")
    .action(runs(async () => (await import("../commands/archive/verify.ts")).showHead))
  root.command("anchor").description("Make an anchor: the newest seal as a document, to store elsewhere")
    .withExamples(
      "sov archive anchor",
      "sov archive anchor --all --out anchors.ndjson",
      "sov archive anchor --out anchors.ndjson --tsa https://freetsa.org/tsr"
    )
    .option("--out <file>", "append to this file instead of printing")
    .option("--all", "anchor every organization, one line each")
    .option("--tsa <url>", "add a time stamp of this authority (RFC 3161)")
    .action(runs(async () => (await import("../commands/archive/anchor.ts")).anchor))
  root.command("stats").description("Show answers, bytes and dates per platform").withExamples("sov archive stats")
    .action(runs(async () => (await import("../commands/archive/archive.ts")).stats))
}

const scoreParts = ["platform", "keyword", "competitor", "tag", "definition"]

export const score = (command: SovCommand): void => {
  command.withExamples(
    "sov score",
    "sov score --by keyword --json",
    "sov score --by tag",
    "sov score --spot",
    "sov score --evidence",
    "sov score --by definition",
    "sov score --view germany",
    "sov score -o csv --scans 52 > shares.csv",
    "sov score --url https://sov.example.com"
  )
    .option("--scans <n>", "number of completed scans in the sparkline, in -o csv and --spot", "12")
    .addOption(new Option("--by <part>", "show only this breakdown").choices(scoreParts))
    .addOption(
      new Option("--spot", "show the chance that one answer names the brand, and that three in a row do not")
        .conflicts(["by", "tag", "view"])
    )
    .addOption(
      new Option("--evidence", "show the evidence grade of the share, and the cheapest step to the next grade")
        .conflicts(["by", "tag", "spot", "view"])
    )
    .option("--tag <tag>", "show the share of voice over keywords that have this tag now, scan by scan")
    .option(...oneViewOption("show the share of voice of this view (default: standard)"))
    .action(
      runs(async (command) =>
        (await (asksServer(command) ? import("../commands/score/remote.ts") : import("../commands/score/score.ts")))
          .show
      )
    )
}

export const measure = (command: SovCommand): void => {
  matchOptions(
    command.argument("<file>").withExamples(
      "sov measure answer.md --prompt \"best anvil?\"",
      "sov measure - --brand Acme --competitor Globex --json < answer.md"
    )
  )
    .action(runs(async () => (await import("../commands/measure/measure.ts")).measureFile))
}

export const rescore = (command: SovCommand): void => {
  command.withExamples("sov rescore --dry-run", "sov rescore", "sov rescore --since 2026-03-01 --json")
    .option("--scan <id>", "rescore only this scan (latest = the newest that has ended)")
    .option("--since <date>", "rescore only scans from this day or time on (2026-03-01, or RFC 3339)")
    .option("--dry-run", "show what would change, and store nothing")
    .action(runs(async () => (await import("../commands/rescore/rescore.ts")).run))
}

const addSourcesOption = (command: SovCommand): SovCommand => {
  const table = new Option("--source-table <file>", "file with more assistants and crawlers")
  return command.addOption(table.env("SOV_SOURCE_TABLE"))
}

export const traffic = (root: SovCommand): void => {
  addSourcesOption(
    root.command("import <file...>")
      .description("Count AI traffic in web server logs, plain or gzip (- = stdin); no line counts twice")
      .withExamples(
        "sov traffic import access.log access.log.1.gz",
        "zcat access.log.*.gz | sov traffic import - --dry-run",
        "sov traffic import requests.csv --field time=date --field user_agent=browser --site shop.acme.example"
      )
  )
    .addOption(
      new Option("--format <format>", "format of the log (default: detected from its first lines)").choices(logFormats)
    )
    .option("--field <field=name>", `name of a field in the log (repeatable): ${logFields.join(", ")}`, collect)
    .option("--site <host>", "host of your site, in addition to the brand's domains (repeatable)", collect)
    .option("--dry-run", "show what would be counted, and store nothing")
    .action(runs(async () => (await import("../commands/traffic/traffic.ts")).importLogs))
  addSourcesOption(
    root.command("show").description("Show visits from AI assistants, by referrer or by tag alone: a lower bound")
      .withExamples("sov traffic show", "sov traffic show --from 2026-03-01 --to 2026-03-31 --crawlers --json")
  )
    .option("--from <date>", "first UTC day (2026-03-01)")
    .option("--to <date>", "last UTC day")
    .option("--crawlers", "also show crawler requests, which are not visits")
    .option("--pages <n>", "landing pages of each kind, 0–1000", "10")
    .action(runs(async () => (await import("../commands/traffic/traffic.ts")).show))
  addSourcesOption(
    root.command("sources").description("List the signals that identify assistants")
      .withExamples("sov traffic sources", "sov traffic sources --json")
  )
    .action(runs(async () => (await import("../commands/traffic/traffic.ts")).listSources))
}
