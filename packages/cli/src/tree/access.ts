/** Commands for access control: org, plan, quota, key, verify, sign. */
import { Argument, type Command, Option } from "commander"
import {
  addLeafCommand,
  addTrackingOptions,
  addYesOption,
  collect,
  keyScopes,
  overwriteOption,
  planOption,
  plans,
  type SovCommand
} from "./SovCommand.ts"

export const org = (org: SovCommand): void => {
  const create = addLeafCommand(
    org,
    "create <name>",
    "Create an organization",
    "sov org create \"Acme Europe\" --plan pro",
    "sov org create \"Acme Europe\" --brand Acme --competitor Globex --keyword \"best anvil?\""
  )
  addTrackingOptions(create.addOption(planOption()))
    .action(async (name: string, _, command: Command) =>
      (await import("../commands/org/org.ts")).create(command.optsWithGlobals(), name)
    )
  addLeafCommand(org, "list", "List the organizations", "sov org list --json").alias("ls")
    .action(async (_, command: Command) => (await import("../commands/org/org.ts")).list(command.optsWithGlobals()))
  addLeafCommand(
    org,
    "rename <slug> <name>",
    "Rename an organization; its short name stays",
    "sov org rename acme \"Acme Europe\""
  )
    .action(async (slug: string, name: string, _, command: Command) =>
      (await import("../commands/org/manage.ts")).rename(command.optsWithGlobals(), slug, name)
    )
  addLeafCommand(
    org,
    "suspend <slug>",
    "Suspend an organization: its results stay readable, no scan starts, and running scans ask no more questions",
    "sov org suspend acme --reason \"invoice 2026-10 is not paid\""
  )
    .option("--reason <text>", "reason shown to the organization")
    .action(async (slug: string, _, command: Command) =>
      (await import("../commands/org/manage.ts")).suspend(command.optsWithGlobals(), slug)
    )
  addLeafCommand(org, "resume <slug>", "End the suspension of an organization", "sov org resume acme")
    .action(async (slug: string, _, command: Command) =>
      (await import("../commands/org/manage.ts")).resume(command.optsWithGlobals(), slug)
    )
  addLeafCommand(
    org,
    "limit <slug>",
    "Show or set what an organization may use; sov quota set limits its scans",
    "sov org limit acme",
    "sov org limit acme --requests-per-minute 120 --monthly-budget 50",
    "sov org limit acme --no-monthly-budget"
  )
    .option("--requests-per-minute <n>", "requests per minute of all its keys together, 1–6000")
    .option("--no-requests-per-minute", "remove that limit")
    .option("--monthly-budget <usd>", "US dollars that its scans may cost in a month")
    .option("--no-monthly-budget", "remove that limit")
    .action(async (slug: string, _, command: Command) =>
      (await import("../commands/org/manage.ts")).limit(command.optsWithGlobals(), slug)
    )
  addLeafCommand(
    org,
    "usage [slug]",
    "Show scans, calls, answers, tokens and cost of a month, of all organizations or one",
    "sov org usage",
    "sov org usage acme --month 2026-11 --json",
    "sov org usage -o csv"
  )
    .option("--month <month>", "UTC month: 2026-11 (default: the present one)")
    .action(async (slug: string | undefined, _, command: Command) =>
      (await import("../commands/org/usage.ts")).usage(command.optsWithGlobals(), slug)
    )
  addLeafCommand(
    org,
    "export <slug> <dir>",
    "Export all data of an organization: archive with its seals, settings, audit log",
    "sov org export acme acme-export"
  )
    .option(...overwriteOption)
    .action(async (slug: string, dir: string, _, command: Command) =>
      (await import("../commands/org/export.ts")).exportOrganization(command.optsWithGlobals(), slug, dir)
    )
  addYesOption(
    addLeafCommand(
      org,
      "delete <slug>",
      "Delete an organization and all of its data, seven days from now",
      "sov org delete acme --dry-run",
      "sov org delete acme --yes",
      "sov org delete acme --cancel"
    )
  )
    .addOption(new Option("--now", "delete it now; this cannot be undone").conflicts(["dryRun", "cancel"]))
    .addOption(new Option("--dry-run", "count what would be deleted").conflicts("cancel"))
    .option("--cancel", "cancel the deletion that was requested")
    .action(async (slug: string, _, command: Command) =>
      (await import("../commands/org/delete.ts")).deleteOne(command.optsWithGlobals(), slug)
    )
  addLeafCommand(
    org,
    "deletions",
    "List requested deletions, and check the tombstones of deleted organizations",
    "sov org deletions --json",
    "sov org deletions --file tombstone.json"
  )
    .option("--file <file>", "check a tombstone that was kept elsewhere; needs no database")
    .action(async (_, command: Command) =>
      (await import("../commands/org/delete.ts")).listDeletions(command.optsWithGlobals())
    )
}

