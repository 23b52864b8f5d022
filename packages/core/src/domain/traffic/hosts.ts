/** Hosts of referrers and landing pages, as a browser reads them (WHATWG URL): hostile spellings end up as one. */

/** The longest URL whose host is looked at; browsers send far shorter referrers. */
const maxUrlLength = 8192

/**
 * The host of an http(s) URL: lower case, IDNA as punycode, percent-encoding resolved, without port, userinfo and
 * trailing dot. Null when the text is no such URL.
 */
export const parseUrlHost = (url: string): string | null => {
  if (url.length > maxUrlLength) return null
  const parsed = URL.parse(url)
  if (parsed === null || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) return null
  return parsed.hostname.endsWith(".") ? parsed.hostname.slice(0, -1) : parsed.hostname
}

/** The same for a bare host, with or without a port. */
export const normalizeHost = (host: string): string | null => parseUrlHost(`http://${host}/`)

/** The most specific entry for the host: its own, else that of the next domain above it, on a dot boundary. */
export const findByHost = <A>(table: ReadonlyMap<string, A>, host: string): A | undefined => {
  for (let at = 0; at !== -1;) {
    const found = table.get(host.slice(at))
    if (found !== undefined) return found
    const dot = host.indexOf(".", at)
    at = dot === -1 ? -1 : dot + 1
  }
  return undefined
}

/** A text of its own: a slice would keep the whole log line in memory for as long as it lives. */
export const copyText = (text: string): string => Buffer.from(text, "utf8").toString("utf8")

/** A function of a text that remembers results: log lines repeat. Bounded, so that hostile logs cannot fill memory. */
export const memoizeByText = <A>(size: number, compute: (text: string) => A): (text: string) => A => {
  const known = new Map<string, A>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = compute(text)
    if (text.length > 512) return made
    if (known.size >= size) known.clear()
    known.set(copyText(text), made)
    return made
  }
}
