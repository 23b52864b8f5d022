/** Commands for access control: org, plan, quota, key, verify, sign. */
import { Argument, Option } from "commander"
import {
  addTrackingOptions,
  collect,
  keyScopes,
  overwriteOption,
  planOption,
  plans,
  runs,
  type SovCommand,
  yesOption
} from "./SovCommand.ts"

export const org = (org: SovCommand): void => {
  const create = org.command("create <name>").description("Create an organization")
    .withExamples(
      "sov org create \"Acme Europe\" --plan pro",
      "sov org create \"Acme Europe\" --brand Acme --competitor Globex --keyword \"best anvil?\""
    )
  addTrackingOptions(create.addOption(planOption()))
    .action(runs(async () => (await import("../commands/org/org.ts")).create))
  org.command("list").description("List the organizations").withExamples("sov org list --json").alias("ls")
    .action(runs(async () => (await import("../commands/org/org.ts")).list))
  org.command("rename <slug> <name>").description("Rename an organization; its short name does not change")
    .withExamples("sov org rename acme \"Acme Europe\"")
    .action(runs(async () => (await import("../commands/org/manage.ts")).rename))
  org.command("timezone <slug> <zone>")
    .description("Set the time zone of an organization's pages, e-mails and reports; a schedule has its own")
    .withExamples("sov org timezone acme Europe/Berlin")
    .action(runs(async () => (await import("../commands/org/manage.ts")).timezone))
  org.command("suspend <slug>")
    .description(
      "Suspend an organization: its results stay readable, no scan starts, and running scans ask no more questions"
    )
    .withExamples("sov org suspend acme --reason \"invoice 2026-10 is not paid\"")
    .option("--reason <text>", "reason shown to the organization")
    .action(runs(async () => (await import("../commands/org/manage.ts")).suspend))
  org.command("resume <slug>").description("End the suspension of an organization")
    .withExamples("sov org resume acme")
    .action(runs(async () => (await import("../commands/org/manage.ts")).resume))
  org.command("limit <slug>").description("Show or set what an organization may use; sov quota set limits its scans")
    .withExamples(
      "sov org limit acme",
      "sov org limit acme --requests-per-minute 120 --monthly-budget 50",
      "sov org limit acme --no-monthly-budget"
    )
    .option("--requests-per-minute <n>", "maximum number of requests per minute with all of its keys together, 1–6000")
    .option("--no-requests-per-minute", "remove that limit")
    .option("--monthly-budget <usd>", "US dollars that its scans may cost in a month")
    .option("--no-monthly-budget", "remove that limit")
    .action(runs(async () => (await import("../commands/org/manage.ts")).limit))
  org.command("usage [slug]")
    .description("Show scans, calls, answers, tokens and cost of a month, of all organizations or one")
    .withExamples("sov org usage", "sov org usage acme --month 2026-11 --json", "sov org usage -o csv")
    .option("--month <month>", "month in UTC, such as 2026-11 (default: the current month)")
    .action(runs(async () => (await import("../commands/org/usage.ts")).usage))
  org.command("export <slug> <dir>")
    .description("Export all data of an organization: archive with its seals, settings, audit log")
    .withExamples("sov org export acme acme-export")
    .option(...overwriteOption)
    .action(runs(async () => (await import("../commands/org/export.ts")).exportOrganization))
  org.command("delete <slug>").description("Delete an organization and all of its data, seven days from now")
    .withExamples("sov org delete acme --dry-run", "sov org delete acme --yes", "sov org delete acme --cancel")
    .option(...yesOption)
    .addOption(
      new Option("--now", "delete the organization now; this cannot be undone").conflicts(["dryRun", "cancel"])
    )
    .addOption(new Option("--dry-run", "count what would be deleted").conflicts("cancel"))
    .option("--cancel", "cancel the deletion that was requested")
    .action(runs(async () => (await import("../commands/org/delete.ts")).deleteOne))
  org.command("deletions").description("List requested deletions, and check the tombstones of deleted organizations")
    .withExamples("sov org deletions --json", "sov org deletions --file tombstone.json")
    .option("--file <file>", "check a tombstone that was kept elsewhere; needs no database")
    .action(runs(async () => (await import("../commands/org/delete.ts")).listDeletions))
}

