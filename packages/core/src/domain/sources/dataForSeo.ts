/**
 * Reads the sources in a body of DataForSEO. Google's items have `references`; ChatGPT's result has `sources`, which
 * the text cites, and `search_results`, which were retrieved.
 */
import type { Findings, Named } from "./Findings.ts"
import { asObject, asObjects, type JsonObject } from "./json.ts"
import { inspectList, judgeLists } from "./lists.ts"

function* pagesIn(kind: Named["kind"], lists: ReadonlyArray<unknown>): Generator<Named> {
  for (const list of lists) {
    for (const { title, url } of asObjects(list)) yield { kind, url, title, span: null }
  }
}

function* allPages(cited: ReadonlyArray<unknown>, retrieved: ReadonlyArray<unknown>): Generator<Named> {
  yield* pagesIn("cited", cited)
  yield* pagesIn("retrieved", retrieved)
}

const readResult = (body: unknown): JsonObject | null => {
  const [task] = asObjects(asObject(body)?.["tasks"])
  const [result] = asObjects(task?.["result"])
  return result ?? null
}

/** Reads one body; null if the body has no result. */
export const readDataForSeoSources = ([body]: ReadonlyArray<unknown>): Findings | null => {
  const result = readResult(body)
  if (result === null) return null
  const overviews = [...asObjects(result["items"])].filter(({ type }) => type === "ai_overview")
  const cited = overviews.length > 0 ? overviews.map(({ references }) => references) : [result["sources"]]
  const retrieved = [result["search_results"]]
  const queries = result["fan_out_queries"]
  return {
    status: judgeLists([...cited, ...retrieved].map((list) => inspectList(list)), false),
    named: allPages(cited, retrieved),
    queries: Array.isArray(queries) ? queries : []
  }
}
