/** @sov/mcp: the tool server as routes for the server of `@sov/http`. Standard input and output: `@sov/mcp/stdio`. */
export { defaultMcpRate } from "./access.ts"
export { layerMcp, type McpOptions, type McpPack } from "./mount.ts"
