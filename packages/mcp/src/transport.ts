/** Answers requests of every protocol revision at one address, without state. */
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type Server,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"

/** Creates the server for one request; the library passes `authInfo` to it. */
export type Factory = (context: McpRequestContext) => Server

/**
 * Answers requests of protocol revisions up to 2025 with one JSON response; the library would send a stream. It stops
 * the work itself when the client disconnects.
 */
const answerLegacy = async (
  factory: Factory,
  request: Request,
  body: unknown,
  authInfo: AuthInfo
): Promise<Response> => {
  const server = factory({ era: "legacy", authInfo, requestInfo: request })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  // Closing the server closes the transport as well
  const end = () => void server.close().catch(() => {})
  request.signal.addEventListener("abort", end, { once: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: body, authInfo })
  } finally {
    end()
  }
}

/** Answers requests until it is closed. `streams` = whether notifications are sent before the result. */
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
