/**
 * Reads the sources in a body of Google's generateContent. Chunks that a support links to the text are cited, or all
 * chunks if there is no support; the others are retrieved. Their addresses are redirects that expire after 30 days, so
 * the site is stored by name: `domain`, or else a `title` that is a host.
 */
import type { Findings, Named, Span } from "./Findings.ts"
import { asList, asObject, asObjects, asText, type JsonObject } from "./json.ts"
import { inspectList, judgeLists, type ListState } from "./lists.ts"
import type { SourcesStatus } from "./Source.ts"
import { makeByteSpanReader, makePartFinder, shiftSpan } from "./spans.ts"

/** The first span that each chunk supports, by the index of the chunk; null if unknown. */
const findSupportedChunks = (
  supports: unknown,
  parts: ReadonlyArray<JsonObject>,
  text: string
): ReadonlyMap<unknown, Span | null> => {
  const find = makePartFinder(text)
  const readers = parts.map((part) => {
    // Thoughts are not part of the answer
    const shown = part["thought"] === true ? "" : asText(part["text"])
    return { offset: find(shown), spanOf: makeByteSpanReader(shown) }
  })
  const found = new Map<unknown, Span | null>()
  for (const support of asObjects(supports)) {
    const segment = asObject(support["segment"]) ?? {}
    const reader = readers[Number(segment["partIndex"] ?? 0)]
    const span = reader === undefined ? null : shiftSpan(reader.spanOf(segment), reader.offset)
    for (const chunk of asList(support["groundingChunkIndices"])) {
      if (!found.has(chunk) || (found.get(chunk) === null && span !== null)) found.set(chunk, span)
    }
  }
  return found
}

function* namedIn(candidate: JsonObject, grounding: JsonObject, text: string): Generator<Named> {
  const parts = [...asObjects(asObject(candidate["content"])?.["parts"])]
  const supported = findSupportedChunks(grounding["groundingSupports"], parts, text)
  const chunks = asList(grounding["groundingChunks"]).map((chunk) => asObject(asObject(chunk)?.["web"]))
  const named = (web: JsonObject, i: number, kind: Named["kind"]): Named => ({
    kind,
    url: web["uri"],
    title: web["title"],
    span: supported.get(i) ?? null,
    site: web["domain"]
  })
  const isCited = (i: number) => supported.size === 0 || supported.has(i)
  for (const [i, web] of chunks.entries()) if (web !== undefined && isCited(i)) yield named(web, i, "cited")
  for (const [i, web] of chunks.entries()) if (web !== undefined && !isCited(i)) yield named(web, i, "retrieved")
}

/** Whether a chunk is a document or a place rather than a web page. */
const isNoPage = (chunk: unknown): boolean => {
  const members = asObject(chunk)
  return ["retrievedContext", "maps", "image"].some((name) => asObject(members?.[name]) !== undefined)
}

const inspectSupports = (supports: unknown): ListState =>
  supports === undefined || supports === null ? "absent" : Array.isArray(supports) ? "empty" : "unknown"

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" ||
  (Array.isArray(value)
    ? value.every((entry) => entry === "")
    : typeof value === "object" && Object.keys(value).length === 0)

/** Members of the metadata that also occur in answers without a search. */
const unsearched = new Set(["retrievalMetadata"])

/** Whether metadata other than the chunks, or the tokens of a tool, show that a search was made. */
const hasSearched = (body: JsonObject, candidate: JsonObject): boolean =>
  Object.entries(asObject(candidate["groundingMetadata"]) ?? {})
    .some(([name, value]) => !unsearched.has(name) && !isEmpty(value)) ||
  Object.entries(candidate).some(([name, value]) =>
    name !== "groundingMetadata" && /grounding/i.test(name) && !isEmpty(value)
  ) ||
  Number(asObject(body["usageMetadata"])?.["toolUsePromptTokenCount"] ?? 0) > 0

const judgeSources = (body: JsonObject, candidate: JsonObject): SourcesStatus => {
  const metadata = candidate["groundingMetadata"] ?? {}
  const grounding = asObject(metadata)
  const chunks = inspectList(
    grounding?.["groundingChunks"],
    isNoPage,
    (chunk) => asObject(asObject(chunk)?.["web"])?.["uri"]
  )
  const lost = grounding === undefined || (chunks === "absent" && hasSearched(body, candidate))
  return judgeLists([chunks, inspectSupports(grounding?.["groundingSupports"]), lost ? "unknown" : "absent"], false)
}

/** Reads one body; null if the body has no candidate. */
export const readGeminiSources = ([value]: ReadonlyArray<unknown>, text: string): Findings | null => {
  const body = asObject(value)
  const [candidate] = asObjects(body?.["candidates"])
  if (body === undefined || candidate === undefined) return null
  const grounding = asObject(candidate["groundingMetadata"]) ?? {}
  return {
    status: judgeSources(body, candidate),
    named: namedIn(candidate, grounding, text),
    queries: asList(grounding["webSearchQueries"])
  }
}
