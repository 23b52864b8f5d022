/** A real SMTP server on loopback. It keeps the messages it accepts, and refuses what a test tells it to refuse. */
import { execFileSync } from "node:child_process"
import type { AddressInfo } from "node:net"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { onTestFinished } from "vitest"

/** The content of one SMTP conversation. */
export interface Received {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly raw: string
  readonly mail: Email
  /** Whether the connection was encrypted. */
  readonly secure: boolean
}

/** A key and a self-signed certificate for `localhost`. */
export const certificate = (): { readonly key: string; readonly cert: string } => {
  const args = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout - -subj /CN=localhost"
  const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
  const pem = execFileSync("openssl", [...args.split(" "), ...names], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"]
  })
  const at = pem.indexOf("-----BEGIN CERTIFICATE")
  return { key: pem.slice(0, at), cert: pem.slice(at) }
}

/** A refusal with this SMTP code, e.g. 550. */
export const refuse = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code })

export interface MailServerOptions extends Omit<SMTPServerOptions, "onData"> {
  /**
   * How the server responds to a complete message: null accepts it, `drop` closes the connection without a response.
   */
  readonly answer?: (received: Received) => Error | "drop" | null
}

export interface MailServer {
  readonly url: string
  readonly port: number
  readonly received: Array<Received>
}

/** Starts the server; plain SMTP without STARTTLS and without login unless the options say otherwise. */
export const startMailServer = async ({ answer, ...options }: MailServerOptions = {}): Promise<MailServer> => {
  const received: Array<Received> = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    ...options,
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const raw = Buffer.concat(chunks)
        const take = async () => {
          const mail = await PostalMime.parse(raw)
          const { mailFrom, rcptTo } = session.envelope
          const one: Received = {
            from: mailFrom === false ? "" : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            raw: raw.toString("utf8"),
            mail,
            secure: session.secure
          }
          received.push(one)
          const said = answer?.(one) ?? null
          if (said === "drop") {
            for (const one of server.connections) if (one.session === session) one.close()
          } else done(said)
        }
        void take()
      })
    }
  })
  // Some tests disconnect in the middle of a conversation
  server.on("error", () => {})
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, port, received }
}
