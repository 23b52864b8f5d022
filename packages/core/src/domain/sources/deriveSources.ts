/**
 * Derives the sources of an answer from its archived payload. Pure and total, and linear in the size of the payload,
 * which may be hostile.
 */
import { type Citation, toArchivableText } from "../archive/Answer.ts"
import { readAnthropicMessagesSources } from "./anthropicMessages.ts"
import { makeChatCompletionsReader } from "./chatCompletions.ts"
import { readDataForSeoSources } from "./dataForSeo.ts"
import type { Findings, Named, ReadFindings, Span } from "./Findings.ts"
import { readGeminiSources } from "./gemini.ts"
import { asObject, parseJsonValues } from "./json.ts"
import { readCitationList } from "./listed.ts"
import { readMistralSources } from "./mistral.ts"
import { readOpenAiResponsesSources } from "./openAiResponses.ts"
import { type Page, parsePage } from "./pageKey.ts"
import { readPerplexityAgentSources } from "./perplexityAgent.ts"
import {
  type AnswerSources,
  type CapturedSource,
  maxQueries,
  maxSources,
  maxTitleLength,
  maxUrlLength,
  type Source,
  type SourceKind,
  type SourcePlace
} from "./Source.ts"
import { linksIn } from "./textLinks.ts"

/** The parts of an archived answer that its sources are derived from. */
export interface StoredAnswer {
  readonly adapter: string
  /** The provider's bodies; null or empty if they were not kept. */
  readonly payload: Uint8Array | null
  /** The archived text. */
  readonly text: string
  /** The citations that the adapter read. They are used if this file does not know the adapter. */
  readonly citations: ReadonlyArray<Citation>
}

/** Reads the payload of a simulated or recorded answer, which is a line of our own format. */
const readOwnSources: ReadFindings = ([value], text) => {
  const body = asObject(value)
  if (body === undefined) return null
  const { citations, queries, retrieved } = body
  function* named(): Generator<Named> {
    yield* readCitationList(citations, text)
    for (const one of readCitationList(retrieved, "")) yield { ...one, kind: "retrieved" }
  }
  return {
    status: Array.isArray(citations) ? "complete" : "unsupported",
    named: named(),
    queries: Array.isArray(queries) ? queries : []
  }
}

const readSonarSources = makeChatCompletionsReader(true)

const readersByAdapter: Readonly<Record<string, ReadFindings>> = {
  "openai-responses": readOpenAiResponsesSources,
  "anthropic-messages": readAnthropicMessagesSources,
  gemini: readGeminiSources,
  mistral: readMistralSources,
  dataforseo: readDataForSeoSources,
  // Archives contain answers of the Sonar API, which ended in 2026, and of the Agent API
  perplexity: (bodies, text) => readPerplexityAgentSources(bodies, text) ?? readSonarSources(bodies, text),
  "openai-compatible": makeChatCompletionsReader(false),
  simulated: readOwnSources,
  recorded: readOwnSources
}

/** Converts the citations that an unknown adapter read. */
const citationsToFindings = ({ citations, text }: StoredAnswer): Findings => ({
  status: citations.length > 0 ? "complete" : "unsupported",
  named: readCitationList([...citations].sort((a, b) => a.position - b.position), text),
  queries: []
})

const readAnswerFindings = (answer: StoredAnswer): Findings => {
  const read = Object.hasOwn(readersByAdapter, answer.adapter) ? readersByAdapter[answer.adapter] : undefined
  if (read === undefined) return citationsToFindings(answer)
  const bodies = answer.payload === null ? null : parseJsonValues(new TextDecoder().decode(answer.payload))
  return (bodies === null ? null : read(bodies, answer.text)) ?? { status: "unreadable", named: [], queries: [] }
}

/** Whether a URL is one of Google's grounding redirects, which do not show the page and expire. */
const isRedirect = (url: URL): boolean =>
  url.hostname === "vertexaisearch.cloud.google.com" && url.pathname.startsWith("/grounding-api-redirect/")

/** Whether the URL of a source is a redirect whose target must be requested. */
export const isGroundingRedirect = (url: string): boolean => {
  const parsed = url.length <= maxUrlLength ? URL.parse(url) : null
  return parsed !== null && parsed.protocol === "https:" && parsed.port === "" && isRedirect(parsed)
}

const unknownPlace: SourcePlace = { page: null, host: null, domain: null }

const toSourcePlace = (page: Page | null): SourcePlace => page ?? unknownPlace

