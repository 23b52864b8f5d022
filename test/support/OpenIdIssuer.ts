/**
 * An OpenID Connect issuer on loopback, written from OpenID Connect Core 1.0 and Discovery 1.0, RFC 6749 and RFC 7636.
 * It signs in `user` without asking. Tests can make it respond incorrectly.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What the issuer knows about the person who signs in. */
export interface IssuerUser {
  sub: string
  email?: unknown
  email_verified?: unknown
}

type Json = Readonly<Record<string, unknown>>

/** A code that was issued and not yet redeemed, with the request that asked for it. */
interface Grant {
  readonly challenge: string
  readonly redirectUri: string
  readonly nonce: string | null
  readonly user: IssuerUser
}

/** Ways in which the issuer can deviate from the specification; by default it does not. */
interface Faults {
  /** Changes the claims of the ID token. */
  claims: (claims: Json) => Json
  /** The `alg` of the ID token; `none` omits the signature. */
  alg: "RS256" | "none"
  /** Signs with a key that is not in its key set. */
  foreignKey: boolean
  /** Changes the metadata. */
  metadata: (metadata: Json) => Json
  /** Whether only the userinfo endpoint returns the e-mail address. */
  emailByUserinfo: boolean
  /** The error that the authorization endpoint returns. */
  denies: string | null
  /** The status of every response. */
  status: number | null
  /** Whether the issuer never responds. */
  hangs: boolean
}

const right = (): Faults => ({
  claims: (claims) => claims,
  alg: "RS256",
  foreignKey: false,
  metadata: (metadata) => metadata,
  emailByUserinfo: false,
  denies: null,
  status: null,
  hangs: false
})

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")
const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url")

const readBody = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

const sendJson = (response: ServerResponse, status: number, body: Json): void => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
  response.end(JSON.stringify(body))
}

/** The client's credentials, from the header (RFC 6749 §2.3.1) or the body. */
const credentialsOf = (
  { headers }: IncomingMessage,
  form: URLSearchParams
): readonly [string | null, string | null] => {
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? "")?.[1]
  if (basic === undefined) return [form.get("client_id"), form.get("client_secret")]
  const [id = "", secret = ""] = Buffer.from(basic, "base64").toString().split(":")
  const [decodedId, decodedSecret] = [id, secret].map((part) => decodeURIComponent(part.replaceAll("+", " ")))
  return [decodedId!, decodedSecret!]
}

/** Starts the issuer; call `close` in afterAll. `faults` apply until `mend` is called. */
export const openIssuer = async (client: { readonly id: string; readonly secret: string }) => {
  const key = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const jwk = { ...key.publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, IssuerUser>()
  /** Requested paths, in order. */
  const asked: Array<string> = []
  const state = { faults: right(), user: { sub: "nobody" } as IssuerUser }

  const formatJwt = (claims: Json): string => {
    const { alg, foreignKey } = state.faults
    const text = `${encode({ alg, ...alg === "none" ? {} : { kid: "one" } })}.${encode(claims)}`
    const signing: KeyObject = foreignKey ? foreign.privateKey : key.privateKey
    return `${text}.${alg === "none" ? "" : sign("sha256", Buffer.from(text), signing).toString("base64url")}`
  }

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const back = new URL(query.get("redirect_uri")!)
    back.searchParams.set("state", query.get("state") ?? "")
    if (state.faults.denies === null) {
      const code = randomUUID()
      grants.set(code, {
        challenge: query.get("code_challenge_method") === "S256" ? query.get("code_challenge")! : "",
        redirectUri: query.get("redirect_uri")!,
        nonce: query.get("nonce"),
        user: { ...state.user }
      })
      back.searchParams.set("code", code)
    } else back.searchParams.set("error", state.faults.denies)
    response.writeHead(302, { location: back.href }).end()
  }

  const redeem = (request: IncomingMessage, form: URLSearchParams, response: ServerResponse): void => {
    const [id, secret] = credentialsOf(request, form)
    if (id !== client.id || secret !== client.secret) {
      response.setHeader("www-authenticate", "Basic realm=\"issuer\"")
      return sendJson(response, 401, { error: "invalid_client" })
    }
    const code = form.get("code") ?? ""
    const grant = grants.get(code)
    grants.delete(code)
    const isRedeemable = grant !== undefined && form.get("grant_type") === "authorization_code" &&
      form.get("redirect_uri") === grant.redirectUri && sha256(form.get("code_verifier") ?? "") === grant.challenge
    if (!isRedeemable) return sendJson(response, 400, { error: "invalid_grant" })
    const { email, email_verified, sub } = grant.user
    const token = randomUUID()
    tokens.set(token, grant.user)
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: base,
      aud: client.id,
      sub,
      iat: now,
      exp: now + 300,
      ...grant.nonce === null ? {} : { nonce: grant.nonce },
      ...state.faults.emailByUserinfo ? {} : { email, email_verified }
    }
    const id_token = formatJwt(state.faults.claims(claims))
    sendJson(response, 200, { access_token: token, token_type: "Bearer", expires_in: 300, id_token })
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", base)
    asked.push(pathname)
    const { hangs, metadata, status } = state.faults
    if (hangs) return
    if (status !== null) return void response.writeHead(status).end()
    switch (pathname) {
      case "/.well-known/openid-configuration":
        return sendJson(
          response,
          200,
          metadata({
            issuer: base,
            authorization_endpoint: `${base}/authorize`,
            token_endpoint: `${base}/token`,
            userinfo_endpoint: `${base}/userinfo`,
            jwks_uri: `${base}/jwks`,
            response_types_supported: ["code"],
            subject_types_supported: ["public"],
            id_token_signing_alg_values_supported: ["RS256"]
          })
        )
      case "/jwks":
        return sendJson(response, 200, { keys: [jwk] })
      case "/authorize":
        return authorize(searchParams, response)
      case "/token":
        return redeem(request, await readBody(request), response)
      case "/userinfo": {
        const user = tokens.get((request.headers.authorization ?? "").replace(/^Bearer /, ""))
        return user === undefined ? sendJson(response, 401, {}) : sendJson(response, 200, { ...user })
      }
      default:
        response.writeHead(404).end()
    }
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`

  return {
    url: base,
    asked,
    state,
    /** Responds according to the specification except for `faults`. */
    answer: (faults: Partial<Faults> = {}): void => void (state.faults = { ...right(), ...faults }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
export type TestIssuer = Awaited<ReturnType<typeof openIssuer>>
