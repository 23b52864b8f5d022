/** Answers requests of all protocol revisions at one address, without keeping state. */
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type Server,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"

/** Creates the server for one request; the library passes it `authInfo`. */
export type Factory = (context: McpRequestContext) => Server

/**
 * Answers a request of a protocol revision up to 2025 with one JSON response, where the library would send a stream.
 * Stops the work when the client disconnects.
 */
const answerLegacy = async (
  factory: Factory,
  request: Request,
  body: unknown,
  authInfo: AuthInfo
): Promise<Response> => {
  const server = factory({ era: "legacy", authInfo, requestInfo: request })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  // Closing the server also closes the transport
  const end = () => void server.close().catch(() => {})
  request.signal.addEventListener("abort", end, { once: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: body, authInfo })
  } finally {
    end()
  }
}

/**
 * Creates the handler of requests, which works until it is closed. `streams` = whether notifications are sent before
 * the result.
 */
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
