/** @sov/http: the REST API as a server that others mount their routes on. The contract is `@sov/http/contract`. */
export { layerLogs } from "./logs.ts"
export { Gate } from "./middleware/Gate.ts"
export { problemResponse } from "./middleware/problemResponse.ts"
export { RequestInfo } from "./middleware/RequestInfo.ts"
export { KnownPaths, route } from "./routes.ts"
export { layerServer } from "./server.ts"
export { type ServerOptions, ServerSettings } from "./ServerSettings.ts"
export { layerTracing } from "./tracing.ts"
