/** Commands of alerts. */
import type { AlertRuleName } from "@sov/core"
import { alertRuleNames } from "@sov/core/names"
import { Argument, type Command, Option } from "commander"
import { collect, leaf, type SovCommand } from "./SovCommand.ts"

const ruleArgument = () => new Argument("<rule>", "which rule").choices(alertRuleNames)

export const alert = (alert: SovCommand): void => {
  leaf(alert, "list", "List the rules, and who gets the e-mails", "sov alert list").alias("ls")
    .action(async (_, command: Command) => (await import("../commands/alert/alert.ts")).list(command.optsWithGlobals()))
  leaf(
    alert,
    "enable",
    "Switch a rule on, or change it",
    "sov alert enable sov_drop --threshold 40 --sensitivity confirmed",
    "sov alert enable new_mention",
    "sov alert enable competitor_overtake --sensitivity confirmed"
  )
    .addArgument(ruleArgument())
    .option("--threshold <share>", "share of voice that must not be fallen below, 0-100 (sov_drop)")
    .addOption(
      new Option("--sensitivity <s>", "immediate: the bare condition; confirmed: what noise does not explain")
        .choices(["immediate", "confirmed"])
    )
    .action(async (rule: AlertRuleName, _, command: Command) =>
      (await import("../commands/alert/alert.ts")).enable(command.optsWithGlobals(), rule)
    )
  leaf(alert, "disable", "Switch a rule off", "sov alert disable new_mention")
    .addArgument(ruleArgument())
    .action(async (rule: AlertRuleName, _, command: Command) =>
      (await import("../commands/alert/alert.ts")).disable(command.optsWithGlobals(), rule)
    )
  leaf(
    alert,
    "set",
    "Set who gets the e-mails",
    "sov alert set --email ops@acme.example --email ceo@acme.example",
    "sov alert set --no-email"
  )
    .option("--email <address>", "a recipient (repeatable); replaces those before", collect)
    .option("--no-email", "nobody")
    .action(async (_, command: Command) => (await import("../commands/alert/alert.ts")).set(command.optsWithGlobals()))
  leaf(
    alert,
    "log",
    "List the alerts that were raised, newest first",
    "sov alert log",
    "sov alert log --limit 5 --json"
  )
    .option("--limit <n>", "at most so many", "20")
    .addOption(new Option("--rule <rule>", "only those of this rule").choices(alertRuleNames))
    .action(async (_, command: Command) => (await import("../commands/alert/alert.ts")).log(command.optsWithGlobals()))
  leaf(alert, "test", "Send a sample e-mail to every recipient now", "sov alert test", "sov alert test new_mention")
    .addArgument(new Argument("[rule]", "whose e-mail").choices(alertRuleNames).default(alertRuleNames[0]))
    .action(async (rule: AlertRuleName, _, command: Command) =>
      (await import("../commands/alert/alert.ts")).test(command.optsWithGlobals(), rule)
    )
}
