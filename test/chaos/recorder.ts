/**
 * Answer platforms on loopback that record every call: which worker asked which question, from when to when, and how
 * the call ended.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Call } from "./checkHistory.ts"

export interface Recorder {
  readonly calls: ReadonlyArray<Call>
  /** Text of `sov.config.json`; workers are told apart by the API key in CHAOS_WORKER. */
  readonly config: string
  readonly close: () => void
}

interface Asked {
  readonly messages: ReadonlyArray<{ readonly content: string }>
}

/** Starts platforms that respond after `latencyMs`, each with at most `limit` questions at once. */
export const startRecorder = async ({ latencyMs, limit, platforms, sinceBegun }: {
  readonly platforms: ReadonlyArray<string>
  readonly limit: number
  readonly latencyMs: () => number
  /** The clock for the times of calls. */
  readonly sinceBegun: () => number
}): Promise<Recorder> => {
  const calls: Array<Call> = []
  const server = createServer((request, response) => {
    const from = sinceBegun()
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => body += chunk)
    request.on("end", () => {
      const call: Call = {
        platform: request.url?.split("/")[1] ?? "",
        prompt: (JSON.parse(body) as Asked).messages[0]!.content,
        worker: request.headers.authorization?.slice("Bearer ".length) ?? "",
        from,
        to: Infinity,
        answered: false
      }
      calls.push(call)
      response.on("close", () => Object.assign(call, { to: sinceBegun(), answered: response.writableFinished }))
      setTimeout(() => {
        if (response.destroyed) return
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({
          model: "recorder",
          choices: [{ message: { role: "assistant", content: "Acme Forge, then Globex." }, finish_reason: "stop" }]
        }))
      }, latencyMs())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const binding = (id: string) => ({
    adapter: "openai-compatible",
    baseUrl: `${url}/${id}/v1`,
    model: "recorder",
    apiKeyEnv: "CHAOS_WORKER",
    concurrency: limit
  })
  return {
    calls,
    config: JSON.stringify({ platforms: Object.fromEntries(platforms.map((id) => [id, binding(id)])) }),
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
