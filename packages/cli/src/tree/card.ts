/** Commands of the business card. */
import type { Command } from "commander"
import { leaf, overwriting, type SovCommand } from "./SovCommand.ts"

const source = (command: SovCommand): SovCommand =>
  command.option("--source <text>", "where it comes from, in words or as a URL")

export const card = (card: SovCommand): void => {
  leaf(card, "show", "Show the card: trust score, freshness, what is missing", "sov card show", "sov card show --json")
    .option("--all", "empty fields too, and what they take")
    .action(async (_, command: Command) => (await import("../commands/card/card.ts")).show(command.optsWithGlobals()))
  source(
    leaf(
      card,
      "set <field> [value...]",
      "Enter a fact, or confirm it by entering it again",
      "sov card set legal_name \"Acme GmbH\" --source \"commercial register\"",
      "sov card set leaders \"Ada Example; job_title=CEO\" \"Bo Example\"",
      "sov card set slogan --clear"
    )
  )
    .option("--clear", "leave the field empty")
    .action(async (field: string, values: ReadonlyArray<string>, _, command: Command) =>
      (await import("../commands/card/edit.ts")).set(command.optsWithGlobals(), field, values)
    )
  source(
    leaf(
      card,
      "import <file>",
      "Enter facts from a schema.org document, JSON-LD (- = stdin)",
      "sov card import acme.jsonld --dry-run",
      "sov card import acme.jsonld --source https://acme.example/"
    )
  )
    .option("--replace", "clear the fields that the document does not have")
    .option("-y, --yes", "with --replace: do not ask")
    .option("--dry-run", "say what would change; store nothing")
    .action(async (file: string, _, command: Command) =>
      (await import("../commands/card/edit.ts")).importCard(command.optsWithGlobals(), file)
    )
  leaf(card, "attest", "Vouch for the card as it is; an edit outdates it", "sov card attest --by \"Ada Example, CEO\"")
    .requiredOption("--by <name>", "who vouches")
    .action(async (_, command: Command) => (await import("../commands/card/card.ts")).attest(command.optsWithGlobals()))
  leaf(card, "history", "List the edits, newest first", "sov card history", "sov card history --field name --json")
    .option("--field <field>", "of this field only")
    .option("--limit <n>", "1–1000", "20")
    .action(async (_, command: Command) =>
      (await import("../commands/card/card.ts")).history(command.optsWithGlobals())
    )
  leaf(
    card,
    "export",
    "Write the card as a schema.org document, JSON-LD",
    "sov card export --out card.jsonld",
    "sov card export --html > card.html"
  )
    .option("--out <file>", "file, or - for stdout", "-")
    .option("--public", "values only, without their sources and times: fit to be published")
    .option("--html", "as an element for a web page (public)")
    .option(...overwriting)
    .action(async (_, command: Command) =>
      (await import("../commands/card/card.ts")).exportCard(command.optsWithGlobals())
    )
}
