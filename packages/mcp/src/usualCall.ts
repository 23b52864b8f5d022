/** The tool calls that clients usually send, which need nothing of the protocol's library. */
import { type Implementation, SERVER_INFO_META_KEY } from "@modelcontextprotocol/server"
import type { ToolResult } from "./Tool.ts"
import { toolsByName } from "./tools/index.ts"

/** A call of a tool, read out of a request. */
export interface UsualCall {
  readonly id: string | number
  readonly name: string
  readonly args: unknown
  /** Whether the request has the envelope of 2026, whose results say that they are complete. */
  readonly modern: boolean
}

type Members = Readonly<Record<string, unknown>>

/** Revisions that a request without an envelope may name. */
const legacyRevisions: ReadonlySet<string> = new Set(["2025-03-26", "2025-06-18", "2025-11-25"])
const modernRevision = "2026-07-28"

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !Object.hasOwn(value, "__proto__")

const listMembers = (value: Members): ReadonlyArray<string> =>
  Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`)

const hasOnly = (value: Members, names: ReadonlySet<string>): boolean =>
  Object.keys(value).every((name) => names.has(name))

const messageMembers = new Set(["jsonrpc", "id", "method", "params"])
const legacyParams = new Set(["name", "arguments"])
const modernParams = new Set([...legacyParams, "_meta"])
const envelope = {
  revision: "io.modelcontextprotocol/protocolVersion",
  client: "io.modelcontextprotocol/clientInfo",
  capabilities: "io.modelcontextprotocol/clientCapabilities"
}
const envelopeMembers = new Set(Object.values(envelope))
const clientMembers = new Set(["name", "version"])

const isUsualEnvelope = (meta: unknown): boolean => {
  if (!isMembers(meta) || !hasOnly(meta, envelopeMembers) || meta[envelope.revision] !== modernRevision) return false
  const [client, capabilities] = [meta[envelope.client], meta[envelope.capabilities]]
  return isMembers(client) && hasOnly(client, clientMembers) && typeof client["name"] === "string" &&
    typeof client["version"] === "string" && isMembers(capabilities) && Object.keys(capabilities).length === 0
}

/** Headers that say what the body says, or that only other requests have. */
const hasUsualHeaders = (
  headers: Readonly<Record<string, string | undefined>>,
  name: string,
  modern: boolean
): boolean => {
  if (headers["content-type"] !== "application/json" || headers["mcp-session-id"] !== undefined) return false
  if (Object.keys(headers).some((header) => header.startsWith("mcp-param-"))) return false
  const revision = headers["mcp-protocol-version"]
  return modern
    ? revision === modernRevision && headers["mcp-method"] === "tools/call" && headers["mcp-name"] === name
    : (revision === undefined || legacyRevisions.has(revision)) && headers["mcp-method"] === undefined &&
      headers["mcp-name"] === undefined
}

/**
 * The call, where the request is a single `tools/call` of a tool that there is, without any member or header of which
 * the library would have to judge; otherwise null, and the library answers. What it would answer to the call is the
 * same, byte for byte.
 */
export const findUsualCall = (
  headers: Readonly<Record<string, string | undefined>>,
  body: unknown
): UsualCall | null => {
  if (!isMembers(body) || !hasOnly(body, messageMembers)) return null
  const { id, jsonrpc, method, params } = body
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isMembers(params)) return null
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return null
  const modern = params["_meta"] !== undefined
  if (!hasOnly(params, modern ? modernParams : legacyParams)) return null
  const { arguments: args, name } = params
  if (typeof name !== "string" || !toolsByName.has(name) || (args !== undefined && !isMembers(args))) return null
  if (modern && !isUsualEnvelope(params["_meta"])) return null
  return hasUsualHeaders(headers, name, modern) ? { id: id as string | number, name, args, modern } : null
}

/**
 * The response of the call, as the library would write it. A structured result is not encoded again: the first text is
 * its JSON.
 */
export const formatUsualResult = (
  { id, modern }: UsualCall,
  result: ToolResult,
  serverInfo: Implementation
): string => {
  const { content, structuredContent, ...rest } = result
  const [first] = content
  const members = {
    ...rest,
    ...modern ? { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: serverInfo } } : {}
  }
  const structured = structuredContent === undefined || first?.type !== "text"
    ? []
    : [`"structuredContent":${first.text}`]
  const written = [`"content":${JSON.stringify(content)}`, ...structured, ...listMembers(members)]
  return `{"result":{${written.join(",")}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
}
