import { Context, type Duration } from "effect"

/** REST requests a minute that an API key has where nothing else is set. */
export const defaultRestRate = 600

/** How the server behaves, from whoever starts it. */
export interface ServerOptions {
  /** Address to listen on, e.g. `127.0.0.1`. */
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  /** Address under which clients reach the server, e.g. `https://sov.example.com`; its host is answered for. */
  readonly publicUrl?: string
  /** Further host names that are answered for; `*` = all. */
  readonly allowedHosts: ReadonlyArray<string>
  /** Requests a minute that each key has on REST; 0 = no limit. */
  readonly restRate: number
  /** Whether `/metrics` is shown to everybody, not to this machine only. */
  readonly openMetrics: boolean
  /** Times that each keyword is asked on each platform by a scan that the API starts. */
  readonly samples: number
  /** Version of sov, for the document. */
  readonly version: string
  /** Milliseconds that headers, a whole request, and its answer may take; default 10, 30 and 10 seconds. */
  readonly patience?: { readonly headersMs: number; readonly requestMs: number; readonly answerMs: number }
  /** How long requests in flight may take after the server was told to stop. */
  readonly drain: Duration.Input
}

export class ServerSettings extends Context.Service<ServerSettings, ServerOptions>()("@sov/http/ServerSettings") {}
