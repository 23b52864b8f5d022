/** Commands that define the tracked set and the platforms: brand, competitor, keyword, platform. */
import { probeQuestion } from "@sov/core/names"
import type { KeywordStatus, TopicAct } from "@sov/core/tracking"
import { Argument, type Command, Option } from "commander"
import { matchOptions } from "./matchOptions.ts"
import {
  adapters,
  collect,
  overwriteOption,
  platforms,
  providers,
  runs,
  type SovCommand,
  yesOption
} from "./SovCommand.ts"

const addTermOptions = (command: SovCommand): SovCommand =>
  command
    .option("--alias <name>", "another name (repeatable)", collect)
    .option("--domain <host>", "domain (repeatable)", collect)
    .option(
      "--context <word>",
      "count the names only if the answer or its question contains this word (repeatable)",
      collect
    )

const addDryRunOption = (command: SovCommand): SovCommand =>
  command.option("--dry-run", "show the results of the newest scans after this change, and store nothing")

export const brand = (brand: SovCommand): void => {
  addDryRunOption(addTermOptions(
    brand.command("set")
      .description("Set name, aliases, domains, context words and excluded terms of the brand; replaces all of them")
      .withExamples(
        "sov brand set --name Acme --alias \"Acme Corp\" --domain acme.com",
        "sov brand set --name Acme --alias \"Acme Labs\" --dry-run",
        "sov brand set --name Apple --context phone --context laptop --dry-run"
      )
  ))
    .requiredOption("--name <name>", "name of the brand")
    .option("--exclude <term>", "longer term with the brand's name that means something else (repeatable)", collect)
    .action(runs(async () => (await import("../commands/brand/brand.ts")).set))
  brand.command("show").description("Show the brand").withExamples("sov brand show --json")
    .action(runs(async () => (await import("../commands/brand/brand.ts")).show))
}

export const competitor = (rivals: SovCommand): void => {
  addDryRunOption(addTermOptions(
    rivals.command("add <name>").description("Add a competitor, or add aliases and domains to an existing one")
      .withExamples(
        "sov competitor add Globex --domain globex.com",
        "sov competitor add Globex --alias \"Globex Corp\" --replace",
        "sov competitor add Initech --dry-run"
      )
  ))
    .option("--replace", "replace its aliases, domains and context words")
    .action(runs(async () => (await import("../commands/brand/brand.ts")).addRival))
  rivals.command("list").description("List the competitors").withExamples("sov competitor list").alias("ls")
    .action(runs(async () => (await import("../commands/brand/brand.ts")).listRivals))
  rivals.command("suggest").description("Suggest competitors: brands that answers name and you do not track")
    .withExamples(
      "sov competitor suggest",
      "sov competitor suggest --accept Initech",
      "sov competitor suggest --ignore \"Best Buy\"",
      "sov competitor suggest --restore \"Best Buy\"",
      "sov competitor suggest --json"
    )
    .option("--limit <n>", "maximum number of suggestions, 1–200", "20")
    .option("--max-answers <n>", "maximum number of answers to read, from the newest scans", "50000")
    .option("--judge", "let the configured judge remove names that are not brands (costs calls)")
    .addOption(
      new Option("--accept <name>", "track this name, and measure the archive again").conflicts(["ignore", "restore"])
    )
    .addOption(new Option("--ignore <name>", "never suggest this name again").conflicts("restore"))
    .option("--restore <name>", "suggest an ignored name again")
    .action(runs(async () => (await import("../commands/competitor/suggest.ts")).suggest))
  addDryRunOption(
    rivals.command("remove <id|name>").description("Remove a competitor; earlier scores still count it")
      .withExamples("sov competitor remove Globex --yes")
      .option(...yesOption)
  )
    .alias("rm")
    .action(runs(async () => (await import("../commands/brand/brand.ts")).removeRival))
}

/** The command that sets each status of a keyword, with its help. */
const statusCommands: { readonly [Status in KeywordStatus]: readonly [verb: string, summary: string] } = {
  paused: ["pause", "Pause a keyword: scans stop asking it"],
  active: ["resume", "Resume a keyword: scans ask it again"],
  archived: ["remove", "Remove a keyword; its answers are kept"]
}

