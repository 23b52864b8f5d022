/** The view that an answer represents: a company's API or its app, a market, a persona. */
import { Schema } from "effect"
import type { SearchMode } from "../sources/Source.ts"

export const Surface = Schema.Literals(["api", "app"])
export type Surface = typeof Surface.Type

/** The surface behind an adapter; null for simulated, recorded and imported answers. */
export const surfaceOf = (adapter: string): Surface | null =>
  adapter === "dataforseo" || adapter === "captured"
    ? "app"
    : ["simulated", "recorded", "import"].includes(adapter)
    ? null
    : "api"

/** A market; members that are null are left to the platform. */
export const Market = Schema.Struct({ country: Schema.NullOr(Schema.String), language: Schema.NullOr(Schema.String) })
export type Market = typeof Market.Type

/** What a request stated about its reader: location and language, and what the settings add to the question. */
export const SentMarket = Schema.Struct({
  ...Market.fields,
  /** The first 12 hex digits of the SHA-256 of the configured system prompt. Left out without one. */
  persona: Schema.optionalKey(Schema.String),
  /** The configured location within the country, or its coordinates. */
  place: Schema.optionalKey(Schema.String),
  /** The search engine of a router's search tool. */
  search_engine: Schema.optionalKey(Schema.String)
})
export type SentMarket = typeof SentMarket.Type

/** Orders the members as RFC 8785 does. */
export const orderMarket = ({ country, language, persona, place, search_engine }: SentMarket): SentMarket => ({
  country,
  language,
  ...persona === undefined ? {} : { persona },
  ...place === undefined ? {} : { place },
  ...search_engine === undefined ? {} : { search_engine }
})

/** Replaces a part of a market that a platform's API cannot express. */
const notExpressible = "not expressible"

/** What a request stated about its market: the value sent, or `notExpressible`. Null if the market is empty. */
export const sentMarket = (market: Market, can: { readonly [Part in keyof Market]: boolean }): Market | null =>
  market.country === null && market.language === null ? null : {
    country: market.country !== null && !can.country ? notExpressible : market.country,
    language: market.language !== null && !can.language ? notExpressible : market.language
  }

/** A view: a market, a line of context sent before each question, or both. */
export const View = Schema.Struct({
  name: Schema.String,
  ...Market.fields,
  context: Schema.NullOr(Schema.String)
})
export type View = typeof View.Type

/** The view that an answer represents, as covered by its leaf of version 3. */
export const Asked = Schema.Struct({
  surface: Schema.NullOr(Surface),
  /** Name of the view; null for the standard view. */
  view: Schema.NullOr(Schema.String),
  market: Schema.NullOr(SentMarket)
})
export type Asked = typeof Asked.Type

const nameOf = (kind: "region" | "language", code: string): string =>
  new Intl.DisplayNames(["en"], { type: kind }).of(code) ?? code

/** "Germany/German"; "no market" if both are null. */
export const describeMarket = ({ country, language }: Market): string =>
  [country === null ? null : nameOf("region", country), language === null ? null : nameOf("language", language)]
    .filter((part) => part !== null).join("/") || "no market"

const surfaceWords = { api: "API answers", app: "App answers" } as const

/** "API answers, web search on, Germany/German": describes in one line the view that a number represents. */
export const describeSurface = (
  { search, simulated, surface, view }: {
    readonly simulated: boolean
    readonly surface?: Surface | undefined
    readonly view?: View | undefined
    /** How the scan's platforms searched, if known. */
    readonly search?: ReadonlyArray<SearchMode> | undefined
  }
): string => {
  const modes = new Set((search ?? []).map((mode) => mode === "off" ? "off" : "on"))
  return [
    // Earlier releases only asked APIs
    simulated ? "Simulated answers" : surfaceWords[surface ?? "api"],
    modes.size === 0 ? null : modes.size === 2 ? "web search on some platforms" : `web search ${[...modes][0]}`,
    view === undefined ? "no market" : describeMarket(view),
    view === undefined ? null : `view ${JSON.stringify(view.name)}${view.context === null ? "" : " with a persona"}`
  ].filter((part) => part !== null).join(", ")
}
