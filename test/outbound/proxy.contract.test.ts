/** A platform behind a proxy: all traffic goes through the proxy, none past it. */
import { Effect, type Scope } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import { completion, makeFakePlatform, reply } from "../support/FakePlatform.ts"
import { platformFrom } from "./adapterCases.ts"

const live = <A>(test: Effect.Effect<A, unknown, Scope.Scope>) => Effect.runPromise(Effect.scoped(test))

describe("proxy", () => {
  it("the complete call to an http platform goes through the proxy", async () => {
    const seen = await live(Effect.gen(function*() {
      const proxy = yield* makeFakePlatform(reply(200, completion("Acme.")))
      const fields = { proxy: proxy.origin }
      const answer = yield* platformFrom("openai-compatible", "http://platform.invalid/v1", fields, "k").ask("x")
      return { text: answer.text, requests: proxy.requests.map(({ headers, path }) => [path, headers.host]) }
    }))
    expect(seen).toEqual({
      text: "Acme.",
      requests: [["http://platform.invalid/v1/chat/completions", "platform.invalid"]]
    })
  })

  it("the proxy opens a tunnel to an https platform, sees no key, and is not bypassed if it refuses", async () => {
    const tunnels: Array<unknown> = []
    const server = createServer().on("connect", (request, socket) => {
      tunnels.push([request.url, JSON.stringify(request.headers)])
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n")
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void server.close())
    const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const platform = platformFrom("openai-responses", "https://platform.invalid/v1", { proxy }, "canary-key")
    const error = await Effect.runPromise(Effect.flip(platform.ask("x")))
    expect(error).toMatchObject({ reason: "unavailable", status: null })
    expect(error.message).toContain("could not reach https://platform.invalid through the proxy (ERR_PROXY_TUNNEL)")
    expect(tunnels).toEqual([["platform.invalid:443", expect.not.stringContaining("canary")]])
  })

  it("a call fails if the proxy cannot be reached", async () => {
    const gone = await live(Effect.map(Effect.scoped(makeFakePlatform(() => undefined)), ({ origin }) => origin))
    const platform = platformFrom("openai-compatible", "http://127.0.0.1:9/v1", { proxy: gone })
    expect((await Effect.runPromise(Effect.flip(platform.ask("x")))).reason).toBe("unavailable")
  })
})
