import { answerPlatformContract } from "@sov/core/testing"
import { Deferred, Effect } from "effect"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, it } from "vitest"
import { companyAssistant } from "./companyAssistant.ts"

const secret = "company-8f14e45fceea167a5a36dedd4bea2543"

/** The platform, connected to a real server that runs `listener`. */
const against = (listener: RequestListener) =>
  Effect.gen(function*() {
    const asked = yield* Deferred.make<void>()
    const aborted = yield* Deferred.make<void>()
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        Deferred.doneUnsafe(asked, Effect.void)
        listener(request, response)
      })
      response.on("close", () => void (response.writableFinished || Deferred.doneUnsafe(aborted, Effect.void)))
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.close().closeAllConnections())
    )
    const { port } = server.address() as AddressInfo
    const platform = companyAssistant("assistant_e", `http://127.0.0.1:${port}`, secret)
    return { platform, secret, asked: Deferred.await(asked), aborted: Deferred.await(aborted) }
  })

const says = (reply: unknown) =>
  against((_, response) => void response.end(JSON.stringify({ reply, version: "company-3", sources: [] })))
/** Writes `chunk` repeatedly until the client disconnects. */
const endless = (chunk: string) =>
  against((_, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(chunk), 5)
    response.on("close", () => clearInterval(timer))
  })
const status = (code: number, headers: Record<string, string> = {}) =>
  against((_, response) => void response.writeHead(code, headers).end("{}"))

answerPlatformContract("company assistant", {
  answers: says("Acme leads."),
  says,
  silent: against(() => undefined),
  drips: endless(" "),
  oversized: endless("x".repeat(100_000)),
  echoesSecret: against(({ headers }, response) => void response.writeHead(400).end(headers.authorization)),
  answersSecret: says(`Your key is ${secret}.`),
  fails: {
    auth: status(401),
    rejected: status(400),
    throttled: status(429, { "retry-after": "7" }),
    refused: says(null),
    empty: says(" \n"),
    too_large: says("x".repeat(1_000_001)),
    malformed: against((_, response) => void response.end("<html>")),
    unavailable: status(503)
  }
}, { describe, it })
