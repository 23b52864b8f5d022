/**
 * Parses hosts of referrers and landing pages as browsers do (WHATWG URL), so that different spellings of a host give
 * the same result.
 */

/** Maximum length of a URL; longer URLs are not parsed. Browsers send far shorter referrers. */
const maxUrlLength = 8192

/**
 * The host of an http(s) URL: lower case, IDNA as punycode, percent-encoding decoded, without port, userinfo and
 * trailing dot. Null if the text is not such a URL.
 */
export const parseUrlHost = (url: string): string | null => {
  if (url.length > maxUrlLength) return null
  const parsed = URL.parse(url)
  if (parsed === null || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) return null
  return parsed.hostname.endsWith(".") ? parsed.hostname.slice(0, -1) : parsed.hostname
}

/** Normalizes a bare host in the same way, with or without a port. */
export const normalizeHost = (host: string): string | null => parseUrlHost(`http://${host}/`)

/** The most specific entry for the host: its own, or else that of the closest parent domain. */
export const findByHost = <A>(table: ReadonlyMap<string, A>, host: string): A | undefined => {
  for (let at = 0; at !== -1;) {
    const found = table.get(host.slice(at))
    if (found !== undefined) return found
    const dot = host.indexOf(".", at)
    at = dot === -1 ? -1 : dot + 1
  }
  return undefined
}

/** Copies a text. A slice would keep the whole log line in memory for as long as the slice exists. */
export const detachFromSource = (text: string): string => Buffer.from(text, "utf8").toString("utf8")

/**
 * Caches the results of a function of a text, because log lines repeat. The cache is bounded, so that hostile logs
 * cannot fill the memory.
 */
export const memoizeByText = <A>(size: number, compute: (text: string) => A): (text: string) => A => {
  const known = new Map<string, A>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = compute(text)
    if (text.length > 512) return made
    if (known.size >= size) known.clear()
    known.set(detachFromSource(text), made)
    return made
  }
}
