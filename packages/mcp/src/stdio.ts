/** `@sov/mcp/stdio`: the MCP server on standard input and output, for the client that started this process. */
import { isJSONRPCRequest, isJSONRPCResponse, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server"
import { serveStdio as serve, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import type { OrganizationId, StoragePorts } from "@sov/core/common"
import type { ConfiguredPlatform } from "@sov/core/scoring"
import { Effect } from "effect"
import { PassThrough, type Readable, type Writable } from "node:stream"
import { makeServer } from "./makeServer.ts"
import { defaultTimeoutMs } from "./outcome.ts"

/** The streams for incoming and outgoing messages. */
interface Pipes {
  readonly input: Readable
  readonly output: Writable
}

/**
 * Wraps the library's transport, which would drop requests in progress when the input ends. The wrapper reports the end
 * only after all requests have been answered, so that `printf … | sov mcp` works.
 */
const makeDrainingTransport = ({ input, output }: Pipes, ended: () => void): Transport => {
  const open = new Set<string | number>()
  const source = new PassThrough()
  const inner = new StdioServerTransport(source, output)
  let inputEnded = false
  const endIfDone = () => {
    if (inputEnded && open.size === 0) source.end()
  }
  input.on("data", (chunk: Buffer) => source.write(chunk)).once("end", () => {
    // First let the transport process what was read before the end
    setImmediate(() => {
      inputEnded = true
      endIfDone()
    })
  })
  const received = (message: JSONRPCMessage) => {
    // Subscriptions are not counted as calls, because they would keep the process alive after its client has gone
    if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") open.add(message.id)
    else if ("method" in message && message.method === "notifications/cancelled") {
      open.delete((message.params as { readonly requestId: string | number }).requestId)
    }
    outer.onmessage?.(message)
  }
  const outer: Transport = {
    start: () => {
      inner.onmessage = received
      inner.onerror = (error) => outer.onerror?.(error)
      inner.onclose = () => {
        outer.onclose?.()
        ended()
      }
      return inner.start()
    },
    send: async (message) => {
      await inner.send(message)
      if (isJSONRPCResponse(message) && message.id !== undefined) open.delete(message.id)
      endIfDone()
    },
    close: () => inner.close()
  }
  return outer
}

interface StdioOptions {
  readonly version: string
  readonly organizationId: OrganizationId
  /** Why the organization cannot start scans; null = it can start scans. */
  readonly suspension?: string | null
  /** The configured platforms; null = unknown. */
  readonly platforms: ReadonlyArray<ConfiguredPlatform> | null
}

/**
 * Serves one organization until the client disconnects. It needs no key and has no rate limit, because a user who can
 * start it can read the database.
 */
export const serveStdio = Effect.fn("serveStdio")(
  function*(options: StdioOptions, pipes: Pipes) {
    const context = yield* Effect.context<StoragePorts>()
    const session = {
      organizationId: options.organizationId,
      suspension: options.suspension ?? null,
      platforms: options.platforms,
      run: Effect.runPromiseExitWith(context),
      streams: true,
      timeoutMs: defaultTimeoutMs
    }
    yield* Effect.callback<void>((resume) => {
      const handle = serve(() => makeServer(options.version, session), {
        transport: makeDrainingTransport(pipes, () => resume(Effect.void))
      })
      return Effect.promise(() => handle.close())
    })
  }
)
