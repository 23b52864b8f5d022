/** Commands that run until they are stopped. */
import { type Command, Option } from "commander"
import type { SovCommand } from "./SovCommand.ts"

export const serve = (command: SovCommand): void => {
  command.withExamples("sov serve", "sov serve --host 0.0.0.0 --port 8080", "sov serve --no-worker")
    .addOption(new Option("--host <address>", "address to listen on").env("SOV_HOST").default("127.0.0.1"))
    .addOption(new Option("--port <n>", "port to listen on; 0 = any that is free").env("SOV_PORT").default("4680"))
    .addOption(new Option("--public-url <url>", "address under which clients reach it").env("SOV_PUBLIC_URL"))
    .option("--no-worker", "only answer; other sov processes ask the platforms")
    .action(async (_, command: Command) => (await import("../commands/serve.ts")).serve(command.optsWithGlobals()))
}

export const worker = (command: SovCommand): void => {
  command.withExamples(
    "sov worker",
    "sov worker --database-url-file /run/secrets/sov-database",
    "sov worker --config /etc/sov/sov.config.json"
  )
    .action(async (_, command: Command) => (await import("../commands/worker.ts")).worker(command.optsWithGlobals()))
}
