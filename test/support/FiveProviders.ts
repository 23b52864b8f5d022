/** Five providers on loopback, each in its own documented format, that see for themselves whether limits are kept. */
import { platformIds } from "@sov/core"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"
import { adapterCases } from "../outbound/adapterCases.ts"

export interface ProviderLimits {
  readonly latencyMs: number
  readonly concurrency: number
  readonly requestsPerMinute?: number
}

/** What the server saw: `times` of its requests (milliseconds), most at once. */
export interface Provider {
  readonly adapter: string
  readonly limits: ProviderLimits
  readonly times: ReadonlyArray<number>
  readonly most: () => number
  /** Most requests in any 60 seconds. */
  readonly mostInAMinute: () => number
}

const start = async (n: number, limits: ProviderLimits, answer: string) => {
  const { adapter, answer: bodyOf, path } = adapterCases[n]!
  const body = JSON.stringify(bodyOf(answer))
  const times: Array<number> = []
  let [inFlight, most] = [0, 0]
  const server = createServer((request, response) => {
    times.push(performance.now())
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

/** Starts one server for each adapter with its limits; `config` binds the five platforms to them. */
export const startProviders = async (limits: ReadonlyArray<ProviderLimits>, answer: string) => {
  const started = await Promise.all(limits.map((one, n) => start(n, one, answer)))
  return {
    providers: started.map(({ provider }) => provider),
    config: { platforms: Object.fromEntries(started.map(({ binding }, n) => [platformIds[n]!, binding])) }
  }
}

/** The shortest time in which `calls` calls can be made within the limits. */
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
