import { Context, type Duration } from "effect"
import type { IpNetwork } from "effect/net"

/** REST requests a minute for each key, unless the settings say otherwise. */
export const defaultRestRate = 600

/** Connections that one network may have open at the same time, unless the settings say otherwise. */
export const defaultMaxConnections = 200

/** Settings of the server, given by the program that starts it. */
export interface ServerOptions {
  /** Address to listen on, e.g. `127.0.0.1`. */
  readonly host: string
  /** 0 = any free port. */
  readonly port: number
  /** URL under which clients reach the server, e.g. `https://sov.example.com`; its host name is allowed. */
  readonly publicUrl?: string
  /** Networks of proxies whose `X-Forwarded-For` counts; default none. */
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork>
  /** Further host names that requests may name; `*` = all. */
  readonly allowedHosts: ReadonlyArray<string>
  /** REST requests a minute for each key; 0 = no limit. */
  readonly restRate: number
  /** Whether everybody may read `/metrics`; otherwise only this machine. */
  readonly openMetrics: boolean
  /** How often a scan that the API starts asks each keyword on each platform. */
  readonly samples: number
  /** Version of sov, for the OpenAPI document. */
  readonly version: string
  /**
   * Connections that one network may have open at the same time, 0 = no limit; default 200. Trusted proxies have none.
   */
  readonly maxConnections?: number
  /**
   * Milliseconds that the headers, the whole request, and its answer may take; default 10, 30 and 10 seconds.
   * `unreadMs`: how long a client may take nothing of what is written to it; default 20 seconds.
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
