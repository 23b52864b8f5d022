/**
 * Decides which host names the server accepts. A page of another site can point a host name at this machine (DNS
 * rebinding), but not an IP address, so IP addresses are always accepted.
 */
import { isLoopback } from "@sov/core/common"
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import type { ServerOptions } from "../ServerSettings.ts"

const parseHostName = (host: string): string => host.replace(/:\d*$/, "").toLowerCase()

const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0

type HostSettings = Pick<ServerOptions, "allowedHosts" | "host" | "publicUrl">

/** The host names of the server, in lower case and without ports; `*` if all are allowed. */
export const listOwnHostNames = ({ allowedHosts, host, publicUrl }: HostSettings): ReadonlySet<string> =>
  new Set([
    "localhost",
    parseHostName(host),
    ...allowedHosts.map(parseHostName),
    ...publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  ])

/** Checks whether the server accepts the value of a Host header. */
export const makeHostCheck = (settings: HostSettings): (host: string) => boolean => {
  const names = listOwnHostNames(settings)
  if (names.has("*")) return () => true
  return (value) => {
    const name = parseHostName(value)
    return names.has(name) || isAddress(name)
  }
}

/** Proxies add one of these headers, or use HTTP/1.0, as nginx does by default. */
const forwardingHeader = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/

/** Whether the request came directly from this machine, not through a proxy on it. */
export const isLocalRequest = ({ headers, httpVersion, socket }: IncomingMessage): boolean =>
  /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? "") &&
  isLoopback(parseHostName(headers.host ?? "")) &&
  httpVersion !== "1.0" && !Object.keys(headers).some((name) => forwardingHeader.test(name))
