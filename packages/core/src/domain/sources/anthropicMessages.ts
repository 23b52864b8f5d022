/**
 * Reads the sources in the bodies of one call of Anthropic's Messages API; a call that paused has several bodies. The
 * citations of a text block are cited and support that block; other results of the search tool are retrieved.
 */
import type { Findings, Named } from "./Findings.ts"
import { asObject, asObjects, asText, type JsonObject } from "./json.ts"
import { inspectList, judgeLists, type ListState, makeTypeTest } from "./lists.ts"
import type { SourcesStatus } from "./Source.ts"
import { makePartFinder } from "./spans.ts"

function* namedIn(blocks: ReadonlyArray<JsonObject>, text: string): Generator<Named> {
  const find = makePartFinder(text)
  for (const block of blocks) {
    if (block["type"] !== "text") continue
    const shown = asText(block["text"])
    const start = find(shown)
    const span = start === null || shown === "" ? null : { start, end: start + shown.length }
    for (const citation of asObjects(block["citations"])) {
      if (citation["url"] === undefined) continue
      yield { kind: "cited", url: citation["url"], title: citation["title"], span }
    }
  }
  for (const block of blocks) {
    // If the search failed, there is an error object instead of the list
    if (block["type"] !== "web_search_tool_result") continue
    for (const result of asObjects(block["content"])) {
      yield { kind: "retrieved", url: result["url"], title: result["title"], span: null }
    }
  }
}

/** DeepSeek calls the tool `deepseek_web_search`. */
const isSearch = ({ name, type }: JsonObject): boolean =>
  type === "server_tool_use" && (name === "web_search" || name === "deepseek_web_search")

function* queriesIn(blocks: ReadonlyArray<JsonObject>): Generator<unknown> {
  for (const block of blocks) {
    if (isSearch(block)) yield asObject(block["input"])?.["query"]
  }
}

const isDocumentNote = makeTypeTest(
  "char_location",
  "page_location",
  "content_block_location",
  "search_result_location"
)

/** Whether the content is an error instead of search results. */
const isSearchError = (content: unknown): boolean => typeof asObject(content)?.["error_code"] === "string"

/** Whether the blocks or the usage show that a search was made. */
const hasSearched = (bodies: ReadonlyArray<unknown>, blocks: ReadonlyArray<JsonObject>): boolean =>
  blocks.some((block) => isSearch(block)) ||
  bodies.some((body) =>
    Number(asObject(asObject(asObject(body)?.["usage"])?.["server_tool_use"])?.["web_search_requests"] ?? 0) > 0
  )

const judgeSources = (bodies: ReadonlyArray<unknown>, blocks: ReadonlyArray<JsonObject>): SourcesStatus => {
  const found = blocks.flatMap((block) => block["type"] === "web_search_tool_result" ? [block["content"]] : [])
  const results = found.filter((content) => !isSearchError(content))
    .map((content): ListState => Array.isArray(content) ? inspectList(content) : "unknown")
  const notes = blocks.flatMap((block) =>
    block["type"] === "text" ? [inspectList(block["citations"], isDocumentNote)] : []
  )
  const lost: ReadonlyArray<ListState> = found.length === 0 && hasSearched(bodies, blocks) ? ["unknown"] : []
  return judgeLists([...results, ...notes, ...lost], results.length < found.length)
}

/** Reads all bodies of a call; null if one of them has no content. */
export const readAnthropicMessagesSources = (bodies: ReadonlyArray<unknown>, text: string): Findings | null => {
  const contents = bodies.map((body) => asObject(body)?.["content"])
  if (!contents.every(Array.isArray)) return null
  const blocks = contents.flatMap((content) => [...asObjects(content)])
  return { status: judgeSources(bodies, blocks), named: namedIn(blocks, text), queries: queriesIn(blocks) }
}
