/** A fake answer platform: a real HTTP server on loopback that plays a script and records the requests. */
import { Deferred, Effect, type Scope } from "effect"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Script = (response: ServerResponse, request: RecordedRequest) => void

export interface FakePlatform {
  readonly origin: string
  readonly baseUrl: string
  readonly requests: ReadonlyArray<RecordedRequest>
  /** Completes when the first request has arrived. */
  readonly asked: Effect.Effect<void>
  /** Completes when a connection was closed before its response was finished. */
  readonly aborted: Effect.Effect<void>
}

/** Starts the server; it stops when the scope closes. */
export const makeFakePlatform = (script: Script): Effect.Effect<FakePlatform, never, Scope.Scope> =>
  Effect.gen(function*() {
    const requests: Array<RecordedRequest> = []
    const asked = Deferred.makeUnsafe<void>()
    const aborted = Deferred.makeUnsafe<void>()
    const server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8")
      request.on("data", (chunk: string) => void (body += chunk))
      request.on("end", () => {
        const recorded = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body }
        requests.push(recorded)
        Deferred.doneUnsafe(asked, Effect.void)
        script(response, recorded)
      })
      response.on("close", () => {
        if (!response.writableFinished) Deferred.doneUnsafe(aborted, Effect.void)
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { origin, baseUrl: `${origin}/v1`, requests, asked: Deferred.await(asked), aborted: Deferred.await(aborted) }
  })

/** A response with this status, headers and body; a body that is not text is sent as JSON. */
export const reply = (status: number, body: unknown, headers: Record<string, string> = {}): Script => (response) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body))
}

/** A chat completion with this content; `message`, `choice` and `top` add or replace fields at their level. */
export const completion = (
  content: unknown,
  more: { message?: object; choice?: object; top?: object } = {}
): Record<string, unknown> => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "test-model-2026",
  choices: [{
    index: 0,
    message: { role: "assistant", content, ...more.message },
    finish_reason: "stop",
    ...more.choice
  }],
  usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
  ...more.top
})

/** Sends the headers and the beginning of a body, then `chunk` every `everyMs` until the client disconnects. */
export const drip = (chunk: string, everyMs: number): Script => (response) => {
  response.writeHead(200, { "content-type": "application/json" })
  response.write("{\"choices\":[")
  const timer = setInterval(() => response.write(chunk), everyMs)
  response.on("close", () => clearInterval(timer))
}

/** Plays the scripts one after the other, and repeats the last one. */
export const inTurn = (scripts: ReadonlyArray<Script>): Script => {
  let turn = 0
  return (response, request) => scripts[Math.min(turn++, scripts.length - 1)]!(response, request)
}
