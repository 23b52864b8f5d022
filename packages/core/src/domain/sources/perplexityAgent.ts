/**
 * Sources in a body of Perplexity's Agent API: results that a mark `[n]` or `[web:n]` names by their `id`, and notes of the
 * messages, are cited; other results of searches, and pages that were fetched, are retrieved.
 */
import type { Findings, Named } from "./Findings.ts"
import { asList, asObject, asObjects, type JsonObject } from "./json.ts"
import { readListEntry } from "./listed.ts"
import { readNotes } from "./openAiResponses.ts"
import { findMarks } from "./spans.ts"

function* namedIn(output: ReadonlyArray<JsonObject>, text: string): Generator<Named> {
  yield* readNotes(output.filter((item) => item["type"] === "message"), text)
  const results = output.flatMap((item) => item["type"] === "search_results" ? [...asObjects(item["results"])] : [])
  const marks = new Map(findMarks(text))
  const cited = new Set<JsonObject>()
  for (const result of results) {
    // A later search may count from 1 again: the mark is the first one's
    const span = marks.get(result["id"] as number)
    if (span === undefined) continue
    marks.delete(result["id"] as number)
    cited.add(result)
    yield { kind: "cited", ...readListEntry(result), span }
  }
  for (const result of results) {
    if (!cited.has(result)) yield { kind: "retrieved", ...readListEntry(result), span: null }
  }
  for (const item of output) {
    if (item["type"] !== "fetch_url_results") continue
    for (const page of asObjects(item["contents"])) yield { kind: "retrieved", ...readListEntry(page), span: null }
  }
}

function* queriesIn(output: ReadonlyArray<JsonObject>): Generator<unknown> {
  for (const item of output) if (item["type"] === "search_results") yield* asList(item["queries"])
}

/** Reads one body; null when it has no output. */
export const readPerplexityAgentSources = ([body]: ReadonlyArray<unknown>, text: string): Findings | null => {
  const output = asObject(body)?.["output"]
  if (!Array.isArray(output)) return null
  const items = [...asObjects(output)]
  return { status: "complete", named: namedIn(items, text), queries: queriesIn(items) }
}
