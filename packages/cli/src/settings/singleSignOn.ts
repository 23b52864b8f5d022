/** Single sign-on: an OpenID Connect issuer (`SOV_OIDC_…`), or a trusted proxy (`SOV_PROXY_USER_HEADER`). */
import { isLoopback } from "@sov/core/common"
import { namesTooMany, type OpenIdSettings } from "@sov/http"
import { Redacted, Result } from "effect"
import type { IpNetwork } from "effect/net"
import { CliError } from "../CliError.ts"
import { exitCodes } from "../exitCodes.ts"

type Env = Readonly<Record<string, string | undefined>>
type Read<A> = Result.Result<A, CliError>

/** The settings that an issuer needs, each as the line to write. */
const lines = {
  SOV_OIDC_ISSUER: "SOV_OIDC_ISSUER=https://id.acme.example",
  SOV_OIDC_CLIENT_ID: "SOV_OIDC_CLIENT_ID=the client id that the issuer gave",
  SOV_OIDC_CLIENT_SECRET: "SOV_OIDC_CLIENT_SECRET=the client secret that the issuer gave",
  SOV_OIDC_NAME: "SOV_OIDC_NAME=Acme SSO",
  SOV_PUBLIC_URL: "SOV_PUBLIC_URL=https://sov.acme.example",
  SOV_PROXY_USER_HEADER: "SOV_PROXY_USER_HEADER=X-Forwarded-Email",
  SOV_TRUSTED_PROXIES: "SOV_TRUSTED_PROXIES=10.0.0.5/32"
} as const
type Setting = keyof typeof lines

const oidcSettings = ["SOV_OIDC_ISSUER", "SOV_OIDC_CLIENT_ID", "SOV_OIDC_CLIENT_SECRET"] as const
const maxNameLength = 60

const fail = (message: string, ...settings: ReadonlyArray<Setting>): Result.Result<never, CliError> => {
  const wanted = settings.map((setting) => lines[setting]).join(" and ")
  return Result.fail(
    new CliError("invalid-config", exitCodes.usage, message, `write ${wanted} into the environment or .env`)
  )
}

/**
 * The issuer as a URL. It may use http only on this machine, and is not shown in errors because it may contain a
 * password.
 */
const readIssuer = (text: string): Read<URL> => {
  const url = URL.parse(text)
  if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))) {
    return fail("SOV_OIDC_ISSUER is no https URL", "SOV_OIDC_ISSUER")
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return fail("SOV_OIDC_ISSUER has more than host and path", "SOV_OIDC_ISSUER")
  }
  return url.pathname.includes("/.well-known/")
    ? fail("SOV_OIDC_ISSUER is the address of a document, not the issuer before /.well-known/", "SOV_OIDC_ISSUER")
    : Result.succeed(url)
}

/**
 * The issuer with which people sign in; null if not set. An incomplete configuration is a fault that names the missing
 * settings.
 */
export const readOpenIdSettings = (env: Env, publicUrl: string | undefined): Read<OpenIdSettings | null> => {
  const set = {
    SOV_OIDC_ISSUER: env["SOV_OIDC_ISSUER"]?.trim() ?? "",
    SOV_OIDC_CLIENT_ID: env["SOV_OIDC_CLIENT_ID"]?.trim() ?? "",
    SOV_OIDC_CLIENT_SECRET: env["SOV_OIDC_CLIENT_SECRET"]?.trim() ?? ""
  }
  const name = env["SOV_OIDC_NAME"]?.trim() ?? ""
  const missing = oidcSettings.filter((setting) => set[setting] === "")
  if (missing.length === oidcSettings.length && name === "") return Result.succeed(null)
  if (missing.length > 0) {
    const are = missing.length === 1 ? "is" : "are"
    return fail(`OpenID Connect is half configured: ${missing.join(", ")} ${are} not set`, ...missing)
  }
  const issuer = readIssuer(set.SOV_OIDC_ISSUER)
  if (Result.isFailure(issuer)) return Result.fail(issuer.failure)
  if (publicUrl === undefined) {
    const why = "OpenID Connect needs the public address of the server, to which the issuer sends people back"
    return fail(why, "SOV_PUBLIC_URL")
  }
  if (name.length > maxNameLength || /\p{C}/u.test(name)) {
    return fail(`SOV_OIDC_NAME has more than ${maxNameLength} characters, or a control character`, "SOV_OIDC_NAME")
  }
  return Result.succeed({
    issuer: set.SOV_OIDC_ISSUER,
    clientId: set.SOV_OIDC_CLIENT_ID,
    clientSecret: Redacted.make(set.SOV_OIDC_CLIENT_SECRET),
    name: name === "" ? issuer.success.host : name
  })
}

/** The header in which a trusted proxy names the person who signs in; null if not set. */
export const readProxyUserHeader = (env: Env, trusted: ReadonlyArray<IpNetwork.IpNetwork>): Read<string | null> => {
  const header = env["SOV_PROXY_USER_HEADER"]?.trim() ?? ""
  if (header === "") return Result.succeed(null)
  // RFC 9110 §5.6.2
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header)) {
    return fail("SOV_PROXY_USER_HEADER is no name of a header", "SOV_PROXY_USER_HEADER")
  }
  if (trusted.length === 0) {
    return fail("SOV_PROXY_USER_HEADER counts only from a trusted proxy, and none is named", "SOV_TRUSTED_PROXIES")
  }
  return namesTooMany(trusted)
    ? fail(
      "SOV_TRUSTED_PROXIES names everybody, and with SOV_PROXY_USER_HEADER everybody could be anyone",
      "SOV_TRUSTED_PROXIES"
    )
    : Result.succeed(header)
}
