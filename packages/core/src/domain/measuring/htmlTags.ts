/** HTML tags in an answer (M1): tags, attributes and comments are invisible, some tags end a block. */
import { isAsciiAlphanumeric, isAsciiLetter, isSpaceUnit } from "./characters.ts"

/** A tag: its lower-case name, whether it closes, and the index just past its `>`. */
export interface HtmlTag {
  readonly name: string
  readonly closing: boolean
  readonly end: number
}

const blockNames = new Set(
  ("address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption " +
    "figure footer form h1 h2 h3 h4 h5 h6 head header hr html iframe legend li main menu nav ol optgroup option p " +
    "pre search section select summary table tbody td template textarea tfoot th thead title tr ul").split(" ")
)

/** Whether the tag's edge is a block edge (M1). */
export const isBlockTag = (tag: HtmlTag): boolean => blockNames.has(tag.name)

/** Whether the tag's content is shown raised or lowered: a separator, like a superscript digit (M6). */
export const isRaisedTag = (tag: HtmlTag): boolean => tag.name === "sup" || tag.name === "sub"

const maxNameLength = 32

/**
 * Reads the tag, declaration or processing instruction whose `<` is at `start`; undefined when it is plain text.
 * Outside of quotes another `<` ends the attempt, which keeps repeated attempts linear in the text.
 */
export const readHtmlTag = (units: Uint16Array, start: number, ceiling: number): HtmlTag | undefined => {
  let i = start + 1
  const first = i < ceiling ? units[i]! : 0
  const declaration = first === 0x21 || first === 0x3f
  const closing = first === 0x2f
  if (declaration || closing) i++
  if (i >= ceiling || (!isAsciiLetter(units[i]!) && first !== 0x3f)) return undefined
  const nameStart = i
  while (i < ceiling && i - nameStart < maxNameLength && (isAsciiAlphanumeric(units[i]!) || units[i] === 0x2d)) i++
  const name = declaration ? "!" : String.fromCharCode(...units.subarray(nameStart, i)).toLowerCase()
  const afterName = units[i]!
  if (i < ceiling && !declaration && afterName !== 0x3e && afterName !== 0x2f && !isSpaceUnit(afterName)) {
    return undefined
  }
  let previous = 0
  for (; i < ceiling; i++) {
    const unit = units[i]!
    if (unit === 0x3e) return { name, closing, end: i + 1 }
    if (unit === 0x3c) return undefined
    if ((unit === 0x22 || unit === 0x27) && previous === 0x3d) {
      let close = i + 1
      while (close < ceiling && units[close] !== unit) close++
      if (close >= ceiling) return undefined
      i = close
      previous = unit
    } else if (!isSpaceUnit(unit)) previous = unit
  }
  return undefined
}
