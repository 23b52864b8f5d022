import type { ServerOptions } from "@sov/http"

/** A server for tests and measurements: on a free port of this machine, without a limit of requests. */
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
