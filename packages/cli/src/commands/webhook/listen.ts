/** sov webhook listen: receives webhooks on this machine, verifies them and prints them. Loads nothing but Node. */
import { verifySignature, verifyStandardWebhook } from "@sov/core/webhook"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { readSecret, type SecretOptions } from "../../input/signingSecret.ts"
import { Output, printable } from "../../output/Output.ts"
import { reportErrors } from "../../output/reportErrors.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** Maximum size of a body in bytes; sov sends at most 20 KB. */
const maxBodyBytes = 1_048_576

const readBody = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBodyBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const toSingleValue = (value: string | ReadonlyArray<string> | undefined): string | null =>
  typeof value === "string" ? value : null

const parseBody = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return body.toString()
  }
}

/** Describes the received webhook and whether its signatures are valid. */
const verifyRequest = (request: IncomingMessage, body: Buffer, secret: Buffer | null) => ({
  received_at: new Date().toISOString(),
  webhook_id: toSingleValue(request.headers["webhook-id"]),
  signature: secret === null
    ? null
    : ["x-service-signature", "x-service-signature-next"].some((name) =>
      verifySignature(body, toSingleValue(request.headers[name]), secret)
    ),
  standard_signature: secret === null ? null : verifyStandardWebhook(body, request.headers, secret),
  body: parseBody(body)
})

const formatValidity = (valid: boolean | null): string => valid === null ? "not checked" : valid ? "valid" : "NOT VALID"

interface ListenOptions extends GlobalOptions, SecretOptions {
  readonly port: string
  readonly count?: string
}

const parseWholeNumber = (name: string, text: string, least: number, most: number): number => {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1
  if (value < least || value > most) throw usageError(`${name} must be a whole number from ${least} to ${most}`)
  return value
}

/**
 * Listens on 127.0.0.1 until Ctrl-C, or until `count` webhooks have arrived; exits with 7 if a signature was invalid.
 */
export const listen = (options: ListenOptions): Promise<void> =>
  reportErrors(options, new Output(options), async (out) => {
    const given = options.secretFile !== undefined || (process.env["SOV_SIGNING_SECRET"] ?? "") !== ""
    const secret = given ? readSecret(options) : null
    const port = parseWholeNumber("--port", options.port, 0, 65_535)
    let remaining = options.count === undefined ? Infinity : parseWholeNumber("--count", options.count, 1, 100_000)
    let refused = false
    const printReceived = (received: ReturnType<typeof verifyRequest>) => {
      if (out.machine) return out.data(`${JSON.stringify(received)}\n`)
      out.line(printable(
        `${received.received_at}  webhook-id ${received.webhook_id ?? "-"}  X-Service-Signature ${
          formatValidity(received.signature)
        }, webhook-signature ${formatValidity(received.standard_signature)}`
      ))
      out.line(printable(JSON.stringify(received.body, undefined, 2)))
    }
    const server = createServer({ requestTimeout: 15_000 }, (request, response) => {
      const sendStatus = (status: number) => response.writeHead(status, { connection: "close" }).end()
      if (request.method !== "POST") return void sendStatus(405)
      readBody(request).then((body) => {
        if (body === null) return sendStatus(413)
        if (remaining <= 0) return sendStatus(503)
        const received = verifyRequest(request, body, secret)
        const valid = received.signature !== false && received.standard_signature !== false
        refused ||= !valid
        printReceived(received)
        sendStatus(valid ? 204 : 401)
        if (--remaining <= 0) server.close()
      }, () => sendStatus(400))
    })
    const stop = () => {
      server.close()
      server.closeAllConnections()
    }
    process.once("SIGINT", stop).once("SIGTERM", stop)
    server.listen(port, "127.0.0.1")
    const [event] = await Promise.race([
      once(server, "listening").then(() => [null]),
      once(server, "error") as Promise<[NodeJS.ErrnoException]>
    ])
    if (event !== null) {
      throw new CliError("port-taken", exitCodes.conflict, `cannot listen on port ${port}: ${event.code}`, "--port 0")
    }
    out.note(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/ (Ctrl-C ends it)`)
    if (secret === null) {
      out.note("Signatures are not verified: no secret is given (--secret-file FILE or SOV_SIGNING_SECRET)")
    }
    await once(server, "close")
    process.exitCode = refused ? exitCodes.checkFailed : exitCodes.ok
  })
