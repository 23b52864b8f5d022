/** Commands about the people who sign in to the dashboard, and those who see a report without signing in. */
import { Argument, Option } from "commander"
import { defaults } from "../settings/environment.ts"
import { roles, runs, type SovCommand, yesOption } from "./SovCommand.ts"

const publicUrlOption = (): Option =>
  new Option(
    "--public-url <url>",
    `address of the server, for the link (default: http://${defaults.SOV_HOST}:${defaults.SOV_PORT})`
  ).env("SOV_PUBLIC_URL")

export const member = (member: SovCommand): void => {
  member.command("invite <email>")
    .description("Invite a person by e-mail; without a mail server, print the sign-in link")
    .withExamples(
      "sov member invite ben@acme.example",
      "sov member invite ann@acme.example --role owner --name \"Ann Example\""
    )
    .addOption(
      new Option("--role <role>", "viewer reads, member also scans and edits, owner also manages keys and members")
        .choices(roles).default("viewer")
    )
    .option("--name <name>", "name of the person (default: the address before the @)")
    .addOption(publicUrlOption())
    .action(runs(async () => (await import("../commands/member/member.ts")).invite))
  member.command("list").description("List the members with their roles")
    .withExamples("sov member list --json").alias("ls")
    .action(runs(async () => (await import("../commands/member/member.ts")).list))
  member.command("role").description("Change the role of a member")
    .withExamples("sov member role ben@acme.example member")
    .argument("<member>", "e-mail address, id or name")
    .addArgument(new Argument("<role>").choices(roles))
    .action(runs(async () => (await import("../commands/member/member.ts")).role))
  member.command("remove").description("Remove a member").withExamples("sov member remove ben@acme.example --yes")
    .option(...yesOption)
    .argument("<member>", "e-mail address, id or name")
    .action(runs(async () => (await import("../commands/member/member.ts")).remove))
}

export const share = (share: SovCommand): void => {
  share.command("create").description("Create a link that shows a report without a sign-in; it is shown once")
    .withExamples(
      "sov share create --name \"the board\"",
      "sov share create --name agency --from 2026-10-01 --to 2026-10-31 --days 90 --with-answers"
    )
    .requiredOption("--name <name>", "whom the link is for")
    .option("--from <date>", "first day or time of the period (default: the newest scan and its comparisons)")
    .option("--to <date>", "last day or time of the period (default: the newest scan when the link is opened)")
    .option("--days <n>", "days until the link expires, at most 366 (default: 30)")
    .option("--with-answers", "include the texts of the answers")
    .addOption(publicUrlOption())
    .action(runs(async () => (await import("../commands/share/share.ts")).create))
  share.command("list").description("List the links, never their tokens")
    .withExamples("sov share list --json").alias("ls")
    .action(runs(async () => (await import("../commands/share/share.ts")).list))
  share.command("revoke").description("Revoke a link permanently")
    .withExamples("sov share revoke \"the board\" --yes")
    .option(...yesOption)
    .argument("<link>", "id or name")
    .action(runs(async () => (await import("../commands/share/share.ts")).revoke))
}
