/** A binding to begin with for each provider, under the variable that its documentation names for the key. */
export const platformExamples = {
  OPENAI_API_KEY: { adapter: "openai-responses", model: "gpt-6.1-terra", webSearch: true },
  ANTHROPIC_API_KEY: { adapter: "anthropic-messages", model: "claude-sonnet-5-5", webSearch: true },
  GEMINI_API_KEY: { adapter: "gemini", model: "gemini-3.8-flash", webSearch: true },
  PERPLEXITY_API_KEY: { adapter: "perplexity", model: "perplexity/sonar" }
}

/** The variables of the keys. */
export const keyNames = Object.keys(platformExamples) as ReadonlyArray<keyof typeof platformExamples>
