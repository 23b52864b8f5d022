/** Answer platforms on loopback that play given answers over the chat-completions format, one base URL a platform. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

export interface ReplayOptions {
  /** The answer of a platform to a prompt. */
  readonly answer: (platform: string, prompt: string) => string
  /** The model that a platform says has answered; "replay" without it. */
  readonly model?: (platform: string) => string
  readonly latencyMs?: number
  /**
   * Requests after this many answers are kept until `release`: what a test shows meanwhile does not race with a clock.
   */
  readonly holdAfter?: number
  /** Every n-th request fails with 500. */
  readonly failEvery?: number
  /** Tokens that every answer says it used. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

export interface Replay {
  readonly url: string
  /** Configuration for `sov.config.json` with the first `count` platforms. */
  readonly config: (count: number, concurrency?: number) => string
  /** Forgets what was asked: another scan asks the same. */
  readonly forget: () => void
  /** Answers what is kept, and all that comes. */
  readonly release: () => void
  readonly stats: {
    requests: number
    answered: number
    /** Requests whose client went away before the answer. */
    aborted: number
    inFlight: number
    maxInFlight: number
    /** Requests of a question that was asked before, beside those after an injected failure. */
    repeated: number
    /** From when a client went away to when its question was asked again, in milliseconds. */
    readonly waits: Array<number>
  }
}

const ids = ["assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"]

/** The question of a request; null for other bodies. */
const readPrompt = (body: string): string | null => {
  try {
    const { messages } = JSON.parse(body) as { messages?: ReadonlyArray<{ content: string }> }
    return messages?.[0]?.content ?? null
  } catch {
    return null
  }
}

export const startReplay = async (options: ReplayOptions): Promise<Replay> => {
  const stats: Replay["stats"] = {
    requests: 0,
    answered: 0,
    aborted: 0,
    inFlight: 0,
    maxInFlight: 0,
    repeated: 0,
    waits: []
  }
  /** When each question's client went away; null while it is asked or answered. */
  const asked = new Map<string, number | null>()
  let answersUntilHold = options.holdAfter ?? Infinity
  const kept: Array<() => void> = []
  const server = createServer((request, response) => {
    const platform = request.url?.split("/")[1] ?? ""
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => body += chunk)
    request.on("end", () => {
      const prompt = readPrompt(body)
      // A port may have belonged to another test's receiver, which somebody still posts to
      if (prompt === null) return void response.writeHead(400).end()
      const question = `${platform} ${prompt}`
      const left = asked.get(question)
      if (left !== undefined) stats.repeated++
      if (left != null) stats.waits.push(Date.now() - left)
      asked.set(question, null)
      response.on("close", () => response.writableFinished || asked.set(question, Date.now()))
      stats.requests++
      stats.maxInFlight = Math.max(stats.maxInFlight, ++stats.inFlight)
      const fails = options.failEvery !== undefined && stats.requests % options.failEvery === 0
      const reply = () => {
        stats.inFlight--
        if (response.destroyed) return void stats.aborted++
        if (fails) {
          asked.delete(question)
          return void response.writeHead(500).end("{\"error\":{\"message\":\"injected\"}}")
        }
        stats.answered++
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({
          model: options.model?.(platform) ?? "replay",
          choices: [{
            message: { role: "assistant", content: options.answer(platform, prompt) },
            finish_reason: "stop"
          }],
          ...(options.usage === undefined ? {} : { usage: options.usage })
        }))
      }
      setTimeout(() => stats.answered < answersUntilHold ? reply() : kept.push(reply), options.latencyMs ?? 0)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    stats,
    forget: () => asked.clear(),
    release: () => {
      answersUntilHold = Infinity
      for (const reply of kept.splice(0)) reply()
    },
    config: (count, concurrency = 8) =>
      JSON.stringify({
        platforms: Object.fromEntries(
          ids.slice(0, count).map((id) => [id, {
            adapter: "openai-compatible",
            baseUrl: `${url}/${id}/v1`,
            model: "replay",
            concurrency
          }])
        )
      })
  }
}
