/**
 * Sources in the bodies of one call of Anthropic's Messages API, several where it paused: citations of text blocks are
 * cited, each standing behind its block; other results of the search tool are retrieved.
 */
import type { Findings, Named } from "./Findings.ts"
import { asObject, asObjects, asText, type JsonObject } from "./json.ts"
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
    // An error stands there as an object in place of the list
    if (block["type"] !== "web_search_tool_result") continue
    for (const result of asObjects(block["content"])) {
      yield { kind: "retrieved", url: result["url"], title: result["title"], span: null }
    }
  }
}

function* queriesIn(blocks: ReadonlyArray<JsonObject>): Generator<unknown> {
  for (const block of blocks) {
    if (block["type"] === "server_tool_use" && block["name"] === "web_search") yield asObject(block["input"])?.["query"]
  }
}

/** Reads all bodies of a call; null when one of them has no content. */
export const readAnthropicMessagesSources = (bodies: ReadonlyArray<unknown>, text: string): Findings | null => {
  const contents = bodies.map((body) => asObject(body)?.["content"])
  if (!contents.every(Array.isArray)) return null
  const blocks = contents.flatMap((content) => [...asObjects(content)])
  return { status: "complete", named: namedIn(blocks, text), queries: queriesIn(blocks) }
}
