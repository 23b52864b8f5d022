/**
 * The sources of an answer, derived from the payload that is kept with it. Pure and total: whatever a payload holds, it
 * costs time in proportion to its length and never the answer.
 */
import { archivableText, type Citation } from "../archive/Answer.ts"
import { anthropicMessagesSources } from "./anthropicMessages.ts"
import { chatCompletionsSources } from "./chatCompletions.ts"
import type { Findings, Named, ReadFindings, Span } from "./Findings.ts"
import { geminiSources } from "./gemini.ts"
import { jsonValues, objectOf } from "./json.ts"
import { citationList } from "./listed.ts"
import { openAiResponsesSources } from "./openAiResponses.ts"
import { type Page, pageOf } from "./pageKey.ts"
import { perplexityAgentSources } from "./perplexityAgent.ts"
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

/** An archived answer, as far as its sources are made of it. */
export interface StoredAnswer {
  readonly adapter: string
  /** The provider's bodies; null or empty where they were not kept. */
  readonly payload: Uint8Array | null
  /** The archived text. */
  readonly text: string
  /** What the adapter itself read: of use where this file does not know the adapter. */
  readonly citations: ReadonlyArray<Citation>
}

/** Our own line of a simulated or recorded answer: `citations`, and what was `retrieved` and searched for besides. */
const ownSources: ReadFindings = ([value], text) => {
  const body = objectOf(value)
  if (body === undefined) return null
  const { citations, queries, retrieved } = body
  function* named(): Generator<Named> {
    yield* citationList(citations, text)
    for (const one of citationList(retrieved, "")) yield { ...one, kind: "retrieved" }
  }
  return {
    status: Array.isArray(citations) ? "complete" : "unsupported",
    named: named(),
    queries: Array.isArray(queries) ? queries : []
  }
}

const sonarSources = chatCompletionsSources(true)

const readers: Readonly<Record<string, ReadFindings>> = {
  "openai-responses": openAiResponsesSources,
  "anthropic-messages": anthropicMessagesSources,
  gemini: geminiSources,
  // Archives hold answers of the Sonar API, which ended in 2026, and of the Agent API
  perplexity: (bodies, text) => perplexityAgentSources(bodies, text) ?? sonarSources(bodies, text),
  "openai-compatible": chatCompletionsSources(false),
  simulated: ownSources,
  recorded: ownSources
}

/** What an adapter that is not known here read itself. */
const citedByAdapter = ({ citations, text }: StoredAnswer): Findings => ({
  status: citations.length > 0 ? "complete" : "unsupported",
  named: citationList([...citations].sort((a, b) => a.position - b.position), text),
  queries: []
})

const findingsOf = (answer: StoredAnswer): Findings => {
  const read = Object.hasOwn(readers, answer.adapter) ? readers[answer.adapter] : undefined
  if (read === undefined) return citedByAdapter(answer)
  const bodies = answer.payload === null ? null : jsonValues(new TextDecoder().decode(answer.payload))
  return (bodies === null ? null : read(bodies, answer.text)) ?? { status: "unreadable", named: [], queries: [] }
}

/** Google's redirects to the pages that grounded an answer: they say nothing of the page, and they end. */
const isRedirect = (url: URL): boolean =>
  url.hostname === "vertexaisearch.cloud.google.com" && url.pathname.startsWith("/grounding-api-redirect/")

/** Whether the URL of a source only leads to the page, and another address of it has to be asked for. */
export const isGroundingRedirect = (url: string): boolean => {
  const parsed = url.length <= maxUrlLength ? URL.parse(url) : null
  return parsed !== null && parsed.protocol === "https:" && parsed.port === "" && isRedirect(parsed)
}

const nowhere: SourcePlace = { page: null, host: null, domain: null }

const placeOf = (page: Page | null): SourcePlace => page ?? nowhere

/** The site by a name that stands beside a redirect. */
const siteOf = (name: unknown): SourcePlace => {
  if (typeof name !== "string" || !/^[^\s/:@?#]{1,253}$/.test(name) || !name.includes(".")) return nowhere
  return { ...placeOf(pageOf(`https://${name}/`)), page: null }
}

/** Where a source lies, by its URL; for a redirect by the site's name, which may stand in its title. */
export const sourcePlace = ({ title, url }: Pick<CapturedSource, "title" | "url">, site?: unknown): SourcePlace => {
  if (!isGroundingRedirect(url)) return placeOf(pageOf(url))
  const named = siteOf(site)
  return named.domain === null ? siteOf(title) : named
}

/** Most different addresses that are looked into. */
const maxRead = 4 * maxSources

const titleOf = (title: unknown): string | null =>
  typeof title === "string" && title.trim() !== "" ? archivableText(title.slice(0, maxTitleLength)) : null

const kindOrder: ReadonlyArray<SourceKind> = ["cited", "retrieved", "in_text"]

/** Collects sources, each page once with its strongest kind: the first that is given in. */
const makeCollector = (text: string) => {
  const byPage = new Map<string, Source>()
  const pages = new Map<string, string | null>()
  let cut = 0

  /** What makes two addresses one source: the page, or the address itself where that is not known. */
  const keyOf = (url: string, place: SourcePlace): string => place.page ?? url

  const add = (kind: SourceKind, url: string, title: string | null, span: Span | null, site?: unknown): void => {
    const seen = pages.get(url)
    if (seen === null) return
    if (seen === undefined && pages.size >= maxRead) {
      cut++
      return
    }
    if (seen === undefined) {
      const place = sourcePlace({ url, title }, site)
      // A redirect without a name beside it is still a source
      const key = place.page === null && !isGroundingRedirect(url) ? null : keyOf(url, place)
      pages.set(url, key)
      if (key === null) {
        // What stands in the text alone and is no address was never named as a source
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
        // The answer links to what was retrieved
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
      add(kind, archivableText(url), titleOf(title), fits ? span : null, site)
    },
    link: ({ url, ...span }: Span & { readonly url: string }): void => {
      if (url.length <= maxUrlLength) add("in_text", url, null, span)
      else cut++
    },
    end: (): { readonly sources: ReadonlyArray<Source>; readonly cut: number } => {
      const found = [...byPage.values()]
      const sources = kindOrder.flatMap((kind) => found.filter((source) => source.kind === kind))
      return { sources: sources.slice(0, maxSources), cut: cut + Math.max(0, sources.length - maxSources) }
    }
  }
}

const queriesOf = (queries: Iterable<unknown>): { readonly queries: ReadonlyArray<string>; readonly cut: number } => {
  const kept = new Set<string>()
  let cut = 0
  for (const query of queries) {
    if (typeof query !== "string" || query.trim() === "") continue
    const text = archivableText(query.slice(0, maxTitleLength))
    if (kept.has(text)) continue
    if (kept.size < maxQueries) kept.add(text)
    else cut++
  }
  return { queries: [...kept], cut }
}

/** Derives the sources of an answer. Never throws. */
export const deriveSources = (answer: StoredAnswer): AnswerSources => {
  const kept = answer.payload !== null && answer.payload.length > 0
  const findings: Findings = kept || !Object.hasOwn(readers, answer.adapter)
    ? findingsOf(answer)
    : { status: "unsupported", named: [], queries: [] }
  const collector = makeCollector(answer.text)
  for (const named of findings.named) collector.name(named)
  for (const link of linksIn(answer.text)) collector.link(link)
  const { queries, cut } = queriesOf(findings.queries)
  const collected = collector.end()
  return { status: findings.status, sources: collected.sources, queries, cut: collected.cut + cut }
}
