/** Commands for webhooks. */
import { defaultEventNames, eventNames, webhookFormats } from "@sov/core/names"
import { Argument, Option } from "commander"
import { addLeafCommand, addYesOption, collect, runs, type SovCommand } from "./SovCommand.ts"

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
    .action(runs(async () => (await loadEndpointCommands()).add))
  addLeafCommand(webhook, "list", "List the endpoints, never their secrets", "sov webhook list").alias("ls")
    .action(runs(async () => (await loadEndpointCommands()).list))
  addLeafCommand(
    webhook,
    "show",
    "Show an endpoint, or a delivery with its attempts and body",
    "sov webhook show ID --json"
  )
    .addArgument(new Argument("<id>", "id of an endpoint or a delivery, or URL of an endpoint"))
    .action(runs(async () => (await loadEndpointCommands()).show))
  addLeafCommand(
    webhook,
    "set",
    "Change the events that an endpoint subscribes to",
    "sov webhook set ID --event scan.completed --event sov.dropped"
  )
    .addArgument(endpointArgument())
    .addOption(eventOption("event to subscribe to, repeatable; replaces the present ones").makeOptionMandatory())
    .action(runs(async () => (await loadEndpointCommands()).set))
  addLeafCommand(
    webhook,
    "test",
    "Send a sample event now and show the response",
    "sov webhook test ID --event sov.dropped"
  )
    .addArgument(endpointArgument())
    .addOption(new Option("--event <event>", "event to send").choices(eventNames).default(eventNames[0]))
    .action(runs(async () => (await loadDeliveryCommands()).test))
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
    .action(runs(async () => (await loadDeliveryCommands()).deliveries))
  addLeafCommand(webhook, "replay", "Send a delivery again now: same body, same webhook-id", "sov webhook replay ID")
    .addArgument(new Argument("<delivery>", "id of the delivery"))
    .action(runs(async () => (await loadDeliveryCommands()).replay))
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
    .action(runs(async () => (await loadDeliveryCommands()).recover))
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
    .action(runs(async () => (await loadEndpointCommands()).rotate))
  addLeafCommand(webhook, "enable", "Enable an endpoint; its pending deliveries are sent", "sov webhook enable ID")
    .addArgument(endpointArgument())
    .action(runs(async () => (await loadEndpointCommands()).enable))
  addLeafCommand(webhook, "disable", "Disable an endpoint; its pending deliveries wait", "sov webhook disable ID")
    .addArgument(endpointArgument())
    .action(runs(async () => (await loadEndpointCommands()).disable))
  addYesOption(
    addLeafCommand(webhook, "remove", "Remove an endpoint and the log of its deliveries", "sov webhook remove ID --yes")
  )
    .alias("rm")
    .addArgument(endpointArgument())
    .action(runs(async () => (await loadEndpointCommands()).remove))
  addLeafCommand(
    webhook,
    "listen",
    "Receive webhooks on this machine, verify and print them",
    "sov webhook listen --port 4690 --secret-file secret.txt"
  )
    .option("--port <n>", "port on 127.0.0.1; 0 = any free port", "4690")
    .option("--count <n>", "stop after n webhooks")
    .option("--secret-file <file>", "file with the webhook secret (default: SOV_SIGNING_SECRET)")
    .action(runs(async () => (await import("../commands/webhook/listen.ts")).listen))
}
