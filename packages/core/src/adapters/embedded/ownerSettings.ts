/**
 * Settings of the owner process. They live in the data directory rather than the environment, because the owner serves
 * every user of the directory and must not depend on which command started it.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { ownerFiles } from "./ownerProtocol.ts"

/** All values are in milliseconds. */
export interface OwnerSettings {
  /** How long the owner stays after its last client left; default 5 s. */
  readonly ownerLingerMs: number
  /**
   * How long the owner keeps serving after SIGTERM while it has clients; default 30 s, because a worker takes up to 28
   * s to stop (`stopGraceMs`).
   */
  readonly ownerTermMs: number
  /** How long a transaction may hold the one session without a message; default 30 s. */
  readonly idleInTransactionMs: number
}

const defaultOwnerSettings: OwnerSettings = { ownerLingerMs: 5_000, ownerTermMs: 30_000, idleInTransactionMs: 30_000 }
const MAX_MS = 600_000

/**
 * Reads `settings.json` of a data directory. A value that is absent, malformed or out of range is replaced by its
 * default.
 */
export const readOwnerSettings = (dataDir: string | undefined): OwnerSettings => {
  if (dataDir === undefined) return defaultOwnerSettings
  let found: Record<string, unknown> = {}
  try {
    const parsed: unknown = JSON.parse(fs.readFileSync(path.join(dataDir, ownerFiles.settings), "utf8"))
    if (typeof parsed === "object" && parsed !== null) found = parsed as Record<string, unknown>
  } catch {
    // The file is absent or not JSON: all settings have their defaults
  }
  const readMs = (name: keyof OwnerSettings): number => {
    const value = found[name]
    return typeof value === "number" && value >= 0 && value <= MAX_MS ? value : defaultOwnerSettings[name]
  }
  return {
    ownerLingerMs: readMs("ownerLingerMs"),
    ownerTermMs: readMs("ownerTermMs"),
    idleInTransactionMs: readMs("idleInTransactionMs")
  }
}

/** The faults in the text of a `settings.json`, one line each. A faulty value is replaced by its default. */
export const listSettingsFaults = (text: string): ReadonlyArray<string> => {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return ["it is not valid JSON"]
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) return ["it is not an object"]
  return Object.entries(found).flatMap(([name, value]) => {
    if (!Object.hasOwn(defaultOwnerSettings, name)) return [`${JSON.stringify(name.slice(0, 40))} is no setting`]
    return typeof value === "number" && value >= 0 && value <= MAX_MS
      ? []
      : [`${name} is no number from 0 to ${MAX_MS}`]
  })
}

/**
 * Changes these settings in `settings.json` and keeps the others. A running owner applies them at its next decision.
 */
export const writeOwnerSettings = (dataDir: string, settings: Partial<OwnerSettings>): void => {
  const file = path.join(dataDir, ownerFiles.settings)
  const next = JSON.stringify({ ...readOwnerSettings(dataDir), ...settings }, null, 2) + "\n"
  const temporary = `${file}.${process.pid}`
  fs.writeFileSync(temporary, next, { mode: 0o600 })
  fs.renameSync(temporary, file)
}
