import type { ServerOptions } from "@sov/http"

/** Options of a server for tests and benchmarks: a free port of this machine, and no rate limit. */
export const serverOptions: ServerOptions = {
  host: "127.0.0.1",
  port: 0,
  allowedHosts: [],
  restRate: 0,
  openMetrics: false,
  samples: 1,
  version: "0.0.0",
  drain: "1 seconds"
}
