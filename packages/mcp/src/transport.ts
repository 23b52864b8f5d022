/** From a request to the protocol's answer to it: every revision at one address, nothing kept in between. */
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type Server,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"

/** Makes the server of one request; the library hands `authInfo` through to it. */
export type Factory = (context: McpRequestContext) => Server

/**
 * Revisions of 2025 and before as one JSON answer. The library's own way would answer with a stream; this one has to end
 * the work itself when the client goes away.
 */
const answerLegacy = async (
  factory: Factory,
  request: Request,
  body: unknown,
  authInfo: AuthInfo
): Promise<Response> => {
  const server = factory({ era: "legacy", authInfo, requestInfo: request })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  // Closes the transport, too
  const end = () => void server.close().catch(() => {})
  request.signal.addEventListener("abort", end, { once: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: body, authInfo })
  } finally {
    end()
  }
}

/** Answers requests until it is closed. `streams`: whether the client shall hear of the work before its result. */
export const makeTransport = (factory: Factory) => {
  const handler = createMcpHandler(factory)
  return {
    answer: async (request: Request, body: unknown, authInfo: AuthInfo, streams: boolean): Promise<Response> =>
      !streams && await isLegacyRequest(request, body)
        ? answerLegacy(factory, request, body, authInfo)
        : handler.fetch(request, { parsedBody: body, authInfo }),
    close: () => handler.close()
  }
}
