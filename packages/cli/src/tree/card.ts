/** Commands for the business card. */
import { addLeafCommand, overwriteOption, runs, type SovCommand } from "./SovCommand.ts"

const addSourceOption = (command: SovCommand): SovCommand =>
  command.option("--source <text>", "source of the fact, in words or as a URL")

export const card = (card: SovCommand): void => {
  addLeafCommand(
    card,
    "show",
    "Show the card: trust score, freshness, missing fields",
    "sov card show",
    "sov card show --json"
  )
    .option("--all", "include empty fields, and the values they accept")
    .action(runs(async () => (await import("../commands/card/card.ts")).show))
  addSourceOption(
    addLeafCommand(
      card,
      "set <field> [value...]",
      "Set a field; setting the same value again confirms it",
      "sov card set legal_name \"Acme GmbH\" --source \"commercial register\"",
      "sov card set leaders \"Ada Example; job_title=CEO\" \"Bo Example\"",
      "sov card set slogan --clear"
    )
  )
    .option("--clear", "clear the field")
    .action(runs(async () => (await import("../commands/card/edit.ts")).set))
  addSourceOption(
    addLeafCommand(
      card,
      "import <file>",
      "Import fields from a schema.org JSON-LD document (- = stdin)",
      "sov card import acme.jsonld --dry-run",
      "sov card import acme.jsonld --source https://acme.example/"
    )
  )
    .option("--replace", "clear fields that the document does not have")
    .option("-y, --yes", "with --replace: do not prompt")
    .option("--dry-run", "show what would change, and store nothing")
    .action(runs(async () => (await import("../commands/card/edit.ts")).importCard))
  addLeafCommand(
    card,
    "attest",
    "Attest that the card is correct; every edit outdates the attestation",
    "sov card attest --by \"Ada Example, CEO\""
  )
    .requiredOption("--by <name>", "name of the person who attests")
    .action(runs(async () => (await import("../commands/card/card.ts")).attest))
  addLeafCommand(
    card,
    "check",
    "Compare the card with the answers: which facts they contradict",
    "sov card check",
    "sov card check --scans 4 --json",
    "sov card check -o csv > claims.csv"
  )
    .option("--scans <n>", "newest comparable scans, 1–10", "1")
    .option("--all", "include statements that agree with the card")
    .action(runs(async () => (await import("../commands/card/check.ts")).check))
  addLeafCommand(
    card,
    "history",
    "List edits, newest first",
    "sov card history",
    "sov card history --field name --json"
  )
    .option("--field <field>", "only edits of this field")
    .option("--limit <n>", "maximum number, 1–1000", "20")
    .action(runs(async () => (await import("../commands/card/card.ts")).history))
  addLeafCommand(
    card,
    "export",
    "Export the card as a schema.org JSON-LD document",
    "sov card export --out card.jsonld",
    "sov card export --html > card.html"
  )
    .option("--out <file>", "file, or - for stdout", "-")
    .option("--public", "values only, without sources and times: for publication")
    .option("--html", "as a script element for a web page (values only)")
    .option(...overwriteOption)
    .action(runs(async () => (await import("../commands/card/card.ts")).exportCard))
}
