/** How each provider's requests express a market (docs/platforms.md#markets). */
import { hash } from "node:crypto"
import { type Market, type SentMarket, sentMarket } from "../../../domain/platforms/surface.ts"
import type { RemoteBinding } from "./bindings.ts"

/** A binding for a market, and what its requests state about the market. */
export interface BindingInMarket<Binding> {
  readonly binding: Binding
  readonly market: Market | null
}

const countryNames = new Intl.DisplayNames(["en"], { type: "region" })

/**
 * Puts the market into the binding where the format supports it. A country replaces the whole configured location,
 * because the configured city may be in another country. Members of the market that are null keep the configured
 * values.
 */
export const inMarket = (binding: RemoteBinding, { country, language }: Market): BindingInMarket<RemoteBinding> => {
  switch (binding.adapter) {
    case "openai-responses":
    case "anthropic-messages": {
      const told = country === null || !binding.webSearch ? binding : { ...binding, location: { country } }
      const sent = country ?? binding.location?.country ?? null
      return {
        binding: told,
        market: sentMarket({ country: sent, language }, { country: binding.webSearch, language: false })
      }
    }
    case "perplexity": {
      const told = country === null || !binding.webSearch ? binding : { ...binding, location: { country } }
      return {
        binding: language === null ? told : { ...told, language },
        market: sentMarket(
          { country: country ?? binding.location?.country ?? null, language: language ?? binding.language ?? null },
          { country: binding.webSearch, language: true }
        )
      }
    }
    case "gemini": {
      const { location, ...elsewhere } = binding
      const told = country === null || location === undefined ? binding : elsewhere
      return {
        binding: language === null ? told : { ...told, language },
        market: sentMarket(
          { country, language: language ?? binding.language ?? null },
          { country: false, language: true }
        )
      }
    }
    case "dataforseo": {
      const place = country === null ? binding.location : countryNames.of(country) ?? country
      const told = { ...binding, location: place, language: language ?? binding.language }
      return { binding: told, market: { country: country ?? binding.location, language: told.language } }
    }
    case "mistral":
    case "openai-compatible":
      return { binding, market: sentMarket({ country, language }, { country: false, language: false }) }
  }
}

const describePlace = (binding: RemoteBinding): string | undefined => {
  if (!("location" in binding) || binding.location === undefined || typeof binding.location === "string") return
  const { location } = binding
  if ("latitude" in location) return `${location.latitude}, ${location.longitude}`
  return [location.city, location.region].filter((part) => part !== undefined).join(", ") || undefined
}

/**
 * The settings to archive with an answer: what its request states about the market, and what the configuration adds to
 * every question; null if there are neither.
 */
export const withSettings = ({ binding, market }: BindingInMarket<RemoteBinding>): SentMarket | null => {
  const searches = !("webSearch" in binding) || binding.webSearch
  const place = searches ? describePlace(binding) : undefined
  const persona = "systemPrompt" in binding && binding.systemPrompt !== undefined
    ? hash("sha256", binding.systemPrompt, "hex").slice(0, 12)
    : undefined
  const engine = searches && "searchEngine" in binding ? binding.searchEngine : undefined
  if (place === undefined && persona === undefined && engine === undefined) return market
  return {
    ...market ?? { country: null, language: null },
    ...persona === undefined ? {} : { persona },
    ...place === undefined ? {} : { place },
    ...engine === undefined ? {} : { search_engine: engine }
  }
}
