/**
 * Reads the sources in a body of Perplexity's Agent API. Results whose `id` occurs in a mark `[n]` or `[web:n]`, and
 * annotations of the messages, are cited; if there are neither, all results are cited. Other search results and fetched
 * pages are retrieved.
 */
import type { Findings, Named, Span } from "./Findings.ts"
import { asList, asObject, asObjects, type JsonObject } from "./json.ts"
import { readListEntry } from "./listed.ts"
import { inspectList, isWebAddress, judgeLists, type ListState, requireList } from "./lists.ts"
import { inspectNotes, readNotes } from "./openAiResponses.ts"
import type { SourcesStatus } from "./Source.ts"
import { findMarks } from "./spans.ts"

/** A search result with its number in marks of the text. */
export interface NumberedResult {
  readonly result: JsonObject
  /** Its `id`, or its position among all results if it has no `id`. */
  readonly number: number
  /** The first mark with that number; null if there is no such mark, or if the mark belongs to an earlier result. */
  readonly mark: Span | null
}

const isNumber = (id: unknown): id is number => typeof id === "number" && Number.isSafeInteger(id) && id > 0

/**
 * The results of all searches of an answer, in order. A later search may count from 1 again; a mark belongs to the
 * first result with its number.
 */
export const readSearchResults = (output: ReadonlyArray<JsonObject>, text: string): ReadonlyArray<NumberedResult> => {
  const results = output.flatMap((item) => item["type"] === "search_results" ? [...asObjects(item["results"])] : [])
  const marks = new Map(findMarks(text))
  return results.map((result, i) => {
    const number = isNumber(result["id"]) ? result["id"] : i + 1
    const mark = isWebAddress(result["url"]) ? marks.get(number) ?? null : null
    if (mark !== null) marks.delete(number)
    return { result, number, mark }
  })
}

function* namedIn(output: ReadonlyArray<JsonObject>, text: string): Generator<Named> {
  const notes = [...readNotes(output.filter((item) => item["type"] === "message"), text)]
  yield* notes
  const results = readSearchResults(output, text)
  const bare = notes.length === 0 && results.every(({ mark }) => mark === null)
  for (const { mark, result } of results) {
    if (bare || mark !== null) yield { kind: "cited", ...readListEntry(result), span: mark }
  }
  for (const { mark, result } of results) {
    if (!bare && mark === null) yield { kind: "retrieved", ...readListEntry(result), span: null }
  }
  for (const item of output) {
    if (item["type"] !== "fetch_url_results") continue
    for (const page of asObjects(item["contents"])) yield { kind: "retrieved", ...readListEntry(page), span: null }
  }
}

function* queriesIn(output: ReadonlyArray<JsonObject>): Generator<unknown> {
  for (const item of output) if (item["type"] === "search_results") yield* asList(item["queries"])
}

/** Whether the usage lists searches, which may have left no results. */
const hasSearched = (body: JsonObject): boolean => {
  const calls = asObject(asObject(body["usage"])?.["tool_calls_details"])
  return ["web_search", "search_web"].some((tool) => Number(asObject(calls?.[tool])?.["invocation"] ?? 0) > 0)
}

const judgeSources = (body: JsonObject, output: ReadonlyArray<JsonObject>): SourcesStatus => {
  const listsOf = (type: string, member: string): ReadonlyArray<ListState> =>
    output.flatMap((item) => item["type"] === type ? [requireList(inspectList(item[member]))] : [])
  const results = listsOf("search_results", "results")
  const lost: ReadonlyArray<ListState> = results.length === 0 && hasSearched(body) ? ["unknown"] : []
  const notes = inspectNotes(output.filter((item) => item["type"] === "message"))
  return judgeLists([...results, ...lost, ...listsOf("fetch_url_results", "contents"), ...notes], false)
}

/** Reads one body; null if the body has no output. */
export const readPerplexityAgentSources = ([value]: ReadonlyArray<unknown>, text: string): Findings | null => {
  const body = asObject(value)
  const output = body?.["output"]
  if (body === undefined || !Array.isArray(output)) return null
  const items = [...asObjects(output)]
  return { status: judgeSources(body, items), named: namedIn(items, text), queries: queriesIn(items) }
}
