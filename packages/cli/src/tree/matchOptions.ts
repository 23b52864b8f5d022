/** The options of the commands that look for names in a text. */
import { collect, type SovCommand } from "./SovCommand.ts"

/** Adds what to look for, beside or instead of what is tracked. */
export const matchOptions = (command: SovCommand): SovCommand =>
  command
    .option("--prompt <text>", "the question that was asked: its echo in the answer does not count")
    .option("--brand <name>", "look for this brand, not for the tracked one; needs no database")
    .option("--alias <name>", "another name of the brand (repeatable)", collect)
    .option("--domain <host>", "a domain of the brand (repeatable)", collect)
    .option("--competitor <name>", "a competitor (repeatable)", collect)
    .option("--exclude <term>", "a longer term that is not the brand (repeatable)", collect)
    .option("--all", "show everything that does not count")
