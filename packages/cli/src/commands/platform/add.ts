/** sov platform add: adds a platform to sov.config.json and keeps the rest of the file. */
import { type PlatformId, platformIds, readTrackedSet } from "@sov/core"
import { Effect } from "effect"
import { readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { createInterface, type Interface } from "node:readline/promises"
import { CliError, usageError } from "../../CliError.ts"
import { describeError } from "../../describeError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { printable } from "../../output/Output.ts"
import { decodeConfig, findConfig, probeDatabase, runWithoutDatabase } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { keyNames, platformExamples } from "../../settings/platformExamples.ts"
import { adapters } from "../../tree/SovCommand.ts"

interface AddOptions extends GlobalOptions {
  readonly id?: PlatformId
  readonly adapter?: string
  readonly model?: string
  readonly apiKeyEnv?: string
  readonly baseUrl?: string
  readonly webSearch?: boolean
  readonly concurrency?: string
  readonly requestsPerMinute?: string
}

interface ConfigFile {
  readonly [field: string]: unknown
  readonly platforms?: Readonly<Partial<Record<PlatformId, { readonly adapter?: unknown }>>>
}

const simulatedAdapter = "simulated"

/** Whom simulated answers are about: what the organization tracks. */
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

const emptyConfig = { platforms: {}, scan: { samples: 1 } }

/** The present content of the file; null = there is none. A file that cannot be used is refused. */
const readPresentConfig = (options: GlobalOptions): { readonly text: string; readonly json: ConfigFile } | null => {
  const found = findConfig(options)
  if (found === null) return null
  if (found.decoded instanceof CliError) throw found.decoded
  return { text: found.text, json: JSON.parse(found.text.replace(/^\uFEFF/, "")) as ConfigFile }
}

/** The platform that is bound: the one asked for, else the first that is free. */
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

/** A number that was typed; anything else goes on as it is, to be refused with the field's own words. */
const toNumber = (text: string | undefined) =>
  text === undefined ? undefined : Number.isNaN(Number(text)) ? text : Number(text)

/** What the flags say, completed by the provider's example. */
const makeBinding = (options: AddOptions): Record<string, unknown> => {
  const keyName = keyNames.find((name) => platformExamples[name].adapter === options.adapter)
  const example = keyName === undefined ? {} : { ...platformExamples[keyName], apiKeyEnv: keyName }
  const given = {
    adapter: options.adapter,
    baseUrl: options.baseUrl,
    model: options.model,
    apiKeyEnv: options.apiKeyEnv,
    webSearch: options.webSearch,
    concurrency: toNumber(options.concurrency),
    requestsPerMinute: toNumber(options.requestsPerMinute)
  }
  return { ...example, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}

/** Asks for what the flags did not say; an empty line takes what is shown in brackets. */
const askOptions = async (reader: Interface, options: AddOptions): Promise<AddOptions> => {
  const question = async (text: string, preset: string | undefined) =>
    (await reader.question(`${text}${preset === undefined ? "" : ` [${preset}]`}: `)).trim() || preset
  const adapter = options.adapter ?? await question(`Adapter (${adapters.join(", ")})`, undefined)
  const known = makeBinding({ ...options, ...(adapter === undefined ? {} : { adapter }) })
  const knownText = (field: string) => typeof known[field] === "string" ? known[field] : undefined
  const answers = {
    adapter,
    baseUrl: options.baseUrl ??
      (adapter === "openai-compatible"
        ? await question("Base URL, up to before /chat/completions", undefined)
        : undefined),
    model: options.model ?? await question("Model", knownText("model")),
    apiKeyEnv: options.apiKeyEnv ??
      await question("Environment variable that holds the key, not the key", knownText("apiKeyEnv")),
    webSearch: options.webSearch ?? (known["webSearch"] === true
      ? /^y/i.test(await question("Let it search the web? (y/n)", "y") ?? "")
      : undefined)
  }
  return { ...options, ...Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined)) }
}

const completeOptions = async (options: AddOptions): Promise<AddOptions> => {
  if (options.adapter === simulatedAdapter) return options
  const canAsk = options.input !== false && process.stdin.isTTY && process.stderr.isTTY
  if (options.adapter !== undefined && (options.model !== undefined || !canAsk)) return options
  if (!canAsk) throw usageError("which adapter?", `give --adapter with one of ${adapters.join(", ")}`)
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await askOptions(reader, options)
  } catch {
    // Ctrl-C or Ctrl-D at a question
    throw new CliError("declined", exitCodes.interrupted, "nothing was changed")
  } finally {
    reader.close()
  }
}

/** The new text, indented as the old one. */
const formatConfig = (json: ConfigFile, old: string | null): string => {
  const indent = /\n([ \t]+)"/.exec(old ?? "")?.[1] ?? "  "
  return `${old?.startsWith("\uFEFF") === true ? "\uFEFF" : ""}${JSON.stringify(json, null, indent)}\n`
}

/** Replaces the file in one step, behind links and with its permissions; makes it where there is none. */
const replaceFile = (file: string, text: string, existed: boolean): void => {
  try {
    if (!existed) return writeFileSync(file, text, { flag: "wx" })
    const target = realpathSync(file)
    const beside = `${target}.${process.pid}.tmp`
    writeFileSync(beside, text, { flag: "wx", mode: statSync(target).mode })
    renameSync(beside, target)
  } catch (error) {
    throw usageError(`${file} could not be written (${(error as NodeJS.ErrnoException).code ?? "error"})`)
  }
}

const addBinding = async (options: AddOptions, names: object) => {
  const before = readPresentConfig(options)
  const id = choosePlatformId(options, before?.json.platforms)
  const binding = { ...makeBinding(await completeOptions(options)), ...names }
  // Somebody may have edited the file while questions were on the screen.
  const file = resolve(options.config)
  if (before !== null && readFileSync(file, "utf8") !== before.text) {
    throw new CliError("conflict", exitCodes.conflict, `${options.config} was changed meanwhile`, "run it again")
  }
  const json = { ...before?.json ?? emptyConfig, platforms: { ...before?.json.platforms, [id]: binding } }
  const decoded = decodeConfig(json, options.config).platforms[id]
  replaceFile(file, formatConfig(json, before?.text ?? null), before !== null)
  return { id, file, binding, keyName: decoded !== undefined && "apiKeyEnv" in decoded ? decoded.apiKeyEnv : undefined }
}

export const add = (options: AddOptions) =>
  runWithoutDatabase(options, ({ out }) =>
    Effect.gen(function*() {
      const names = options.adapter === simulatedAdapter ? yield* trackedNames(options) : null
      const { binding, file, id, keyName } = yield* Effect.tryPromise({
        try: () => addBinding(options, names ?? {}),
        catch: describeError
      })
      out.result({ id, ...binding, config: file }, () =>
        `Added ${id} to ${options.config}: ${String(binding["adapter"])}, ${
          names === null ? String(binding["model"]) : `answers about ${printable(names.brand)} are made up`
        }${binding["webSearch"] === true ? ", with web search" : ""}`)
      const unset = keyName !== undefined && (process.env[keyName] ?? "") === ""
      const config = options.sources?.["config"] === "cli" ? ` --config ${options.config}` : ""
      out.note(`Next: ${unset ? `set ${keyName} (environment or .env), then ` : ""}sov platform test ${id}${config}`)
    }))
