/**
 * Reads the sources in a body of the chat-completions format, including Perplexity's former Sonar API. `url_citation`
 * annotations and sources in the content's parts are cited. Entries of `citations` and `search_results` are cited if a
 * mark `[n]` refers to them, or if the text has no such mark.
 */
import { toArchivableText } from "../archive/Answer.ts"
import type { Findings, Named } from "./Findings.ts"
import { asList, asObject, asObjects, asText, type JsonObject } from "./json.ts"
import { readCitationList, readListEntry } from "./listed.ts"
import { inspectList, isNever, judgeLists, makeTypeTest } from "./lists.ts"
import { makeNoteSpanReader, shiftSpan } from "./spans.ts"

function* namedIn(body: JsonObject, message: JsonObject, text: string): Generator<Named> {
  const parts = [...asObjects(message["content"])]
  const content = toArchivableText(
    typeof message["content"] === "string" ? message["content"] : parts.map((part) => asText(part["text"])).join("")
  )
  // Reasoning at the start of the content is not part of the answer
  const offset = content.endsWith(text) ? text.length - content.length : null
  const spanOf = makeNoteSpanReader(content)
  for (const annotation of asObjects(message["annotations"])) {
    const note = asObject(annotation["url_citation"]) ?? annotation
    if (note["url"] === undefined) continue
    yield { kind: "cited", url: note["url"], title: note["title"], span: shiftSpan(spanOf(note), offset) }
  }
  for (const part of parts) {
    if (part["url"] !== undefined) yield { kind: "cited", url: part["url"], title: part["title"], span: null }
  }
  const { citations, search_results: results } = body
  const titles = new Map([...asObjects(results)].map((result) => [result["url"], result["title"]]))
  const listed = asList(citations).length > 0
  yield* readCitationList(listed ? citations : results, text, titles)
  if (!listed) return
  for (const result of asList(results)) yield { kind: "retrieved", ...readListEntry(result), span: null }
}

const isFileNote = makeTypeTest("file", "file_citation", "file_path")

const readListUrl = (entry: unknown): unknown => readListEntry(entry).url

/** The address in an annotation, which may be in the member named by its type or beside it. */
const readNoteUrl = (note: unknown): unknown => (asObject(asObject(note)?.["url_citation"]) ?? asObject(note))?.["url"]

/**
 * Creates a reader for one body, which returns null if the body has no choice. A body without lists comes from a
 * platform that names no sources, unless `always` is set.
 */
export const makeChatCompletionsReader =
  (always: boolean) => ([value]: ReadonlyArray<unknown>, text: string): Findings | null => {
    const body = asObject(value)
    const [choice] = asObjects(body?.["choices"])
    const message = asObject(choice?.["message"])
    if (body === undefined || message === undefined) return null
    const lists = [
      inspectList(body["citations"], isNever, readListUrl),
      inspectList(body["search_results"], isNever, readListUrl),
      inspectList(message["annotations"], isFileNote, readNoteUrl)
    ]
    const inParts = [...asObjects(message["content"])].some((part) => part["url"] !== undefined)
    const queries = asList(body["search_queries"])
    const reports = always || inParts || lists.some((list) => list !== "absent")
    return { status: reports ? judgeLists(lists, false) : "unsupported", named: namedIn(body, message, text), queries }
  }
