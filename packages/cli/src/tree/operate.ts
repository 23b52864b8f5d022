/** Commands that operate the installation: status, doctor, config, db, completion. */
import { Argument, type Command } from "commander"
import { group, leaf, type SovCommand } from "./SovCommand.ts"

export const operate = (program: SovCommand): void => {
  program.commandsGroup("Operate:")
  leaf(
    program,
    "status",
    "Show what is there and what runs",
    "sov status",
    "sov status --json"
  )
    .action(async (_, command: Command) => (await import("../commands/status.ts")).status(command.optsWithGlobals()))
  leaf(
    program,
    "doctor",
    "Check everything; say how to mend what is wrong",
    "sov doctor",
    "sov doctor --online --json"
  )
    .option("--online", "connect to each platform, too (no request is sent)")
    .action(async (_, command: Command) => (await import("../commands/doctor.ts")).doctor(command.optsWithGlobals()))
  group(program, "config", "Settings and where they come from", (config) => {
    leaf(config, "list", "List every setting with its value and source", "sov config list", "sov config list --json")
      .alias("ls")
      .action(async (_, command: Command) => (await import("../commands/config.ts")).list(command.optsWithGlobals()))
    leaf(
      config,
      "get <name>",
      "Print the value of one setting",
      "sov config get data-dir",
      "sov config get platforms.assistant_a.model"
    )
      .action(async (name: string, _, command: Command) =>
        (await import("../commands/config.ts")).get(command.optsWithGlobals(), name)
      )
    leaf(config, "path", "Print where sov.config.json is looked for", "sov config path")
      .action(async (_, command: Command) => (await import("../commands/config.ts")).path(command.optsWithGlobals()))
  })
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
