/** Normalizes the address of a page and finds its site. Pure and total. */
import { getDomain } from "tldts"
import { maxUrlLength } from "./Source.ts"

/** A normalized address, its host without `www.` and similar labels, and its registrable domain. */
export interface Page {
  /** Always starts with `https:`. Normalizing it again gives the same address. */
  readonly page: string
  readonly host: string
  /** The registrable domain, or the host if it has none (an IP address, a public suffix). */
  readonly domain: string
}

/** Subdomains that show the same pages, for other devices. */
const deviceLabels = new Set(["www", "m", "mobile", "amp"])

/** Query parameters that track visitors and do not select the page. */
const trackingPrefixes = ["utm_", "hsa_", "pk_", "mtm_", "matomo_", "piwik_"]
const tracking = new Set([
  "gclid",
  "gclsrc",
  "dclid",
  "gbraid",
  "wbraid",
  "fbclid",
  "msclkid",
  "yclid",
  "twclid",
  "ttclid",
  "li_fat_id",
  "igshid",
  "srsltid",
  "_gsid",
  "_ga",
  "mc_cid",
  "mc_eid",
  "_hsenc",
  "_hsmi",
  "_gl",
  "__hstc",
  "__hssc",
  "__hsfp",
  "hsctatracking",
  "mkt_tok",
  "vero_id",
  "oly_anon_id",
  "oly_enc_id"
])

const isTracking = (pair: string): boolean => {
  const equals = pair.indexOf("=")
  const name = (equals === -1 ? pair : pair.slice(0, equals)).toLowerCase()
  return tracking.has(name) || trackingPrefixes.some((prefix) => name.startsWith(prefix))
}

/** The registrable domain of a host, by the Public Suffix List including its private part (`alice.github.io`). */
const registrable = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host

const withoutDeviceLabels = (host: string, domain: string): string => {
  if (host.length <= domain.length || !host.endsWith(domain)) return host
  const labels = host.slice(0, host.length - domain.length - 1).split(".").filter((label) => !deviceLabels.has(label))
  return [...labels, domain].join(".")
}

/**
 * RFC 3986 §6.2.2: decodes escapes of unreserved characters and converts other escapes to upper case. Escapes a `%`
 * that starts no escape.
 */
const normalEscapes = (text: string): string =>
  text.includes("%")
    ? text.replace(/%(?:([0-9a-fA-F]{2}))?/g, (whole, hex: string | undefined) => {
      if (hex === undefined) return "%25"
      const char = String.fromCharCode(Number.parseInt(hex, 16))
      return /[A-Za-z0-9\-._~]/.test(char) ? char : whole.toUpperCase()
    })
    : text

/** Path endings that select another form of the same page. */
const formEnding = /(?:\/amp|\/index\.(?:html?|php)|\.amp)$/i

const normalPath = (path: string): string => {
  const normal = normalEscapes(path)
  let end = normal.length
  for (;;) {
    while (normal[end - 1] === "/") end--
    const form = formEnding.exec(normal.slice(Math.max(0, end - "/index.html".length), end))
    if (form === null) return end === 0 ? "/" : normal.slice(0, end)
    end -= form[0].length
  }
}

const normalQuery = (search: string): string => {
  const pairs = search.slice(1).replaceAll("&amp;", "&").split("&").map(normalEscapes)
    .filter((pair) => pair !== "" && !isTracking(pair))
  return pairs.length === 0 ? "" : `?${pairs.sort().join("&")}`
}

/** Removes a fragment, unless a single-page application uses it as a route. */
const normalFragment = (fragment: string): string => /^#!?\//.test(fragment) ? normalEscapes(fragment) : ""

const isWeb = (url: URL | null): url is URL => url !== null && (url.protocol === "https:" || url.protocol === "http:")

const isGoogle = (host: string): boolean => /(?:^|\.)google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/.test(host)

/** The target of a link of Google (`/url?q=…`, `/amp/s/…`) or of its AMP cache; null for other URLs. */
const wrapped = (url: URL): URL | null => {
  const host = url.hostname
  if (isGoogle(host)) {
    if (url.pathname === "/url") {
      return URL.parse(url.searchParams.get("q") ?? "") ?? URL.parse(url.searchParams.get("url") ?? "")
    }
    const amp = /^\/amp\/(s\/)?(.+)$/.exec(url.pathname)
    return amp === null ? null : URL.parse(`http${amp[1] === undefined ? "" : "s"}://${amp[2]}${url.search}`)
  }
  if (host !== "cdn.ampproject.org" && !host.endsWith(".cdn.ampproject.org")) return null
  const cached = /^\/[a-z]+\/(s\/)?(.+)$/.exec(url.pathname)
  return cached === null ? null : URL.parse(`http${cached[1] === undefined ? "" : "s"}://${cached[2]}${url.search}`)
}

/** Maximum depth of nested wrappers and of nested escapes. Deeper addresses are only made to slow down a reader. */
const maxUnwraps = 8
const maxPasses = 8

/**
 * Runs one pass of normalization; null if the text is not a web address, or is inside more than `maxUnwraps` wrappers.
 */
const pageOnce = (text: string): Page | null => {
  let url = URL.parse(text)
  if (!isWeb(url)) return null
  let unwraps = 0
  for (let inner = wrapped(url); isWeb(inner); inner = wrapped(url)) {
    // The address reached at this point must not be returned, because a second reading would unwrap it further
    if (++unwraps > maxUnwraps) return null
    url = inner
  }
  // A trailing dot does not change the host
  const name = url.hostname.replace(/\.$/, "")
  if (name.split(".").includes("")) return null
  const domain = registrable(name)
  const host = withoutDeviceLabels(name, domain)
  const port = url.port === "" || url.port === "443" ? "" : `:${url.port}`
  return {
    page: `https://${host}${port}${normalPath(url.pathname)}${normalQuery(url.search)}${normalFragment(url.hash)}`,
    host,
    domain
  }
}

/**
 * Normalizes the address of a page. `www.`, `m.` and similar labels, tracking parameters, the order of parameters,
 * fragments, AMP forms and `index.html` make no difference; the case of the path does. Null if `url`, or its normalized
 * form, is not an http or https address of at most 8,192 characters.
 */
export const parsePage = (url: string): Page | null => {
  if (url.length > maxUrlLength) return null
  let found = pageOnce(url)
  // One pass may reveal another wrapper, such as an escaped `/url`. Addresses that keep revealing wrappers are rejected
  for (let passes = 0; found !== null && passes < maxPasses; passes++) {
    if (found.page.length > maxUrlLength) return null
    const next = pageOnce(found.page)
    if (next === null || next.page === found.page) return next
    found = next
  }
  return null
}
