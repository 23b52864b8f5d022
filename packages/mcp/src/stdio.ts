/** `@sov/mcp/stdio`: the tools on standard input and output, for one client that started this process. */
import { isJSONRPCRequest, isJSONRPCResponse, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server"
import { serveStdio as serve, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import type { ConfiguredPlatform, OrganizationId, StoragePorts } from "@sov/core"
import { Effect } from "effect"
import { PassThrough, type Readable, type Writable } from "node:stream"
import { makeServer } from "./makeServer.ts"
import { defaultPatienceMs } from "./outcome.ts"

/** Where messages come from and go to. */
interface Pipes {
  readonly input: Readable
  readonly output: Writable
}

/**
 * The library's transport, which would drop requests in flight when the input ends: here the end is passed on once all
 * are answered, so that `printf … | sov mcp` works.
 */
const draining = ({ input, output }: Pipes, ended: () => void): Transport => {
  const open = new Set<string | number>()
  const source = new PassThrough()
  const inner = new StdioServerTransport(source, output)
  let over = false
  const passEnd = () => {
    if (over && open.size === 0) source.end()
  }
  input.on("data", (chunk: Buffer) => source.write(chunk)).once("end", () => {
    // What was read before the end is handed over first
    setImmediate(() => {
      over = true
      passEnd()
    })
  })
  const received = (message: JSONRPCMessage) => {
    // A subscription is no call: it would keep the process after its client has gone
    if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") open.add(message.id)
    else if ("method" in message && message.method === "notifications/cancelled") {
      open.delete((message.params as { readonly requestId: string | number }).requestId)
    }
    wire.onmessage?.(message)
  }
  const wire: Transport = {
    start: () => {
      inner.onmessage = received
      inner.onerror = (error) => wire.onerror?.(error)
      inner.onclose = () => {
        wire.onclose?.()
        ended()
      }
      return inner.start()
    },
    send: async (message) => {
      await inner.send(message)
      if (isJSONRPCResponse(message) && message.id !== undefined) open.delete(message.id)
      passEnd()
    },
    close: () => inner.close()
  }
  return wire
}

interface StdioOptions {
  readonly version: string
  readonly organizationId: OrganizationId
  /** What is configured; null: nobody says. */
  readonly platforms: ReadonlyArray<ConfiguredPlatform> | null
}

/** Serves one organization until the client closes its end. No key, no rate: whoever can start this reads the database. */
export const serveStdio = Effect.fn("serveStdio")(
  function*(options: StdioOptions, pipes: Pipes) {
    const context = yield* Effect.context<StoragePorts>()
    const session = {
      organizationId: options.organizationId,
      platforms: options.platforms,
      run: Effect.runPromiseExitWith(context),
      streams: true,
      patienceMs: defaultPatienceMs
    }
    yield* Effect.callback<void>((resume) => {
      const handle = serve(() => makeServer(options.version, session), {
        transport: draining(pipes, () => resume(Effect.void))
      })
      return Effect.promise(() => handle.close())
    })
  }
)
