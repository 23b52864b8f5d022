/** Commands for the business card. */
import { overwriteOption, runs, type SovCommand } from "./SovCommand.ts"

const addSourceOption = (command: SovCommand): SovCommand =>
  command.option("--source <text>", "source of the fact, in words or as a URL")

export const card = (card: SovCommand): void => {
  card.command("show").description("Show the card: trust score, freshness, missing fields")
    .withExamples("sov card show", "sov card show --json")
    .option("--all", "include empty fields, and the values they accept")
    .action(runs(async () => (await import("../commands/card/card.ts")).show))
  addSourceOption(
    card.command("set <field> [value...]").description("Set a field; setting the same value again confirms it")
      .withExamples(
        "sov card set legal_name \"Acme GmbH\" --source \"commercial register\"",
        "sov card set leaders \"Ada Example; job_title=CEO\" \"Bo Example\"",
        "sov card set slogan --clear"
      )
  )
    .option("--clear", "clear the field")
    .action(runs(async () => (await import("../commands/card/edit.ts")).set))
  addSourceOption(
    card.command("import <file>").description("Import fields from a schema.org JSON-LD document (- = stdin)")
      .withExamples(
        "sov card import acme.jsonld --dry-run",
        "sov card import acme.jsonld --source https://acme.example/"
      )
  )
    .option("--replace", "clear fields that the document does not have")
    .option("-y, --yes", "with --replace: do not prompt")
    .option("--dry-run", "show what would change, and store nothing")
    .action(runs(async () => (await import("../commands/card/edit.ts")).importCard))
  card.command("attest").description("Attest that the card is correct; any later edit makes the attestation outdated")
    .withExamples("sov card attest --by \"Ada Example, CEO\"")
    .requiredOption("--by <name>", "name of the person who attests")
    .action(runs(async () => (await import("../commands/card/card.ts")).attest))
  card.command("check").description("Compare the card with the answers: which facts they contradict")
    .withExamples("sov card check", "sov card check --scans 4 --json", "sov card check -o csv > claims.csv")
    .option("--scans <n>", "newest comparable scans, 1–10", "1")
    .option("--all", "include statements that agree with the card")
    .option(
      "--judge <n>",
      "first let the configured judge compare facts in free text with n answers, 1–2000 (1 call each)"
    )
    .action(runs(async () => (await import("../commands/card/check.ts")).check))
  card.command("history").description("List edits, newest first")
    .withExamples("sov card history", "sov card history --field name --json")
    .option("--field <field>", "only edits of this field")
    .option("--limit <n>", "maximum number, 1–1000", "20")
    .action(runs(async () => (await import("../commands/card/card.ts")).history))
  card.command("export").description("Export the card as a schema.org JSON-LD document")
    .withExamples("sov card export --out card.jsonld", "sov card export --html > card.html")
    .option("--out <file>", "file to write, or - for stdout", "-")
    .option("--public", "export only the values, without sources and times, for publication")
    .option("--html", "print a script element for a web page (values only)")
    .option(...overwriteOption)
    .action(runs(async () => (await import("../commands/card/card.ts")).exportCard))
}
