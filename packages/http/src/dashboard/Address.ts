/** Addresses that a page may lead to. A text cannot pass for one: only these functions make them. */

const checked = Symbol("checked")

/** The value of an attribute such as `href` or `action`. */
export interface Address {
  readonly href: string
  readonly [checked]: true
}

export const isAddress = (value: unknown): value is Address =>
  typeof value === "object" && value !== null && (value as Partial<Address>)[checked] === true

/** Parameters of an address; those without a value are left out of it, and a list stands once for each value. */
export type Query = Readonly<Record<string, string | number | null | undefined | ReadonlyArray<string>>>

/** A path or a fragment of this site. Throws a TypeError for a path that browsers take for another host. */
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

/** A page of another site; null for what is no http or https address, such as `javascript:`, or names a user. */
export const outside = (text: string): Address | null => {
  const url = URL.parse(text)
  const allowed = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
  return allowed ? { href: url.href, [checked]: true } : null
}

/** A picture as an address of its own bytes; `type` is what they are. */
export const inline = (type: "image/png" | "image/jpeg" | "image/webp", bytes: Uint8Array): Address => ({
  href: `data:${type};base64,${Buffer.from(bytes).toString("base64")}`,
  [checked]: true
})
