/** Commands for the schedule. */
import { Option } from "commander"
import { addLeafCommand, addYesOption, collect, platforms, runs, type SovCommand } from "./SovCommand.ts"

export const schedule = (schedule: SovCommand): void => {
  addLeafCommand(
    schedule,
    "set <when...>",
    "Set the schedule: hourly, daily, weekly, monthly, yearly, or a cron expression in quotes",
    "sov schedule set \"0 7 * * 1\" --time-zone Europe/Berlin",
    "sov schedule set daily --platform assistant_a --samples 3"
  )
    .option("--time-zone <zone>", "time zone of the schedule (default: the present one, else UTC)")
    .addOption(
      new Option("--platform <id>", "ask only this platform (repeatable)").choices(platforms).argParser(collect)
    )
    .option("--samples <n>", "ask each question n times, 1–5 (default: the configuration's, else 1)")
    .action(runs(async () => (await import("../commands/schedule/schedule.ts")).set))
  addLeafCommand(schedule, "show", "Show the schedule, its next and its last run", "sov schedule show")
    .action(runs(async () => (await import("../commands/schedule/schedule.ts")).show))
  addLeafCommand(schedule, "pause", "Pause the schedule: no scan starts until it is resumed", "sov schedule pause")
    .action(runs(async () => (await import("../commands/schedule/schedule.ts")).pause))
  addLeafCommand(schedule, "resume", "Resume the schedule; missed runs are skipped", "sov schedule resume")
    .action(runs(async () => (await import("../commands/schedule/schedule.ts")).resume))
  addYesOption(addLeafCommand(schedule, "remove", "Remove the schedule; its scans stay", "sov schedule remove --yes"))
    .alias("rm")
    .action(runs(async () => (await import("../commands/schedule/schedule.ts")).remove))
}
