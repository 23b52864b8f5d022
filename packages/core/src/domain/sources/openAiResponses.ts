/**
 * Reads the sources in a body of OpenAI's Responses API. Annotations (`url_citation`) of the answer's messages are
 * cited. Pages that `web_search_call` items consulted (`action.sources`, opened or searched pages) are retrieved;
 * OpenRouter calls these items `openrouter:web_search`.
 */
import type { Findings, Named } from "./Findings.ts"
import { asList, asObject, asObjects, asText, type JsonObject } from "./json.ts"
import { inspectList, judgeLists, type ListState, makeTypeTest, requireList } from "./lists.ts"
import type { SourcesStatus } from "./Source.ts"
import { makeNoteSpanReader, makePartFinder, shiftSpan } from "./spans.ts"

/** Whether an item of the output is a search. */
export const isSearchItem = ({ type }: JsonObject): boolean =>
  type === "web_search_call" || type === "openrouter:web_search"

/** The messages of the answer, without the commentary before it. */
const selectAnswerMessages = (output: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> => {
  const messages = output.filter((item) => item["type"] === "message")
  const final = messages.filter((message) => message["phase"] !== "commentary")
  return final.length > 0 ? final : messages
}

/** The annotations in the parts of messages, with their spans in the answer's text. */
export function* readNotes(messages: Iterable<JsonObject>, text: string): Generator<Named> {
  const find = makePartFinder(text)
  for (const message of messages) {
    for (const part of asObjects(message["content"])) {
      if (part["type"] !== "output_text") continue
      const shown = asText(part["text"])
      const offset = find(shown)
      const spanOf = makeNoteSpanReader(shown)
      for (const note of asObjects(part["annotations"])) {
        if (note["url"] === undefined) continue
        yield { kind: "cited", url: note["url"], title: note["title"], span: shiftSpan(spanOf(note), offset) }
      }
    }
  }
}

const isFileNote = makeTypeTest("file_citation", "container_file_citation", "file_path")

/** The states of the lists of annotations in the parts of messages; `absent` if no part has such a list. */
export const inspectNotes = (messages: Iterable<JsonObject>): ReadonlyArray<ListState> => {
  const lists: Array<ListState> = []
  for (const message of messages) {
    for (const part of asObjects(message["content"])) {
      if (part["type"] === "output_text") lists.push(inspectList(part["annotations"], isFileNote))
    }
  }
  const there = lists.filter((list) => list !== "absent")
  return there.length === 0 ? ["absent"] : there
}

const toRetrieved = (entry: JsonObject): Named => ({
  kind: "retrieved",
  url: entry["url"],
  title: entry["title"],
  span: null
})

function* readNamedSources(output: ReadonlyArray<JsonObject>, text: string): Generator<Named> {
  yield* readNotes(selectAnswerMessages(output), text)
  for (const item of output) {
    const action = isSearchItem(item) ? asObject(item["action"]) : undefined
    if (action === undefined) continue
    if (action["url"] !== undefined && action["url"] !== null) yield toRetrieved(action)
    for (const source of asObjects(action["sources"])) if (source["url"] !== undefined) yield toRetrieved(source)
  }
}

function* queriesIn(output: ReadonlyArray<JsonObject>): Generator<unknown> {
  for (const item of output) {
    const action = isSearchItem(item) ? asObject(item["action"]) : undefined
    const queries = asList(action?.["queries"])
    yield* queries.length > 0 ? queries : [action?.["query"]]
  }
}

/** Sources from the provider's own APIs have no address. */
const isOwnApi = makeTypeTest("api")

const judgeSources = (output: ReadonlyArray<JsonObject>): SourcesStatus => {
  const searches = output.filter((item) => isSearchItem(item))
  const notes = inspectNotes(selectAnswerMessages(output))
  const consulted = searches.map((search) => inspectList(asObject(search["action"])?.["sources"], isOwnApi))
  const failed = searches.some((search) => search["status"] === "failed")
  // After a search, the answer has a list of annotations, which may be empty
  const searched = searches.some((search) => search["status"] !== "failed")
  return judgeLists([...searched ? notes.map(requireList) : notes, ...consulted], failed)
}

/** Reads one body; null if the body has no output. */
export const readOpenAiResponsesSources = ([body]: ReadonlyArray<unknown>, text: string): Findings | null => {
  const output = asObject(body)?.["output"]
  if (!Array.isArray(output)) return null
  const items = [...asObjects(output)]
  return { status: judgeSources(items), named: readNamedSources(items, text), queries: queriesIn(items) }
}