export const keyword = (keyword: SovCommand): void => {
  keyword.command("add <text...>").description("Add keywords: questions to ask (- = stdin, one per line)")
    .withExamples(
      "sov keyword add \"best anvil for beginners?\"",
      "sov keyword add \"what does an anvil cost?\" --tag pricing",
      "sov keyword add - < questions.txt"
    )
    .option(...yesOption)
    .option("--tag <tag>", "tag to add to the new keywords (repeatable)", collect)
    .action(runs(async () => (await import("../commands/keyword/keyword.ts")).add))
  keyword.command("list").description("List keywords")
    .withExamples("sov keyword list --all", "sov keyword list --tag unbranded").alias(
      "ls"
    )
    .option("--all", "include removed keywords")
    .option("--tag <tag>", "only keywords with this tag (branded = they name the brand; unbranded = they do not)")
    .action(runs(async () => (await import("../commands/keyword/keyword.ts")).list))
  for (
    const [verb, summary] of [["tag", "Add tags to a keyword"], ["untag", "Remove tags from a keyword"]] as const
  ) {
    keyword.command(`${verb} <id|text> [tags...]`).description(summary)
      .withExamples(`sov keyword ${verb} "best anvil for beginners?" beginners`)
      .option("--tag <tag>", "another way to name a tag, besides the arguments (repeatable)", collect)
      .action(runs(async () => (await import("../commands/keyword/tags.ts"))[verb]))
  }
  keyword.command("import <file>")
    .description("Add the keywords of a CSV file (text, tags, status) or of plain lines (- = stdin), all or nothing")
    .withExamples(
      "sov keyword export --out keywords.csv && sov keyword import keywords.csv",
      "sov keyword export | sov keyword import - --dry-run --json"
    )
    .option("--dry-run", "show what would be added, and store nothing")
    .action(runs(async () => (await import("../commands/keyword/keywordFile.ts")).importFile))
  keyword.command("export").description("Export all keywords with tags and statuses as CSV, for keyword import")
    .withExamples("sov keyword export", "sov keyword export --tag branded --out keywords.csv --yes")
    .option("--tag <tag>", "only keywords with this tag")
    .option("--out <file>", "file to write, or - for stdout", "-")
    .option(...overwriteOption)
    .action(runs(async () => (await import("../commands/keyword/keywordFile.ts")).exportAll))
  keyword.command("history <id|text>").description("Show one keyword's share of voice, scan by scan")
    .withExamples(
      "sov keyword history \"best anvil for beginners?\"",
      "sov keyword history \"best anvil for beginners?\" -o csv"
    )
    .action(runs(async () => (await import("../commands/keyword/keyword.ts")).history))
  matchOptions(
    keyword.command("test <text>").description("Show which names count as mentions in a text")
      .withExamples("sov keyword test \"Acme or Globex?\" --brand Acme")
  )
    .action(runs(async () => (await import("../commands/measure/measure.ts")).measureText))
  for (const [status, [verb, summary]] of Object.entries(statusCommands)) {
    const command = keyword.command(`${verb} <id|text>`).description(summary)
      .withExamples(`sov keyword ${verb} "best anvil for beginners?"${verb === "remove" ? " --yes" : ""}`)
    const asking = verb === "remove" ?
      command
        .option(...yesOption) :
      command
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

const addBindingOptions = (command: SovCommand): SovCommand =>
  command
    .option("--model <name>", "name of the model at the provider")
    .option("--api-key-env <name>", "environment variable that holds the API key (never the key itself)")
    .option("--base-url <url>", "URL of the API")
    .option("--web-search", "enable web search")
    .option("--no-web-search", "disable web search")
    .option("--concurrency <n>", "maximum number of concurrent calls")
    .option("--requests-per-minute <n>", "maximum number of calls per minute")

export const platform = (platform: SovCommand): void => {
  platform.command("list").description("List the platforms with configuration, health and cost")
    .withExamples("sov platform list", "sov platform list --org acme").alias(
      "ls"
    )
    .action(runs(async () => (await import("../commands/platform/platform.ts")).list))
  addBindingOptions(
    platform.command("add").description("Configure a platform; prompts for missing options")
      .withExamples(
        "sov platform add gemini",
        "sov platform add openrouter --id assistant_b --model openai/gpt-6.1-terra",
        "sov platform add --adapter simulated --config simulated.json"
      )
  )
    .addArgument(new Argument("[provider]", "provider, with its adapter, URL and model").choices(providers))
    .addOption(
      new Option("--id <id>", "id of the platform (default: the first free one)").choices(platforms)
    )
    .addOption(new Option("--adapter <adapter>", "API adapter (simulated: answers are made up)").choices([
      ...adapters,
      "simulated"
    ]))
    .action(runs(async () => (await import("../commands/platform/add.ts")).add))
  addBindingOptions(
    platform.command("set").description("Change a configured platform")
      .withExamples("sov platform set assistant_a --model gpt-6.1-terra --requests-per-minute 60")
  )
    .addArgument(new Argument("<id>").choices(platforms))
    .action(runs(async () => (await import("../commands/platform/change.ts")).set))
  platform.command("remove").description("Remove a platform from the configuration; its answers are kept")
    .withExamples("sov platform remove assistant_e --yes")
    .option(...yesOption)
    .alias("rm")
    .addArgument(new Argument("<id>").choices(platforms))
    .action(runs(async () => (await import("../commands/platform/change.ts")).remove))
  platform.command("test").description("Send one question and check the answer's shape")
    .withExamples("sov platform test assistant_a", "sov platform test --all --json")
    .addArgument(new Argument("[id]").choices(platforms))
    .option("--all", "test all configured platforms")
    .option("--prompt <text>", "question to send", probeQuestion)
    .action(runs(async () => (await import("../commands/platform/testPlatform.ts")).test))
}

export const topic = (topics: SovCommand): void => {
  topics.command("list").description(
    "List the topics that have several questions, and the topics that you confirmed, merged or split"
  )
    .withExamples("sov topic list", "sov topic list --all --json")
    .alias("ls")
    .option("--all", "include questions that are topics of their own")
    .action(runs(async () => (await import("../commands/topic/topic.ts")).list))
  const acts = {
    keep: "Confirm the topics of these questions (id or text)",
    split: "Make each of these questions (id or text) a topic of its own",
    join: "Merge the topics of these questions (id or text) into one topic"
  }
  for (const [act, summary] of Object.entries(acts)) {
    const command = topics.command(`${act} [questions...]`).description(summary)
      .withExamples(
        act === "join" ? "sov topic join --tag pricing" : `sov topic ${act} "best anvil for beginners?"`,
        ...act === "keep" ? ["sov topic keep --all"] : []
      )
    if (act === "keep") command.option("--all", "all topics that the program found")
    else command.option("--tag <tag>", "all questions with this tag")
    command.action(async (questions: ReadonlyArray<string>, _, command: Command) =>
      (await import("../commands/topic/topic.ts")).decide(command.optsWithGlobals(), act as TopicAct, questions)
    )
  }
}

export const view = (views: SovCommand): void => {
  views.command("add <name>").description("Add a view; scans also ask every question from it")
    .withExamples(
      "sov view add germany --country DE --language de",
      "sov view add bakery --context \"I run a bakery with five people.\""
    )
    .option("--country <code>", "country that platforms are told, ISO 3166 (DE)")
    .option("--language <code>", "language to tell the platforms, ISO 639-1 (de)")
    .option("--context <text>", "text sent before each question, word for word")
    .action(runs(async () => (await import("../commands/view/view.ts")).add))
  views.command("list").description("List the views with their newest share")
    .withExamples("sov view list --json", "sov view list --weight standard=60 --weight germany=40")
    .alias("ls")
    .option("--weight <name=number>", "combine the shares of views with your own weights (repeatable)", collect)
    .action(runs(async () => (await import("../commands/view/view.ts")).list))
  views.command("word <name> <keyword> [text]")
    .description("Set a view's wording of a keyword (id or text); without text, restore the keyword's own")
    .withExamples("sov view word germany \"best anvil for beginners?\" \"Welcher Amboss ist gut zum Einstieg?\"")
    .action(runs(async () => (await import("../commands/view/view.ts")).word))
  views.command("remove <name>").description("Remove a view; its scans and answers are kept")
    .withExamples("sov view remove germany --yes")
    .option(...yesOption)
    .alias("rm")
    .action(runs(async () => (await import("../commands/view/view.ts")).remove))
}
