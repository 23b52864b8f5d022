/**
 * Markup that is safe because of how it is made. The place of a hole in a template determines which values it accepts:
 *
 * | place of the hole | accepted values | output |
 * | --- | --- | --- |
 * | between tags | text, numbers, `Html`, nothing, lists of these | escaped text, or the markup of `Html` |
 * | in a quoted attribute | text, numbers, nothing | escaped text |
 * | as the whole value of `href`, `src`, `action` … | `Address` | escaped text |
 * | inside a tag | `Attributes` | ` name="value" …` |
 * | anywhere else | nothing | refused when the template is first used, whatever the value |
 *
 * Text never becomes markup: `Html`, `Attributes` and `Address` carry private symbols, so JSON cannot imitate them.
 */
import { type Address, isAddress } from "./Address.ts"
import { findHolePlaces, isAddressAttribute, isRefusedAttribute, type Place } from "./holes.ts"

const markup = Symbol("markup")
const given = Symbol("attributes")

/** Safe markup, created only by `html`. */
export interface Html {
  readonly [markup]: string
}

/** Attributes by name, created only by `attributes`. */
export interface Attributes {
  readonly [given]: string
}

/** Values that may be put between tags. */
export type Fragment = Html | string | number | false | null | undefined | ReadonlyArray<Fragment>

type Hole = Fragment | Address | Attributes

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;",
  // A parser would convert it to a line feed
  "\r": "&#13;",
  // A parser would remove it
  "\0": "\ufffd"
}

const escaped = (text: string): string =>
  /[&<>"'\r\0]/.test(text) ? text.replace(/[&<>"'\r\0]/g, (sign) => entities[sign]!) : text

const renderFragment = (value: Fragment): string => {
  if (typeof value === "string") return escaped(value)
  if (typeof value === "number") return String(value)
  if (value === null || value === undefined || value === false) return ""
  if (Array.isArray(value)) return value.map(renderFragment).join("")
  const made = (value as Html)[markup]
  if (made === undefined) throw new TypeError("html: this is no text and no markup")
  return made
}

const renderHole = (place: Place, value: Hole): string => {
  if (place === "text") return renderFragment(value as Fragment)
  if (place === "preformatted") {
    const text = renderFragment(value as Fragment)
    return text.startsWith("\n") ? `\n${text}` : text
  }
  if (place === "address") {
    if (isAddress(value)) return escaped(value.href)
  } else if (place === "attributes") {
    const made = (value as Attributes | null | undefined)?.[given]
    if (made !== undefined) return made
  } else if (typeof value === "string") return escaped(value)
  else if (typeof value === "number") return String(value)
  else if (value === null || value === undefined) return ""
  throw new TypeError(
    `html: this may not stand in a place for ${place === "value" ? "the value of an attribute" : place}`
  )
}

const known = new WeakMap<TemplateStringsArray, ReadonlyArray<Place>>()

/**
 * A page or a part of a page. The literal parts of the template are markup and are not escaped.
 *
 * Throws a SyntaxError for a template that is not allowed, and a TypeError for a value that is not allowed in its
 * place.
 */
export const html = (strings: TemplateStringsArray, ...holes: ReadonlyArray<Hole>): Html => {
  let places = known.get(strings)
  if (places === undefined) {
    places = findHolePlaces(strings)
    known.set(strings, places)
  }
  let all = strings[0]!
  for (let i = 0; i < holes.length; i++) all += renderHole(places[i]!, holes[i]) + strings[i + 1]!
  return { [markup]: all }
}

/**
 * Attributes for the inside of a tag. True writes only the name; false, null and undefined omit the attribute. Throws a
 * TypeError for an attribute whose value is an address or must be written in the template.
 */
export const attributes = (
  values: Readonly<Record<string, string | number | boolean | null | undefined>>
): Attributes => ({
  [given]: Object.entries(values).map(([name, value]) => {
    if (!/^[a-z][a-z0-9-]*$/.test(name) || isRefusedAttribute(name) || isAddressAttribute(name)) {
      throw new TypeError(`html: no attribute ${JSON.stringify(name)}`)
    }
    if (value === false || value === null || value === undefined) return ""
    return value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"`
  }).join("")
})

/** The markup as text, to be sent to the browser. */
export const render = (page: Html): string => page[markup]

const late = "<!--late-->"

/**
 * Marks where the late part of a page is inserted. No text can be mistaken for it, because each `<` in a text is
 * escaped.
 */
export const lateSlot: Html = { [markup]: late }

/** The markup of a page before and after its late part. */
export const renderAround = (page: Html): readonly [head: string, tail: string] => {
  const at = page[markup].indexOf(late)
  return at === -1 ? [page[markup], ""] : [page[markup].slice(0, at), page[markup].slice(at + late.length)]
}
