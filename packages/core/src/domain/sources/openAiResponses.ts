/**
 * Sources in a body of OpenAI's Responses API: notes (`url_citation`) of the answer's messages are cited; what
 * `web_search_call` items say was consulted (`action.sources`, pages opened or searched through) is retrieved.
 */
import type { Findings, Named } from "./Findings.ts"
import { type JsonObject, listOf, objectOf, objectsOf, textOf } from "./json.ts"
import { moved, noteSpans, partFinder } from "./spans.ts"

/** The messages that make the answer: commentary is for the time until it is there. */
const messagesOf = (output: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> => {
  const messages = output.filter((item) => item["type"] === "message")
  const final = messages.filter((message) => message["phase"] !== "commentary")
  return final.length > 0 ? final : messages
}

/** Notes of the parts of messages, each with its span in the answer's text. */
export function* notesOf(messages: Iterable<JsonObject>, text: string): Generator<Named> {
  const find = partFinder(text)
  for (const message of messages) {
    for (const part of objectsOf(message["content"])) {
      if (part["type"] !== "output_text") continue
      const shown = textOf(part["text"])
      const offset = find(shown)
      const spanOf = noteSpans(shown)
      for (const note of objectsOf(part["annotations"])) {
        if (note["url"] === undefined) continue
        yield { kind: "cited", url: note["url"], title: note["title"], span: moved(spanOf(note), offset) }
      }
    }
  }
}

const retrieved = (entry: JsonObject): Named => ({
  kind: "retrieved",
  url: entry["url"],
  title: entry["title"],
  span: null
})

function* namedIn(output: ReadonlyArray<JsonObject>, text: string): Generator<Named> {
  yield* notesOf(messagesOf(output), text)
  for (const item of output) {
    const action = item["type"] === "web_search_call" ? objectOf(item["action"]) : undefined
    if (action === undefined) continue
    if (action["url"] !== undefined && action["url"] !== null) yield retrieved(action)
    // Sources by an API of the provider's own have no address
    for (const source of objectsOf(action["sources"])) if (source["url"] !== undefined) yield retrieved(source)
  }
}

function* queriesIn(output: ReadonlyArray<JsonObject>): Generator<unknown> {
  for (const item of output) {
    const action = item["type"] === "web_search_call" ? objectOf(item["action"]) : undefined
    const queries = listOf(action?.["queries"])
    yield* queries.length > 0 ? queries : [action?.["query"]]
  }
}

/** Reads one body; null when it has no output. */
export const openAiResponsesSources = ([body]: ReadonlyArray<unknown>, text: string): Findings | null => {
  const output = objectOf(body)?.["output"]
  if (!Array.isArray(output)) return null
  const items = [...objectsOf(output)]
  return { status: "complete", named: namedIn(items, text), queries: queriesIn(items) }
}
