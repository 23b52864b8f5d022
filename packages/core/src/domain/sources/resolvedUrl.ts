/**
 * Where Google's redirects lead. Gemini names pages by addresses that redirect and end after 30 days; what they lead to
 * is asked for only where the operator says so. The page itself is never requested.
 */
import { locateSource } from "./deriveSources.ts"
import { isEnginePage } from "./owners.ts"
import { maxUrlLength, type Source } from "./Source.ts"

/** Addresses that may be requested begin so; nothing else ever is. */
export const redirectPrefix = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
/** Most requests for one address: a redirect may lead to another one. */
export const maxRedirects = 3
/** Most times that one address is tried. */
const maxResolveTries = 5
/** An address is tried until its answer is so old, in milliseconds. */
export const resolveWithinMs = 86_400_000

/** Pauses before the second to the fifth try, in milliseconds: a minute to six hours, well within a day. */
const pausesMs = [60_000, 600_000, 3_600_000, 21_600_000]

/** How long to wait after so many failed tries, in milliseconds; null = there are no more. */
export const pauseAfterTries = (tries: number): number | null => tries < maxResolveTries ? pausesMs[tries - 1]! : null

/** Whether an address may be requested: also when written another way, it has the prefix. */
export const isResolvable = (url: string): boolean =>
  url.length <= maxUrlLength && url.startsWith(redirectPrefix) &&
  URL.parse(url)?.href.startsWith(redirectPrefix) === true

/**
 * How the tries for an address ended. `resolved`: its target is known. `gone`: the address has ended (404, 410).
 * `refused`: what answers leads to no web address. `failed`: no try had an answer.
 */
export const resolveOutcomes = ["resolved", "gone", "refused", "failed"] as const
export type ResolveOutcome = typeof resolveOutcomes[number]

/** What became of an address that redirects; `target` is null unless it is `resolved`. */
export interface ResolvedUrl {
  readonly url: string
  readonly target: string | null
  readonly outcome: ResolveOutcome
  readonly resolvedAt: Date
}

/** Where an address leads, read off `Location`, which may be relative to `from`; null when that is no web address. */
export const parseRedirectTarget = (location: string | undefined, from: string): string | null => {
  const target = location === undefined || location.length > maxUrlLength ? null : URL.parse(location, from)
  if (target === null || (target.protocol !== "https:" && target.protocol !== "http:")) return null
  return target.href.length <= maxUrlLength ? target.href : null
}

const googleHost = /^(?:[a-z0-9-]+\.)*google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/

/**
 * Whether an address is one of the pages that Google shows in place of where a redirect leads: to callers that it
 * blocks, or asks for consent or a sign-in. The same redirect may lead on later.
 */
export const isInterposedPage = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && googleHost.test(parsed.hostname) &&
    (/^(?:consent|accounts)\./.test(parsed.hostname) || /^\/sorry(?:\/|$)/.test(parsed.pathname))
}

/**
 * A source where its target lies; as it is, by the site that was named, while the target is not known, or is no page,
 * or one of an engine.
 */
export const moveToTarget = <A extends Pick<Source, "url" | "page" | "host" | "domain">>(
  source: A,
  targets: ReadonlyMap<string, string>
): A => {
  const target = targets.get(source.url)
  const place = target === undefined ? null : locateSource({ url: target, title: null })
  const unknown = place === null || place.page === null || isEnginePage(place) || isInterposedPage(target!)
  return unknown ? source : { ...source, ...place }
}
