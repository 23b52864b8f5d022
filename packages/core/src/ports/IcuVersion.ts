import { Context } from "effect"

/**
 * Version of the runtime's Unicode data. Word boundaries of Han, Thai and similar scripts depend on it, so every
 * measurement stores it.
 */
export const IcuVersion = Context.Reference<string>("@sov/core/ports/IcuVersion", {
  defaultValue: () => globalThis.process?.versions.icu ?? "unknown"
})
