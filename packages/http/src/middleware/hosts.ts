/**
 * Which host names the server answers for. A page of a foreign site can make a name of its own point to this machine
 * (DNS rebinding), but not an address: addresses are always answered for.
 */
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import type { ServerOptions } from "../ServerSettings.ts"

const nameOf = (host: string): string => host.replace(/:\d*$/, "").toLowerCase()

const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0

type Names = Pick<ServerOptions, "allowedHosts" | "host" | "publicUrl">

/** The names that the server goes by, in lower case and without ports; `*` stands for all where it is allowed. */
export const ownNames = ({ allowedHosts, host, publicUrl }: Names): ReadonlySet<string> =>
  new Set([
    "localhost",
    nameOf(host),
    ...allowedHosts.map(nameOf),
    ...publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  ])

/** Whether the value of a Host header is answered for. */
export const makeHostCheck = (settings: Names): (host: string) => boolean => {
  const names = ownNames(settings)
  if (names.has("*")) return () => true
  return (value) => {
    const name = nameOf(value)
    return names.has(name) || isAddress(name)
  }
}

/**
 * What one client can be told by: its IPv4 address, or of an IPv6 address the network (/64), of which a single client
 * has all addresses to choose from.
 */
export const networkOf = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address
  const groups = (part: string | undefined) => part ? part.split(":") : []
  const [head, tail] = address.split("%", 1)[0]!.split("::")
  const [first, last] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0")
  return `${
    [...first, ...zeros, ...last].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16)).join(":")
  }::/64`
}

/** A proxy that forwards a request puts one of these in; one that does not speaks HTTP/1.0, as nginx does unasked. */
const forwarded = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/

/** Whether the request came from this machine, and not through a proxy on it. */
export const isFromHere = ({ headers, httpVersion, socket }: IncomingMessage): boolean =>
  /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? "") &&
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(nameOf(headers.host ?? "")) &&
  httpVersion !== "1.0" && !Object.keys(headers).some((name) => forwarded.test(name))
