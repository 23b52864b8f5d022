/**
 * Finds the positions of the holes in a template. Implements a small part of HTML's tokenizer, and refuses syntax that
 * it does not know.
 */

/**
 * | place | position of the hole |
 * | --- | --- |
 * | `text` | between tags |
 * | `preformatted` | directly after `<pre>` or `<textarea>`, where a parser drops a first line break |
 * | `value` | in a quoted attribute |
 * | `address` | as the whole value of an attribute that is an address |
 * | `attributes` | inside a tag |
 */
export type Place = "text" | "preformatted" | "value" | "address" | "attributes"

/** Attributes whose value is an address. */
const addressNames =
  /^(?:href|src|action|formaction|cite|poster|data|ping|srcset|imagesrcset|manifest|background|longdesc|xlink:href)$/

/** Attributes whose value is a program, markup or style, or may name a file to load. */
const refusedNames =
  /^(?:on.*|style|srcdoc|http-equiv|fill|stroke|filter|mask|cursor|clip-path|marker(?:-(?:start|mid|end))?)$/

/** Elements that change where other addresses lead, load foreign content, or end only at the end of the page. */
const refusedTags =
  /^(?:base|iframe|frame|object|embed|applet|portal|noembed|noframes|xmp|plaintext|set|animate.*|foreignobject)$/

/** Elements whose content is not text of the page. */
const closedTags = /^(?:script|style)$/

const tagBegin = /<(!doctype|\/?[a-z][a-z0-9-]*)/iy

/** Whether the value of an attribute is an address. */
export const isAddressAttribute = (name: string): boolean => addressNames.test(name)

/** Whether the value of an attribute must be written in the template itself, so that no hole may fill it. */
export const isRefusedAttribute = (name: string): boolean => refusedNames.test(name)

/**
 * The position of each hole between `strings`. Throws a SyntaxError for a template that is not allowed, whatever its
 * values.
 */
export const findHolePlaces = (strings: ReadonlyArray<string>): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  let state: "text" | "tag" | "name" | "equals" | "value" = "text"
  let [quote, name, tag] = ["", "", ""]
  /** Whether the opening tag ended directly before this position. */
  let begun = false
  const refuse = (why: string): never => {
    throw new SyntaxError(`html: ${why}, in ${JSON.stringify(strings.join("${}").trim().slice(0, 80))}`)
  }

  for (const [index, part] of strings.entries()) {
    for (let i = 0; i < part.length; i++) {
      const sign = part[i]!
      if (state === "text") {
        if (sign !== "<") {
          if (closedTags.test(tag)) refuse(`nothing may stand inside <${tag}>`)
          begun = false
          continue
        }
        tagBegin.lastIndex = i
        tag = (tagBegin.exec(part)?.[1] ?? refuse("a < that begins no tag is written &lt;")).toLowerCase()
        if (refusedTags.test(tag.replace("/", ""))) refuse(`<${tag}> is not allowed`)
        i = tagBegin.lastIndex - 1
        state = "tag"
        name = ""
      } else if (state === "value") {
        if (sign === quote) {
          state = "tag"
          name = ""
        }
      } else if (state === "equals") {
        if (sign !== "\"" && sign !== "'") refuse(`the value of ${name} needs quotes directly after =`)
        quote = sign
        state = "value"
      } else if (sign === ">") {
        state = "text"
        begun = true
      } else if (sign === "=") {
        if (name === "") refuse("a value needs a name")
        state = "equals"
      } else if (/[\s/]/.test(sign)) state = "tag"
      else if (/["'<]/.test(sign)) refuse(`a ${sign} may not stand inside a tag`)
      else {
        name = state === "name" ? name + sign.toLowerCase() : sign.toLowerCase()
        state = "name"
      }
    }
    if (index === strings.length - 1) break

    if (state === "text") {
      if (closedTags.test(tag)) refuse(`nothing may stand inside <${tag}>`)
      places.push(begun && /^(?:pre|textarea)$/.test(tag) ? "preformatted" : "text")
      begun = false
    } else if (state === "tag") {
      // Otherwise the = after the hole could assign a value to an attribute that the hole inserted
      if (/^\s*=/.test(strings[index + 1]!)) refuse("a name may not be put in")
      name = ""
      places.push("attributes")
    } else if (state !== "value") refuse("a hole may be no name, and a value needs quotes")
    else if (isRefusedAttribute(name) || tag === "meta") refuse(`nothing may be put into ${name} of <${tag}>`)
    else if (!isAddressAttribute(name)) places.push("value")
    else if (!part.endsWith(quote) || !strings[index + 1]!.startsWith(quote)) refuse(`${name} takes a whole address`)
    else places.push("address")
  }
  if (state !== "text") refuse("a tag does not end")
  if (closedTags.test(tag)) refuse(`<${tag}> does not end`)
  return places
}
