/**
 * Converts configurations for Perplexity's Sonar API, which ended on 2026-09-27. Options with an equivalent in the
 * Agent API still work; the others are refused with the line to write instead.
 */
import { Result } from "effect"
import { type ConfigError, failConfig } from "./configFault.ts"

/**
 * For each model without a counterpart, the preset that Perplexity's migration guide suggests. That preset uses a
 * different model.
 */
const successors: Readonly<Record<string, string>> = {
  "sonar-pro": "low",
  "sonar-reasoning": "medium",
  "sonar-reasoning-pro": "medium",
  "sonar-deep-research": "high"
}

const formatJsonLine = (field: string, value: string): string => `"${field}": "${value}"`

/** Converts the fields of a `perplexity` binding for the Agent API, with one warning if any had to change. */
export const fromSonar = (
  source: string,
  path: string,
  given: Record<string, unknown>
): Result.Result<{ readonly given: Record<string, unknown>; readonly warning: string | null }, ConfigError> => {
  const { baseUrl, model } = given
  if (typeof model === "string" && Object.hasOwn(successors, model)) {
    return failConfig(
      source,
      `${path}.model "${model}" ended with Perplexity's Sonar API on 2026-09-27; no model of the Agent API is the same`,
      `Write ${formatJsonLine("model", successors[model]!)} (a preset, which other models answer) or ${
        formatJsonLine("model", "perplexity/sonar")
      }.`
    )
  }
  const changes = {
    ...(model === "sonar" ? { model: "perplexity/sonar" } : {}),
    ...(typeof baseUrl === "string" && /^https:\/\/api\.perplexity\.ai\/*$/.test(baseUrl)
      ? { baseUrl: "https://api.perplexity.ai/v1" }
      : {})
  }
  const lines = Object.entries(changes).map(([field, value]) => formatJsonLine(field, value))
  return Result.succeed({
    given: { ...given, ...changes },
    warning: lines.length === 0
      ? null
      : `${source}: ${path} is written for Perplexity's Sonar API, which ended on 2026-09-27; ` +
        `the Agent API is asked instead: write ${lines.join(", ")}`
  })
}
