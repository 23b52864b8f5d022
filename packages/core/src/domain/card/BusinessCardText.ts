/** Checks the text of a business card: typed or imported text is not trusted, because machines read the card. */
import { Result } from "effect"
import type { CardItem } from "./BusinessCard.ts"

/**
 * Matches control characters, lone surrogates, private-use characters, and characters that are invisible or reverse
 * text (bidirectional controls, tags, fillers, zero-width marks), because they can hide whole sentences. Scripts and
 * emoji need joiners and the two selectors of text and emoji style, but never several in a row.
 */
const unfit =
  /[\p{Cc}\p{Cs}\p{Co}\u2800]|(?!\p{Join_C}|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]|\p{Join_C}{2}|(?:\p{Join_C}|\ufe0e|\ufe0f)(?:\ufe0e|\ufe0f)/u
const nothingVisible = /^(?:\s|\p{Join_C}|\ufe0e|\ufe0f)*$/u

const named = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`

/**
 * Text as the card stores it: trimmed, white space and line breaks collapsed to single spaces, at most `maxLength`
 * characters. Fails with a phrase that follows the name of the field ("must not be empty…").
 */
export const cardText = (text: string, maxLength: number): Result.Result<string, string> => {
  const clean = text.replace(/\s+/g, " ").trim()
  const found = unfit.exec(clean)
  if (found !== null) return Result.fail(`must not contain the invisible character ${named(found[0])}`)
  if (nothingVisible.test(clean)) return Result.fail("must not be empty; clear the field instead")
  if (clean.length > maxLength) return Result.fail(`must be at most ${maxLength} characters, not ${clean.length}`)
  return Result.succeed(clean)
}

/** Maximum length of the source of a fact, in characters. */
export const maxSourceLength = 500
/** Maximum length of the name of a person who attests, in characters. */
export const maxAttesterLength = 200

const escaped = (text: string): string => text.replace(/[\\;]/g, "\\$&")

/** An item as people type it on the command line: a text, or `name; member=text; …` with `\\` before `;` and `\\`. */
export const cardItemText = (item: CardItem): string => {
  if (typeof item === "string") return item
  const { name, ...rest } = item
  return [name, ...Object.entries(rest).map(([member, text]) => `${member}=${text}`)].map(escaped).join("; ")
}
