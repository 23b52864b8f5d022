/**
 * Explains how a text is measured: every occurrence of a tracked term with its place, its rule and the text around it.
 */
import { printable } from "../../output/Output.ts"

/** One occurrence, ready to be printed. */
export interface ShownCandidate {
  readonly role: string
  readonly term: string
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
  readonly accepted: boolean
  readonly rule: string
  readonly reason: string
}

/** Applies a style to text, or leaves it plain if there is no colour. */
export type Paint = (style: "bold" | "dim" | "green" | "red" | "inverse", text: string) => string

const contextLength = 32
/**
 * Maximum number of rejected occurrences that are shown; the others are only counted, because a short name is part of
 * many words.
 */
const maxRejected = 20

/** The part `[start, end)` of a text, on one line and safe for a terminal, without half a character at either end. */
const sliceSnippet = (text: string, start: number, end: number): string =>
  printable(text.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "")).replace(/\s+/g, " ")

const renderContext = (text: string, { accepted, end, start }: ShownCandidate, paint: Paint): string => {
  const from = Math.max(0, start - contextLength)
  const to = Math.min(text.length, end + contextLength)
  const found = sliceSnippet(text, start, end)
  const marked = paint("bold", "x") === "x" ? `»${found}«` : paint(accepted ? "inverse" : "bold", found)
  return `${from > 0 ? "…" : ""}${sliceSnippet(text, from, start)}${marked}${sliceSnippet(text, end, to)}${
    to < text.length ? "…" : ""
  }`
}

const renderCandidate = (text: string, found: ShownCandidate, paint: Paint): string => {
  const sign = found.accepted ? paint("green", "✓") : paint("red", "✗")
  const place = `${found.line}:${found.column}`
  return `${sign} ${place.padEnd(7)} ${found.rule.padEnd(3)} ${found.role} ${
    paint("bold", printable(found.term))
  }: ${found.reason}\n    ${renderContext(text, found, paint)}`
}

/** The occurrences in text order; only the first twenty rejected ones, unless `all` is set. */
export const explanationView = (
  text: string,
  candidates: ReadonlyArray<ShownCandidate>,
  paint: Paint,
  all: boolean
): string => {
  let rejected = 0
  const shown = candidates.filter((found) => found.accepted || all || rejected++ < maxRejected)
  const hidden = candidates.length - shown.length
  return [
    ...shown.map((found) => renderCandidate(text, found, paint)),
    ...hidden === 0 ? [] : [paint("dim", `… and ${hidden} more that do not count (--all shows them)`)]
  ].join("\n")
}
