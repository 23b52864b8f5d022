/**
 * @sov/mcp: the MCP server, as routes for the server of `@sov/http`. For standard input and output, see
 * `@sov/mcp/stdio`.
 */
export { defaultMcpRate } from "./access.ts"
export { layerMcp, type McpOptions, type McpPack } from "./mount.ts"
