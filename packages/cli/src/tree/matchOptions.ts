/** The options of the commands that look for names in a text. */
import { collect, type SovCommand } from "./SovCommand.ts"

/** Adds the options for names to look for, in addition to or instead of the tracked set. */
export const matchOptions = (command: SovCommand): SovCommand =>
  command
    .option("--prompt <text>", "question that was asked: a repetition of it in the answer does not count")
    .option("--brand <name>", "use this brand instead of the tracked one; needs no database")
    .option("--alias <name>", "another name of the brand (repeatable)", collect)
    .option("--domain <host>", "domain of the brand (repeatable)", collect)
    .option(
      "--context <word>",
      "count the brand's names only if the answer or its question has this word (repeatable)",
      collect
    )
    .option("--competitor <name>", "competitor (repeatable)", collect)
    .option("--exclude <term>", "longer term with the brand's name that means something else (repeatable)", collect)
    .option("--all", "show all names that were found but do not count (default: the first 20)")
