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

/** A market; the platform chooses the members that are null. */
export const Market = Schema.Struct({ country: Schema.NullOr(Schema.String), language: Schema.NullOr(Schema.String) })
export type Market = typeof Market.Type

/** What a request stated about its reader: location and language, and the settings that were added to the question. */
export const SentMarket = Schema.Struct({
  ...Market.fields,
  /** The first 12 hex digits of the SHA-256 of the configured system prompt; left out if there is no system prompt. */
  persona: Schema.optionalKey(Schema.String),
  /** The configured location within the country, or its coordinates. */
  place: Schema.optionalKey(Schema.String),
  /** The search engine that a router's search tool uses. */
  search_engine: Schema.optionalKey(Schema.String)
})
export type SentMarket = typeof SentMarket.Type

/** Puts the members into the order of RFC 8785. */
export const orderMarket = ({ country, language, persona, place, search_engine }: SentMarket): SentMarket => ({
  country,
  language,
  ...persona === undefined ? {} : { persona },
  ...place === undefined ? {} : { place },
  ...search_engine === undefined ? {} : { search_engine }
})

/** The value for a part of a market that a platform's API cannot express. */
const notExpressible = "not expressible"

/**
 * What a request stated about its market: for each member the value that was sent, or `notExpressible`. Null if the
 * market is empty.
 */
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

/** The view that an answer represents; the answer's leaf of version 3 covers it. */
export const Asked = Schema.Struct({
  surface: Schema.NullOr(Surface),
  /** Name of the view; null for the standard view. */
  view: Schema.NullOr(Schema.String),
  market: Schema.NullOr(SentMarket)
})
export type Asked = typeof Asked.Type

/** A platform's settings may name a market by a word instead of a code */
const nameOf = (kind: "region" | "language", code: string): string =>
  /^[A-Za-z]{2,3}$/.test(code) ? new Intl.DisplayNames(["en"], { type: kind }).of(code) ?? code : code

/** "Germany/German"; "no market" if both are null. */
export const describeMarket = ({ country, language }: Market): string =>
  [country === null ? null : nameOf("region", country), language === null ? null : nameOf("language", language)]
    .filter((part) => part !== null).join("/") || "no market"

const surfaceWords = { api: "API answers", app: "App answers" } as const

/**
 * What an answer's request stated: how it searched, and its market as JSON text (the text `null` if it stated no
 * market).
 */
interface SentOrigin {
  readonly search: SearchMode | null
  /** Null or absent if unknown. */
  readonly sent?: string | null
}

const describeSearch = (origins: ReadonlyArray<SentOrigin>): string | null => {
  const modes = new Set(origins.flatMap(({ search }) => search === null ? [] : [search === "off" ? "off" : "on"]))
  return modes.size === 0 ? null : modes.size === 2 ? "web search differs by platform" : `web search ${[...modes][0]}`
}

const expressed = (part: string | null | undefined): string | null => part === notExpressible ? null : part ?? null

/**
 * The market as it was sent: "Germany/German where expressible" if a platform's request could not state a part of the
 * view's market.
 */
const describeSent = (
  { simulated, view }: { readonly simulated: boolean; readonly view?: View | undefined },
  origins: ReadonlyArray<SentOrigin>
): string => {
  const sent = origins.flatMap((one) => one.sent == null ? [] : [JSON.parse(one.sent) as SentMarket | null])
  if (view !== undefined && (view.country ?? view.language) !== null) {
    const isPartial = sent.some((market) => [market?.country, market?.language].includes(notExpressible))
    return `${describeMarket(view)}${isPartial ? " where expressible" : ""}`
  }
  if (sent.length === 0 && origins.length > 0 && !simulated) return "market not recorded"
  const markets = new Set(
    sent.map((market) => describeMarket({ country: expressed(market?.country), language: expressed(market?.language) }))
  )
  return markets.size > 1 ? "market differs by platform" : [...markets][0] ?? "no market"
}

/**
 * Describes in one line from which surface and view the answers behind a number come: "API answers, web search on,
 * Germany/German". `origins` are those of these answers; without them, the line does not say how platforms searched.
 */
export const describeSurface = (
  scan: {
    readonly simulated: boolean
    readonly surface?: Surface | undefined
    readonly view?: View | undefined
  },
  origins: ReadonlyArray<SentOrigin> = []
): string => {
  const { simulated, view } = scan
  // Captured answers are the only view without a market and a context: people saw them wherever they were
  const isCaptured = view !== undefined && (view.country ?? view.language ?? view.context) === null
  return [
    // Earlier releases only asked APIs
    simulated ? "Simulated answers" : surfaceWords[scan.surface ?? "api"],
    describeSearch(origins),
    isCaptured ? "captured by people" : describeSent(scan, origins),
    view === undefined ? null : `view ${JSON.stringify(view.name)}${view.context === null ? "" : " with a persona"}`
  ].filter((part) => part !== null).join(", ")
}
