/**
 * Resolves Google's redirects, because Gemini names pages by redirects that expire after 30 days. Targets are requested
 * only if the operator enables this, and the page itself is never requested.
 */
import { locateSource } from "./deriveSources.ts"
import { isEnginePage } from "./owners.ts"
import { maxUrlLength, type Source } from "./Source.ts"

/** The prefix of addresses that may be requested. */
export const redirectPrefix = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
/** Maximum number of requests for one address, because a redirect may lead to another redirect. */
export const maxRedirects = 3
/** Maximum number of attempts for one address. */
const maxResolveTries = 5
/** Addresses of an answer that is older than this, in milliseconds, are no longer tried. */
export const resolveWithinMs = 86_400_000

/**
 * Pauses before the second to the fifth attempt, in milliseconds: a minute to six hours, in total well within a day.
 */
const pausesMs = [60_000, 600_000, 3_600_000, 21_600_000]

/** The pause after this number of failed attempts, in milliseconds; null after the last attempt. */
export const pauseAfterTries = (tries: number): number | null => tries < maxResolveTries ? pausesMs[tries - 1]! : null

/** Whether an address may be requested: both the address and its normalized form have the prefix. */
export const isResolvable = (url: string): boolean =>
  url.length <= maxUrlLength && url.startsWith(redirectPrefix) &&
  URL.parse(url)?.href.startsWith(redirectPrefix) === true

/**
 * The outcome for an address. `resolved`: its target is known · `gone`: the address has expired (404, 410) · `refused`:
 * the response leads to no web address · `failed`: no attempt got a response.
 */
export const resolveOutcomes = ["resolved", "gone", "refused", "failed"] as const
export type ResolveOutcome = typeof resolveOutcomes[number]

/** The outcome for a redirect; `target` is null unless the outcome is `resolved`. */
export interface ResolvedUrl {
  readonly url: string
  readonly target: string | null
  readonly outcome: ResolveOutcome
  readonly resolvedAt: Date
}

/** Reads a `Location` header, which may be relative to `from`; null if it is not a web address. */
export const parseRedirectTarget = (location: string | undefined, from: string): string | null => {
  const target = location === undefined || location.length > maxUrlLength ? null : URL.parse(location, from)
  if (target === null || (target.protocol !== "https:" && target.protocol !== "http:")) return null
  return target.href.length <= maxUrlLength ? target.href : null
}

const googleHost = /^(?:[a-z0-9-]+\.)*google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/

/**
 * Whether an address is a page that Google shows instead of the target, for example to block a caller or to ask for
 * consent or a sign-in. The same redirect may work later.
 */
export const isInterposedPage = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && googleHost.test(parsed.hostname) &&
    (/^(?:consent|accounts)\./.test(parsed.hostname) || /^\/sorry(?:\/|$)/.test(parsed.pathname))
}

/**
 * Moves a source to the location of its target. Leaves the source unchanged if the target is unknown, not a page, or a
 * page of an engine.
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
