/**
 * Reads a postgres:// URL: libpq's parameters with their meanings (PostgreSQL documentation, 32.1.2 and 32.19), without
 * those that sov does not support. Two differences: there is no fallback from TLS to plain text (`prefer`, `allow`),
 * and without `sslmode` a server on another machine must prove its identity.
 */
import { Redacted, Result } from "effect"
import { isIPv4 } from "node:net"

/** How TLS is used: the modes of libpq. */
const tlsModes = ["disable", "require", "verify-ca", "verify-full"] as const
export type TlsMode = typeof tlsModes[number]

/** How to use TLS, and the certificates that are set. Each names a PEM file; `rootCert` may also be `system`. */
export interface TlsSettings {
  readonly mode: TlsMode
  readonly rootCert: string | null
  readonly cert: string | null
  readonly key: string | null
}

/** A server and how to connect to it. */
export interface ConnectionSettings {
  /** A name, an address, or the directory of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly database: string | undefined
  readonly username: string | undefined
  readonly password: Redacted.Redacted | undefined
  readonly applicationName: string | undefined
  readonly options: string | undefined
  /** In seconds; 0 means no limit. */
  readonly connectTimeout: number | undefined
  /** Always `disable` for a Unix socket, as in libpq. */
  readonly tls: TlsSettings
}

const parameters = [
  "host",
  "port",
  "user",
  "password",
  "dbname",
  "application_name",
  "options",
  "connect_timeout",
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "channel_binding"
] as const
type Parameter = typeof parameters[number]

const isParameter = (name: string): name is Parameter => (parameters as ReadonlyArray<string>).includes(name)

const isSocket = (host: string): boolean => host.startsWith("/")

/** Whether a connection to this host stays on this machine. A name counts only if it is `localhost` (RFC 6761). */
export const isThisMachine = (host: string): boolean =>
  isSocket(host) || host.toLowerCase() === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."))

/**
 * A part of the URL that is safe in a message: a password with an unescaped `?` must not appear as the name of a
 * parameter.
 */
const show = (text: string, search: string): string =>
  /^[\w-]{1,40}$/.test(text) && !search.includes("@") ? JSON.stringify(text) : "that is no plain word"

const findUnknown = (search: string): string | null => {
  const seen = new Set<string>()
  for (const [name] of new URLSearchParams(search)) {
    if (!isParameter(name)) {
      const meant = name.toLowerCase()
      return isParameter(meant)
        ? `the parameter ${show(name, search)} of the database URL is written ${JSON.stringify(meant)}`
        : `the database URL has a parameter ${show(name, search)}, which sov does not have; it has ${
          parameters.join(", ")
        }`
    }
    if (seen.has(name)) return `the database URL has the parameter ${JSON.stringify(name)} twice`
    seen.add(name)
  }
  return null
}

const readNumber = (text: string | null, least: number, most: number): number | null => {
  const number = text !== null && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return number >= least && number <= most ? number : null
}

const readTls = (given: (name: Parameter) => string | null, host: string, search: string): TlsSettings | string => {
  const [mode, rootCert, cert, key] = [given("sslmode"), given("sslrootcert"), given("sslcert"), given("sslkey")]
  const named = tlsModes.find((one) => one === mode)
  if (mode === "prefer" || mode === "allow") {
    return `sslmode=${mode} would give the password to a server without TLS, too: write sslmode=verify-full, require or ` +
      "disable"
  }
  if (mode !== null && named === undefined) return `sslmode is ${tlsModes.join(", ")}, not ${show(mode, search)}`
  const binding = given("channel_binding")
  if (binding === "require") {
    return "sov cannot bind the password to TLS (channel_binding=require): leave that out, and write sslmode=verify-full"
  }
  if (binding !== null && binding !== "prefer" && binding !== "disable") {
    return `channel_binding is prefer or disable, not ${show(binding, search)}`
  }
  if ((cert === null) !== (key === null)) return "sslcert and sslkey are given together or not at all"
  const wanted = rootCert !== null || cert !== null
  if (named === "disable" && wanted) {
    return "sslmode=disable uses no certificates: leave sslrootcert, sslcert and sslkey out"
  }
  if (named === "verify-ca" && rootCert === null) {
    return "sslmode=verify-ca needs sslrootcert: of the public authorities anybody gets a certificate"
  }
  if (rootCert === "system" && named !== undefined && named !== "verify-full") {
    return "sslrootcert=system goes with sslmode=verify-full only: of the public authorities anybody gets a certificate"
  }
  if (isSocket(host)) return { mode: "disable", rootCert: null, cert: null, key: null }
  // As in libpq, `require` with a root certificate checks like `verify-ca`
  if (named === "require" && rootCert !== null) return { mode: "verify-ca", rootCert, cert, key }
  return { mode: named ?? (wanted || !isThisMachine(host) ? "verify-full" : "disable"), rootCert, cert, key }
}

const decode = (text: string): string | undefined => text === "" ? undefined : decodeURIComponent(text)

/**
 * Reads `postgres://user:password@host:port/database?…`. Fails with one line for the operator, which never contains the
 * password, if the URL has another form, or a parameter that is unknown, repeated or invalid.
 */
export const readConnectionUrl = (url: Redacted.Redacted): Result.Result<ConnectionSettings, string> => {
  const parsed = URL.parse(Redacted.value(url))
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    return Result.fail("the database URL does not begin with postgres://")
  }
  const { search, searchParams } = parsed
  const unknown = findUnknown(search)
  if (unknown !== null) return Result.fail(unknown)
  const given = (name: Parameter) => searchParams.get(name)
  try {
    const host = given("host") ?? decode(parsed.hostname.replace(/^\[(.*)\]$/, "$1")) ?? "localhost"
    if (host.includes(",")) return Result.fail("the database URL names several hosts: sov connects to one")
    const portText = given("port") ?? (parsed.port || "5432")
    const port = readNumber(portText, 1, 65_535)
    if (port === null) return Result.fail("the port of the database URL is a number from 1 to 65535")
    const connectTimeout = readNumber(given("connect_timeout") ?? "0", 0, 86_400)
    if (connectTimeout === null) return Result.fail("connect_timeout of the database URL is a number of seconds")
    const tls = readTls(given, host, search)
    if (typeof tls === "string") return Result.fail(tls)
    const password = given("password") ?? decode(parsed.password)
    return Result.succeed({
      host,
      port,
      database: given("dbname") ?? decode(parsed.pathname.replace(/^\//, "")),
      username: given("user") ?? decode(parsed.username),
      password: password === undefined ? undefined : Redacted.make(password),
      applicationName: given("application_name") ?? undefined,
      options: given("options") ?? undefined,
      connectTimeout: given("connect_timeout") === null ? undefined : connectTimeout,
      tls
    })
  } catch {
    return Result.fail("the database URL has a % that begins no escape: write %25 for it")
  }
}
