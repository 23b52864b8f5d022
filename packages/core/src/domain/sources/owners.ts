/** The owner of a source's page. It is not stored but computed from the tracked set when sources are read. */
import type { CompetitorId } from "../ids.ts"
import type { Brand, Competitor } from "../tracking/TrackedSet.ts"
import type { SourcePlace } from "./Source.ts"

/** `own`: the brand. `competitor`: a tracked competitor. `engine`: an answer or search engine. */
export type Owner =
  | { readonly kind: "own" }
  | { readonly kind: "competitor"; readonly id: CompetitorId; readonly name: string }
  | { readonly kind: "engine" }
  | { readonly kind: "third_party" }

const thirdParty: Owner = { kind: "third_party" }
const engine: Owner = { kind: "engine" }

/** Hosts of answer and search engines, with all their pages. */
const engineHosts = new Set([
  "chatgpt.com",
  "chat.openai.com",
  "claude.ai",
  "gemini.google.com",
  "perplexity.ai",
  "copilot.microsoft.com",
  "grok.com",
  "chat.mistral.ai",
  "duckduckgo.com",
  "search.brave.com",
  "search.yahoo.com",
  "vertexaisearch.cloud.google.com"
])
/** Result pages of engines whose hosts also serve other pages. */
const enginePages =
  /^https:\/\/(?:google\.[a-z.]{2,6}\/(?:search|maps|url)|bing\.com\/(?:search|chat|ck)|ecosia\.org\/search)(?:[/?#]|$)/

/** Whether `host` is `domain` or a subdomain. */
const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

const normalizeDomain = (domain: string): string =>
  URL.parse(`https://${domain}/`)?.hostname.replace(/^www\./, "") ?? domain.toLowerCase()

/** Whether a page belongs to an answer or search engine. */
export const isEnginePage = ({ host, page }: Pick<SourcePlace, "page" | "host">): boolean =>
  (host !== null && engineHosts.has(host)) || (page !== null && enginePages.test(page))

/** Finds the owner of a source by the tracked set's domains; the most specific domain wins. */
export const makeOwnerLookup = (
  { brand, competitors }: {
    readonly brand: Pick<Brand, "domains">
    readonly competitors: ReadonlyArray<Pick<Competitor, "id" | "name" | "domains">>
  }
): (place: Pick<SourcePlace, "page" | "host">) => Owner => {
  const tracked = [
    ...brand.domains.map((domain) => ({ domain: normalizeDomain(domain), owner: { kind: "own" } as Owner })),
    ...competitors.flatMap(({ domains, id, name }) =>
      domains.map((domain) => ({ domain: normalizeDomain(domain), owner: { kind: "competitor", id, name } as Owner }))
    )
  ].sort((a, b) => b.domain.length - a.domain.length)
  const known = new Map<string, Owner>()
  return ({ host, page }) => {
    if (host === null) return thirdParty
    let owner = known.get(host)
    if (owner === undefined) {
      owner = tracked.find(({ domain }) => isWithin(host, domain))?.owner ??
        (engineHosts.has(host) ? engine : thirdParty)
      known.set(host, owner)
    }
    return owner === thirdParty && page !== null && enginePages.test(page) ? engine : owner
  }
}
