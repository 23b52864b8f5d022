/** Known providers by name, each with an initial entry for `sov.config.json`. */

/** A provider that `sov platform add NAME` and `sov init` can set up. */
interface KnownProvider {
  /** The environment variable for the key, as named in the provider's documentation. */
  readonly key: string
  /** The entry without its key. */
  readonly binding: {
    readonly adapter: string
    readonly model?: string
    readonly baseUrl?: string
    readonly label?: string
    readonly webSearch?: boolean
    readonly costReported?: boolean
    readonly keyHeader?: string
    readonly searchEngine?: string
    readonly location?: string
    readonly language?: string
  }
}

/** The providers by name; the models are those of November 2026 (docs/platforms.md). */
export const providers = {
  openai: {
    key: "OPENAI_API_KEY",
    binding: { adapter: "openai-responses", model: "gpt-6.1-terra", webSearch: true }
  },
  anthropic: {
    key: "ANTHROPIC_API_KEY",
    binding: { adapter: "anthropic-messages", model: "claude-sonnet-5-5", webSearch: true }
  },
  gemini: { key: "GEMINI_API_KEY", binding: { adapter: "gemini", model: "gemini-3.8-flash", webSearch: true } },
  perplexity: { key: "PERPLEXITY_API_KEY", binding: { adapter: "perplexity", model: "perplexity/sonar" } },
  mistral: { key: "MISTRAL_API_KEY", binding: { adapter: "mistral", model: "mistral-large-latest", webSearch: true } },
  xai: {
    key: "XAI_API_KEY",
    binding: {
      adapter: "openai-responses",
      baseUrl: "https://api.x.ai/v1",
      model: "grok-4.7",
      label: "Grok",
      webSearch: true,
      costReported: true
    }
  },
  deepseek: {
    key: "DEEPSEEK_API_KEY",
    binding: {
      adapter: "anthropic-messages",
      baseUrl: "https://api.deepseek.com/anthropic/v1",
      model: "deepseek-flash",
      label: "DeepSeek",
      webSearch: true
    }
  },
  openrouter: {
    key: "OPENROUTER_API_KEY",
    binding: {
      adapter: "openai-responses",
      baseUrl: "https://openrouter.ai/api/v1",
      model: "openai/gpt-6.1-terra",
      searchEngine: "auto",
      webSearch: true,
      costReported: true
    }
  },
  /** The base URL contains the name of the operator's resource, and the model is the name of its deployment */
  azure: {
    key: "AZURE_OPENAI_API_KEY",
    binding: { adapter: "openai-responses", keyHeader: "api-key", label: "Azure", webSearch: true }
  },
  /** A scraper of apps, which sov never suggests by itself; its key is `login:password` */
  dataforseo: {
    key: "DATAFORSEO_CREDENTIALS",
    binding: {
      adapter: "dataforseo",
      model: "google-ai-overview",
      location: "United States",
      language: "en"
    }
  }
} satisfies Readonly<Record<string, KnownProvider>>

export type ProviderName = keyof typeof providers
export const providerNames = Object.keys(providers) as ReadonlyArray<ProviderName>

/** Common names of the apps that DataForSEO scrapes. */
const appLabels: Readonly<Record<string, string>> = {
  "google-ai-mode": "AI Mode",
  "google-ai-overview": "AI Overview",
  chatgpt: "ChatGPT app"
}

/** A provider's entry with its key, for `model` if it is given, otherwise for the provider's default model. */
export const makeEntry = (name: ProviderName, model?: string): Record<string, unknown> => {
  const { binding, key }: KnownProvider = providers[name]
  const asked = model ?? binding.model
  const label = name === "dataforseo" ? appLabels[asked ?? ""] : binding.label
  return {
    ...binding,
    ...asked === undefined ? {} : { model: asked },
    ...label === undefined ? {} : { label },
    apiKeyEnv: key
  }
}

/** The base URL of Azure's API, which contains the operator's resource. */
export const azureUrl = "https://RESOURCE.openai.azure.com/openai/v1"

/** The command that adds a provider; placeholders that only the operator can fill in are in capitals. */
export const addCommand = (name: ProviderName): string =>
  `sov platform add ${name}${name === "azure" ? ` --base-url ${azureUrl} --model DEPLOYMENT` : ""}`

/** Providers that sov may suggest by itself; a scraper is the operator's own choice. */
export const offeredProviders: ReadonlyArray<ProviderName> = providerNames.filter((name) => name !== "dataforseo")

/** Whether the provider's entry is complete except for the key. */
export const isReady = (name: ProviderName): boolean => offeredProviders.includes(name) && name !== "azure"
