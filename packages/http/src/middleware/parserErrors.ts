/** Responds with a problem to requests that Node's parser refuses, as to every other error. */
import { type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import { type ProblemType, problemTypes } from "../contract/problemTypes.ts"
import { makeProblemBody, problemContentType, securityHeaders } from "./problemResponse.ts"
import { newRequestUuid } from "./RequestInfo.ts"

const findProblemType = (code: string | undefined): ProblemType =>
  code === "HPE_HEADER_OVERFLOW"
    ? problemTypes.headersTooLarge
    : code === "ERR_HTTP_REQUEST_TIMEOUT"
    ? problemTypes.requestTimeout
    : code === "HPE_CHUNK_EXTENSIONS_OVERFLOW"
    ? problemTypes.payloadTooLarge
    : problemTypes.invalidRequest

const formatRawResponse = (type: ProblemType, text = "This is not well-formed HTTP"): string => {
  const id = `req_${newRequestUuid()}`
  const detail = type === problemTypes.invalidRequest ? { detail: text } : {}
  const body = JSON.stringify(makeProblemBody(type, id, detail))
  const headers = {
    ...securityHeaders,
    "content-type": problemContentType,
    "content-length": String(Buffer.byteLength(body)),
    "x-request-id": id,
    connection: "close",
    date: new Date().toUTCString()
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${type.status} ${STATUS_CODES[type.status]}\r\n${lines.join("")}\r\n${body}`
}

/**
 * Responds to requests that cannot be parsed and closes their connection. Sends nothing if a response on that
 * connection has already begun.
 */
export const answerParserErrors = (server: Server): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Node stores a response that has begun in this property; its own handler checks the same property
    const { _httpMessage: begun } = socket as Socket & { readonly _httpMessage?: ServerResponse | null }
    if (!socket.writable || error.code === "ECONNRESET" || begun?.headersSent === true) socket.destroy()
    else socket.end(formatRawResponse(findProblemType(error.code)), () => socket.destroy())
  })
  server.on("connect", (_request, socket) => {
    socket.end(formatRawResponse(problemTypes.invalidRequest, "This server is no proxy"))
  })
  // A server may ignore an unknown `Expect` header (RFC 9110 §10.1.1)
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response))
}
