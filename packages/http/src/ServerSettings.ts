import { Context, type Duration } from "effect"
import type { IpNetwork } from "effect/net"

/** REST requests a minute for each key, unless configured otherwise. */
export const defaultRestRate = 600

/** The connections that one network may have open, unless configured otherwise. */
export const defaultMaxConnections = 200

/** Settings of the server, from the program that starts it. */
export interface ServerOptions {
  /** Address to listen on, e.g. `127.0.0.1`. */
  readonly host: string
  /** 0 = any free port. */
  readonly port: number
  /** The URL at which clients reach the server, e.g. `https://sov.example.com`; its host name is allowed. */
  readonly publicUrl?: string
  /** Networks of the proxies whose `X-Forwarded-For` is trusted; default none. */
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork>
  /** Further host names that requests may name; `*` = all. */
  readonly allowedHosts: ReadonlyArray<string>
  /** REST requests a minute for each key; 0 = no limit. */
  readonly restRate: number
  /** Whether any client may read `/metrics`; otherwise only this machine. */
  readonly openMetrics: boolean
  /** How often a scan that the API starts asks each keyword on each platform. */
  readonly samples: number
  /** Version of sov, for the OpenAPI document. */
  readonly version: string
  /** The connections that one network may have open, 0 = no limit; default 200. Trusted proxies have no limit. */
  readonly maxConnections?: number
  /**
   * Time limits in milliseconds for the headers, the whole request, and its answer; default 10, 30 and 10 seconds.
   * `unreadMs`: how long a client may read nothing of its answer; default 20 seconds.
   */
  readonly timeouts?: {
    readonly headersMs: number
    readonly requestMs: number
    readonly answerMs: number
    readonly unreadMs?: number
  }
  /** How long requests in flight may take after the server begins to stop. */
  readonly drain: Duration.Input
}

export class ServerSettings extends Context.Service<ServerSettings, ServerOptions>()("@sov/http/ServerSettings") {}
