import type { Named } from "./Findings.ts"
import { asList, asObject } from "./json.ts"
import { findMarks } from "./spans.ts"

/** Reads an entry of a list: `{url, title}`, or a bare address. */
export const readListEntry = (entry: unknown): { readonly url: unknown; readonly title: unknown } => {
  const object = asObject(entry)
  return object === undefined ? { url: entry, title: null } : { url: object["url"], title: object["title"] }
}

/**
 * Reads a list of citations; the mark `[n]` in the text refers to the n-th entry. Marked entries are cited, the others
 * retrieved; without marks, all are cited. `titles` supplies titles for bare addresses.
 */
export function* readCitationList(
  list: unknown,
  text: string,
  titles: ReadonlyMap<unknown, unknown> = new Map()
): Generator<Named> {
  const marks = findMarks(text)
  const entries = asList(list)
  const findMark = (i: number) => marks.get(i + 1) ?? null
  const bare = !entries.some((_, i) => findMark(i) !== null)
  const toNamed = (entry: unknown, i: number, kind: Named["kind"]): Named => {
    const { title, url } = readListEntry(entry)
    return { kind, url, title: title ?? titles.get(url) ?? null, span: findMark(i) }
  }
  for (const [i, entry] of entries.entries()) if (bare || findMark(i) !== null) yield toNamed(entry, i, "cited")
  if (bare) return
  for (const [i, entry] of entries.entries()) if (findMark(i) === null) yield toNamed(entry, i, "retrieved")
}
