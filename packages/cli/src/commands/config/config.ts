/** sov config: lists every setting with its value and its source. */
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { printable } from "../../output/Output.ts"
import { findConfig, runWithoutDatabase } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { canonicalSettingName, listSettings, type Setting } from "./settings.ts"

const valueText = ({ api_key_present, value }: Setting): string =>
  value === null
    ? "-"
    : `${printable(String(value))}${api_key_present === undefined ? "" : api_key_present ? " (set)" : " (NOT set)"}`

const sourceText = ({ from, source }: Setting): string =>
  source === "flag" || source === "env" ? from ?? source : source

export const list = (options: GlobalOptions) =>
  runWithoutDatabase(options, function*({ out }) {
    const config = findConfig(options)
    const settings = listSettings(options, config)
    out.list(settings, [
      { header: "SETTING", cell: (row) => row.name },
      { header: "VALUE", cell: valueText },
      { header: "SOURCE", cell: sourceText }
    ], { empty: "" })
    if (config === null) out.note(`There is no ${options.config}: no platforms are configured.`)
    if (!(config?.decoded instanceof CliError)) return exitCodes.ok
    out.error(config.decoded)
    return config.decoded.exitCode
  })

export const get = (options: GlobalOptions, name: string) =>
  runWithoutDatabase(options, function*({ out }) {
    const config = findConfig(options)
    const settings = listSettings(options, config)
    const found = settings.find((setting) => setting.name === canonicalSettingName(name))
    if (found === undefined) {
      return yield* Effect.fail(
        config?.decoded instanceof CliError && /^(?:platforms|scan|sentiment)\./.test(name)
          ? config.decoded
          : usageError(`there is no setting ${JSON.stringify(name)}`, "sov config list shows all")
      )
    }
    if (found.value === null) {
      return yield* Effect.fail(
        new CliError("not-set", exitCodes.notFound, `${found.name} is not set`, "sov config list shows what is")
      )
    }
    out.result(found, () => printable(String(found.value)))
  })

export const path = (options: GlobalOptions) =>
  runWithoutDatabase(options, function*({ out }) {
    const file = resolve(options.config)
    const exists = existsSync(file)
    out.result({ path: file, exists }, () => file)
    if (!exists) out.note("There is no such file yet: sov init writes one.")
  })