export const plan = (plan: SovCommand): void => {
  addLeafCommand(plan, "show", "Show the plan", "sov plan show")
    .action(async (_, command: Command) => (await import("../commands/org/org.ts")).showPlan(command.optsWithGlobals()))
  addLeafCommand(plan, "set", `Change the plan: ${plans.join(", ")}`, "sov plan set business")
    .addArgument(new Argument("<plan>").choices(plans))
    .action(async (name: string, _, command: Command) =>
      (await import("../commands/org/org.ts")).setPlan(command.optsWithGlobals(), name)
    )
}

export const quota = (quota: SovCommand): void => {
  addLeafCommand(quota, "show", "Show limit, used and remaining scans", "sov quota show --json")
    .action(async (_, command: Command) => (await import("../commands/quota/quota.ts")).show(command.optsWithGlobals()))
  addLeafCommand(quota, "set", "Override the plan's limit", "sov quota set --limit 200", "sov quota set --plan-limit")
    .option("--limit <n>", "manual scans per month")
    .option("--plan-limit", "remove the override")
    .action(async (_, command: Command) => (await import("../commands/quota/quota.ts")).set(command.optsWithGlobals()))
}

/** Manages keys of the operator instead of keys of an organization. */
const operatorOption = [
  "--operator",
  "the operator's keys: they manage all organizations, and read no organization's data"
] as const

export const key = (key: SovCommand): void => {
  addLeafCommand(
    key,
    "create",
    "Create a key; it is shown once",
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
    .option("--expires <time>", "when it expires: 2027-01-01, 2027-01-01T08:00:00Z, 24h, 90d (default: never)")
    .action(async (_, command: Command) => (await import("../commands/key/key.ts")).create(command.optsWithGlobals()))
  addLeafCommand(key, "list", "List the keys, never their secrets", "sov key list", "sov key list --operator").alias(
    "ls"
  )
    .option(...operatorOption)
    .action(async (_, command: Command) => (await import("../commands/key/key.ts")).list(command.optsWithGlobals()))
  addYesOption(addLeafCommand(
    key,
    "roll <key>",
    "Roll a key: the new one is shown once, the old one expires after a grace period",
    "sov key roll ci",
    "sov key roll ci --grace 7d",
    "sov key roll ID --now --yes"
  ))
    .option("--grace <time>", "how long the old key stays valid: 30m, 24h, 7d; at most 30 days (default: 24h)")
    .addOption(new Option("--now", "expire the old key now").conflicts("grace"))
    .action(async (idOrName: string, _, command: Command) =>
      (await import("../commands/key/key.ts")).roll(command.optsWithGlobals(), idOrName)
    )
  addYesOption(addLeafCommand(key, "revoke <id>", "Revoke a key permanently", "sov key revoke ID --yes"))
    .option(...operatorOption)
    .action(async (id: string, _, command: Command) =>
      (await import("../commands/key/key.ts")).revoke(command.optsWithGlobals(), id)
    )
}

const addSecretFileOption = (command: SovCommand): SovCommand =>
  command.option("--secret-file <file>", "file with the webhook secret (default: SOV_SIGNING_SECRET)")

export const verify = (command: SovCommand): void => {
  addSecretFileOption(
    command.argument("<file>").withExamples("sov verify body.json --signature HEX --secret-file secret.txt")
  )
    .requiredOption("--signature <hex>", "value of X-Service-Signature")
    .action(async (file: string, _, command: Command) =>
      (await import("../commands/verify/verify.ts")).verify(command.optsWithGlobals(), file)
    )
}

export const sign = (command: SovCommand): void => {
  addSecretFileOption(command.argument("<file>").withExamples("sov sign body.json --secret-file secret.txt"))
    .action(async (file: string, _, command: Command) =>
      (await import("../commands/verify/verify.ts")).sign(command.optsWithGlobals(), file)
    )
}
