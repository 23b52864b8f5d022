/**
 * @sov/http: the REST API as a server, to which other packages can add routes. Its contract is `@sov/http/contract`.
 */
export { type DashboardOptions, layerDashboard } from "./dashboard/index.ts"
export { probeOpenId } from "./dashboard/sso/OpenId.ts"
export { type OpenIdSettings } from "./dashboard/sso/OpenIdSettings.ts"
export { withDeadline, withTimeout } from "./deadline.ts"
export { layerLogs } from "./logs.ts"
export { namesTooMany, parseTrustedProxies } from "./middleware/clientAddress.ts"
export { type ErrorPages } from "./middleware/ErrorPages.ts"
export { Gate } from "./middleware/Gate.ts"
export { listOwnHostNames } from "./middleware/hosts.ts"
export { makeProblemResponse } from "./middleware/problemResponse.ts"
export { RequestInfo } from "./middleware/RequestInfo.ts"
export { type Stopping } from "./middleware/Stopping.ts"
export { KnownPaths, layerRoute } from "./routes.ts"
export { layerServer } from "./server.ts"
export { defaultMaxConnections, defaultRestRate, type ServerOptions, ServerSettings } from "./ServerSettings.ts"
export { layerTracing } from "./tracing.ts"
