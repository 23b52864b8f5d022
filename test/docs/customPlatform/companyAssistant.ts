/** The company's own assistant: POST /ask sends a question, and the response is a reply with its sources. */
import type { AnswerPlatform, PlatformId } from "@sov/core"
import { makeBearerHeader, makeHttpPlatform, type Verdict, type WireFormat } from "@sov/core/outbound"
import { Duration, Option, Redacted, Schema } from "effect"

const decode = Schema.decodeUnknownOption(Schema.Struct({
  reply: Schema.NullOr(Schema.String),
  version: Schema.String,
  sources: Schema.Array(Schema.Struct({ link: Schema.String, name: Schema.String }))
}))

const format: WireFormat = {
  path: "/ask",
  headers: makeBearerHeader,
  body: (question) => ({ question }),
  read: (body): Verdict => {
    const decoded = Option.getOrNull(decode(body))
    if (decoded === null) return { kind: "wrongShape" }
    if (decoded.reply === null) return { kind: "refused", detail: null }
    if (decoded.reply.trim() === "") return { kind: "empty", detail: null }
    return {
      kind: "answer",
      text: decoded.reply, // exactly as it came: what is archived is evidence
      model: decoded.version,
      finish: "stop",
      usage: { inputTokens: null, outputTokens: null, costUsd: null },
      citations: decoded.sources.map(({ link, name }, i) => ({ url: link, title: name, position: i + 1 }))
    }
  }
}

export const companyAssistant = (id: PlatformId, baseUrl: string, apiKey: string): AnswerPlatform =>
  makeHttpPlatform(
    id,
    {
      adapter: "company-assistant",
      model: "company-model",
      baseUrl,
      concurrency: 4,
      requestsPerMinute: 60,
      timeout: Duration.seconds(60),
      maxAnswerBytes: 1_000_000
    },
    Redacted.make(apiKey),
    format
  )
