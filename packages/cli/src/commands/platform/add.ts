/** sov platform add: adds a platform to sov.config.json and keeps the rest of the file. */
import {
  azureUrl,
  makeEntry,
  type PlatformId,
  platformIds,
  type ProviderName,
  providerNames,
  providers
} from "@sov/core/platforms"
import { readTrackedSet } from "@sov/core/tracking"
import { Effect } from "effect"
import { CliError, usageError } from "../../CliError.ts"
import { describeError } from "../../describeError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { canPrompt, prompt } from "../../input/prompt.ts"
import { type Output, printable } from "../../output/Output.ts"
import { type Binding, probeDatabase, runWithoutDatabase } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { adapters } from "../../tree/SovCommand.ts"
import { type BindingFlags, readFlags } from "./bindingFlags.ts"
import { type ConfigFile, readPresentConfig, writeBinding } from "./configFile.ts"

interface AddOptions extends GlobalOptions, BindingFlags {
  readonly id?: PlatformId
  readonly provider?: ProviderName
}

const simulatedAdapter = "simulated"

/** The names for simulated answers, which are the names that the organization tracks. */
const trackedNames = (options: GlobalOptions) =>
  Effect.scoped(Effect.gen(function*() {
    const database = yield* probeDatabase(options)
    if (database.state !== "open" || database.stores === null) {
      return yield* Effect.fail(
        new CliError(
          "no-database",
          exitCodes.notFound,
          "simulated answers are about the tracked brand, and there is no database that names it",
          "`sov init` sets it up; docs/platforms.md shows such a platform, to be written by hand"
        )
      )
    }
    return yield* Effect.gen(function*() {
      const { id } = yield* currentOrganization(options)
      const set = yield* readTrackedSet(id)
      return { brand: set.brand.name, competitors: set.competitors.map(({ name }) => name) }
    }).pipe(Effect.provide(database.stores))
  }))

/** The platform to configure: the requested one, or else the first platform that is not configured yet. */
const choosePlatformId = (options: AddOptions, bound: ConfigFile["platforms"]): PlatformId => {
  const free = platformIds.filter((id) => bound?.[id] === undefined)
  const id = options.id ?? free[0]
  if (id === undefined) {
    throw new CliError(
      "platforms-full",
      exitCodes.conflict,
      "all five platforms are configured",
      `remove one from ${options.config}, or change it there`
    )
  }
  if (!free.includes(id)) {
    throw new CliError(
      "platform-configured",
      exitCodes.conflict,
      `${id} is configured already (${String(bound?.[id]?.adapter)})`,
      free.length === 0
        ? `change it in ${options.config}`
        : `${free.join(", ")} are free; or change it in ${options.config}`
    )
  }
  return id
}

/**
 * Builds the platform's entry from the flags, and takes other values from the provider. `--adapter` alone selects the
 * first provider that uses it.
 */
const makeBinding = (options: AddOptions): Record<string, unknown> => {
  const name = options.provider ?? providerNames.find((one) => providers[one].binding.adapter === options.adapter)
  const flags = readFlags(options)
  const { searchEngine, ...binding }: Record<string, unknown> = {
    ...name === undefined ? {} : makeEntry(name, options.model),
    ...flags
  }
  return { ...binding, ...searchEngine === undefined || binding["webSearch"] === false ? {} : { searchEngine } }
}

