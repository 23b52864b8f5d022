/** Commands for webhooks. */
import { defaultEventNames, eventNames, webhookFormats } from "@sov/core/names"
import { Argument, type Command, Option } from "commander"
import { addLeafCommand, addYesOption, collect, type SovCommand } from "./SovCommand.ts"

const eventOption = (description: string) =>
  new Option("--event <event>", `${description}: ${eventNames.join(", ")}`).argParser(collect)

const endpointArgument = () => new Argument("<endpoint>", "id or URL of the endpoint")

const loadEndpointCommands = () => import("../commands/webhook/webhook.ts")
const loadDeliveryCommands = () => import("../commands/webhook/deliveries.ts")

export const webhook = (webhook: SovCommand): void => {
  addLeafCommand(
    webhook,
    "add",
    "Add an endpoint; its secret is shown once",
    "sov webhook add https://hooks.example.com/sov --event scan.completed --json",
    "sov webhook add https://hooks.slack.com/services/T0/B0/X --format slack"
  )
    .addArgument(new Argument("<url>", "https:// address"))
    .addOption(eventOption(`event to subscribe to, repeatable (default: ${defaultEventNames.join(", ")})`))
    .addOption(
      new Option("--format <format>", "body to post: the signed event, or an unsigned message for that chat")
        .choices(webhookFormats).default(webhookFormats[0])
    )
    .action(async (url: string, _, command: Command) =>
      (await loadEndpointCommands()).add(command.optsWithGlobals(), url)
    )
  addLeafCommand(webhook, "list", "List the endpoints, never their secrets", "sov webhook list").alias("ls")
    .action(async (_, command: Command) => (await loadEndpointCommands()).list(command.optsWithGlobals()))
  addLeafCommand(
    webhook,
    "show",
    "Show an endpoint, or a delivery with its attempts and body",
    "sov webhook show ID --json"
  )
    .addArgument(new Argument("<id>", "id of an endpoint or a delivery, or URL of an endpoint"))
    .action(async (id: string, _, command: Command) =>
      (await loadEndpointCommands()).show(command.optsWithGlobals(), id)
    )
  addLeafCommand(
    webhook,
    "set",
    "Change the events that an endpoint subscribes to",
    "sov webhook set ID --event scan.completed --event sov.dropped"
  )
    .addArgument(endpointArgument())
    .addOption(eventOption("event to subscribe to, repeatable; replaces the present ones").makeOptionMandatory())
    .action(async (id: string, _, command: Command) =>
      (await loadEndpointCommands()).set(command.optsWithGlobals(), id)
    )
  addLeafCommand(
    webhook,
    "test",
    "Send a sample event now and show the response",
    "sov webhook test ID --event sov.dropped"
  )
    .addArgument(endpointArgument())
    .addOption(new Option("--event <event>", "event to send").choices(eventNames).default(eventNames[0]))
    .action(async (id: string, _, command: Command) =>
      (await loadDeliveryCommands()).test(command.optsWithGlobals(), id)
    )
  addLeafCommand(
    webhook,
    "deliveries",
    "List deliveries, newest first",
    "sov webhook deliveries --state failed --json"
  )
    .addArgument(new Argument("[endpoint]", "only deliveries to this endpoint"))
    .addOption(
      new Option("--state <state>", "only deliveries in this state").choices(["pending", "delivered", "failed"])
    )
    .option("--limit <n>", "maximum number, 1–1000", "50")
    .action(async (id: string | undefined, _, command: Command) =>
      (await loadDeliveryCommands()).deliveries(command.optsWithGlobals(), id)
    )
  addLeafCommand(webhook, "replay", "Send a delivery again now: same body, same webhook-id", "sov webhook replay ID")
    .addArgument(new Argument("<delivery>", "id of the delivery"))
    .action(async (id: string, _, command: Command) =>
      (await loadDeliveryCommands()).replay(command.optsWithGlobals(), id)
    )
  addLeafCommand(
    webhook,
    "recover",
    "Send failed deliveries of an endpoint again",
    "sov webhook recover ID --since 2026-03-01"
  )
    .addArgument(endpointArgument())
    .requiredOption(
      "--since <time>",
      "send deliveries that failed since a day, or a time with its zone (2026-03-01T08:00:00Z)"
    )
    .action(async (id: string, _, command: Command) =>
      (await loadDeliveryCommands()).recover(command.optsWithGlobals(), id)
    )
  addLeafCommand(
    webhook,
    "rotate",
    "Rotate the signing secret: both secrets sign until the new one is promoted",
    "sov webhook rotate ID",
    "sov webhook rotate ID --promote",
    "sov webhook rotate ID --immediate"
  )
    .addArgument(endpointArgument())
    .option("--promote", "stop signing with the old secret")
    .option("--immediate", "replace a leaked secret: the old one stops signing now")
    .action(async (id: string, _, command: Command) =>
      (await loadEndpointCommands()).rotate(command.optsWithGlobals(), id)
    )
  addLeafCommand(webhook, "enable", "Enable an endpoint; its pending deliveries are sent", "sov webhook enable ID")
    .addArgument(endpointArgument())
    .action(async (id: string, _, command: Command) =>
      (await loadEndpointCommands()).enable(command.optsWithGlobals(), id)
    )
  addLeafCommand(webhook, "disable", "Disable an endpoint; its pending deliveries wait", "sov webhook disable ID")
    .addArgument(endpointArgument())
    .action(async (id: string, _, command: Command) =>
      (await loadEndpointCommands()).disable(command.optsWithGlobals(), id)
    )
  addYesOption(
    addLeafCommand(webhook, "remove", "Remove an endpoint and the log of its deliveries", "sov webhook remove ID --yes")
  )
    .alias("rm")
    .addArgument(endpointArgument())
    .action(async (id: string, _, command: Command) =>
      (await loadEndpointCommands()).remove(command.optsWithGlobals(), id)
    )
  addLeafCommand(
    webhook,
    "listen",
    "Receive webhooks on this machine, verify and print them",
    "sov webhook listen --port 4690 --secret-file secret.txt"
  )
    .option("--port <n>", "port on 127.0.0.1; 0 = any free port", "4690")
    .option("--count <n>", "stop after n webhooks")
    .option("--secret-file <file>", "file with the webhook secret (default: SOV_SIGNING_SECRET)")
    .action(async (_, command: Command) =>
      (await import("../commands/webhook/listen.ts")).listen(command.optsWithGlobals())
    )
}
