/** Commands that set up what is tracked: brand, competitor, keyword, platform. */
import type { KeywordStatus } from "@sov/core"
import { Argument, type Command, Option } from "commander"
import { matchOptions } from "./matchOptions.ts"
import { adapters, collect, confirming, leaf, platforms, type SovCommand } from "./SovCommand.ts"

const terms = (command: SovCommand): SovCommand =>
  command
    .option("--alias <name>", "another name (repeatable)", collect)
    .option("--domain <host>", "a domain (repeatable)", collect)

export const brand = (brand: SovCommand): void => {
  terms(
    leaf(
      brand,
      "set",
      "Set the brand's names and domains; replaces all aliases, domains and excludes that it has",
      "sov brand set --name Acme --alias \"Acme Corp\" --domain acme.com"
    )
  )
    .requiredOption("--name <name>", "name of the brand")
    .option("--exclude <term>", "a longer term that is not the brand (repeatable)", collect)
    .action(async (_, command: Command) => (await import("../commands/brand/brand.ts")).set(command.optsWithGlobals()))
  leaf(brand, "show", "Show the brand", "sov brand show --json")
    .action(async (_, command: Command) => (await import("../commands/brand/brand.ts")).show(command.optsWithGlobals()))
}

export const competitor = (rivals: SovCommand): void => {
  terms(
    leaf(
      rivals,
      "add <name>",
      "Add a competitor, or aliases and domains to one; those that it has stay",
      "sov competitor add Globex --domain globex.com",
      "sov competitor add Globex --alias \"Globex Corp\" --replace"
    )
  )
    .option("--replace", "the aliases and domains given are all that it has")
    .action(async (name: string, _, command: Command) =>
      (await import("../commands/brand/brand.ts")).addRival(command.optsWithGlobals(), name)
    )
  leaf(rivals, "list", "List the competitors", "sov competitor list").alias("ls")
    .action(async (_, command: Command) =>
      (await import("../commands/brand/brand.ts")).listRivals(command.optsWithGlobals())
    )
  confirming(leaf(rivals, "remove <id|name>", "Stop comparing with a competitor", "sov competitor remove Globex --yes"))
    .alias("rm")
    .action(async (id: string, _, command: Command) =>
      (await import("../commands/brand/brand.ts")).removeRival(command.optsWithGlobals(), id)
    )
}

/** The command that gives a keyword each state, and its help. */
const statusCommands: { readonly [Status in KeywordStatus]: readonly [verb: string, summary: string] } = {
  paused: ["pause", "Stop asking for a while"],
  active: ["resume", "Ask again"],
  archived: ["remove", "Stop asking; its answers stay"]
}

export const keyword = (keyword: SovCommand): void => {
  leaf(keyword, "add <text...>", "Track one or more questions", "sov keyword add \"best anvil for beginners?\"")
    .action(async (texts: ReadonlyArray<string>, _, command: Command) =>
      (await import("../commands/keyword/keyword.ts")).add(command.optsWithGlobals(), texts)
    )
  leaf(keyword, "list", "List the tracked questions", "sov keyword list --all").alias("ls")
    .option("--all", "archived ones too")
    .action(async (_, command: Command) =>
      (await import("../commands/keyword/keyword.ts")).list(command.optsWithGlobals())
    )
  matchOptions(
    leaf(
      keyword,
      "test <text>",
      "Show which names count in a text",
      "sov keyword test \"Acme or Globex?\" --brand Acme"
    )
  )
    .action(async (given: string, _, command: Command) =>
      (await import("../commands/measure/measure.ts")).text(command.optsWithGlobals(), given)
    )
  for (const [status, [verb, summary]] of Object.entries(statusCommands)) {
    const command = leaf(
      keyword,
      `${verb} <id|text>`,
      summary,
      `sov keyword ${verb} "best anvil for beginners?"${verb === "remove" ? " --yes" : ""}`
    )
    const asking = verb === "remove" ? confirming(command) : command
    asking
      .action(async (id: string, _, command: Command) =>
        (await import("../commands/keyword/keyword.ts")).setStatus(
          command.optsWithGlobals(),
          id,
          status as KeywordStatus
        )
      )
  }
}

export const platform = (platform: SovCommand): void => {
  leaf(platform, "list", "List the five platforms: configuration, health, cost", "sov platform list").alias("ls")
    .action(async (_, command: Command) =>
      (await import("../commands/platform/platform.ts")).list(command.optsWithGlobals())
    )
  leaf(
    platform,
    "add",
    "Configure one more platform; asks for what is not given",
    "sov platform add --adapter gemini --web-search",
    "sov platform add --adapter simulated --config simulated.json"
  )
    .addOption(
      new Option("--id <id>", "which platform it becomes (default: the first that is free)").choices(platforms)
    )
    .addOption(new Option("--adapter <adapter>", "how it is asked (simulated: answers are made up)").choices([
      ...adapters,
      "simulated"
    ]))
    .option("--model <name>", "model, as the provider names it")
    .option("--api-key-env <name>", "environment variable that holds the key (never the key itself)")
    .option("--base-url <url>", "address of the API")
    .option("--web-search", "let it search the web")
    .option("--no-web-search", "do not let it search")
    .option("--concurrency <n>", "calls in flight at once")
    .option("--requests-per-minute <n>", "calls sent in any minute")
    .action(async (_, command: Command) => (await import("../commands/platform/add.ts")).add(command.optsWithGlobals()))
  leaf(platform, "test", "Ask one platform one short question", "sov platform test assistant_a")
    .addArgument(new Argument("<id>").choices(platforms))
    .option("--prompt <text>", "what to ask", "In one sentence: what is share of voice?")
    .action(async (id: string, _, command: Command) =>
      (await import("../commands/platform/platform.ts")).test(command.optsWithGlobals(), id)
    )
}
