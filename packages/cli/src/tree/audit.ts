/** Commands for the audit log, and for the audit of sov's own reports. */
import { Option } from "commander"
import { runs, type SovCommand } from "./SovCommand.ts"

export const audit = (audit: SovCommand): void => {
  audit.command("list").description("List who changed what, newest first")
    .withExamples(
      "sov audit list",
      "sov audit list --action key.created --json",
      "sov audit list --actor ci --since 2026-11-01 -o csv",
      "sov audit list --operator"
    ).alias("ls")
    .option("--limit <n>", "maximum number, 1–1000 (default: 50)")
    .option("--cursor <cursor>", "where to continue: next_cursor of the previous page")
    .option("--since <date>", "only entries of this day or time, or later")
    .option(
      "--actor <name>",
      "only this actor: a person's or key's name, or person, key, command line, system, operator"
    )
    .option("--action <action>", "only this action, such as keyword.added")
    .addOption(
      new Option("--operator", "list what was done with the operator's keys, in all organizations").conflicts([
        "actor",
        "action",
        "since"
      ])
    )
    .action(runs(async () => (await import("../commands/audit/audit.ts")).list))
  audit.command("noise")
    .description("Simulate your questions with nothing changed: how often intervals, marks and alerts are wrong")
    .withExamples("sov audit noise", "sov audit noise --weeks 26 --periods 40", "sov audit noise --json")
    .option("--weeks <n>", "weekly scans of a period, 1–260", "52")
    .option("--periods <n>", "simulated periods, 1–1000; more periods give more precise figures", "20")
    .action(runs(async () => (await import("../commands/audit/noise.ts")).noise))
}
