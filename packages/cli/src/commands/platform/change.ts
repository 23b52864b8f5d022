/** sov platform set|remove: changes one platform in sov.config.json and keeps the rest of the file. */
import type { PlatformId } from "@sov/core/platforms"
import { Effect } from "effect"
import { CliError, usageError } from "../../CliError.ts"
import { describeError } from "../../describeError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { confirm } from "../../input/confirm.ts"
import { runWithoutDatabase } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { type BindingFlags, readFlags } from "./bindingFlags.ts"
import { type GivenBinding, type PresentConfig, readPresentConfig, writeBinding } from "./configFile.ts"

interface Found {
  readonly config: PresentConfig
  readonly binding: GivenBinding
}

/** Finds the configuration file and the platform's entry in it. */
const findBinding = (options: GlobalOptions, id: PlatformId) =>
  Effect.try({
    try: (): Found => {
      const config = readPresentConfig(options)
      const binding = config?.json.platforms?.[id]
      if (config !== null && binding !== undefined) return { config, binding }
      throw new CliError(
        "platform-not-configured",
        exitCodes.notFound,
        `${id} is not configured in ${options.config}`,
        "sov platform list shows what is configured"
      )
    },
    catch: describeError
  })

/** This note is printed because processes read the file only when they start. */
const restartNote = "A running sov serve or sov worker takes it up when it is started again."

/** Runs `sov platform set ID`. */
export const set = (options: GlobalOptions & BindingFlags, id: PlatformId) =>
  runWithoutDatabase(options, function*({ out }) {
    const flags = readFlags(options)
    if (Object.keys(flags).length === 0) {
      return yield* Effect.fail(usageError("nothing to change", "sov platform set --help lists what can be set"))
    }
    const { binding, config } = yield* findBinding(options, id)
    const changed = { ...binding, ...flags }
    const { file } = yield* Effect.try({
      try: () => writeBinding(options, config, id, changed),
      catch: describeError
    })
    out.result(
      { id, ...changed, config: file },
      () => `Changed ${id} in ${options.config}: ${Object.keys(flags).join(", ")}`
    )
    out.note(restartNote)
  })

/** Runs `sov platform remove ID`. */
export const remove = (options: GlobalOptions, id: PlatformId) =>
  runWithoutDatabase(options, function*({ out }) {
    const { binding, config } = yield* findBinding(options, id)
    yield* confirm(out, `Remove ${id} (${String(binding["adapter"])}) from ${options.config}? Its answers stay.`)
    const { file } = yield* Effect.try({ try: () => writeBinding(options, config, id, null), catch: describeError })
    out.result({ id, config: file }, () => `Removed ${id} from ${options.config}; its answers stay`)
    out.note(restartNote)
  })
