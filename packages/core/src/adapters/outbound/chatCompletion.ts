/** Reads one body of the OpenAI chat-completions format. Pure and total: any bytes give a verdict. */
import { Option, Schema } from "effect"
import { archivableText, type Citation, type Finish, type Usage } from "../../domain/Answer.ts"

/** What a 2xx body says. `error` is the platform reporting a failure in place of an answer. */
export type ChatVerdict =
  | {
    readonly kind: "answer"
    readonly text: string
    readonly model: string | null
    readonly finish: Finish
    readonly usage: Usage
    readonly citations: ReadonlyArray<Citation>
  }
  | { readonly kind: "refused" | "empty" | "notJson" | "wrongShape" }
  | { readonly kind: "error"; readonly error: ChatError }

/** The error object of the format: `code` may be a word (`insufficient_quota`) or an HTTP status. */
export interface ChatError {
  readonly code: string | null
  readonly status: number | null
  readonly message: string | null
}

// Every optional part is read by itself: an odd citation must not cost an answer that was paid for.
const reader = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (value: unknown): A | null => Option.getOrNull(decode(value))
}
const members = reader(Schema.Record(Schema.String, Schema.Unknown))
const list = reader(Schema.Array(Schema.Unknown))
const string = reader(Schema.String)
const tokens = reader(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })))
const dollars = reader(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))
const httpStatus = reader(Schema.Int.check(Schema.isBetween({ minimum: 400, maximum: 599 })))
const completion = reader(Schema.Struct({ choices: Schema.NonEmptyArray(Schema.Unknown) }))
const choice = reader(Schema.Struct({
  finish_reason: Schema.optionalKey(Schema.Unknown),
  message: Schema.Struct({
    content: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Schema.Unknown)]))),
    refusal: Schema.optionalKey(Schema.Unknown),
    annotations: Schema.optionalKey(Schema.Unknown)
  })
}))
const textPart = reader(Schema.Struct({ type: Schema.Literals(["text", "output_text"]), text: Schema.String }))
const refusalPart = reader(Schema.Struct({ type: Schema.Literal("refusal"), refusal: Schema.String }))
const httpUrl = reader(Schema.String.check(Schema.makeFilter((text: string) => {
  const url = text.length <= 8192 ? URL.parse(text) : null
  return url !== null && (url.protocol === "https:" || url.protocol === "http:")
})))

const finishes: Readonly<Record<string, Finish>> = {
  stop: "stop",
  end_turn: "stop",
  length: "length",
  max_tokens: "length",
  content_filter: "content_filter"
}

/** Most citations kept of one answer. */
const maxCitations = 500

const source = (value: unknown): { url: string; title: string | null } | null => {
  const entry = members(value)
  const url = httpUrl(entry === null ? value : entry["url"])
  const title = entry === null ? null : string(entry["title"])
  return url === null
    ? null
    : { url: archivableText(url), title: title === null || title === "" ? null : archivableText(title).slice(0, 1000) }
}

/**
 * `citations` wins because the text's `[n]` count its entries; `search_results` and `url_citation` notes lend titles.
 * Only http and https addresses are kept, each under its place in the platform's own list.
 */
const citationsOf = (body: Record<string, unknown>, annotations: unknown): ReadonlyArray<Citation> => {
  const read = (value: unknown) => (list(value) ?? []).slice(0, maxCitations).map(source)
  const noted = (list(annotations) ?? []).slice(0, maxCitations)
    .map((note) => source(members(note)?.["url_citation"] ?? null))
    .filter((one, i, all) => one !== null && all.findIndex((other) => other?.url === one.url) === i)
  const sources = [read(body["citations"]), read(body["search_results"]), noted]
  const titles = new Map(sources.flat().flatMap((one) => one?.title ? [[one.url, one.title]] : []))
  return (sources.find((one) => one.length > 0) ?? []).flatMap((one, i) =>
    one === null ? [] : [{ url: one.url, title: one.title ?? titles.get(one.url) ?? null, position: i + 1 }]
  )
}

const usageOf = (value: unknown): Usage => {
  const usage = members(value) ?? {}
  const cost = usage["cost"]
  return {
    inputTokens: tokens(usage["prompt_tokens"]),
    outputTokens: tokens(usage["completion_tokens"]),
    // OpenRouter sends a number, Perplexity an object with the total.
    costUsd: dollars(cost) ?? dollars(members(cost)?.["total_cost"])
  }
}

const errorOf = (value: unknown): ChatError | null => {
  const body = members(value)
  if (body === null) return null
  const error = members(body["error"])
  if (error === null) {
    const message = string(body["error"]) ?? string(body["message"])
    return message === null ? null : { code: null, status: null, message }
  }
  return {
    code: string(error["code"]) ?? string(error["type"]),
    status: httpStatus(error["code"]),
    message: string(error["message"])
  }
}

const parse = (bytes: Uint8Array): Option.Option<unknown> => {
  try {
    return Option.some(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return Option.none()
  }
}

/** The error object of a body that came with a failing status; null when it holds none. */
export const readChatError = (bytes: Uint8Array): ChatError | null => errorOf(Option.getOrNull(parse(bytes)))

/** Reads a 2xx body. The text is exactly what the platform sent; reasoning fields are not the answer. */
export const readChatCompletion = (bytes: Uint8Array): ChatVerdict => {
  const parsed = parse(bytes)
  if (Option.isNone(parsed)) return { kind: "notJson" }
  const body = members(parsed.value)
  const first = choice(completion(parsed.value)?.choices[0])
  if (body === null || first === null) {
    const error = body !== null && Object.hasOwn(body, "error") ? errorOf(body) : null
    return error === null ? { kind: "wrongShape" } : { kind: "error", error }
  }
  const { annotations, content, refusal } = first.message
  const parts = typeof content === "string" ? [] : content ?? []
  const text = typeof content === "string" ? content : parts.map((part) => textPart(part)?.text ?? "").join("")
  const declined = (string(refusal) ?? "") !== "" || parts.some((part) => refusalPart(part) !== null)
  const said = string(first.finish_reason) ?? ""
  const finish: Finish = declined ? "refusal" : Object.hasOwn(finishes, said) ? finishes[said]! : "other"
  if (text.trim() === "") return { kind: declined || finish === "content_filter" ? "refused" : "empty" }
  const model = string(body["model"])
  return {
    kind: "answer",
    text,
    model: model === null || model === "" ? null : archivableText(model).slice(0, 200),
    finish,
    usage: usageOf(body["usage"]),
    citations: citationsOf(body, annotations)
  }
}
