/** Answer platforms on loopback that play given answers over the chat-completions format, one base URL a platform. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

export interface ReplayOptions {
  /** The answer of a platform to a prompt. */
  readonly answer: (platform: string, prompt: string) => string
  readonly latencyMs?: number
  /** Every n-th request fails with 500. */
  readonly failEvery?: number
  /** Tokens that every answer says it used. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

export interface Replay {
  readonly url: string
  /** Configuration for `sov.config.json` with the first `count` platforms. */
  readonly config: (count: number, concurrency?: number) => string
  readonly stats: { requests: number; answered: number; cut: number; inFlight: number; most: number }
}

const ids = ["assistant_a", "assistant_b", "assistant_c", "assistant_d", "assistant_e"]

export const startReplay = async (options: ReplayOptions): Promise<Replay> => {
  const stats = { requests: 0, answered: 0, cut: 0, inFlight: 0, most: 0 }
  const server = createServer((request, response) => {
    const platform = request.url?.split("/")[1] ?? ""
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => body += chunk)
    request.on("end", () => {
      stats.requests++
      stats.most = Math.max(stats.most, ++stats.inFlight)
      const fails = options.failEvery !== undefined && stats.requests % options.failEvery === 0
      setTimeout(() => {
        stats.inFlight--
        if (response.destroyed) return void stats.cut++
        if (fails) return void response.writeHead(500).end("{\"error\":{\"message\":\"injected\"}}")
        const prompt = (JSON.parse(body) as { messages: ReadonlyArray<{ content: string }> }).messages[0]!.content
        stats.answered++
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({
          model: "replay",
          choices: [{
            message: { role: "assistant", content: options.answer(platform, prompt) },
            finish_reason: "stop"
          }],
          ...(options.usage === undefined ? {} : { usage: options.usage })
        }))
      }, options.latencyMs ?? 0)
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