/** Asks for the values that the flags left out. An empty line accepts the value in brackets. */
const askOptions = async (
  ask: (text: string) => Promise<string>,
  options: AddOptions
): Promise<AddOptions> => {
  const question = async (text: string, preset: string | undefined) =>
    (await ask(`${text}${preset === undefined ? "" : ` [${preset}]`}: `)).trim() || preset
  const named = options.provider ?? options.adapter ??
    await question(`Provider (${providerNames.join(", ")}), or adapter (${adapters.join(", ")})`, undefined)
  const provider = providerNames.find((one) => one === named)
  const adapter = provider === undefined ? options.adapter ?? named : undefined
  const chosen = { ...options, ...(provider === undefined ? {} : { provider }) }
  const known = makeBinding({ ...chosen, ...(adapter === undefined ? {} : { adapter }) })
  const knownText = (field: string) => typeof known[field] === "string" ? known[field] : undefined
  const baseUrlQuestion = adapter === "openai-compatible"
    ? "Base URL, up to before /chat/completions"
    : provider === "azure"
    ? `Base URL (${azureUrl})`
    : undefined
  const answers = {
    adapter,
    baseUrl: options.baseUrl ??
      (baseUrlQuestion === undefined ? undefined : await question(baseUrlQuestion, undefined)),
    model: options.model ?? await question("Model", knownText("model")),
    apiKeyEnv: options.apiKeyEnv ??
      await question("Environment variable that holds the key, not the key", knownText("apiKeyEnv")),
    webSearch: options.webSearch ?? (known["webSearch"] === true
      ? /^y/i.test(await question("Let it search the web? (y/n)", "y") ?? "")
      : undefined)
  }
  return { ...chosen, ...Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined)) }
}

/** Refuses a provider if the flags lack a value that only the operator knows. */
const checkProvider = (options: AddOptions): void => {
  const { provider } = options
  if (provider === undefined) return
  if (options.adapter !== undefined) throw usageError("--adapter is not for a provider", "give one of the two")
  if (provider === "azure" && options.baseUrl === undefined) {
    throw usageError("which Azure resource?", `give --base-url ${azureUrl}`)
  }
  if (options.model !== undefined || "model" in providers[provider].binding) return
  throw usageError("which deployment?", "give --model with its name")
}

const completeOptions = async (options: AddOptions): Promise<AddOptions> => {
  if (options.adapter === simulatedAdapter) return options
  const canAsk = canPrompt(options)
  const named = options.adapter ?? options.provider
  if (named !== undefined && (options.model !== undefined || !canAsk)) return options
  if (!canAsk) {
    throw usageError("which provider?", `name one of ${providerNames.join(", ")}, or give --adapter`)
  }
  return prompt((ask) => askOptions(ask, options))
}

/** The variable with the key of a platform; undefined if it needs no key. */
const keyNameOf = (decoded: Binding | undefined): string | undefined =>
  decoded !== undefined && "apiKeyEnv" in decoded ? decoded.apiKeyEnv : undefined

const addBinding = async (options: AddOptions, names: object) => {
  const before = readPresentConfig(options)
  const id = choosePlatformId(options, before?.json.platforms)
  const complete = await completeOptions(options)
  checkProvider(complete)
  const binding = { ...makeBinding(complete), ...names }
  const { decoded, file } = writeBinding(options, before, id, binding)
  return { id, file, binding, keyName: keyNameOf(decoded) }
}

/** Prints the next command; with `--config` if that option named the file. */
const noteNext = (out: Output, options: GlobalOptions, id: PlatformId, keyName: string | undefined): void => {
  const unset = keyName !== undefined && (process.env[keyName] ?? "") === ""
  const config = options.sources?.["config"] === "cli" ? ` --config ${options.config}` : ""
  out.note(`Next: ${unset ? `set ${keyName} (environment or .env), then ` : ""}sov platform test ${id}${config}`)
}

export const add = (given: AddOptions, provider: ProviderName | undefined) => {
  const options = provider === undefined ? given : { ...given, provider }
  return runWithoutDatabase(options, function*({ out }) {
    const names = options.adapter === simulatedAdapter ? yield* trackedNames(options) : null
    const { binding, file, id, keyName } = yield* Effect.tryPromise({
      try: () => addBinding(options, names ?? {}),
      catch: describeError
    })
    out.result(
      { id, ...binding, config: file },
      () =>
        `Added ${id} to ${options.config}: ${String(binding["adapter"])}, ${
          names === null ? String(binding["model"]) : `answers about ${printable(names.brand)} are made up`
        }${binding["webSearch"] === true ? ", with web search" : ""}`
    )
    if (binding["adapter"] === "dataforseo") {
      out.note(
        "DataForSEO scrapes apps whose terms forbid that; decide whether you may use its answers (docs/platforms.md)"
      )
    }
    noteNext(out, options, id, keyName)
  })
}
