/** The command of the dashboard. */
import { type Command, Option } from "commander"
import { defaults } from "../settings/environment.ts"
import type { SovCommand } from "./SovCommand.ts"

export const dashboard = (dashboard: SovCommand): void => {
  dashboard.withExamples(
    "sov dashboard",
    "sov dashboard --url https://sov.acme.example",
    "sov dashboard --json"
  )
    .addOption(
      new Option(
        "--url <url>",
        `address of the server (default: http://${defaults.SOV_HOST}:${defaults.SOV_PORT}, started if none answers)`
      ).env("SOV_PUBLIC_URL")
    )
    .action(async (_, command: Command) =>
      (await import("../commands/dashboard/dashboard.ts")).dashboard({
        ...command.optsWithGlobals(),
        // The parser would let SOV_URL override the option
        ...command.getOptionValueSource("url") === "cli" ? command.opts() : {}
      })
    )
}
