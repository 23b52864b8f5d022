/** Commands that operate the installation: db, help. */
import type { Command } from "commander"
import { group, leaf, type SovCommand } from "./SovCommand.ts"

export const operate = (program: SovCommand): void => {
  program.commandsGroup("Operate:")
  group(program, "db", "The database", (db) => {
    leaf(db, "status", "Show which database is used and its migrations", "sov db status --json")
      .action(async (_, command: Command) => (await import("../commands/db.ts")).status(command.optsWithGlobals()))
    leaf(db, "migrate", "Bring the database up to date", "sov db migrate --dry-run", "sov db migrate")
      .option("--dry-run", "list what would run")
      .action(async (_, command: Command) => (await import("../commands/db.ts")).migrate(command.optsWithGlobals()))
  })
}
