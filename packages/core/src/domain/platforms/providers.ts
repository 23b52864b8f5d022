/** Providers by name, each with the entry of `sov.config.json` to begin with. */

/** A provider as `sov platform add NAME` and `sov init` know it. */
interface KnownProvider {
  /** The variable that its documentation names for the key. */
  readonly key: string
  /** The entry without its key. */
  readonly binding: {
    readonly adapter: string
    readonly model?: string
    readonly baseUrl?: string
    readonly label?: string
    readonly webSearch?: boolean
    readonly keyHeader?: string
    readonly searchEngine?: string
    readonly location?: string
    readonly language?: string
  }
}

/** The models are those of November 2026 (docs/platforms.md). */
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
      webSearch: true
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
  /** The model is one of many, and theirs to name. */
  openrouter: {
    key: "OPENROUTER_API_KEY",
    binding: {
      adapter: "openai-responses",
      baseUrl: "https://openrouter.ai/api/v1",
      searchEngine: "auto",
      webSearch: true
    }
  },
  /** The base URL names the operator's resource, and the model its deployment. */
  azure: {
    key: "AZURE_OPENAI_API_KEY",
    binding: { adapter: "openai-responses", keyHeader: "api-key", label: "Azure", webSearch: true }
  },
  /** A scraper of apps, which nothing offers unasked; the key is `login:password`. */
  dataforseo: {
    key: "DATAFORSEO_CREDENTIALS",
    binding: {
      adapter: "dataforseo",
      model: "google-ai-overview",
      label: "AI Overview",
      location: "United States",
      language: "en"
    }
  }
} satisfies Readonly<Record<string, KnownProvider>>

export type ProviderName = keyof typeof providers
export const providerNames = Object.keys(providers) as ReadonlyArray<ProviderName>

/**
 * Whether nothing but the key is missing: a URL of the operator's or a model is asked for otherwise, and a scraper is
 * for the operator to decide.
 */
export const isReady = (name: ProviderName): boolean => {
  const { adapter, baseUrl, model } = providers[name].binding as KnownProvider["binding"]
  return name !== "dataforseo" && model !== undefined &&
    (baseUrl !== undefined || adapter !== "openai-responses" || name === "openai")
}
