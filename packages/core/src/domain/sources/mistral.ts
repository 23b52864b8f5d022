/**
 * Reads the sources in a body of Mistral's Conversations API. A `tool_reference` chunk is cited by the text chunk
 * before it; searches are `tool.execution` entries.
 */
import type { Findings, Named, Span } from "./Findings.ts"
import { asObject, asObjects, asText, type JsonObject, parseJsonValues } from "./json.ts"
import { inspectList, judgeLists, makeTypeTest } from "./lists.ts"
import { makePartFinder } from "./spans.ts"

const listMessages = (entries: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  entries.filter((entry) => entry["type"] === "message.output")

function* namedIn(entries: ReadonlyArray<JsonObject>, text: string): Generator<Named> {
  const find = makePartFinder(text)
  for (const message of listMessages(entries)) {
    let span: Span | null = null
    for (const chunk of asObjects(message["content"])) {
      if (chunk["type"] === "text") {
        const shown = asText(chunk["text"])
        const start = find(shown)
        span = start === null || shown === "" ? null : { start, end: start + shown.length }
      } else if (chunk["type"] === "tool_reference" && chunk["url"] !== undefined && chunk["url"] !== null) {
        yield { kind: "cited", url: chunk["url"], title: chunk["title"], span }
      }
    }
  }
}

const isSearch = ({ name, type }: JsonObject): boolean =>
  type === "tool.execution" && typeof name === "string" && name.startsWith("web_search")

function* queriesIn(entries: ReadonlyArray<JsonObject>): Generator<unknown> {
  for (const entry of entries) {
    if (isSearch(entry)) yield asObject(parseJsonValues(asText(entry["arguments"]))?.[0])?.["query"]
  }
}

/** Chunks that are not pages: text, thinking, files, and references to a connector's own results. */
const isNotPage = makeTypeTest("text", "thinking", "image_url", "document_url", "tool_file")
const isNoPage = (chunk: unknown): boolean =>
  isNotPage(chunk) || (makeTypeTest("tool_reference")(chunk) && (asObject(chunk)?.["url"] ?? null) === null)

/** Reads one body; null if the body has no outputs. */
export const readMistralSources = ([body]: ReadonlyArray<unknown>, text: string): Findings | null => {
  const outputs = asObject(body)?.["outputs"]
  if (!Array.isArray(outputs)) return null
  const entries = [...asObjects(outputs)]
  const lists = listMessages(entries).map(({ content }) =>
    typeof content === "string" ? "empty" as const : inspectList(content, isNoPage)
  )
  return { status: judgeLists(lists, false), named: namedIn(entries, text), queries: queriesIn(entries) }
}
