/** Commands for alerts. */
import { alertRuleNames } from "@sov/core/names"
import { Argument, Option } from "commander"
import { collect, runs, type SovCommand } from "./SovCommand.ts"

const ruleArgument = () => new Argument("<rule>", "name of the rule").choices(alertRuleNames)

const addRuleOptions = (command: SovCommand): SovCommand =>
  command
    .addArgument(ruleArgument())
    .option("--threshold <share>", "sov_drop: alert when the share of voice falls below this, 0-100")
    .addOption(
      new Option("--sensitivity <s>", "immediate: alert on every change; confirmed: only on changes beyond noise")
        .choices(["immediate", "confirmed"])
    )

export const alert = (alert: SovCommand): void => {
  alert.command("list").description("List the alert rules and the e-mail recipients")
    .withExamples("sov alert list").alias("ls")
    .action(runs(async () => (await import("../commands/alert/alert.ts")).list))
  addRuleOptions(
    alert.command("enable").description("Enable a rule, or change it")
      .withExamples(
        "sov alert enable sov_drop --threshold 40 --sensitivity confirmed",
        "sov alert enable new_mention",
        "sov alert enable competitor_overtake --sensitivity confirmed",
        "sov alert enable new_competitor --sensitivity confirmed"
      )
  )
    .action(runs(async () => (await import("../commands/alert/alert.ts")).enable))
  addRuleOptions(
    alert.command("preview")
      .description("Show which alerts a rule would have raised on the last scans; changes nothing")
      .withExamples(
        "sov alert preview sov_drop --threshold 40 --sensitivity confirmed",
        "sov alert preview new_mention"
      )
  )
    .action(runs(async () => (await import("../commands/alert/preview.ts")).preview))
  alert.command("disable").description("Disable a rule").withExamples("sov alert disable new_mention")
    .addArgument(ruleArgument())
    .action(runs(async () => (await import("../commands/alert/alert.ts")).disable))
  alert.command("set").description("Set the e-mail recipients")
    .withExamples("sov alert set --email ops@acme.example --email ceo@acme.example", "sov alert set --no-email")
    .option("--email <address>", "recipient (repeatable); replaces the present ones", collect)
    .option("--no-email", "remove all recipients")
    .action(runs(async () => (await import("../commands/alert/alert.ts")).set))
  alert.command("log").description("List raised alerts, newest first")
    .withExamples("sov alert log", "sov alert log --limit 5 --json")
    .option("--limit <n>", "maximum number, 1–1000", "20")
    .addOption(new Option("--rule <rule>", "only alerts of this rule").choices(alertRuleNames))
    .action(runs(async () => (await import("../commands/alert/alert.ts")).log))
  alert.command("test").description("Send a sample e-mail to every recipient now")
    .withExamples("sov alert test", "sov alert test new_mention")
    .addArgument(new Argument("[rule]", "rule whose e-mail to send").choices(alertRuleNames).default(alertRuleNames[0]))
    .action(runs(async () => (await import("../commands/alert/alert.ts")).test))
}