/** Parses the name beside a redirect as a site. */
const parseSite = (name: unknown): SourcePlace => {
  if (typeof name !== "string" || !/^[^\s/:@?#]{1,253}$/.test(name) || !name.includes(".")) return unknownPlace
  return { ...toSourcePlace(parsePage(`https://${name}/`)), page: null }
}

/** Locates a source by its URL, or a redirect by the site's name, which may be its title. */
export const locateSource = ({ title, url }: Pick<CapturedSource, "title" | "url">, site?: unknown): SourcePlace => {
  if (!isGroundingRedirect(url)) return toSourcePlace(parsePage(url))
  const named = parseSite(site)
  return named.domain === null ? parseSite(title) : named
}

/**
 * Maximum number of distinct addresses that are read: from the platform's lists, and in total with the links in the
 * text.
 */
const maxListedUrls = 3 * maxSources
const maxReadUrls = 4 * maxSources

const cleanTitle = (title: unknown): string | null =>
  typeof title === "string" && title.trim() !== "" ? toArchivableText(title.slice(0, maxTitleLength)) : null

const kindOrder: ReadonlyArray<SourceKind> = ["cited", "retrieved", "in_text"]
/** The order in which kinds are kept when there are too many sources. */
const keptOrder: ReadonlyArray<SourceKind> = ["cited", "in_text", "retrieved"]

const sortByKind = (sources: ReadonlyArray<Source>, order: ReadonlyArray<SourceKind>): ReadonlyArray<Source> =>
  order.flatMap((kind) => sources.filter((source) => source.kind === kind))

/** Collects sources, each page once. A page keeps the first kind that is added for it, which is the strongest. */
const makeCollector = (text: string) => {
  const byPage = new Map<string, Source>()
  const pages = new Map<string, string | null>()
  let cut = 0

  /** The key that identifies a source: its page, or its address if the page is unknown. */
  const makeSourceKey = (url: string, place: SourcePlace): string => place.page ?? url

  const add = (kind: SourceKind, url: string, title: string | null, span: Span | null, site?: unknown): void => {
    const seen = pages.get(url)
    if (seen === null) return
    if (seen === undefined && pages.size >= (kind === "in_text" ? maxReadUrls : maxListedUrls)) {
      cut++
      return
    }
    if (seen === undefined) {
      const place = locateSource({ url, title }, site)
      // A redirect without a name is also a source
      const key = place.page === null && !isGroundingRedirect(url) ? null : makeSourceKey(url, place)
      pages.set(url, key)
      if (key === null) {
        // Text that is not an address was never named as a source
        if (kind !== "in_text") cut++
        return
      }
      if (!byPage.has(key)) {
        byPage.set(key, { kind, url, title, start: span?.start ?? null, end: span?.end ?? null, ...place })
        return
      }
    }
    const key = pages.get(url)!
    const known = byPage.get(key)!
    const linked = known.kind === "retrieved" && kind === "in_text"
    if (linked || (known.title === null && title !== null) || (known.start === null && span !== null)) {
      byPage.set(key, {
        ...known,
        // The answer links to a page that the platform retrieved
        kind: linked ? "cited" : known.kind,
        title: known.title ?? title,
        ...(known.start === null && span !== null ? { start: span.start, end: span.end } : {})
      })
    }
  }

  return {
    name: ({ kind, site, span, title, url }: Named): void => {
      if (typeof url !== "string" || url === "") return
      if (url.length > maxUrlLength) {
        cut++
        return
      }
      const fits = span !== null && span.start >= 0 && span.start < span.end && span.end <= text.length
      add(kind, toArchivableText(url), cleanTitle(title), fits ? span : null, site)
    },
    link: ({ url, ...span }: Span & { readonly url: string }): void => {
      if (url.length <= maxUrlLength) add("in_text", url, null, span)
      else cut++
    },
    /** Whether sources were found, but none could be kept. */
    hasOnlyCut: (): boolean => cut > 0 && byPage.size === 0,
    end: (): { readonly sources: ReadonlyArray<Source>; readonly cut: number } => {
      const found = [...byPage.values()]
      const kept = sortByKind(found, keptOrder).slice(0, maxSources)
      return { sources: sortByKind(kept, kindOrder), cut: cut + found.length - kept.length }
    }
  }
}

const cleanQueries = (
  queries: Iterable<unknown>
): { readonly queries: ReadonlyArray<string>; readonly cut: number } => {
  const kept = new Set<string>()
  let cut = 0
  for (const query of queries) {
    if (typeof query !== "string" || query.trim() === "") continue
    const text = toArchivableText(query.slice(0, maxTitleLength))
    if (kept.has(text)) continue
    if (kept.size < maxQueries) kept.add(text)
    else cut++
  }
  return { queries: [...kept], cut }
}

/** Derives the sources of an answer. Never throws. */
export const deriveSources = (answer: StoredAnswer): AnswerSources => {
  const kept = answer.payload !== null && answer.payload.length > 0
  const findings: Findings = kept || !Object.hasOwn(readersByAdapter, answer.adapter)
    ? readAnswerFindings(answer)
    : { status: "unsupported", named: [], queries: [] }
  const collector = makeCollector(answer.text)
  for (const named of findings.named) collector.name(named)
  // Lists in which all addresses are invalid are unreadable rather than empty
  const status = findings.status === "complete" && collector.hasOnlyCut() ? "unreadable" : findings.status
  for (const link of linksIn(answer.text)) collector.link(link)
  const { queries, cut } = cleanQueries(findings.queries)
  const collected = collector.end()
  return { status, sources: collected.sources, queries, cut: collected.cut + cut }
}
