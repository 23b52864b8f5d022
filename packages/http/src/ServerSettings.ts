import { Context, type Duration } from "effect"
import type { IpNetwork } from "effect/net"

/** Default limit of REST requests per minute for each key. */
export const defaultRestRate = 600

/** Default limit of open connections from one network. */
export const defaultMaxConnections = 200

/** Settings of the server, supplied by the program that starts it. */
export interface ServerOptions {
  /** Address to listen on, e.g. `127.0.0.1`. */
  readonly host: string
  /** TCP port; 0 = any free port. */
  readonly port: number
  /** The URL at which clients reach the server, e.g. `https://sov.example.com`; its host name is allowed. */
  readonly publicUrl?: string
  /** Networks of the proxies whose `X-Forwarded-For` header is trusted; default: none. */
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork>
  /** Host names accepted in requests, in addition to the public one; `*` = all. */
  readonly allowedHosts: ReadonlyArray<string>
  /** REST requests per minute for each key; 0 = no limit. */
  readonly restRate: number
  /** Whether any client may read `/metrics`; if not, only this machine may. */
  readonly openMetrics: boolean
  /** How many times a scan started through the API asks each keyword on each platform. */
  readonly samples: number
  /** Number of organizations that an owner may have by creating them in the browser; 0 by default: the operator alone. */
  readonly maxOwned?: number
  /** Version of sov, shown in the OpenAPI document. */
  readonly version: string
  /** Limit of open connections from one network; 0 = no limit, default 200. Trusted proxies have no limit. */
  readonly maxConnections?: number
  /**
   * Time limits in milliseconds for receiving the headers, receiving the whole request, and answering it; defaults 10,
   * 30 and 10 seconds. `unreadMs`: how long a client may stop reading its response; default 20 seconds.
   */
  readonly timeouts?: {
    readonly headersMs: number
    readonly requestMs: number
    readonly answerMs: number
    readonly unreadMs?: number
  }
  /** How long requests in progress may take after the server begins to stop. */
  readonly drain: Duration.Input
}

export class ServerSettings extends Context.Service<ServerSettings, ServerOptions>()("@sov/http/ServerSettings") {}
