/** Text that may stand on a business card: what is typed or imported is foreign, and the card is shown to machines. */
import { Result } from "effect"
import type { CardItem } from "./BusinessCard.ts"

/**
 * Controls, lone surrogates, private characters, and invisible ones that turn text around or hide it from a reader
 * (bidirectional controls, tags, zero-width marks). Joiners stay: scripts and emoji need them.
 */
const unfit = /[\p{Cc}\p{Cs}\p{Co}]|(?![\u200c\u200d])\p{Cf}/u

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
  if (clean === "") return Result.fail("must not be empty; clear the field instead")
  if (clean.length > longest) return Result.fail(`must be at most ${longest} characters, not ${clean.length}`)
  return Result.succeed(clean)
}

/** Longest source of a fact, and longest name of who attests. */
export const longestSource = 500
export const longestAttester = 200

const escaped = (text: string): string => text.replace(/[\\;]/g, "\\$&")

/** An item as it is typed. */
export const cardItemText = (item: CardItem): string => {
  if (typeof item === "string") return item
  const { name, ...rest } = item
  return [name, ...Object.entries(rest).map(([member, text]) => `${member}=${text}`)].map(escaped).join("; ")
}
