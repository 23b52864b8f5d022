import type { Named } from "./Findings.ts"
import { listOf, objectOf } from "./json.ts"
import { marksIn } from "./spans.ts"

/** Entries of a list: `{url, title}`, or bare addresses. */
export const entryOf = (entry: unknown): { readonly url: unknown; readonly title: unknown } => {
  const object = objectOf(entry)
  return object === undefined ? { url: entry, title: null } : { url: object["url"], title: object["title"] }
}

/**
 * A list of citations, whose n-th entry the text's mark `[n]` names: marked ones are cited, the rest retrieved. Where the text
 * marks none of them, all are the answer's citations. `titles` lends titles to bare addresses.
 */
export function* citationList(
  list: unknown,
  text: string,
  titles: ReadonlyMap<unknown, unknown> = new Map()
): Generator<Named> {
  const marks = marksIn(text)
  const entries = listOf(list)
  const marked = (i: number) => marks.get(i + 1) ?? null
  const bare = !entries.some((_, i) => marked(i) !== null)
  const named = (entry: unknown, i: number, kind: Named["kind"]): Named => {
    const { title, url } = entryOf(entry)
    return { kind, url, title: title ?? titles.get(url) ?? null, span: marked(i) }
  }
  for (const [i, entry] of entries.entries()) if (bare || marked(i) !== null) yield named(entry, i, "cited")
  if (bare) return
  for (const [i, entry] of entries.entries()) if (marked(i) === null) yield named(entry, i, "retrieved")
}
