/** Changes `sov.config.json`: adds, replaces or removes one platform and keeps the rest of the file. */
import type { PlatformId } from "@sov/core/platforms"
import { readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { decodeConfig, findConfig } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** A platform's entry as written in the file. */
export type GivenBinding = Readonly<Record<string, unknown>>

export interface ConfigFile {
  readonly [field: string]: unknown
  readonly platforms?: Readonly<Partial<Record<PlatformId, GivenBinding>>>
}

const emptyConfig = { platforms: {}, scan: { samples: 1 } }

/** The file as it was when it was read. */
export interface PresentConfig {
  readonly text: string
  readonly json: ConfigFile
}

/** The current content of the file; null if it is missing. Refuses an invalid file. */
export const readPresentConfig = (options: GlobalOptions): PresentConfig | null => {
  const found = findConfig(options)
  if (found === null) return null
  if (found.decoded instanceof CliError) throw found.decoded
  return { text: found.text, json: JSON.parse(found.text.replace(/^\uFEFF/, "")) as ConfigFile }
}

/** Formats the new text with the indentation of the old one. */
const formatConfig = (json: ConfigFile, old: string | null): string => {
  const indent = /\n([ \t]+)"/.exec(old ?? "")?.[1] ?? "  "
  return `${old?.startsWith("\uFEFF") === true ? "\uFEFF" : ""}${JSON.stringify(json, null, indent)}\n`
}

/** Replaces the file in one step, following links and keeping its permissions; creates it if it is missing. */
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

/**
 * Writes the file with this entry for the platform; null removes the entry. Fails if the file has changed since it was
 * read, or would become invalid. Returns its absolute path and the decoded entry.
 */
export const writeBinding = (
  options: GlobalOptions,
  before: PresentConfig | null,
  id: PlatformId,
  binding: GivenBinding | null
) => {
  const file = resolve(options.config)
  if (before !== null && readFileSync(file, "utf8") !== before.text) {
    throw new CliError("conflict", exitCodes.conflict, `${options.config} was changed meanwhile`, "run it again")
  }
  const { [id]: _, ...others } = before?.json.platforms ?? {}
  const platforms = binding === null
    ? others
    : { ...before?.json.platforms, [id]: binding }
  const json = { ...before?.json ?? emptyConfig, platforms }
  const decoded = decodeConfig(json, options.config).platforms[id]
  replaceFile(file, formatConfig(json, before?.text ?? null), before !== null)
  return { file, decoded }
}