export const plan = (plan: SovCommand): void => {
  plan.command("show").description("Show the plan").withExamples("sov plan show")
    .action(runs(async () => (await import("../commands/org/org.ts")).showPlan))
  plan.command("set").description(`Change the plan: ${plans.join(", ")}`).withExamples("sov plan set business")
    .addArgument(new Argument("<plan>").choices(plans))
    .action(runs(async () => (await import("../commands/org/org.ts")).setPlan))
}

export const quota = (quota: SovCommand): void => {
  quota.command("show").description("Show the scan limit and the numbers of used and remaining scans").withExamples(
    "sov quota show --json"
  )
    .action(runs(async () => (await import("../commands/quota/quota.ts")).show))
  quota.command("set").description("Override the plan's limit")
    .withExamples("sov quota set --limit 200", "sov quota set --plan-limit")
    .option("--limit <n>", "manual scans per month")
    .option("--plan-limit", "remove the override")
    .action(runs(async () => (await import("../commands/quota/quota.ts")).set))
}

/** Manages keys of the operator instead of keys of an organization. */
const operatorOption = [
  "--operator",
  "keys of the operator, which can manage, export and delete every organization; guard them like the database"
] as const

export const key = (key: SovCommand): void => {
  key.command("create").description("Create a key; it is shown once")
    .withExamples(
      "sov key create --name ci",
      "sov key create --name dashboards --scope read --expires 90d",
      "sov key create --operator --name billing"
    )
    .requiredOption("--name <name>", "what the key is for")
    .addOption(
      new Option("--scope <scope>", "what the key may do, repeatable: read everything, start a scan (default: both)")
        .choices(keyScopes).argParser(collect).conflicts("operator")
    )
    .option(...operatorOption)
    .option("--expires <time>", "when the key expires: 2027-01-01, 2027-01-01T08:00:00Z, 24h, 90d (default: never)")
    .action(runs(async () => (await import("../commands/key/key.ts")).create))
  key.command("list").description("List the keys, never their secrets")
    .withExamples("sov key list", "sov key list --operator").alias(
      "ls"
    )
    .option(...operatorOption)
    .action(runs(async () => (await import("../commands/key/key.ts")).list))
  key.command("roll <key>")
    .description("Roll a key: the new one is shown once, the old one expires after a grace period")
    .withExamples("sov key roll ci", "sov key roll ci --grace 7d", "sov key roll ID --now --yes")
    .option(...yesOption)
    .option("--grace <time>", "how long the old key stays valid: 30m, 24h, 7d; at most 30 days (default: 24h)")
    .addOption(new Option("--now", "expire the old key now, without a grace period").conflicts("grace"))
    .action(runs(async () => (await import("../commands/key/key.ts")).roll))
  key.command("revoke <id>").description("Revoke a key permanently").withExamples("sov key revoke ID --yes")
    .option(...yesOption)
    .option(...operatorOption)
    .action(runs(async () => (await import("../commands/key/key.ts")).revoke))
}

const addSecretFileOption = (command: SovCommand): SovCommand =>
  command.option("--secret-file <file>", "file with the webhook secret (default: the secret in $SOV_SIGNING_SECRET)")

export const verify = (command: SovCommand): void => {
  addSecretFileOption(
    command.argument("<file>").withExamples("sov verify body.json --signature HEX --secret-file secret.txt")
  )
    .requiredOption("--signature <hex>", "value of X-Service-Signature")
    .action(runs(async () => (await import("../commands/verify/verify.ts")).verify))
}

export const sign = (command: SovCommand): void => {
  addSecretFileOption(command.argument("<file>").withExamples("sov sign body.json --secret-file secret.txt"))
    .action(runs(async () => (await import("../commands/verify/verify.ts")).sign))
}
