/** Commands that run until they are stopped. */
import { Argument, Option } from "commander"
import { defaults } from "../settings/environment.ts"
import { runs, runsWithoutSubcommand, type SovCommand } from "./SovCommand.ts"

const makeMigrateOption = () => new Option("--migrate", "run pending migrations of a Postgres server first")

export const serve = (command: SovCommand): void => {
  command.withExamples("sov serve", "sov serve --host 0.0.0.0 --port 8080", "sov serve --no-worker")
    .addOption(new Option("--host <address>", "address to listen on").env("SOV_HOST").default(defaults.SOV_HOST))
    .addOption(
      new Option("--port <n>", "port to listen on; 0 = any free port").env("SOV_PORT").default(defaults.SOV_PORT)
    )
    .addOption(new Option("--public-url <url>", "URL under which clients reach the server").env("SOV_PUBLIC_URL"))
    .option("--no-worker", "do not run a worker: other sov processes ask the platforms")
    .option("--no-dashboard", "serve the REST API and the tool server only, no pages")
    .addOption(makeMigrateOption())
    .action(runs(async () => (await import("../commands/serve/serve.ts")).serve))
}

export const worker = (command: SovCommand): void => {
  command.withExamples(
    "sov worker",
    "sov worker --database-url-file /run/secrets/sov-database",
    "sov worker --config /etc/sov/sov.config.json"
  )
    .addOption(makeMigrateOption())
    .action(runs(async () => (await import("../commands/worker/worker.ts")).worker))
}

/** Clients for which `sov mcp config` can print a configuration. */
const clients = ["claude-code", "cursor", "vscode", "codex", "generic"]

export const mcp = (root: SovCommand): void => {
  root.withExamples("sov mcp", "sov mcp config claude-code", "sov mcp config cursor --stdio")
    .allowExcessArguments()
    .action(runsWithoutSubcommand(async () => (await import("../commands/mcp/mcp.ts")).mcp))
  root.command("config").description("Print the configuration for an MCP client")
    .withExamples(
      "sov mcp config claude-code > .mcp.json",
      "sov mcp config vscode --url https://sov.example.com",
      "sov mcp config codex --stdio"
    )
    .addArgument(new Argument("<client>").choices(clients))
    .addOption(
      new Option("--url <url>", `address of sov serve (default: http://${defaults.SOV_HOST}:${defaults.SOV_PORT})`).env(
        "SOV_PUBLIC_URL"
      )
    )
    .option("--stdio", "let the client start sov itself on this machine, without a server or a key")
    .action(runs(async () => (await import("../commands/mcp/config.ts")).config))
}
