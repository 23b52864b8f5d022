/** Text that may stand on a business card: what is typed or imported is foreign, and the card is shown to machines. */
import { Result } from "effect"
import type { CardItem } from "./BusinessCard.ts"

/**
 * Controls, lone surrogates, private characters, and all that shows nothing or turns text around (bidirectional controls,
 * tags, fillers, zero-width marks): whole sentences can be hidden in them. Scripts and emoji need joiners and the two
 * selectors of text and emoji style, but never a row of them.
 */
const unfit =
  /[\p{Cc}\p{Cs}\p{Co}\u2800]|(?!\p{Join_C}|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]|\p{Join_C}{2}|(?:\p{Join_C}|\ufe0e|\ufe0f)(?:\ufe0e|\ufe0f)/u
const nothingVisible = /^(?:\s|\p{Join_C}|\ufe0e|\ufe0f)*$/u

const named = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`

/**
 * Text as it goes on the card: runs of white space and line breaks are one space, none at the ends. Fails with what is
 * wrong, to follow the name of the field.
 */
export const cardText = (text: string, longest: number): Result.Result<string, string> => {
  const clean = text.replace(/\s+/g, " ").trim()
  const found = unfit.exec(clean)
  if (found !== null) return Result.fail(`must not contain the invisible character ${named(found[0])}`)
  if (nothingVisible.test(clean)) return Result.fail("must not be empty; clear the field instead")
  if (clean.length > longest) return Result.fail(`must be at most ${longest} characters, not ${clean.length}`)
  return Result.succeed(clean)
}

/** Longest source of a fact, and longest name of who attests. */
export const maxSourceLength = 500
export const maxAttesterLength = 200

const escaped = (text: string): string => text.replace(/[\\;]/g, "\\$&")

/** An item as it is typed. */
export const cardItemText = (item: CardItem): string => {
  if (typeof item === "string") return item
  const { name, ...rest } = item
  return [name, ...Object.entries(rest).map(([member, text]) => `${member}=${text}`)].map(escaped).join("; ")
}
