/**
 * @sov/mcp: the MCP server as routes for the server of `@sov/http`. `@sov/mcp/stdio` serves standard input and output.
 */
export { defaultMcpRate } from "./access.ts"
export { layerMcp, type McpOptions, type McpPack } from "./mount.ts"
