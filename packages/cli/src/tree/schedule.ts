/** Commands for the schedule. */
import { Option } from "commander"
import { collect, platforms, runs, type SovCommand, yesOption } from "./SovCommand.ts"

export const schedule = (schedule: SovCommand): void => {
  schedule.command("set <when...>")
    .description("Set the schedule: hourly, daily, weekly, monthly, yearly, or a cron expression in quotes")
    .withExamples(
      "sov schedule set \"0 7 * * 1\" --time-zone Europe/Berlin",
      "sov schedule set daily --platform assistant_a --samples 3"
    )
    .option("--time-zone <zone>", "time zone of the schedule (default: the present one, else UTC)")
    .addOption(
      new Option("--platform <id>", "ask only this platform (repeatable)").choices(platforms).argParser(collect)
    )
    .option("--samples <n>", "ask each question n times, 1–5 (default: the configuration's, else 1)")
    .action(runs(async () => (await import("../commands/schedule/schedule.ts")).set))
  schedule.command("show").description("Show the schedule with its next and last run")
    .withExamples("sov schedule show")
    .action(runs(async () => (await import("../commands/schedule/schedule.ts")).show))
  schedule.command("pause").description("Pause the schedule: no scan starts until it is resumed")
    .withExamples("sov schedule pause")
    .action(runs(async () => (await import("../commands/schedule/schedule.ts")).pause))
  schedule.command("resume").description("Resume the schedule; missed runs are skipped")
    .withExamples("sov schedule resume")
    .action(runs(async () => (await import("../commands/schedule/schedule.ts")).resume))
  schedule.command("remove").description("Remove the schedule; its scans are kept")
    .withExamples("sov schedule remove --yes")
    .option(...yesOption)
    .alias("rm")
    .action(runs(async () => (await import("../commands/schedule/schedule.ts")).remove))
}
