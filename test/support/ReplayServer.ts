/**
 * Answer platforms on loopback that return given answers in the chat-completions format, with one base URL per
 * platform.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

export interface ReplayOptions {
  /** The answer of a platform to a prompt. */
  readonly answer: (platform: string, prompt: string) => string
  /** The name of the model in a platform's response; default "replay". */
  readonly model?: (platform: string) => string
  readonly latencyMs?: number
  /**
   * After this many answers, further requests wait until `release` is called, so that a test can check the state before
   * it without a race.
   */
  readonly holdAfter?: number
  /** Every n-th request fails with status 500. */
  readonly failEvery?: number
  /** The token usage in every response. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

export interface Replay {
  readonly url: string
  /** Configuration for `sov.config.json` with the first `count` platforms. */
  readonly config: (count: number, concurrency?: number) => string
  /** Forgets the questions asked until now, because another scan will ask the same ones. */
  readonly forget: () => void
  /** Answers the waiting requests and all later ones. */
  readonly release: () => void
  readonly stats: {
    requests: number
    answered: number
    /** Number of requests whose client disconnected before the response. */
    aborted: number
    inFlight: number
    maxInFlight: number
    /** Number of requests for a question that was asked before, not counting those after an injected failure. */
    repeated: number
    /** For each interrupted question, the milliseconds until it was asked again. */
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
  /**
   * When the client of each question disconnected; null while a request for it is in progress or after it was answered.
   */
  const asked = new Map<string, number | null>()
  let answersUntilHold = options.holdAfter ?? Infinity
  const kept: Array<() => void> = []
  const server = createServer((request, response) => {
    const platform = request.url?.split("/")[1] ?? ""
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => body += chunk)
    request.on("end", () => {
      const prompt = readPrompt(body)
      // The port may have belonged to another test's receiver, to which some program still posts
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
