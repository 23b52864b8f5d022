/** Commands of webhooks. */
import { eventNames } from "@sov/core/names"
import { Argument, type Command, Option } from "commander"
import { collect, confirming, leaf, type SovCommand } from "./SovCommand.ts"

const eventOption = (description: string) =>
  new Option("--event <event>", `${description}: ${eventNames.join(", ")}`).argParser(collect)

const endpointArgument = () => new Argument("<endpoint>", "its id or URL")

const endpoints = () => import("../commands/webhook/webhook.ts")
const sent = () => import("../commands/webhook/deliveries.ts")

export const webhook = (webhook: SovCommand): void => {
  leaf(
    webhook,
    "add",
    "Add an endpoint; its secret is shown once",
    "sov webhook add https://hooks.example.com/sov --event scan.completed --json"
  )
    .addArgument(new Argument("<url>", "https:// address"))
    .addOption(eventOption("event it is told of, repeatable (default: all)"))
    .action(async (url: string, _, command: Command) => (await endpoints()).add(command.optsWithGlobals(), url))
  leaf(webhook, "list", "List the endpoints, never their secrets", "sov webhook list").alias("ls")
    .action(async (_, command: Command) => (await endpoints()).list(command.optsWithGlobals()))
  leaf(webhook, "show", "Show an endpoint, or a delivery with its tries and body", "sov webhook show ID --json")
    .addArgument(new Argument("<id>", "of an endpoint or a delivery; or an endpoint's URL"))
    .action(async (id: string, _, command: Command) => (await endpoints()).show(command.optsWithGlobals(), id))
  leaf(
    webhook,
    "set",
    "Choose the events that an endpoint is told of",
    "sov webhook set ID --event scan.completed --event sov.dropped"
  )
    .addArgument(endpointArgument())
    .addOption(eventOption("event it is told of from now on, repeatable").makeOptionMandatory())
    .action(async (id: string, _, command: Command) => (await endpoints()).set(command.optsWithGlobals(), id))
  leaf(
    webhook,
    "test",
    "Send a sample now and say how it was answered",
    "sov webhook test ID --event sov.dropped"
  )
    .addArgument(endpointArgument())
    .addOption(new Option("--event <event>", "event to send a sample of").choices(eventNames).default(eventNames[0]))
    .action(async (id: string, _, command: Command) => (await sent()).test(command.optsWithGlobals(), id))
  leaf(
    webhook,
    "deliveries",
    "List what was sent, the newest first",
    "sov webhook deliveries --state failed --json"
  )
    .addArgument(new Argument("[endpoint]", "of this endpoint only"))
    .addOption(new Option("--state <state>", "in this state only").choices(["pending", "delivered", "failed"]))
    .option("--limit <n>", "at most so many, up to 1000", "50")
    .action(async (id: string | undefined, _, command: Command) =>
      (await sent()).deliveries(command.optsWithGlobals(), id)
    )
  leaf(webhook, "replay", "Send a delivery again, now: same bytes and webhook-id", "sov webhook replay ID")
    .addArgument(new Argument("<delivery>", "its id"))
    .action(async (id: string, _, command: Command) => (await sent()).replay(command.optsWithGlobals(), id))
  leaf(
    webhook,
    "recover",
    "Send again what has failed since a time, samples aside",
    "sov webhook recover ID --since 2026-03-01"
  )
    .addArgument(endpointArgument())
    .requiredOption("--since <time>", "when it failed: day, or time with its zone (2026-03-01T08:00:00Z)")
    .action(async (id: string, _, command: Command) => (await sent()).recover(command.optsWithGlobals(), id))
  leaf(
    webhook,
    "rotate",
    "Give an endpoint a new secret: both sign until it is promoted",
    "sov webhook rotate ID",
    "sov webhook rotate ID --promote",
    "sov webhook rotate ID --immediate"
  )
    .addArgument(endpointArgument())
    .option("--promote", "let the staged secret sign alone")
    .option("--immediate", "replace a secret that leaked: the old one ends at once")
    .action(async (id: string, _, command: Command) => (await endpoints()).rotate(command.optsWithGlobals(), id))
  leaf(webhook, "enable", "Enable an endpoint; what waited is sent", "sov webhook enable ID")
    .addArgument(endpointArgument())
    .action(async (id: string, _, command: Command) => (await endpoints()).enable(command.optsWithGlobals(), id))
  leaf(webhook, "disable", "Disable an endpoint; what is pending waits", "sov webhook disable ID")
    .addArgument(endpointArgument())
    .action(async (id: string, _, command: Command) => (await endpoints()).disable(command.optsWithGlobals(), id))
  confirming(leaf(webhook, "remove", "Remove an endpoint with its log", "sov webhook remove ID --yes")).alias("rm")
    .addArgument(endpointArgument())
    .action(async (id: string, _, command: Command) => (await endpoints()).remove(command.optsWithGlobals(), id))
  leaf(
    webhook,
    "listen",
    "Receive webhooks on this machine, verify and show them",
    "sov webhook listen --port 4690 --secret-file secret.txt"
  )
    .option("--port <n>", "port on 127.0.0.1, 0 = any", "4690")
    .option("--count <n>", "end after so many")
    .option("--secret-file <file>", "file with the webhook secret (else SOV_SIGNING_SECRET)")
    .action(async (_, command: Command) =>
      (await import("../commands/webhook/listen.ts")).listen(command.optsWithGlobals())
    )
}
