/** Who gets the password of the database: servers on this machine that offer no TLS, or each kind of certificate. */
import { layerServer } from "@sov/core/postgres"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Certificate, makeCertificate } from "../support/certificates.ts"
import { type RogueServer, startRogueServer } from "../support/rogueServer.ts"

const password = "pa55-8f14e45fceea"
/** Reaches this machine, and is not one of the addresses that count as this machine. */
const elsewhere = "0.0.0.0"

const refusalOf = (host: string, port: number, search = "") => {
  const url = Redacted.make(`postgres://me:${password}@${host}:${port}/sov${search}`)
  return Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(layerServer({ url })))))
}

const folder = mkdtempSync(join(tmpdir(), "sov-tls-"))
const kinds = ["no TLS", "self-signed", "wrong name", "right name"] as const
type Kind = typeof kinds[number]
let authority: Certificate
let servers: Record<Kind, RogueServer>

beforeAll(async () => {
  authority = makeCertificate(folder, "authority", null)
  servers = {
    "no TLS": await startRogueServer(null),
    "self-signed": await startRogueServer(makeCertificate(folder, "self", null, `IP:${elsewhere}`)),
    "wrong name": await startRogueServer(makeCertificate(folder, "other", authority, "IP:192.0.2.1,DNS:other.example")),
    "right name": await startRogueServer({
      ...makeCertificate(folder, "right", authority, `IP:${elsewhere}`),
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: false
    })
  }
})
afterAll(async () => {
  for (const kind of kinds) await servers[kind]?.[Symbol.asyncDispose]()
})

/** Which of the servers get the password: no TLS, self-signed, wrong name, right name. */
const matrix: ReadonlyArray<readonly [search: string, expected: readonly [boolean, boolean, boolean, boolean]]> = [
  ["", [false, false, false, false]],
  ["?sslmode=disable", [true, true, true, true]],
  ["?sslmode=require", [false, true, true, true]],
  ["?sslmode=require&sslrootcert=ROOT", [false, false, true, true]],
  ["?sslmode=verify-ca&sslrootcert=ROOT", [false, false, true, true]],
  ["?sslmode=verify-full", [false, false, false, false]],
  ["?sslmode=verify-full&sslrootcert=system", [false, false, false, false]],
  ["?sslmode=verify-full&sslrootcert=ROOT", [false, false, false, true]],
  ["?sslrootcert=ROOT", [false, false, false, true]]
]

describe("a remote server that asks for the password", () => {
  it.each(matrix)("a server gets the password with %j only if sslmode allows it", async (search, expected) => {
    const given: Array<boolean> = []
    for (const kind of kinds) {
      const { passwords, port } = servers[kind]
      const before = passwords.length
      const error = await refusalOf(elsewhere, port, search.replace("ROOT", encodeURIComponent(authority.certFile)))
      given.push(passwords.length > before)
      expect(JSON.stringify([error, error.message])).not.toContain(password)
      // One that got the password refuses it; any other one is told apart from a server that is down
      expect(error).toMatchObject(
        given.at(-1) === true ? { _tag: "StoreError", reason: "denied" } : { _tag: "UnsupportedServer", reason: "tls" }
      )
    }
    expect(given).toEqual(expected)
  })

  it("a server receives the certificate of sslcert and sslkey", async () => {
    const client = makeCertificate(folder, "sov-client", authority)
    const { clients, port } = servers["right name"]
    const files = { sslrootcert: authority.certFile, sslcert: client.certFile, sslkey: client.keyFile }
    await refusalOf(elsewhere, port, `?${new URLSearchParams(files).toString()}`)
    expect(clients).toEqual(["sov-client"])
  })

  it("the server receives no password if a file named in the URL cannot be read", async () => {
    const { passwords, port } = servers["no TLS"]
    const before = passwords.length
    const error = await refusalOf(elsewhere, port, "?sslrootcert=/absent.pem")
    expect(error).toMatchObject({
      _tag: "UnsupportedServer",
      reason: "url",
      message: "sslrootcert of the database URL cannot be read: /absent.pem (ENOENT)"
    })
    expect(passwords.length).toBe(before)
  })
})

describe("a server on this machine", () => {
  it.each(["127.0.0.1", "localhost"])(
    "the connection needs no TLS as %s, and has TLS if sslmode says so",
    async (host) => {
      const { passwords, port } = servers["no TLS"]
      const before = passwords.length
      expect(await refusalOf(host, port)).toMatchObject({ reason: "denied" })
      expect(await refusalOf(host, port, "?sslmode=require")).toMatchObject({ reason: "tls" })
      expect(passwords.length).toBe(before + 1)
    }
  )
})
