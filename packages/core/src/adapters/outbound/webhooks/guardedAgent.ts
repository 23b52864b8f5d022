/**
 * Checks connections when they are opened, with Node's own HTTP client. A literal address is checked before connecting.
 * A name is checked by all its addresses at that moment: one forbidden address forbids the name. Each connection is
 * checked again by the address that it reached. Proxies from the environment are not used, because they would resolve
 * the name again.
 */
import { lookup as systemLookup, type LookupAddress } from "node:dns"
import { Agent as HttpAgent } from "node:http"
import { Agent as HttpsAgent, type AgentOptions } from "node:https"
import { isIP, type LookupFunction, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { Egress } from "./egress.ts"

/** Why no connection was opened; `code` is set as in Node's own errors. */
class EgressError extends Error {
  readonly code: "EGRESS_DENIED" | "CONNECT_TIMEOUT"

  constructor(code: EgressError["code"], message: string) {
    super(message)
    this.code = code
  }
}

/** Resolves a name to all its addresses, like `dns.lookup` with `all`. */
export type Resolve = (
  name: string,
  done: (error: Error | null, addresses: ReadonlyArray<LookupAddress>) => void
) => void

/** The system's resolver. */
const systemResolve: Resolve = (name, done) =>
  systemLookup(name, { all: true }, (error, addresses) => done(error, addresses ?? []))

const makeGuardedLookup =
  (denial: Egress["denial"], port: number, resolve: Resolve): LookupFunction => (name, options, callback) => {
    resolve(name, (error, addresses) => {
      const [first] = addresses
      const denied = addresses.map(({ address }) => denial(address, port)).find((one) => one !== null)
      if (error !== null || first === undefined) callback(error ?? new Error(`${name} has no address`), "", 0)
      else if (denied !== undefined) callback(new EgressError("EGRESS_DENIED", `${name}: ${denied}`), "", 0)
      else if (options.all === true) callback(null, [...addresses])
      else callback(null, first.address, first.family)
    })
  }

/** The facts about a connection that the agents use. */
interface ConnectionTarget {
  readonly host?: string | null | undefined
  readonly port?: number | string | null | undefined
}

type CreateCallback = (error: Error | null, stream: Duplex) => void

/** Creates the agents; `connectMs` is the time limit for resolving and connecting, including TLS. */
export const makeGuardedAgents = (
  egress: Egress,
  connectMs: number,
  resolve: Resolve = systemResolve
): { readonly http: HttpAgent; readonly https: HttpsAgent } => {
  const guard = <Options extends ConnectionTarget>(
    options: Options,
    ready: "connect" | "secureConnect",
    create: (options: Options & { readonly lookup: LookupFunction }) => Duplex | null | undefined,
    callback: CreateCallback | undefined
  ): Duplex | null | undefined => {
    const [host, port] = [options.host ?? "", Number(options.port)]
    const denied = isIP(host) === 0 ? null : egress.denial(host, port)
    if (denied !== null) {
      callback?.(new EgressError("EGRESS_DENIED", denied), undefined as never)
      return undefined
    }
    const socket = create({ ...options, lookup: makeGuardedLookup(egress.denial, port, resolve) }) as Socket
    // The socket's own timeout cannot be used, because it restarts with each byte
    const late = AbortSignal.timeout(connectMs)
    const end = () =>
      void socket.destroy(new EgressError("CONNECT_TIMEOUT", `no connection within ${connectMs / 1000} s`))
    late.addEventListener("abort", end)
    socket.once("connect", () => {
      const led = egress.denial(socket.remoteAddress ?? "", port)
      if (led !== null) socket.destroy(new EgressError("EGRESS_DENIED", led))
    })
    socket.once(ready, () => late.removeEventListener("abort", end))
    return socket
  }

  const options: AgentOptions = { keepAlive: true, timeout: 30_000 }

  class PlainAgent extends HttpAgent {
    override createConnection(wanted: Parameters<HttpAgent["createConnection"]>[0], callback?: CreateCallback) {
      return guard(wanted, "connect", (guarded) => super.createConnection(guarded), callback)
    }
  }
  class SecureAgent extends HttpsAgent {
    override createConnection(wanted: Parameters<HttpsAgent["createConnection"]>[0], callback?: CreateCallback) {
      return guard(wanted, "secureConnect", (guarded) => super.createConnection(guarded), callback)
    }
  }
  return { http: new PlainAgent(options), https: new SecureAgent(options) }
}
