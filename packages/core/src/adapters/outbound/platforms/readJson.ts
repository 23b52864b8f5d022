/**
 * Lenient readers for JSON from other systems. Each part is read separately, so that one unexpected part never costs an
 * answer that was paid for.
 */
import { Option, Schema } from "effect"
import { type Citation, type Finish, toArchivableText, type Usage } from "../../../domain/archive/Answer.ts"

/** Creates a decoder that returns null for values that do not match. */
export const makeReader = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (value: unknown): A | null => Option.getOrNull(decode(value))
}

/** The value as an object with members; null for anything else. */
export const readMembers = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : null

export const readString = makeReader(Schema.String)
export const readTokens = makeReader(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })))

/** An amount of US dollars. */
export const readDollars = makeReader(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))

const readHttpUrl = makeReader(Schema.String.check(Schema.makeFilter((text: string) => {
  const url = text.length <= 8192 ? URL.parse(text) : null
  return url !== null && (url.protocol === "https:" || url.protocol === "http:")
})))

/** The array's entries; an empty list for anything else. */
export const readList = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** The objects among the array's entries. */
export const readObjects = (value: unknown): ReadonlyArray<Record<string, unknown>> =>
  readList(value).map(readMembers).filter((entry) => entry !== null)

/** The string; null for an empty string and anything else. */
export const readNonEmptyString = (value: unknown): string | null => readString(value) || null

/** The model's name, as the archive can store it. */
export const readModel = (value: unknown): string | null => {
  const model = readNonEmptyString(value)
  return model === null ? null : toArchivableText(model).slice(0, 200)
}

/** Sum of the counts that are present; null if none is present. */
export const sumTokens = (...counts: ReadonlyArray<unknown>): number | null => {
  const known = counts.flatMap((count) => readTokens(count) ?? [])
  return known.length === 0 ? null : readTokens(known.reduce((sum, count) => sum + count, 0))
}

/** Usage from a provider that reports no cost; `searches` is null if it does not count them. */
export const makeUnpricedUsage = (
  inputTokens: number | null,
  outputTokens: number | null,
  searches: number | null
): Usage => ({
  inputTokens,
  outputTokens,
  costUsd: null,
  ...(searches === null ? {} : { searches })
})

/** Converts the format's finish word to ours; `other` if it is missing or unknown. */
export const readFinish = (known: Readonly<Record<string, Finish>>, said: unknown): Finish => {
  const name = readString(said) ?? ""
  return Object.hasOwn(known, name) ? known[name]! : "other"
}

/** A web address that the platform names. */
export interface Source {
  readonly url: string
  readonly title: string | null
}

/** Reads `{ url, title }` or a bare address; null unless it is an http or https address. */
export const readSource = (value: unknown): Source | null => {
  const entry = readMembers(value)
  const url = readHttpUrl(entry === null ? value : entry["url"])
  const title = readNonEmptyString(entry?.["title"])
  return url === null
    ? null
    : { url: toArchivableText(url), title: title === null ? null : toArchivableText(title).slice(0, 1000) }
}

/** Maximum number of citations kept per answer. */
export const maxCitations = 500
/** Maximum number of entries examined for citations: a body may contain a million. */
export const maxExaminedEntries = 10_000

/** Citations in the order of their first appearance, without duplicate addresses. */
export const listCitations = (entries: ReadonlyArray<unknown>): ReadonlyArray<Citation> => {
  const seen = new Map<string, Source>()
  for (const entry of entries.slice(0, maxExaminedEntries)) {
    const source = readSource(entry)
    if (source !== null && !seen.has(source.url)) seen.set(source.url, source)
    if (seen.size === maxCitations) break
  }
  return [...seen.values()].map((source, i) => ({ ...source, position: i + 1 }))
}

/** Joins pieces of text with a blank line, unless there already is a line break between them. */
export const joinTextRuns = (runs: ReadonlyArray<string>): string =>
  runs.filter((run) => run !== "").reduce((text, run) => {
    const apart = text === "" || text.endsWith("\n") || run.startsWith("\n")
    return apart ? text + run : `${text}\n\n${run}`
  }, "")
