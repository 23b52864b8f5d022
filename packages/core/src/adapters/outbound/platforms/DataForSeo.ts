/**
 * Apps as a reader sees them, scraped by DataForSEO: Google's AI Mode, the AI Overview above Google's results, and
 * ChatGPT's app. Failures arrive with HTTP 200 and a `status_code` in the body.
 *
 * Format: the types of the official client, dataforseo-client 2.1.7 (read 2026-11). The codes are those of
 * https://docs.dataforseo.com/v3/appendix/errors; only 40101 and 40102 were checked against the provider's pages.
 */
import type { DataForSeoBinding } from "./bindings.ts"
import {
  joinTextRuns,
  listCitations,
  makeUnpricedUsage,
  readDollars,
  readMembers,
  readModel,
  readNonEmptyString,
  readObjects,
  readString,
  readTokens
} from "./readJson.ts"
import type { Verdict, WireError, WireFormat } from "./wireFormat.ts"

const paths: { readonly [App in DataForSeoBinding["model"]]: string } = {
  "google-ai-mode": "/serp/google/ai_mode/live/advanced",
  "google-ai-overview": "/serp/google/organic/live/advanced",
  chatgpt: "/ai_optimization/chat_gpt/llm_scraper/live/advanced"
}

/**
 * Builds the request body with one task. DataForSEO decodes `%##`, and turns `+` into a space, in keywords. The task
 * also asks for overviews that Google loads after the page.
 */
const makeTask = ({ language, location, model }: DataForSeoBinding, prompt: string) => ({
  keyword: prompt.replaceAll("%", "%25").replaceAll("+", "%2B"),
  location_name: location,
  language_code: language,
  ...(model === "google-ai-overview" ? { load_async_ai_overview: true } : {})
})

const ok = 20_000
const noResults = 40_102

/** HTTP status equivalent to each code of the body. */
const statusOfCode: Readonly<Record<number, number>> = {
  40100: 401,
  40101: 503,
  40103: 503,
  40104: 401,
  40200: 402,
  40201: 401,
  40202: 429,
  40203: 402,
  40204: 401,
  40207: 401,
  40209: 429,
  40210: 402,
  40400: 404,
  40402: 404
}

const readFault = (said: Record<string, unknown>, code: number): WireError => {
  const word = String(code)
  return {
    code: word,
    words: [word],
    status: statusOfCode[code] ?? (code >= 50_000 ? 503 : 400),
    message: readString(said["status_message"]),
    retryAfterMs: null
  }
}

/** The app's text: Markdown, or the joined texts of its parts. */
const readText = (item: Record<string, unknown>): string =>
  readNonEmptyString(item["markdown"]) ??
    joinTextRuns(readObjects(item["items"]).map((part) => readString(part["text"]) ?? ""))

/**
 * Whether these are Google's results without an overview. An item of another `*overview*` type may be a renamed
 * overview.
 */
const lacksOverview = (result: Record<string, unknown>): boolean =>
  Array.isArray(result["items"]) &&
  result["items"].every((item) => {
    const type = readString(readMembers(item)?.["type"])
    return type !== null && !/overview/i.test(type)
  })

const readReply = (value: unknown, app: DataForSeoBinding["model"]): Verdict => {
  const body = readMembers(value)
  const code = readTokens(body?.["status_code"])
  if (body === null || code === null) return { kind: "wrongShape" }
  const usage = { ...makeUnpricedUsage(null, null, null), costUsd: readDollars(body["cost"]) }
  if (code !== ok) return { kind: "error", error: readFault(body, code), usage }
  const task = readObjects(body["tasks"])[0]
  const taskCode = readTokens(task?.["status_code"])
  if (task === undefined || taskCode === null) return { kind: "wrongShape" }
  if (taskCode === noResults && app === "google-ai-overview") return { kind: "none", usage }
  if (taskCode !== ok) return { kind: "error", error: readFault(task, taskCode), usage }
  const result = readObjects(task["result"])[0]
  if (result === undefined) return { kind: "wrongShape" }
  const shown = app === "chatgpt"
    ? [result]
    : readObjects(result["items"]).filter((item) => item["type"] === "ai_overview")
  if (shown.length === 0) {
    return app === "google-ai-overview" && lacksOverview(result) ? { kind: "none", usage } : { kind: "wrongShape" }
  }
  const text = joinTextRuns(shown.map(readText))
  if (text.trim() === "") return { kind: "empty", detail: null, usage }
  return {
    kind: "answer",
    text,
    model: app === "chatgpt" ? readModel(result["model"]) : null,
    finish: "other",
    usage,
    citations: listCitations(shown.flatMap((item) => readObjects(item[app === "chatgpt" ? "sources" : "references"])))
  }
}

export const makeDataForSeo = (binding: DataForSeoBinding): WireFormat => ({
  path: paths[binding.model],
  search: "offered",
  headers: (key) => key === null ? {} : { authorization: `Basic ${Buffer.from(key).toString("base64")}` },
  body: (prompt) => [makeTask(binding, prompt)],
  read: (body) => readReply(body, binding.model)
})
