/** Whose view an answer is: that of a company's API or of its app, of a market, of a persona. */
import { Schema } from "effect"
import type { SearchMode } from "../sources/Source.ts"

export const Surface = Schema.Literals(["api", "app"])
export type Surface = typeof Surface.Type

/** The surface behind an adapter; null for made-up, recorded and imported answers. */
export const surfaceOf = (adapter: string): Surface | null =>
  adapter === "dataforseo" || adapter === "captured"
    ? "app"
    : ["simulated", "recorded", "import"].includes(adapter)
    ? null
    : "api"

/** A market; what is null is left to the platform. */
export const Market = Schema.Struct({ country: Schema.NullOr(Schema.String), language: Schema.NullOr(Schema.String) })
export type Market = typeof Market.Type

/** What a request said of its reader: place and language, and what the settings add to the question. */
export const SentMarket = Schema.Struct({
  ...Market.fields,
  /** Of the settings' system prompt: the first 12 hex digits of its SHA-256. Absent without one. */
  persona: Schema.optionalKey(Schema.String),
  /** The settings' place within the country, or its coordinates. */
  place: Schema.optionalKey(Schema.String),
  /** The engine of a router's search tool. */
  search_engine: Schema.optionalKey(Schema.String)
})
export type SentMarket = typeof SentMarket.Type

/** With its members in the order of RFC 8785. */
export const orderMarket = ({ country, language, persona, place, search_engine }: SentMarket): SentMarket => ({
  country,
  language,
  ...persona === undefined ? {} : { persona },
  ...place === undefined ? {} : { place },
  ...search_engine === undefined ? {} : { search_engine }
})

/** Stands for a part of a market that a platform's API has no place for. */
const notExpressible = "not expressible"

/** What a request said of its market: what was sent, or `notExpressible`. Null if there was nothing to say. */
export const sentMarket = (market: Market, can: { readonly [Part in keyof Market]: boolean }): Market | null =>
  market.country === null && market.language === null ? null : {
    country: market.country !== null && !can.country ? notExpressible : market.country,
    language: market.language !== null && !can.language ? notExpressible : market.language
  }

/** A view: a market, a line of context that is sent before each question, or both. */
export const View = Schema.Struct({
  name: Schema.String,
  ...Market.fields,
  context: Schema.NullOr(Schema.String)
})
export type View = typeof View.Type

/** Whose view an answer is, as its leaf of version 3 covers it. */
export const Asked = Schema.Struct({
  surface: Schema.NullOr(Surface),
  /** Name of the view; null for the standard one. */
  view: Schema.NullOr(Schema.String),
  market: Schema.NullOr(SentMarket)
})
export type Asked = typeof Asked.Type

const nameOf = (kind: "region" | "language", code: string): string =>
  new Intl.DisplayNames(["en"], { type: kind }).of(code) ?? code

/** "Germany/German"; "no market" without one. */
export const describeMarket = ({ country, language }: Market): string =>
  [country === null ? null : nameOf("region", country), language === null ? null : nameOf("language", language)]
    .filter((part) => part !== null).join("/") || "no market"

const surfaceWords = { api: "API answers", app: "App answers" } as const

/** "API answers, web search on, Germany/German": whose view a number is, in one line. */
export const describeSurface = (
  { search, simulated, surface, view }: {
    readonly simulated: boolean
    readonly surface?: Surface | undefined
    readonly view?: View | undefined
    /** How its platforms searched, as far as known. */
    readonly search?: ReadonlyArray<SearchMode> | undefined
  }
): string => {
  const modes = new Set((search ?? []).map((mode) => mode === "off" ? "off" : "on"))
  return [
    // Earlier releases asked APIs only
    simulated ? "Simulated answers" : surfaceWords[surface ?? "api"],
    modes.size === 0 ? null : modes.size === 2 ? "web search on some platforms" : `web search ${[...modes][0]}`,
    view === undefined ? "no market" : describeMarket(view),
    view === undefined ? null : `view ${JSON.stringify(view.name)}${view.context === null ? "" : " with a persona"}`
  ].filter((part) => part !== null).join(", ")
}
