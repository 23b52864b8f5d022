/** A rogue server: it responds like a Postgres server, asks for the password in clear text, and keeps it. */
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { TLSSocket, type TLSSocketOptions } from "node:tls"

const sslRequest = 80_877_103
const askForPassword = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])

/** ErrorResponse with SQLSTATE 28P01, so that the client does not wait. */
const refuse = (() => {
  const fields = Buffer.from("SFATAL\0C28P01\0Mrefused\0\0")
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
})()

export interface RogueServer extends AsyncDisposable {
  readonly port: number
  /** All passwords that it received. */
  readonly passwords: ReadonlyArray<string>
  /** Subjects of the certificates that clients presented. */
  readonly clients: ReadonlyArray<string>
}

/** Listens on all addresses of this machine; `tls` = its certificate, null = it offers no TLS. */
export const startRogueServer = async (tls: TLSSocketOptions | null): Promise<RogueServer> => {
  const [passwords, clients]: [Array<string>, Array<string>] = [[], []]
  const converse = (socket: Socket) => {
    socket.on("error", () => {})
    let asked = false
    socket.on("data", (chunk) => {
      if (!asked) {
        asked = true
        socket.write(askForPassword)
      } else if (chunk[0] === 0x70) {
        passwords.push(chunk.subarray(5, -1).toString())
        socket.end(refuse)
      }
    })
  }
  const server = createServer((socket) => {
    socket.on("error", () => {})
    socket.once("data", (first) => {
      if (first.readInt32BE(4) !== sslRequest) {
        converse(socket)
        return void socket.emit("data", first)
      }
      if (tls === null) {
        converse(socket)
        return void socket.write("N")
      }
      socket.write("S")
      const secure = new TLSSocket(socket, { ...tls, isServer: true })
      secure.once("secure", () => {
        const subject = secure.getPeerCertificate().subject?.CN
        if (typeof subject === "string") clients.push(subject)
      })
      converse(secure)
    })
  })
  await once(server.listen(0, "0.0.0.0"), "listening")
  return {
    port: (server.address() as AddressInfo).port,
    passwords,
    clients,
    [Symbol.asyncDispose]: async () => {
      server.close()
    }
  }
}
