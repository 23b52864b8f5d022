/** Display names of platforms: the operator's label, or the provider and its model. */
import { type PlatformId, platformIds } from "../../../domain/platforms/Platform.ts"
import type { PlatformBinding } from "./bindings.ts"
import type { PlatformConfig } from "./PlatformConfig.ts"

const providerNames: Readonly<Record<string, string>> = {
  "api.openai.com": "OpenAI API",
  "api.anthropic.com": "Anthropic API",
  "generativelanguage.googleapis.com": "Gemini API",
  "api.perplexity.ai": "Perplexity API",
  "api.mistral.ai": "Mistral API",
  "api.dataforseo.com": "DataForSEO"
}

/**
 * The display name of a binding, such as `OpenAI API, gpt-6.1-terra`, or the host of another server. Simulated and
 * recorded platforms have no display name.
 */
const findDisplayName = (binding: PlatformBinding): string | undefined => {
  if (binding.label !== undefined || !("baseUrl" in binding)) return binding.label
  const host = URL.parse(binding.baseUrl)?.host ?? binding.baseUrl
  return `${providerNames[host] ?? host}, ${binding.model}`
}

/** The display names of the configured platforms. */
export const mapDisplayNames = ({ platforms }: PlatformConfig): ReadonlyMap<PlatformId, string> =>
  new Map(platformIds.flatMap((id) => {
    const binding = platforms[id]
    const name = binding === undefined ? undefined : findDisplayName(binding)
    return name === undefined ? [] : [[id, name] as const]
  }))
