/** Who may sign in to the dashboard. */
import { Argument, type Command, Option } from "commander"
import { defaults } from "../settings/environment.ts"
import { addLeafCommand, addYesOption, roles, type SovCommand } from "./SovCommand.ts"

export const member = (member: SovCommand): void => {
  addLeafCommand(
    member,
    "invite <email>",
    "Invite a person by e-mail, or print their sign-in link where there is no mail server",
    "sov member invite ben@acme.example",
    "sov member invite ann@acme.example --role owner --name \"Ann Example\""
  )
    .addOption(
      new Option("--role <role>", "viewer reads, member also scans and edits, owner also manages keys and members")
        .choices(roles).default("viewer")
    )
    .option("--name <name>", "name of the person (default: the address before the @)")
    .addOption(
      new Option(
        "--public-url <url>",
        `address of the server, for the link (default: http://${defaults.SOV_HOST}:${defaults.SOV_PORT})`
      ).env(
        "SOV_PUBLIC_URL"
      )
    )
    .action(async (email: string, _, command: Command) =>
      (await import("../commands/member/member.ts")).invite(command.optsWithGlobals(), email)
    )
  addLeafCommand(member, "list", "List the members with their roles", "sov member list --json").alias("ls")
    .action(async (_, command: Command) =>
      (await import("../commands/member/member.ts")).list(command.optsWithGlobals())
    )
  addLeafCommand(member, "role", "Change the role of a member", "sov member role ben@acme.example member")
    .argument("<member>", "e-mail address, id or name")
    .addArgument(new Argument("<role>").choices(roles))
    .action(async (named: string, role: string, _, command: Command) =>
      (await import("../commands/member/member.ts")).role(command.optsWithGlobals(), named, role)
    )
  addYesOption(addLeafCommand(member, "remove", "Remove a member", "sov member remove ben@acme.example --yes"))
    .argument("<member>", "e-mail address, id or name")
    .action(async (named: string, _, command: Command) =>
      (await import("../commands/member/member.ts")).remove(command.optsWithGlobals(), named)
    )
}
