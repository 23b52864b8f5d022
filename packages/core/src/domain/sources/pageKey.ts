/** One form for all spellings of a page's address, and the site that it belongs to. Pure and total. */
import { getDomain } from "tldts"
import { maxUrlLength } from "./Source.ts"

/** A page's address in one form, its host without `www.` and the like, and its registrable domain. */
export interface Page {
  /** Always `https:`, and the same again when it is given in. */
  readonly page: string
  readonly host: string
  /** The host itself where nothing above it is registrable: an IP address, a public suffix. */
  readonly domain: string
}

/** Subdomains that show the same pages to another kind of device. */
const deviceLabels = new Set(["www", "m", "mobile", "amp"])

/** Query parameters that say where a visitor came from, and never which page is shown. */
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

/** The registrable domain of a host, by the Public Suffix List with its private part (`alice.github.io`). */
const registrable = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host

const withoutDeviceLabels = (host: string, domain: string): string => {
  if (host.length <= domain.length || !host.endsWith(domain)) return host
  const labels = host.slice(0, host.length - domain.length - 1).split(".").filter((label) => !deviceLabels.has(label))
  return [...labels, domain].join(".")
}

/**
 * RFC 3986 §6.2.2: an escape of an unreserved character becomes that character, every other escape upper case. A `%`
 * that begins no escape is escaped itself.
 */
const normalEscapes = (text: string): string =>
  text.includes("%")
    ? text.replace(/%(?:([0-9a-fA-F]{2}))?/g, (whole, hex: string | undefined) => {
      if (hex === undefined) return "%25"
      const char = String.fromCharCode(Number.parseInt(hex, 16))
      return /[A-Za-z0-9\-._~]/.test(char) ? char : whole.toUpperCase()
    })
    : text

/** Ends of a path that only choose a form of the same page. */
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

/** Fragments name a part of the page, but for those that applications in the browser route by. */
const normalFragment = (fragment: string): string => /^#!?\//.test(fragment) ? normalEscapes(fragment) : ""

const isWeb = (url: URL | null): url is URL => url !== null && (url.protocol === "https:" || url.protocol === "http:")

const isGoogle = (host: string): boolean => /(?:^|\.)google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/.test(host)

/** The address inside of a link by Google (`/url?q=…`, `/amp/s/…`) or of its cache of AMP pages; null for any other. */
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

/**
 * Addresses may be wrapped, and their escapes escaped, this many times; what goes deeper is made to be slow to read.
 */
const maxUnwraps = 8
const maxPasses = 8

/** One pass; null when the text is no address on the web, or one within more than `maxUnwraps` others. */
const pageOnce = (text: string): Page | null => {
  let url = URL.parse(text)
  if (!isWeb(url)) return null
  let unwraps = 0
  for (let inner = wrapped(url); isWeb(inner); inner = wrapped(url)) {
    // Not the address that is reached by then: read again, it would unwrap further
    if (++unwraps > maxUnwraps) return null
    url = inner
  }
  // A trailing dot is the same host
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
 * The page that an address leads to. `www.`, `m.` and the like, tracking parameters, the order of parameters,
 * fragments, AMP forms and `index.html` make no difference; capitals of the path do. Null when `url` is no http or
 * https address of at most 8,192 characters, or its one form would be longer.
 */
export const parsePage = (url: string): Page | null => {
  if (url.length > maxUrlLength) return null
  let found = pageOnce(url)
  // What one pass lays open (an escaped `/url`, say) the next one reads. Addresses made to go on and on are none
  for (let passes = 0; found !== null && passes < maxPasses; passes++) {
    if (found.page.length > maxUrlLength) return null
    const next = pageOnce(found.page)
    if (next === null || next.page === found.page) return next
    found = next
  }
  return null
}
