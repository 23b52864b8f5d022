/** @sov/http/contract: what clients and the server share; it loads no server. */
export { Api } from "./Api.ts"
export { Authorization, CurrentCaller, CurrentOperator, OperatorAuthorization } from "./Authorization.ts"
export { makeOpenApiDocument } from "./document.ts"
export * from "./operatorResources.ts"
export { archiveQuery, defaultLimit, scansQuery } from "./parameters.ts"
export * from "./problems.ts"
export { type ProblemType, problemTypes } from "./problemTypes.ts"
export * from "./resources.ts"
