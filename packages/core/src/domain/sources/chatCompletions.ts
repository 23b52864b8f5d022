/**
 * Sources in a body of the chat-completions format, of Perplexity's former Sonar API, too. `url_citation` notes and
 * sources among the content's parts are cited; of the lists `citations` and `search_results` those that a mark `[n]` names are,
 * or all where no mark names any.
 */
import { archivableText } from "../archive/Answer.ts"
import type { Findings, Named } from "./Findings.ts"
import { type JsonObject, listOf, objectOf, objectsOf, textOf } from "./json.ts"
import { citationList, entryOf } from "./listed.ts"
import { moved, noteSpans } from "./spans.ts"

function* namedIn(body: JsonObject, message: JsonObject, text: string): Generator<Named> {
  const parts = [...objectsOf(message["content"])]
  const content = archivableText(
    typeof message["content"] === "string" ? message["content"] : parts.map((part) => textOf(part["text"])).join("")
  )
  // Reasoning at the head of the content is not the answer
  const offset = content.endsWith(text) ? text.length - content.length : null
  const spanOf = noteSpans(content)
  for (const annotation of objectsOf(message["annotations"])) {
    const note = objectOf(annotation["url_citation"]) ?? annotation
    if (note["url"] === undefined) continue
    yield { kind: "cited", url: note["url"], title: note["title"], span: moved(spanOf(note), offset) }
  }
  for (const part of parts) {
    if (part["url"] !== undefined) yield { kind: "cited", url: part["url"], title: part["title"], span: null }
  }
  const { citations, search_results: results } = body
  const titles = new Map([...objectsOf(results)].map((result) => [result["url"], result["title"]]))
  const listed = listOf(citations).length > 0
  yield* citationList(listed ? citations : results, text, titles)
  if (!listed) return
  for (const result of listOf(results)) yield { kind: "retrieved", ...entryOf(result), span: null }
}

/**
 * Reads one body; null when it has no choice. A body without any list is of a platform that names no sources, unless
 * `always` says that this one does.
 */
export const chatCompletionsSources =
  (always: boolean) => ([value]: ReadonlyArray<unknown>, text: string): Findings | null => {
    const body = objectOf(value)
    const [choice] = objectsOf(body?.["choices"])
    const message = objectOf(choice?.["message"])
    if (body === undefined || message === undefined) return null
    const lists = [body["citations"], body["search_results"], message["annotations"]]
    const inParts = [...objectsOf(message["content"])].some((part) => part["url"] !== undefined)
    const queries = listOf(body["search_queries"])
    const reports = always || inParts || lists.some(Array.isArray)
    return { status: reports ? "complete" : "unsupported", named: namedIn(body, message, text), queries }
  }
