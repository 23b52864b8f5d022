/** Commands for webhooks. */
import { defaultEventNames, eventNames, webhookFormats } from "@sov/core/names"
import { Argument, Option } from "commander"
import { collect, runs, type SovCommand, yesOption } from "./SovCommand.ts"

const eventOption = (description: string) =>
  new Option("--event <event>", `${description}: ${eventNames.join(", ")}`).argParser(collect)

const endpointArgument = () => new Argument("<endpoint>", "id or URL of the endpoint")

const loadEndpointCommands = () => import("../commands/webhook/webhook.ts")
const loadDeliveryCommands = () => import("../commands/webhook/deliveries.ts")

export const webhook = (webhook: SovCommand): void => {
  webhook.command("add").description("Add an endpoint; its secret is shown once")
    .withExamples(
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
  webhook.command("list").description("List the endpoints, never their secrets")
    .withExamples("sov webhook list").alias("ls")
    .action(runs(async () => (await loadEndpointCommands()).list))
  webhook.command("show").description("Show an endpoint, or a delivery with its attempts and body")
    .withExamples("sov webhook show ID --json")
    .addArgument(new Argument("<id>", "id of an endpoint or a delivery, or URL of an endpoint"))
    .action(runs(async () => (await loadEndpointCommands()).show))
  webhook.command("set").description("Change the events that an endpoint subscribes to")
    .withExamples("sov webhook set ID --event scan.completed --event sov.dropped")
    .addArgument(endpointArgument())
    .addOption(eventOption("event to subscribe to, repeatable; replaces the present ones").makeOptionMandatory())
    .action(runs(async () => (await loadEndpointCommands()).set))
  webhook.command("test").description("Send a sample event now and show the response")
    .withExamples("sov webhook test ID --event sov.dropped")
    .addArgument(endpointArgument())
    .addOption(new Option("--event <event>", "event to send").choices(eventNames).default(eventNames[0]))
    .action(runs(async () => (await loadDeliveryCommands()).test))
  webhook.command("deliveries").description("List deliveries, newest first")
    .withExamples("sov webhook deliveries --state failed --json")
    .addArgument(new Argument("[endpoint]", "only deliveries to this endpoint"))
    .addOption(
      new Option("--state <state>", "only deliveries in this state").choices(["pending", "delivered", "failed"])
    )
    .option("--limit <n>", "maximum number, 1–1000", "50")
    .action(runs(async () => (await loadDeliveryCommands()).deliveries))
  webhook.command("replay").description("Send a delivery again now: same body, same webhook-id")
    .withExamples("sov webhook replay ID")
    .addArgument(new Argument("<delivery>", "id of the delivery"))
    .action(runs(async () => (await loadDeliveryCommands()).replay))
  webhook.command("recover").description("Send failed deliveries of an endpoint again")
    .withExamples("sov webhook recover ID --since 2026-03-01")
    .addArgument(endpointArgument())
    .requiredOption(
      "--since <time>",
      "send deliveries that failed since a day, or a time with its zone (2026-03-01T08:00:00Z)"
    )
    .action(runs(async () => (await loadDeliveryCommands()).recover))
  webhook.command("rotate").description("Rotate the signing secret: both secrets sign until the new one is promoted")
    .withExamples("sov webhook rotate ID", "sov webhook rotate ID --promote", "sov webhook rotate ID --immediate")
    .addArgument(endpointArgument())
    .option("--promote", "stop signing with the old secret, and use only the new one")
    .option("--immediate", "replace a leaked secret: stop signing with the old secret now")
    .action(runs(async () => (await loadEndpointCommands()).rotate))
  webhook.command("enable").description("Enable an endpoint; its pending deliveries are sent")
    .withExamples("sov webhook enable ID")
    .addArgument(endpointArgument())
    .action(runs(async () => (await loadEndpointCommands()).enable))
  webhook.command("disable").description("Disable an endpoint; its pending deliveries wait")
    .withExamples("sov webhook disable ID")
    .addArgument(endpointArgument())
    .action(runs(async () => (await loadEndpointCommands()).disable))
  webhook.command("remove").description("Remove an endpoint and the log of its deliveries")
    .withExamples("sov webhook remove ID --yes")
    .option(...yesOption)
    .alias("rm")
    .addArgument(endpointArgument())
    .action(runs(async () => (await loadEndpointCommands()).remove))
  webhook.command("listen").description("Receive webhooks on this machine, verify and print them")
    .withExamples("sov webhook listen --port 4690 --secret-file secret.txt")
    .option("--port <n>", "port on 127.0.0.1; 0 = any free port", "4690")
    .option("--count <n>", "stop after n webhooks")
    .option("--secret-file <file>", "file with the webhook secret (default: the secret in $SOV_SIGNING_SECRET)")
    .action(runs(async () => (await import("../commands/webhook/listen.ts")).listen))
}
