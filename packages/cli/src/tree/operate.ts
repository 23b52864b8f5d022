/** Commands that operate the installation: status, doctor, config, db, completion. */
import { Argument, Option } from "commander"
import { overwriteOption, runs, type SovCommand, yesOption } from "./SovCommand.ts"

export const status = (command: SovCommand): void => {
  command.withExamples("sov status", "sov status --json")
    .action(runs(async () => (await import("../commands/status/status.ts")).status))
}

export const doctor = (command: SovCommand): void => {
  command.withExamples("sov doctor", "sov doctor --online --json")
    .option("--online", "also ask each platform one question: costs one call per platform")
    .action(runs(async () => (await import("../commands/doctor/doctor.ts")).doctor))
}

export const config = (config: SovCommand): void => {
  config.command("list").description("List every setting with its value and its source")
    .withExamples("sov config list", "sov config list --json")
    .alias("ls")
    .action(runs(async () => (await import("../commands/config/config.ts")).list))
  config.command("get <name>").description("Print the value of one setting")
    .withExamples("sov config get data-dir", "sov config get platforms.assistant_a.model")
    .action(runs(async () => (await import("../commands/config/config.ts")).get))
  config.command("path").description("Print the path of the configuration file").withExamples("sov config path")
    .action(runs(async () => (await import("../commands/config/config.ts")).path))
}

export const db = (db: SovCommand): void => {
  db.command("status").description("Show the database in use and its migrations").withExamples("sov db status --json")
    .action(runs(async () => (await import("../commands/db/db.ts")).status))
  db.command("migrate").description("Run pending migrations")
    .withExamples("sov db migrate --dry-run", "sov db migrate")
    .option("--dry-run", "list the migrations that would run")
    .action(runs(async () => (await import("../commands/db/db.ts")).migrate))
  db.command("roles").description("Separate the roles on a Postgres server: owner, API and worker")
    .withExamples("sov db roles --print", "sov db roles --apply")
    .addOption(new Option("--print", "print the SQL, for an administrator to run").conflicts("apply"))
    .option("--apply", "create missing roles, and grant each its rights")
    .option(
      "--owner <name>",
      "role that owns the tables and runs migrations (default: the present owner, else sov_owner)"
    )
    .option("--api <name>", "role of sov serve and other commands", "sov_api")
    .option("--worker <name>", "role of sov worker", "sov_worker")
    .action(runs(async () => (await import("../commands/db/roles.ts")).roles))
  db.command("backup <file>").description("Back up the whole database to one file, while sov runs")
    .withExamples("sov db backup sov-backup.ndjson.gz")
    .option(...overwriteOption)
    .action(runs(async () => (await import("../commands/db/db.ts")).backup))
  db.command("restore <file>").description("Restore a backup into an empty database, embedded or server")
    .withExamples("sov db restore sov-backup.ndjson.gz --data-dir .sov-restored --yes")
    .option(...yesOption)
    .action(runs(async () => (await import("../commands/db/db.ts")).restore))
  db.command("reencrypt").description("Encrypt all webhook secrets with the first key of SOV_ENCRYPTION_KEYS")
    .withExamples("sov db reencrypt --dry-run", "sov db reencrypt")
    .option("--dry-run", "show how many secrets would be encrypted again, and change nothing")
    .action(runs(async () => (await import("../commands/db/reencrypt.ts")).reencrypt))
  db.command("prune").description("Remove expired rows, as a worker does once a day; answers and scores are kept")
    .withExamples("sov db prune --dry-run", "sov db prune --json")
    .option("--dry-run", "count the rows, and remove none")
    .action(runs(async () => (await import("../commands/db/prune.ts")).prune))
  addRotateCursorKey(db)
}

/** Called by `db`, which adds this command last. */
const addRotateCursorKey = (db: SovCommand): void => {
  db.command("rotate-cursor-key")
    .description("Sign page cursors with a new key; earlier cursors stay valid for 24 hours")
    .withExamples("sov db rotate-cursor-key", "sov db rotate-cursor-key --immediate")
    .option("--immediate", "end earlier cursors now, because the key has leaked")
    .action(runs(async () => (await import("../commands/db/rotateCursorKey.ts")).rotate))
}

export const completion = (command: SovCommand): void => {
  command.withExamples("source <(sov completion bash)", "sov completion fish > ~/.config/fish/completions/sov.fish")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .action(async (shell: string) =>
      (await import("../commands/completion/completion.ts")).completion(command.parent!, shell)
    )
}
