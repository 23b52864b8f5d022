/** Addresses for links and forms of a page. A plain string is not accepted: only these functions create addresses. */

const checked = Symbol("checked")

/** The value of an attribute such as `href` or `action`. */
export interface Address {
  readonly href: string
  readonly [checked]: true
}

export const isAddress = (value: unknown): value is Address =>
  typeof value === "object" && value !== null && (value as Partial<Address>)[checked] === true

/**
 * Query parameters of an address. Parameters without a value are omitted; a list repeats its parameter once per value.
 */
export type Query = Readonly<Record<string, string | number | null | undefined | ReadonlyArray<string>>>

/** A path or a fragment of this site. Throws a TypeError for a path that browsers would read as another host. */
export const to = (path: `/${string}` | `#${string}`, query: Query = {}): Address => {
  // Browsers drop tabs and line breaks from addresses, and read \ as /
  if (/^\/[/\\]/.test(path) || /[\u0000-\u0020\\]/.test(path)) {
    throw new TypeError(`no path of this site: ${JSON.stringify(path)}`)
  }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  }
  return { href: search.size === 0 ? path : `${path}?${search.toString()}`, [checked]: true }
}

/** A page of another site; null unless it is an http or https address without a user name or password. */
export const externalAddress = (text: string): Address | null => {
  const url = URL.parse(text)
  const allowed = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
  return allowed ? { href: url.href, [checked]: true } : null
}

/** A picture as a `data:` address that contains its bytes; `type` is their media type. */
export const dataAddress = (type: "image/png" | "image/jpeg" | "image/webp", bytes: Uint8Array): Address => ({
  href: `data:${type};base64,${Buffer.from(bytes).toString("base64")}`,
  [checked]: true
})
