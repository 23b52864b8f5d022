/**
 * A time-stamping authority on loopback, built with openssl: a root, a certificate issued by it, and `openssl ts
 * -reply`.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

const config = `
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
[stamps]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[mail]
keyUsage = critical, digitalSignature
extendedKeyUsage = emailProtection
[tsa]
default_tsa = here
[here]
serial = serial
signer_digest = sha256
default_policy = 1.3.6.1.4.1.99999.1
digests = sha256
ordering = no
tsa_name = no
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`

/** How the authority responds to a request; by default as openssl does. */
export type Play = (answer: () => Buffer, response: ServerResponse) => void

const plain: Play = (answer, response) =>
  void response.writeHead(200, { "content-type": "application/timestamp-reply" }).end(answer())

/** Creates the keys and certificates of an authority in a separate folder. */
export const makeAuthority = () => {
  const folder = mkdtempSync(join(tmpdir(), "sov-tsa-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  /** Runs one openssl command, whose arguments contain no spaces. */
  const openssl = (line: string) => execFileSync("openssl", line.split(" "), { cwd: folder, stdio: "pipe" })
  writeFileSync(join(folder, "openssl.cnf"), config)
  const issue = (name: string, more: string) =>
    openssl(
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -config openssl.cnf -subj /CN=Test-${name} ` +
        `-days 2 -keyout ${name}.key -out ${name}.pem ${more}`
    )
  issue("root", "-extensions root")
  issue("tsa", "-CA root.pem -CAkey root.key -extensions stamps")
  issue("mail", "-CA root.pem -CAkey root.key -extensions mail")
  return {
    openssl,
    file: (name: string) => join(folder, name),
    root: readFileSync(join(folder, "root.pem"), "utf8"),
    /** Responds to a request as openssl does. */
    reply: (query: Uint8Array): Buffer => {
      writeFileSync(join(folder, "query.tsq"), query)
      openssl(
        "ts -reply -config openssl.cnf -section here -queryfile query.tsq -signer tsa.pem -inkey tsa.key -out reply.tsr"
      )
      return readFileSync(join(folder, "reply.tsr"))
    }
  }
}
export type Authority = ReturnType<typeof makeAuthority>

/** Serves an authority over HTTP. */
export const startAuthority = async (authority: Authority = makeAuthority(), play: Play = plain) => {
  const requests: Array<{ readonly method: string | undefined; readonly type: string | undefined }> = []
  const server = createServer((request, response) => {
    const chunks: Array<Uint8Array> = []
    request.on("data", (chunk: Uint8Array) => void chunks.push(chunk))
    request.on("end", () => {
      requests.push({ method: request.method, type: request.headers["content-type"] })
      play(() => authority.reply(Buffer.concat(chunks)), response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { ...authority, requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr` }
}
