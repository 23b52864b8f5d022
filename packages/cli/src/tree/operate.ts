/** Commands that operate the installation: db, completion. */
import { Argument, type Command } from "commander"
import { group, leaf, type SovCommand } from "./SovCommand.ts"

export const operate = (program: SovCommand): void => {
  program.commandsGroup("Operate:")
  group(program, "db", "The database", (db) => {
    leaf(db, "status", "Show which database is used and its migrations", "sov db status --json")
      .action(async (_, command: Command) => (await import("../commands/db.ts")).status(command.optsWithGlobals()))
    leaf(db, "migrate", "Bring the database up to date", "sov db migrate --dry-run", "sov db migrate")
      .option("--dry-run", "list what would run")
      .action(async (_, command: Command) => (await import("../commands/db.ts")).migrate(command.optsWithGlobals()))
    leaf(
      db,
      "backup <file>",
      "Write everything to one file; sov goes on meanwhile",
      "sov db backup sov-backup.ndjson.gz"
    )
      .action(async (file: string, _, command: Command) =>
        (await import("../commands/db.ts")).backup(command.optsWithGlobals(), file)
      )
    leaf(
      db,
      "restore <file>",
      "Fill an empty database with a backup, of either home",
      "sov db restore sov-backup.ndjson.gz --data-dir .sov-restored --yes"
    )
      .action(async (file: string, _, command: Command) =>
        (await import("../commands/db.ts")).restore(command.optsWithGlobals(), file)
      )
  })

  leaf(
    program,
    "completion",
    "Print a completion script for your shell",
    "source <(sov completion bash)",
    "sov completion fish > ~/.config/fish/completions/sov.fish"
  )
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .action(async (shell: string) => (await import("../commands/completion.ts")).completion(program, shell))
}
