/**
 * Which host names the server answers for. A page of a foreign site can make a name of its own point to this machine
 * (DNS rebinding), but not an address: addresses are always answered for.
 */
import { isIP } from "node:net"
import type { ServerOptions } from "../ServerSettings.ts"

const nameOf = (host: string): string => host.replace(/:\d*$/, "").toLowerCase()

const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0

/** Whether the value of a Host header is answered for. */
export const makeHostCheck = (
  { allowedHosts, host, publicUrl }: Pick<ServerOptions, "allowedHosts" | "host" | "publicUrl">
): (host: string) => boolean => {
  if (allowedHosts.includes("*")) return () => true
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  const names = new Set([...allowedHosts.map(nameOf), nameOf(host), "localhost", ...own])
  return (value) => {
    const name = nameOf(value)
    return names.has(name) || isAddress(name)
  }
}

/** Whether the request came from this machine, and not through a proxy on it. */
export const isFromHere = (remoteAddress: string | undefined, headers: Readonly<Record<string, string>>): boolean => {
  const host = nameOf(headers["host"] ?? "")
  return /^(127\.|::1$|::ffff:127\.)/.test(remoteAddress ?? "") &&
    /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host) &&
    headers["x-forwarded-for"] === undefined && headers["forwarded"] === undefined
}
