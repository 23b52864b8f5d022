/**
 * Five fake providers on loopback, each with its own documented format. They record whether the client keeps their
 * limits.
 */
import { platformIds } from "@sov/core"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

const chat = (content: string) => ({
  model: "test-model",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }]
})

/** For each adapter, the path below `/v1` and the shortest documented body that contains this text. */
const formats = [
  {
    adapter: "openai-responses",
    path: "/responses",
    bodyOf: (text: string) => ({
      status: "completed",
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] }]
    })
  },
  {
    adapter: "anthropic-messages",
    path: "/messages",
    bodyOf: (text: string) => ({ type: "message", content: [{ type: "text", text }], stop_reason: "end_turn" })
  },
  {
    adapter: "gemini",
    path: "/models/test-model:generateContent",
    bodyOf: (text: string) => ({ candidates: [{ content: { parts: [{ text }] }, finishReason: "STOP" }] })
  },
  {
    adapter: "perplexity",
    path: "/agent",
    bodyOf: (text: string) => ({
      status: "completed",
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }]
    })
  },
  { adapter: "openai-compatible", path: "/chat/completions", bodyOf: chat }
]

export interface ProviderLimits {
  readonly latencyMs: number
  readonly concurrency: number
  readonly requestsPerMinute?: number
}

/** What a provider recorded: `times` of its requests in milliseconds, and `most` requests at the same time. */
export interface Provider {
  readonly adapter: string
  readonly limits: ProviderLimits
  readonly times: ReadonlyArray<number>
  readonly most: () => number
  /** The highest number of requests in any 60 seconds. */
  readonly mostInAMinute: () => number
}

const start = async (n: number, limits: ProviderLimits, answer: string, now: () => number) => {
  const { adapter, bodyOf, path } = formats[n]!
  const body = JSON.stringify(bodyOf(answer))
  const times: Array<number> = []
  let [inFlight, most] = [0, 0]
  const server = createServer((request, response) => {
    times.push(now())
    most = Math.max(most, ++inFlight)
    request.resume().on("end", () =>
      setTimeout(() => {
        inFlight--
        const fits = request.url === `/v1${path}`
        response.writeHead(fits ? 200 : 404, { "content-type": "application/json" }).end(fits ? body : "{}")
      }, limits.latencyMs))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const provider: Provider = {
    adapter,
    limits,
    times,
    most: () => most,
    mostInAMinute: () =>
      Math.max(0, ...times.map((begin) => times.filter((time) => time >= begin && time < begin + 60_000).length))
  }
  const { concurrency, requestsPerMinute } = limits
  const binding = {
    adapter,
    model: "test-model",
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    concurrency,
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute })
  }
  return { provider, binding }
}

/**
 * Starts one provider for each adapter, with its limits; `config` assigns the five platforms to them. `now` is the
 * clock for the recorded times, in milliseconds.
 */
export const startProviders = async (
  limits: ReadonlyArray<ProviderLimits>,
  answer: string,
  now = () => performance.now()
) => {
  const started = await Promise.all(limits.map((one, n) => start(n, one, answer, now)))
  return {
    providers: started.map(({ provider }) => provider),
    config: { platforms: Object.fromEntries(started.map(({ binding }, n) => [platformIds[n]!, binding])) }
  }
}

/** The shortest time in which `calls` calls are possible within the limits, in milliseconds. */
export const idealMs = (
  calls: number,
  { concurrency, latencyMs, requestsPerMinute = Infinity }: ProviderLimits
): number => {
  const begun: Array<number> = []
  for (let n = 0; n < calls; n++) {
    const slotFree = n < concurrency ? 0 : begun[n - concurrency]! + latencyMs
    const minuteFree = n < requestsPerMinute ? 0 : begun[n - requestsPerMinute]! + 60_000
    begun.push(Math.max(slotFree, minuteFree))
  }
  return begun.at(-1)! + latencyMs
}
