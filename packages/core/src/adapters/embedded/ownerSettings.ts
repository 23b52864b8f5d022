/**
 * Settings of the owner process. They live in the data directory, not in the environment: the owner serves everybody
 * who uses the directory, and must not depend on who happened to start it.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { ownerFiles } from "./ownerProtocol.ts"

/** All in milliseconds. */
export interface OwnerSettings {
  /** How long the owner stays after its last client left; default 5 s. */
  readonly ownerLingerMs: number
  /**
   * How long it serves on after SIGTERM while it has clients; default 30 s: a worker takes up to 28 to stop
   * (`stopGraceMs`).
   */
  readonly ownerTermMs: number
  /** How long a transaction may hold the one session without a message; default 30 s. */
  readonly idleInTransactionMs: number
}

const defaultOwnerSettings: OwnerSettings = { ownerLingerMs: 5_000, ownerTermMs: 30_000, idleInTransactionMs: 30_000 }
const MAX_MS = 600_000

/** Reads `settings.json` of a data directory; what is absent, malformed or out of range has its default. */
export const readOwnerSettings = (dataDir: string | undefined): OwnerSettings => {
  if (dataDir === undefined) return defaultOwnerSettings
  let found: Record<string, unknown> = {}
  try {
    const parsed: unknown = JSON.parse(fs.readFileSync(path.join(dataDir, ownerFiles.settings), "utf8"))
    if (typeof parsed === "object" && parsed !== null) found = parsed as Record<string, unknown>
  } catch {
    // absent or not JSON: the defaults
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

/** What is wrong with the text of a `settings.json`, one line each: such settings have their defaults. */
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

/** Keeps settings in `settings.json`; others that are there stay. A running owner follows at its next decision. */
export const writeOwnerSettings = (dataDir: string, settings: Partial<OwnerSettings>): void => {
  const file = path.join(dataDir, ownerFiles.settings)
  const next = JSON.stringify({ ...readOwnerSettings(dataDir), ...settings }, null, 2) + "\n"
  const temporary = `${file}.${process.pid}`
  fs.writeFileSync(temporary, next, { mode: 0o600 })
  fs.renameSync(temporary, file)
}
